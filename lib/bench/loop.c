// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Boots of the plan, one after the other or side by side. Where the accelerator counts
 * instructions, values do not depend on load and as many boots run as there are CPUs;
 * where it does not, one boot has the machine for itself.
 */
#include <sched.h>
#include <string.h>

#include "bench_priv.h"
#include "series/fs.h"
#include "series/intr.h"
#include "series/mem.h"
#include "series/progress.h"
#include "series/time.h"
#include "series/xdg.h"

#define SHOW_NS	      ((int64_t)500000000)
#define SHOWN_LINES   8
#define BOOT_FIRST_MS ((int64_t)600000) /* until the first record, emulated and slow */
#define RUN_MS	      ((int64_t)60000)	/* for one run, emulated and slow */

struct slot {
	struct boot *boot;
	struct bench_task *task;
	char *dir;
};

struct loop {
	struct bench_live *l;
	const struct bench_request *q;
	const struct bench_prep *p;
	bench_say_fn *say;
	void *arg;
	struct slot *slots;
	size_t n_slots;
	int64_t deadline_ms;	  /* of the user's, 0: ours */
	struct progress progress; /* counts runs */
	int64_t per_boot;	  /* runs of one boot, the warm-up included */
	int64_t shown_ns;
	char *last_why; /* of the last boot that was void */
	/* A host that boots nothing: what it runs, and the boot it is in. */
	char *running, *boot_id;
};

static void say(struct loop *o, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static void say(struct loop *o, const char *fmt, ...)
{
	char *text _cleanup_free_ = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	if (o->say)
		o->say(text, o->arg);
}

static size_t cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return 1;
	return (size_t)MAX(CPU_COUNT(&set), 1);
}

static const char *label(const struct loop *o, const struct bench_task *t)
{
	return o->l->s->kernels[t->kernel].label;
}

/* Base again is the kernel of base. */
static const struct build_result *build_of(const struct loop *o, int kernel)
{
	return &o->p->built.results[(size_t)kernel < o->p->built.n ? kernel : 0];
}

/*
 * The boot is the unit: where nothing is booted by us, the kernel that runs is measured
 * once in the boot it is in.
 */
static bool can_run(const struct loop *o, const struct bench_task *t)
{
	const struct bench_session *s = o->l->s;
	const char *id = build_of(o, t->kernel)->build_id;

	if (!o->running)
		return true;
	if (!id || strcmp(id, o->running))
		return false;
	for (size_t i = 0; i < s->n_boots; i++)
		if (s->boots[i].state == BOOT_OK && s->boots[i].boot_id &&
		    !strcmp(s->boots[i].boot_id, o->boot_id))
			return false;
	return true;
}

static struct bench_task *next_task(struct loop *o)
{
	for (size_t i = 0; i < o->l->n_tasks; i++)
		if (o->l->tasks[i].state == TASK_TODO && can_run(o, &o->l->tasks[i]))
			return &o->l->tasks[i];
	return NULL;
}

/* Runs that a boot has finished: the records that lie in its folder. */
static int64_t runs_done(const struct slot *slot)
{
	char *path _cleanup_free_ = path_join(slot->dir, "job.jsonl");
	struct buf b _cleanup_buf_ = BUF_INIT;
	struct str rest, line;
	int64_t n = 0;

	if (fs_read(path, (size_t)64 << 20, &b, NULL))
		return 0;
	rest = buf_str(&b);
	while (str_line(&rest, &line))
		n += str_find(line, "\"case\"") >= 0;
	return n;
}

/* In runs, so that it moves also while a boot takes minutes. */
static void show_progress(struct loop *o)
{
	struct buf b _cleanup_buf_ = BUF_INIT;
	int64_t done = (int64_t)bench_live_done(o->l) * o->per_boot;

	if (time_mono_ns() < o->shown_ns + SHOW_NS)
		return;
	o->shown_ns = time_mono_ns();
	for (size_t i = 0; i < o->n_slots; i++) {
		if (!o->slots[i].task)
			continue;
		buf_printf(&b, "%sblock %d %s", b.len ? ", " : "",
			   o->slots[i].task->block, label(o, o->slots[i].task));
		done += MIN(runs_done(&o->slots[i]), o->per_boot);
	}
	progress_update(&o->progress, done, buf_cstr(&b));
}

/* --- start --- */

static int64_t deadline_of(const struct loop *o)
{
	const struct bench_session *s = o->l->s;

	if (o->deadline_ms)
		return o->deadline_ms;
	return BOOT_FIRST_MS + RUN_MS * (int64_t)s->cases.n * (s->runs + 1);
}

static int start_slot(struct loop *o, struct slot *slot, struct bench_task *t,
		      struct err *err)
{
	const struct bench_session *s = o->l->s;
	const struct build_result *k = build_of(o, t->kernel);
	char *guest _cleanup_free_ = xasprintf("/bench/%s", s->bench);
	char *name _cleanup_free_ =
		xasprintf("b%02d-k%02d-a%02d", t->block, t->kernel, t->attempts + 1);
	struct buf job _cleanup_buf_ = BUF_INIT;
	struct boot_file program = { .guest_path = guest,
				     .path = o->p->program,
				     .mode = 0755 };
	struct boot_request q = { .host = o->p->host,
				  .arch = o->p->arch,
				  .image = k->image,
				  .build_id = k->build_id,
				  .release = k->release,
				  .modules = k->modules,
				  .files = &program,
				  .n_files = 1,
				  .deadline_ms = deadline_of(o) };
	int rc;

	bench_job(o->q->def, &s->cases, s->runs, s->seed, t->block, t->kernel, &job);
	q.job = buf_cstr(&job);
	slot->dir = path_join(o->l->dir, name);
	q.dir = slot->dir;
	q.boot_deadline_ms = MIN(q.deadline_ms, BOOT_FIRST_MS);
	rc = boot_start(&q, &slot->boot, err);
	if (rc) {
		free(slot->dir);
		slot->dir = NULL;
		return rc;
	}
	slot->task = t;
	t->state = TASK_RUNNING;
	return 0;
}

static int fill_slots(struct loop *o, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < o->n_slots && !rc; i++) {
		struct bench_task *t = o->slots[i].task ? NULL : next_task(o);

		if (t)
			rc = start_slot(o, &o->slots[i], t, err);
	}
	return rc;
}

static void free_slot(struct slot *slot)
{
	boot_free(slot->boot);
	free(slot->dir);
	*slot = (struct slot){ NULL, NULL, NULL };
}

/* --- end --- */

/* The console of a boot that went wrong outlives the session's folder. */
static char *keep_console(struct loop *o, const struct slot *slot,
			  const struct boot_result *r)
{
	char *sub _cleanup_free_ = xasprintf("bench/%s", o->l->s->id);
	char *dir _cleanup_free_ = xdg_cache(sub);
	char *to = xasprintf("%s/%s.console", dir, path_base(slot->dir));

	if (!fs_exists(r->console_path) || fs_mkdirs(dir, NULL) ||
	    fs_copy(r->console_path, to, NULL)) {
		free(to);
		return xstrdup_null(r->console_path);
	}
	return to;
}

static void tell(struct loop *o, const struct slot *slot, const struct boot_result *r)
{
	const struct bench_task *t = slot->task;
	char *console _cleanup_free_ = NULL;
	size_t from =
		r->console_tail.n > SHOWN_LINES ? r->console_tail.n - SHOWN_LINES : 0;

	if (r->state == BOOT_OK)
		return;
	console = keep_console(o, slot, r);
	say(o, "block %d, %s: %s: %s", t->block, label(o, t), boot_state_name(r->state),
	    r->why ? r->why : "");
	for (size_t i = from; i < r->console_tail.n; i++)
		say(o, "  | %s", r->console_tail.v[i]);
	if (console)
		say(o, "  console: %s", console);
}

/* What was noted of the boot; a proof that does not hold should be seen at once. */
static void tell_notes(struct loop *o, const struct bench_task *t,
		       const struct bench_boot *b)
{
	for (size_t i = 0; i < b->notes.n; i++)
		say(o, "block %d, %s: %s", t->block, label(o, t), b->notes.v[i]);
}

bool bench_any_ok(const struct bench_session *s, int kernel)
{
	for (size_t i = 0; i < s->n_boots; i++)
		if (s->boots[i].state == BOOT_OK &&
		    (kernel < 0 || s->boots[i].kernel == kernel))
			return true;
	return false;
}

/* Is it the host that cannot do it? Then nothing is said of any kernel. */
static int hopeless(struct loop *o, const struct bench_task *t,
		    const struct boot_result *r, struct err *err)
{
	const struct bench_session *s = o->l->s;
	const char *why = r->why ? r->why : "";

	if (r->state == BOOT_WRONG_KERNEL)
		return err_set(err, E_FAIL, "block %d, %s: %s", t->block, label(o, t),
			       why);
	if (r->state == BOOT_FAIL && t->state == TASK_DONE && t->kernel == 0 &&
	    !bench_any_ok(s, 0)) {
		o->l->worthless = true;
		return err_set(err, E_FAIL,
			       "base does not boot on host %s, so nothing can be said of "
			       "the patches: %s",
			       o->p->host->name, why);
	}
	if (t->state == TASK_DROPPED && !bench_any_ok(s, -1))
		return err_set(err, E_FAIL, "host %s: no boot succeeded: %s",
			       o->p->host->name, why);
	return 0;
}

static int ended(struct loop *o, struct slot *slot, struct boot_result *r,
		 struct err *err)
{
	struct bench_live *l = o->l;
	struct bench_task *t = slot->task;
	struct sample *samples _cleanup_free_ = NULL;
	struct bench_boot b;
	size_t n = 0;
	int rc;

	tell(o, slot, r);
	if (!l->s->host_facts && r->state == BOOT_OK) {
		l->s->host_facts = bench_harvest_facts(r);
		rc = bench_live_save(l, err);
		if (rc)
			return rc;
	}
	bench_harvest(o->q->def, l->s, r, &b, &samples, &n);
	b.kernel = t->kernel;
	b.block = t->block;
	b.order = t->order;
	tell_notes(o, t, &b);
	rc = bench_live_add(l, t, &b, samples, n, err);
	if (rc)
		return rc;
	if (r->state != BOOT_OK) {
		free(o->last_why);
		o->last_why = xstrdup(r->why ? r->why : "");
	}
	if (t->state == TASK_DROPPED)
		say(o, "block %d: dropped, %s failed %d times for reasons of the host",
		    t->block, label(o, t), t->voids);
	return hopeless(o, t, r, err);
}

static int poll_slots(struct loop *o, struct err *err)
{
	int wait_ms = (int)MAX(200 / o->n_slots, 1), rc = 0;

	for (size_t i = 0; i < o->n_slots && !rc; i++) {
		struct slot *slot = &o->slots[i];
		struct boot_result r = { .state = BOOT_VOID };

		if (!slot->task || !boot_poll(slot->boot, wait_ms, &r))
			continue;
		/* A boot that we cut off ourselves was never there. */
		rc = intr_check(err);
		if (!rc)
			rc = ended(o, slot, &r, err);
		boot_result_release(&r);
		free_slot(slot);
	}
	return rc;
}

/* Nothing runs and nothing can be started: the rest is somebody's who boots the host. */
static int your_turn(const struct loop *o, struct err *err)
{
	struct buf want _cleanup_buf_ = BUF_INIT;

	for (size_t i = 0; i < o->n_slots; i++)
		if (o->slots[i].task)
			return 0;
	for (size_t k = 0; k < o->l->s->n_kernels; k++)
		for (size_t i = 0; i < o->l->n_tasks; i++) {
			const struct bench_task *t = &o->l->tasks[i];

			if (t->kernel != (int)k || t->state != TASK_TODO)
				continue;
			buf_printf(&want, "%s%s (%s)", want.len ? " or " : "",
				   label(o, t), build_of(o, (int)k)->image);
			break;
		}
	return err_set(err, E_FAIL,
		       "host %s is never booted by series: boot %s, each anew for every "
		       "block",
		       o->p->host->name, buf_cstr(&want));
}

static int whole_blocks(const struct loop *o, struct err *err)
{
	if (bench_live_dropped(o->l) < (size_t)o->l->s->blocks)
		return 0;
	/* All boots are done: going on with it would end here again. */
	o->l->worthless = true;
	return err_set(err, E_FAIL, "host %s: every block was dropped: %s",
		       o->p->host->name, o->last_why ? o->last_why : "see above");
}

static int user_deadline(const struct bench_request *q, int64_t *ret_ms, struct err *err)
{
	int64_t s = 0;
	int rc = config_get_int(q->config, "series.benchdeadline", 0, &s, err);

	if (!rc && (s < 0 || s > 7 * 86400))
		rc = err_set(err, E_USAGE,
			     "series.benchDeadline is %lld; expected seconds of one boot",
			     (long long)s);
	*ret_ms = s * 1000;
	return rc;
}

int bench_loop(struct bench_live *l, const struct bench_request *q,
	       const struct bench_prep *p, bench_say_fn *say_fn, void *arg,
	       struct err *err)
{
	struct loop o = { .l = l, .q = q, .p = p, .say = say_fn, .arg = arg };
	char *what _cleanup_free_ = xasprintf("measuring %s, %s on %s", q->def->name,
					      p->arch->name, p->host->name);
	int rc = user_deadline(q, &o.deadline_ms, err);

	o.n_slots = host_shares(p->host) ? MIN(cpus(), l->n_tasks) : 1;
	o.slots = xcalloc(o.n_slots, sizeof(*o.slots));
	o.per_boot = (int64_t)l->s->cases.n * (l->s->runs + (q->def->warmup ? 1 : 0));
	if (!rc && !host_boots(p->host))
		rc = host_running(p->host, &o.running, &o.boot_id, err);
	progress_start(&o.progress, what, (int64_t)l->n_tasks * o.per_boot);
	while (!rc && bench_live_done(l) < l->n_tasks) {
		rc = intr_check(err);
		if (!rc)
			rc = fill_slots(&o, err);
		if (!rc && o.running)
			rc = your_turn(&o, err);
		if (!rc)
			show_progress(&o);
		if (!rc)
			rc = poll_slots(&o, err);
	}
	for (size_t i = 0; i < o.n_slots; i++)
		free_slot(&o.slots[i]);
	progress_end(&o.progress);
	if (!rc)
		rc = whole_blocks(&o, err);
	free(o.slots);
	free(o.last_why);
	free(o.running);
	free(o.boot_id);
	return rc;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Results on disk: kernels/KEY/ with image, vmlinux, config, log and result.json. A
 * folder is filled under another name and renamed, so whatever is there is complete.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "series/fs.h"
#include "series/proc.h"
#include "internal.h"

static const char *const outcomes[] = {
	[BUILD_UNKNOWN] = "unknown",
	[BUILD_PASS] = "pass",
	[BUILD_WARN] = "warn",
	[BUILD_FAIL] = "fail",
};

const char *build_outcome_name(enum build_outcome o)
{
	return o >= 0 && (size_t)o < ARRAY_SIZE(outcomes) ? outcomes[o] : "unknown";
}

static enum build_outcome outcome_from(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(outcomes); i++)
		if (!strcmp(name, outcomes[i]))
			return (enum build_outcome)i;
	return BUILD_UNKNOWN;
}

static void result_release(struct build_result *r)
{
	free(r->label);
	free(r->subject);
	free(r->config_name);
	free(r->compiler);
	strvec_release(&r->warnings);
	free(r->first_error);
	free(r->log);
	free(r->image);
	free(r->vmlinux);
	free(r->modules);
	free(r->build_id);
	free(r->release);
	memset(r, 0, sizeof(*r));
}

void stored_release(struct stored *s)
{
	result_release(&s->r);
	strvec_release(&s->all);
	memset(s, 0, sizeof(*s));
}

void build_report_release(struct build_report *r)
{
	for (size_t i = 0; i < r->n; i++)
		result_release(&r->results[i]);
	free(r->results);
	memset(r, 0, sizeof(*r));
}

struct json *build_result_json(const struct build_result *r)
{
	struct json *j = json_obj();

	json_set_int(j, "schema", 1);
	json_set_str(j, "key", r->key);
	json_set_str(j, "commit", r->commit);
	json_set_str(j, "tree", r->tree);
	json_set_str(j, "label", r->label);
	json_set_str(j, "subject", r->subject);
	json_set_str(j, "arch", r->arch);
	json_set_str(j, "config_name", r->config_name);
	json_set_str(j, "config_hash", r->config_hash);
	json_set_str(j, "compiler", r->compiler);
	json_set_str(j, "outcome", build_outcome_name(r->outcome));
	json_set_bool(j, "base_broken", r->base_broken);
	json_set_bool(j, "same_as_parent", r->same_as_parent);
	json_set_strvec(j, "warnings", &r->warnings);
	json_set_str(j, "first_error", r->first_error);
	json_set_str(j, "build_id", r->build_id);
	json_set_str(j, "release", r->release);
	json_set_int(j, "wall_ms", r->wall_ms);
	return j;
}

static char *below(const char *dir, const char *name)
{
	char *path = path_join(dir, name);

	if (!fs_exists(path)) {
		free(path);
		return NULL;
	}
	return path;
}

static int parse(const struct plan *p, const char *dir, struct stored *s, struct err *err)
{
	_cleanup_free_ char *path = path_join(dir, "result.json");
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_json_ struct json *j = NULL;
	struct build_result *r = &s->r;
	int rc = fs_read(path, 64 << 20, &text, err);

	if (!rc)
		rc = json_parse_schema(buf_str(&text), path, 1, &j, err);
	if (rc < 0)
		return rc;
	r->arch = p->arch->name;
	r->outcome = outcome_from(json_get_str(j, "outcome"));
	r->base_broken = json_get_bool(j, "base_broken", false);
	r->compiler = xstrdup_null(json_get_str(j, "compiler"));
	r->config_name = xstrdup(p->config_name);
	memcpy(r->config_hash, p->config_hash, sizeof(r->config_hash));
	r->first_error = xstrdup_null(json_get_str(j, "first_error"));
	r->build_id = xstrdup_null(json_get_str(j, "build_id"));
	r->release = xstrdup_null(json_get_str(j, "release"));
	r->wall_ms = json_get_int(j, "wall_ms", 0);
	json_get_strvec(j, "all_warnings", &s->all);
	r->log = below(dir, "log");
	r->image = below(dir, "image");
	r->vmlinux = below(dir, "vmlinux");
	r->modules = below(dir, "modules.tar");
	return 0;
}

int result_load(const struct plan *p, const char *key, struct stored *ret,
		struct err *err)
{
	_cleanup_free_ char *dir = path_join(p->kernels, key);
	struct stored s = { 0 };
	int rc = parse(p, dir, &s, err);

	if (!rc && s.r.outcome == BUILD_PASS && !s.r.base_broken &&
	    (!s.r.image || !s.r.vmlinux || !s.r.build_id))
		rc = err_set(err, E_NOTFOUND, "%s: not complete", dir);
	if (rc < 0) {
		stored_release(&s);
		return rc;
	}
	memcpy(s.r.key, key, sizeof(s.r.key));
	/* The time of last use, for the order in which old kernels go. */
	utimensat(AT_FDCWD, dir, NULL, 0);
	*ret = s;
	return 0;
}

static int write_json(const char *dir, const struct stored *s, struct err *err)
{
	_cleanup_free_ char *path = path_join(dir, "result.json");
	_cleanup_json_ struct json *j = build_result_json(&s->r);
	_cleanup_buf_ struct buf text = BUF_INIT;

	json_set_strvec(j, "all_warnings", &s->all);
	json_dump(j, &text);
	return fs_write_atomic(path, text.p, text.len, 0644, err);
}

static int copy_into(const char *from_dir, const char *from, const char *dir,
		     const char *to, struct err *err)
{
	_cleanup_free_ char *src = path_join(from_dir, from), *dst = path_join(dir, to);

	return fs_exists(src) ? fs_copy(src, dst, err) : 0;
}

int result_store(const struct plan *p, const struct stored *s, bool kernel,
		 struct err *err)
{
	_cleanup_free_ char *dir = path_join(p->kernels, s->r.key);
	_cleanup_free_ char *tmp = xasprintf("%s/.new-%s", p->kernels, s->r.key);
	int rc = fs_rmtree(tmp, err);

	if (!rc)
		rc = fs_mkdirs(tmp, err);
	if (!rc && kernel)
		rc = copy_into(p->obj, p->arch->image_path, tmp, "image", err);
	if (!rc && kernel)
		rc = copy_into(p->obj, "vmlinux", tmp, "vmlinux", err);
	if (!rc && kernel)
		rc = copy_into(p->meta, "modules.tar", tmp, "modules.tar", err);
	if (!rc)
		rc = copy_into(p->obj, ".config", tmp, "config", err);
	if (!rc)
		rc = copy_into(p->meta, "log", tmp, "log", err);
	if (!rc)
		rc = write_json(tmp, s, err);
	if (!rc)
		rc = fs_rmtree(dir, err);
	if (!rc && rename(tmp, dir) < 0)
		rc = err_errno(err, errno, "%s", dir);
	return rc < 0 ? rc : fs_fsync_dir(p->kernels, err);
}

int elf_build_id(const char *path, char **ret, struct err *err)
{
	_cleanup_strvec_ struct strvec argv = STRVEC_INIT;
	_cleanup_proc_ struct proc_result res = PROC_RESULT_INIT;
	char *env[] = { "LC_ALL=C", NULL };
	struct str rest, line;

	strvec_pushl(&argv, "readelf", "-n", path, NULL);
	struct proc_opts o = { .argv = strvec_argv(&argv), .env = env };
	int rc = proc_check(&o, &res, err);

	if (rc < 0)
		return rc;
	rest = buf_str(&res.out);
	while (str_line(&rest, &line)) {
		line = str_trim(line);
		if (str_skip(&line, "Build ID: ") && line.len >= 16) {
			*ret = str_dup(line);
			return 0;
		}
	}
	return err_set(err, E_FAIL,
		       "%s: has no build-id; the linker was told to leave it out", path);
}

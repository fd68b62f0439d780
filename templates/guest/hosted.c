// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hosted.c - the agent of a host that has a system of its own: the machine in front of
 * which the developer sits, or one that is reached by ssh.
 *
 * The same jobs as in a guest, but with manners: only what a job started is killed, only
 * devices that nobody uses are taken, and at the end knobs, swap areas and devices are as
 * they were. Records go to a file, so that whoever waits for them may lose the connection
 * and come back. The file is locked (flock) as long as the job runs.
 *
 *	agent hello                     the first record, on standard output
 *	agent run JOB RECORDS OWNER     do the job; end when the process OWNER is gone
 *	agent start JOB RECORDS         the same in the background, for nobody in
 *particular agent follow RECORDS FROM SEQ   print records from byte FROM on, and the
 *kernel's messages from SEQ on as records {"t":"kmsg"}, until the job has ended; 3 if it
 *ended without its last word agent exchange NEW OLD          two names change places (or
 *NEW becomes OLD) agent restart SECONDS           in the background: restart the machine
 *after that time, whatever its system does
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/watchdog.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/wait.h>
#include "guest.h"

#define MAX_KEPT   256
#define LOOK_US	   300000 /* between two looks at the records */
#define WATCHDOG_S 60
#define PING_S	   10

static volatile sig_atomic_t stopped;
static char base[4096]; /* folder of the job */
static pid_t owner, pinger;

/* What must be undone, the first first. */
static struct kept {
	char *path, *text; /* text NULL: a swap area */
} kept[MAX_KEPT];
static int n_kept;

static char device[32]; /* "zram1", once we have it */
static int added = -1;	/* its number, when it is there because of us */

bool told_to_stop(void)
{
	char path[4200];

	/* a signal may not be allowed to whoever wants it: so it may be a file, too */
	snprintf(path, sizeof(path), "%s/stop", base);
	if (hosted && base[0] && !access(path, F_OK))
		stopped = 1;
	if (owner > 0 && kill(owner, 0) < 0 && errno == ESRCH)
		stopped = 1;
	return stopped;
}

/* --- processes --- */

/* Parent of a process, from /proc/PID/stat: "PID (NAME) STATE PPID". */
static pid_t parent_of(pid_t pid)
{
	char path[64], text[512], *end;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (slurp(path, text, sizeof(text)) < 0 || !(end = strrchr(text, ')')))
		return -1;
	return strlen(end) > 4 ? atoi(end + 4) : -1;
}

/* Children of ours, and orphans of theirs that came to us; how many there were. */
static int kill_children(void)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	int n = 0;

	while (d && (e = readdir(d))) {
		pid_t pid = atoi(e->d_name);

		if (pid > 1 && pid != pinger && parent_of(pid) == getpid()) {
			kill(pid, SIGKILL);
			n++;
		}
	}
	if (d)
		closedir(d);
	return n;
}

void kill_rest(pid_t pid)
{
	kill(-pid, SIGKILL);
	if (!hosted) {
		kill(-1, SIGKILL); /* all but us and the kernel's threads */
		return;
	}
	/* Each that dies may leave us its children: as a subreaper we get them all. */
	for (int i = 0; i < 50 && kill_children() > 0; i++)
		usleep(2000);
}

/* --- what is undone --- */

static void keep(const char *path, const char *text)
{
	for (int i = 0; i < n_kept; i++)
		if (!strcmp(kept[i].path, path))
			return; /* the first was the host's */
	if (n_kept == MAX_KEPT)
		return;
	kept[n_kept].path = strdup(path);
	kept[n_kept++].text = text ? strdup(text) : NULL;
}

void keep_old(const char *path)
{
	const char *text;
	char word[128], *open, *close;

	if (!hosted)
		return;
	text = text_of(path);
	if (!text)
		return;
	snprintf(word, sizeof(word), "%s", text);
	/* a choice: "always [madvise] never" */
	open = strchr(word, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close) {
		*close = '\0';
		keep(path, open + 1);
	} else {
		keep(path, word);
	}
}

void keep_swap(const char *dev)
{
	if (hosted)
		keep(dev, NULL);
}

/* Last first; what cannot be undone is a remark, and the rest is undone all the same. */
static void undo(void)
{
	char path[64], number_[16];

	while (n_kept-- > 0) {
		const struct kept *k = &kept[n_kept];
		bool ok = k->text ? write_file(k->path, k->text)
				  : !swapoff(k->path) ||
					    fail("%s: %s", k->path, strerror(errno));

		if (ok)
			continue;
		begin("remark");
		put(",\"line\":0");
		put_member("cmd", "undo");
		put_member("msg", why);
		end();
	}
	n_kept = 0;
	if (!device[0])
		return;
	snprintf(path, sizeof(path), "/sys/block/%s/reset", device);
	write_file(path, "1");
	snprintf(number_, sizeof(number_), "%d", added);
	if (added >= 0)
		write_file("/sys/class/zram-control/hot_remove", number_);
	device[0] = '\0';
	added = -1;
}

/* --- a zram device that nobody uses --- */

/* By name only: the host's own modprobe knows its rules. */
static void load_zram(void)
{
	pid_t pid = fork();

	if (!pid) {
		setenv("PATH", "/usr/sbin:/sbin:/usr/bin:/bin", 1);
		execlp("modprobe", "modprobe", "-q", "zram", (char *)NULL);
		_exit(127);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static bool is_free(int i)
{
	char path[64], swap[32], *at;
	char areas[8192];
	const char *size;

	snprintf(path, sizeof(path), "/sys/block/zram%d/disksize", i);
	size = text_of(path);
	if (!size || strcmp(size, "0"))
		return false;
	snprintf(swap, sizeof(swap), "/dev/zram%d", i);
	if (slurp("/proc/swaps", areas, sizeof(areas)) < 0)
		return true;
	at = strstr(areas, swap);
	return !at || (at[strlen(swap)] != ' ' && at[strlen(swap)] != '\t');
}

const char *zram_device(void)
{
	long long id;

	if (!hosted)
		return "zram0";
	if (device[0])
		return device;
	if (access("/sys/class/zram-control", F_OK) && access("/sys/block/zram0", F_OK))
		load_zram();
	for (int i = 0; i < 32; i++)
		if (is_free(i)) {
			snprintf(device, sizeof(device), "zram%d", i);
			return device;
		}
	/* reading it makes one, and says which */
	if (!number(text_of("/sys/class/zram-control/hot_add"), &id)) {
		fail("no zram device is free, and none can be added: the kernel needs "
		     "CONFIG_ZRAM, and this needs root");
		return NULL;
	}
	added = (int)id;
	snprintf(device, sizeof(device), "zram%d", added);
	return device;
}

const char *real_path(const char *path)
{
	static char buf[512];
	const char *at = hosted && device[0] ? strstr(path, "/zram0") : NULL;
	char next = at ? at[strlen("/zram0")] : '0';

	if (!at || (next && next != '/'))
		return path;
	snprintf(buf, sizeof(buf), "%.*s/%s%s", (int)(at - path), path, device,
		 at + strlen("/zram0"));
	return buf;
}

const char *file_path(const char *path)
{
	static char buf[8192];

	if (!hosted || !base[0] || path[0] != '/')
		return path;
	snprintf(buf, sizeof(buf), "%s/files%s", base, path);
	return access(buf, F_OK) ? path : buf;
}

bool our_device(const char *dev)
{
	return device[0] && !strncmp(dev, "/dev/", 5) && !strcmp(dev + 5, device);
}

/* --- the job --- */

static void on_signal(int sig)
{
	stopped = 1;
}

/*
 * Where there is a watchdog that nobody else feeds, a machine that hangs in the job
 * restarts by itself. It is switched off again when we end.
 */
static void arm_watchdog(void)
{
	int fd = open("/dev/watchdog", O_WRONLY | O_CLOEXEC), seconds = WATCHDOG_S;
	pid_t parent = getpid();

	if (fd < 0)
		return;
	ioctl(fd, WDIOC_SETTIMEOUT, &seconds);
	pinger = fork();
	if (pinger == 0) {
		/* the records' lock is not this one's to hold */
		close(port);
		while (getppid() == parent) {
			ioctl(fd, WDIOC_KEEPALIVE, 0);
			for (int i = 0; i < PING_S && getppid() == parent; i++)
				sleep(1);
		}
		if (write(fd, "V", 1) < 0) /* the magic word that switches it off */
			_exit(1);
		_exit(0);
	}
	close(fd);
}

/* Records go to the file, whose lock says that the job runs. */
static bool open_records(const char *path)
{
	port = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (port >= 0 && !flock(port, LOCK_EX | LOCK_NB))
		return true;
	fprintf(stderr, "%s: %s\n", path,
		port < 0 ? strerror(errno) : "a job is running already");
	return false;
}

static bool read_job(const char *path, char *job, size_t max)
{
	ssize_t n = slurp(path, job, max);
	const char *slash = strrchr(path, '/');

	snprintf(base, sizeof(base), "%.*s", slash ? (int)(slash - path) : 1,
		 slash ? path : ".");
	if (n >= 0 && n < (ssize_t)max - 1)
		return true;
	fprintf(stderr, "%s: %s\n", path, n < 0 ? strerror(errno) : "too long");
	return false;
}

static void do_job(const char *job)
{
	struct sigaction act = { .sa_handler = on_signal };
	bool done;

	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGHUP, &act, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	hello();
	done = do_lines(job, false);
	kill_children();
	undo();
	if (done) {
		begin("done");
		end();
	}
	fsync(port);
}

static int run_job(char **argv)
{
	static char job[MAX_JOB];

	if (!read_job(argv[0], job, sizeof(job)) || !open_records(argv[1]))
		return 1;
	owner = atoi(argv[2]);
	/* What the kernel said before the job is not the job's. */
	kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (kmsg >= 0)
		lseek(kmsg, 0, SEEK_END);
	do_job(job);
	return 0;
}

static int start_job(char **argv)
{
	static char job[MAX_JOB];
	int null;

	if (!read_job(argv[0], job, sizeof(job)) || !open_records(argv[1]))
		return 1;
	if (fork())
		_exit(0);
	setsid();
	null = open("/dev/null", O_RDWR);
	for (int i = 0; i < 3; i++)
		dup2(null, i);
	/* The boot's own warnings count: this kernel was booted for the job. */
	kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	arm_watchdog();
	do_job(job);
	return 0;
}

/* --- following it --- */

static bool out_all(const char *p, size_t n)
{
	while (n) {
		ssize_t w = write(1, p, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return false;
		p += w;
		n -= w;
	}
	return true;
}

/* Messages of the kernel from *seq on: "PRIO,SEQ,MICROSECONDS,FLAGS;TEXT". */
static void follow_kmsg(int fd, long long *seq)
{
	char m[8192];
	ssize_t n;

	while (fd >= 0 &&
	       ((n = read(fd, m, sizeof(m) - 1)) > 0 || (n < 0 && errno == EPIPE))) {
		long long at = -1, us = 0;
		char *text;

		if (n < 0)
			continue;
		m[n] = '\0';
		text = strchr(m, ';');
		if (!text || sscanf(m, "%*d,%lld,%lld", &at, &us) != 2 || at < *seq)
			continue;
		*seq = at + 1;
		begin("kmsg");
		put(",\"seq\":%lld,\"us\":%lld,\"m\":", at, us);
		text++;
		put_text(text, strcspn(text, "\n"));
		end();
	}
}

/* True when something was printed; *ended when there is no job any more. */
static bool follow_records(int fd, bool *ended)
{
	char buf[65536];
	bool any = false;
	ssize_t n;

	/* first the lock, then the rest: nothing comes behind a job that has ended */
	*ended = !flock(fd, LOCK_SH | LOCK_NB);
	if (*ended)
		flock(fd, LOCK_UN);
	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		if (!out_all(buf, n))
			_exit(1);
		any = true;
	}
	return any;
}

static int follow(char **argv)
{
	int fd = open(argv[0], O_RDONLY | O_CLOEXEC);
	int k = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	long long from = 0, seq = 0;
	bool ended;

	if (fd < 0) {
		fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
		return 2;
	}
	number(argv[1], &from);
	number(argv[2], &seq);
	lseek(fd, from, SEEK_SET);
	port = 1; /* the messages of the kernel go where the records go */
	do {
		follow_kmsg(k, &seq);
		if (!follow_records(fd, &ended) && !ended)
			usleep(LOOK_US);
	} while (!ended);
	follow_kmsg(k, &seq);
	return 0;
}

/* --- small services --- */

static int print_hello(char **argv)
{
	port = 1;
	hello();
	return 0;
}

static int exchange(char **argv)
{
	char old[4096];

	if (!renameat2(AT_FDCWD, argv[0], AT_FDCWD, argv[1], RENAME_EXCHANGE))
		return 0;
	/* the second is not there yet, or the file system cannot exchange */
	snprintf(old, sizeof(old), "%s.old", argv[1]);
	if ((rename(argv[1], old) && errno != ENOENT) || rename(argv[0], argv[1])) {
		fprintf(stderr, "%s, %s: %s\n", argv[0], argv[1], strerror(errno));
		return 1;
	}
	return 0;
}

static int restart(char **argv)
{
	if (fork())
		return 0;
	setsid();
	for (int i = 0; i < 3; i++)
		close(i);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	sleep(atoi(argv[0]));
	sync();
	reboot(RB_AUTOBOOT);
	return 1;
}

static const struct {
	const char *name;
	int args;
	int (*run)(char **argv);
	const char *usage;
} table[] = {
	{ "hello", 0, print_hello, "" },
	{ "run", 3, run_job, " JOB RECORDS OWNER" },
	{ "start", 2, start_job, " JOB RECORDS" },
	{ "follow", 3, follow, " RECORDS FROM SEQ" },
	{ "exchange", 2, exchange, " NEW OLD" },
	{ "restart", 1, restart, " SECONDS" },
};

int hosted_main(int argc, char **argv)
{
	const size_t n = sizeof(table) / sizeof(table[0]);

	hosted = true;
	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < n && argc > 1; i++)
		if (!strcmp(argv[1], table[i].name) && argc == table[i].args + 2)
			return table[i].run(argv + 2);
	for (size_t i = 0; i < n; i++)
		fprintf(stderr, "agent %s%s\n", table[i].name, table[i].usage);
	return 2;
}

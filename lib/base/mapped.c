// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mapped.c - files in memory, and what becomes of them when somebody cuts them short.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "series/mapped.h"

/* The signal handler looks here. */
static struct mapped *all;
static size_t page_size;

/* Zeros from the page at addr to the end, so that who reads there comes back. */
static bool mend(struct mapped *m, uintptr_t addr)
{
	uintptr_t end = (uintptr_t)m->bytes.p + m->bytes.len;

	addr = addr / page_size * page_size;
	m->torn = 1;
	return mmap((void *)addr, end - addr, PROT_READ,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

static void on_sigbus(int sig, siginfo_t *info, void *context)
{
	uintptr_t addr = (uintptr_t)info->si_addr;
	int before = errno;

	for (struct mapped *m = all; m; m = m->next) {
		uintptr_t from = (uintptr_t)m->bytes.p / page_size * page_size;

		if (addr >= from && addr < (uintptr_t)m->bytes.p + m->bytes.len &&
		    mend(m, addr)) {
			errno = before;
			return;
		}
	}
	/* Not ours: it comes again, and ends us. */
	signal(sig, SIG_DFL);
}

static void watch(struct mapped *m)
{
	struct sigaction act = { .sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO };

	page_size = (size_t)sysconf(_SC_PAGESIZE);
	sigemptyset(&act.sa_mask);
	/* Each time: a library may have put its own there. */
	sigaction(SIGBUS, &act, NULL);
	m->next = all;
	all = m;
}

int mapped_open(struct mapped *m, int fd, const char *name, struct err *err)
{
	struct stat st;
	void *p;

	*m = (struct mapped){ .bytes = STR_LIT("") };
	if (fstat(fd, &st) < 0)
		return err_errno(err, errno, "%s", name);
	if (!st.st_size)
		return 0;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return err_errno(err, errno, "%s", name);
	madvise(p, (size_t)st.st_size, MADV_SEQUENTIAL);
	m->bytes = str_n(p, (size_t)st.st_size);
	watch(m);
	return 0;
}

void mapped_close(struct mapped *m)
{
	for (struct mapped **at = &all; *at; at = &(*at)->next)
		if (*at == m) {
			*at = m->next;
			break;
		}
	if (m->bytes.len)
		munmap((void *)(uintptr_t)m->bytes.p, m->bytes.len);
	*m = (struct mapped){ .bytes = STR_NULL };
}

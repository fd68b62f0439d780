// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * swapout.c - time one madvise(MADV_PAGEOUT) of anonymous memory that was just filled.
 *
 * usage: swapout [-m MIB] [-f page|zero|random]
 *
 * Fills: "page" (default) is one byte everywhere and a word of its own at the start of
 * each page: pages differ, compress well, and are stored. "random" differs in every word:
 * the compressor dominates. "zero" never reaches the swap device on kernels that keep
 * zero pages in a map of their own.
 *
 * Prints "fill_ns N", "pageout_ns N" and "resident N" (pages that mincore(2) still
 * finds). Exit status 1 when a call fails or more than one page in a hundred is still
 * there: then what was timed is not a swapout.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

#define ALIGN ((size_t)2 << 20) /* so that any folio up to 2 MiB fits */

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* splitmix64 of Sebastiano Vigna (public domain): every word differs. */
static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return x ^ (x >> 31);
}

static void fill(char *p, size_t len, size_t page, char how)
{
	if (how == 'r') {
		for (size_t i = 0; i < len; i += 8)
			*(uint64_t *)(p + i) = mix(i);
		return;
	}
	memset(p, how == 'z' ? 0 : 0x5a, len);
	for (size_t i = 0; how == 'p' && i < len; i += page)
		*(uint64_t *)(p + i) = i + 1;
}

static int fail(const char *what)
{
	perror(what);
	return 1;
}

static int measure(size_t len, char how)
{
	size_t page = sysconf(_SC_PAGESIZE), pages = len / page, resident = 0;
	unsigned char *vec = malloc(pages);
	long long t0, t1, t2;
	char *raw, *p;

	raw = mmap(NULL, len + ALIGN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		   -1, 0);
	if (raw == MAP_FAILED || !vec)
		return fail("mmap");
	p = (char *)(((uintptr_t)raw + ALIGN - 1) & ~(ALIGN - 1));
	t0 = now_ns();
	fill(p, len, page, how);
	t1 = now_ns();
	printf("fill_ns %lld\n", t1 - t0);
	fflush(stdout);
	t1 = now_ns();
	if (madvise(p, len, MADV_PAGEOUT))
		return fail("madvise(MADV_PAGEOUT)");
	t2 = now_ns();
	if (mincore(p, len, vec))
		return fail("mincore");
	for (size_t i = 0; i < pages; i++)
		resident += vec[i] & 1;
	printf("pageout_ns %lld\nresident %zu\n", t2 - t1, resident);
	if (resident * 100 > pages) {
		fprintf(stderr,
			"swapout: %zu of %zu pages are still in memory; is swap on, and "
			"large enough?\n",
			resident, pages);
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	size_t mib = 256;
	char how = 'p';
	int o;

	while ((o = getopt(argc, argv, "m:f:")) != -1) {
		if (o == 'm' && atol(optarg) > 0 && atol(optarg) <= 1 << 20)
			mib = atol(optarg);
		else if (o == 'f' &&
			 (!strcmp(optarg, "page") || !strcmp(optarg, "zero") ||
			  !strcmp(optarg, "random")))
			how = optarg[0];
		else
			o = '?';
		if (o == '?') {
			fprintf(stderr,
				"usage: swapout [-m MIB] [-f page|zero|random]\n");
			return 2;
		}
	}
	return measure(mib << 20, how);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* test_sha256.c - SHA-256 against the vectors of NIST and against Python's hashlib. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "series/fs.h"
#include "series/mem.h"
#include "series/sha256.h"

#define MILLION_A "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"

static void test_nist(void **state)
{
	/* FIPS 180 examples, and the first byte-oriented ones of the CAVS short messages.
	 */
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "",
		  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ "abc",
		  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
		{ "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
		  "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
		  "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1" },
		{ "\xbd",
		  "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b" },
	};
	char hex[SHA256_HEX];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		sha256_hex(rows[i].text, strlen(rows[i].text), hex);
		assert_string_equal(hex, rows[i].want);
	}
}

/* Around the end of the padding: 55, 56 and 64 zero bytes (NIST's additional vectors). */
static void test_padding(void **state)
{
	static const char zero[64];
	char hex[SHA256_HEX];

	sha256_hex(zero, 55, hex);
	assert_string_equal(
		hex, "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7");
	sha256_hex(zero, 56, hex);
	assert_string_equal(
		hex, "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb");
	sha256_hex(zero, 64, hex);
	assert_string_equal(
		hex, "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b");
}

static void test_million(void **state)
{
	char a[1000], hex[SHA256_HEX];
	struct sha256 c;
	size_t left = 1000000, n = 1;

	memset(a, 'a', sizeof(a));
	sha256_init(&c);
	for (; left; left -= n, n = (n * 7 + 3) % sizeof(a) + 1) {
		n = MIN(n, left);
		sha256_add(&c, a, n);
	}
	sha256_end(&c, hex);
	assert_string_equal(hex, MILLION_A);
}

/*
 * All lengths from 0 to 299 in uneven pieces; the digest of all digests is Python's:
 * h.update(sha256(bytes((i*7+n)&255 for i in range(n))).hexdigest().encode())
 */
static void test_lengths(void **state)
{
	struct sha256 all, one;
	char hex[SHA256_HEX];
	unsigned char data[300];
	size_t n, i, step;

	sha256_init(&all);
	for (n = 0; n < 300; n++) {
		for (i = 0; i < n; i++)
			data[i] = (unsigned char)(i * 7 + n);
		sha256_init(&one);
		for (i = 0; i < n; i += step) {
			step = MIN(n - i, 1 + (i * 5 + n) % 70);
			sha256_add(&one, data + i, step);
		}
		sha256_end(&one, hex);
		sha256_add(&all, hex, 64);
	}
	sha256_end(&all, hex);
	assert_string_equal(
		hex, "def85da8f53f8ad58eda585dce61c0d7bfbb3da6924badae49d32d11288c576f");
}

static void test_file(void **state)
{
	char *dir _cleanup_free_ = NULL;
	char *path _cleanup_free_ = NULL;
	struct err err _cleanup_err_ = ERR_INIT;
	struct buf b _cleanup_buf_ = BUF_INIT;
	char hex[SHA256_HEX] = "untouched";

	assert_int_equal(fs_tmpdir("sha256", &dir, &err), 0);
	path = path_join(dir, "a");
	assert_int_equal(sha256_file(path, hex, &err), E_NOTFOUND);
	assert_non_null(strstr(err_msg(&err), path));
	assert_int_equal(sha256_file(dir, hex, &err), E_FAIL);
	assert_string_equal(hex, "untouched");
	buf_fill(&b, 'a', 1000000);
	assert_int_equal(fs_write_atomic(path, b.p, b.len, 0600, &err), 0);
	assert_int_equal(sha256_file(path, hex, &err), 0);
	assert_string_equal(hex, MILLION_A);
	assert_int_equal(fs_rmtree(dir, &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nist),	cmocka_unit_test(test_padding),
		cmocka_unit_test(test_million), cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

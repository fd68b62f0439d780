// SPDX-License-Identifier: GPL-2.0-or-later
/* Lost options and what they depend on; keys of results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "../../lib/build/internal.h"

static const char config[] = "# CONFIG_BLOCK is not set\n"
			     "CONFIG_MMU=y\n"
			     "CONFIG_NR_CPUS=8\n"
			     "CONFIG_CMDLINE=\"console=ttyS0\"\n"
			     "CONFIG_SWAP=m\n"
			     "CONFIG_ZRAM_DEBUG=y\n";

static void test_value(void **state)
{
	assert_true(str_eqc(config_value(str_c(config), STR_LIT("NR_CPUS")), "8"));
	assert_true(str_eqc(config_value(str_c(config), STR_LIT("CMDLINE")),
			    "\"console=ttyS0\""));
	assert_int_equal(config_value(str_c(config), STR_LIT("BLOCK")).len, 0);
	/* A name that only starts another one. */
	assert_int_equal(config_value(str_c(config), STR_LIT("ZRAM")).len, 0);
}

static void test_lost(void **state)
{
	const char *names[] = { "vm.config", "own.config" };
	struct str fragments[] = {
		STR_LIT("# comment\n"
			"CONFIG_MMU=y\n"
			"CONFIG_ZRAM=y\n"
			"CONFIG_NR_CPUS=4\n"
			"CONFIG_SWAP=y\n"
			"CONFIG_CMDLINE=\"console=ttyS0\"\n"
			"# CONFIG_BLOCK is not set\n"
			"CONFIG_GONE=n\n"
			"CONFIG_FOO=y\n"),
		/* The later fragment has the word. */
		STR_LIT("# CONFIG_FOO is not set\n"
			"CONFIG_NR_CPUS=8\n"
			"# CONFIG_MMU is not set\n"),
	};
	_cleanup_strvec_ struct strvec lost = STRVEC_INIT, symbols = STRVEC_INIT;

	lost_options(names, fragments, 2, str_c(config), &lost, &symbols);
	assert_int_equal(lost.n, 3);
	assert_string_equal(lost.v[0],
			    "CONFIG_MMU=n (asked in own.config:3), final value: y");
	assert_string_equal(lost.v[1],
			    "CONFIG_ZRAM=y (asked in vm.config:3), final value: not set");
	assert_string_equal(lost.v[2],
			    "CONFIG_SWAP=y (asked in vm.config:5), final value: m");
	assert_string_equal(symbols.v[1], "ZRAM");
}

static void test_depends(void **state)
{
	static const char kconfig[] = "config OTHER\n"
				      "\tbool \"other\"\n"
				      "\tdepends on NOWHERE\n"
				      "if MMU\n"
				      "if NET\n"
				      "endif # NET\n"
				      "config ZRAM\n"
				      "\ttristate \"zram\"\n"
				      "\tdepends on BLOCK && \\\n"
				      "\t\t!SWAP\n"
				      "\tdepends on SYSFS || MMU\n"
				      "\thelp\n"
				      "\t  Text.\n"
				      "endif\n"
				      "config LATER\n"
				      "\tdepends on LATE\n"
				      "config FREE\n"
				      "\tbool\n";
	_cleanup_buf_ struct buf b = BUF_INIT, f = BUF_INIT;

	assert_true(lost_depends(STR_LIT(kconfig), "ZRAM", str_c(config), &b));
	assert_string_equal(
		buf_cstr(&b),
		"depends on MMU && BLOCK && !SWAP && SYSFS || MMU: BLOCK is not "
		"set, SWAP is m, SYSFS is not set");
	assert_true(lost_depends(STR_LIT(kconfig), "FREE", str_c(config), &f));
	assert_string_equal(buf_cstr(&f), "depends on nothing in its own entry");
	assert_false(lost_depends(STR_LIT(kconfig), "ZRA", str_c(config), &f));
}

static void test_key(void **state)
{
	char key[17];

	/* printf '4b82...\nabc\ngcc 12\n' | sha256sum */
	plan_key("4b825dc642cb6eb9a060e54bf8d69288fbee4904", "abc", "gcc 12", key);
	assert_string_equal(key, "c96cf01fcdc2e82c");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_value),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_depends),
		cmocka_unit_test(test_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

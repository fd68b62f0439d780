// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Options that were asked for and did not survive: kconfig drops them without a word when
 * a dependency is missing, and the kernel that comes out is not the one that was meant.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct wish {
	struct str symbol; /* without CONFIG_ */
	struct str value;  /* "n" for "is not set" */
	size_t file, line;
};

static bool is_symbol_char(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

/* "CONFIG_X=y" or "# CONFIG_X is not set"; false for other lines. */
static bool parse_line(struct str line, struct str *symbol, struct str *value)
{
	struct str s = str_trim(line);
	size_t n = 0;
	bool comment = str_skip(&s, "# ");

	if (!str_skip(&s, "CONFIG_"))
		return false;
	while (n < s.len && is_symbol_char(s.p[n]))
		n++;
	*symbol = str_n(s.p, n);
	s = str_n(s.p + n, s.len - n);
	if (comment) {
		*value = STR_LIT("n");
		return n && str_eqc(s, " is not set");
	}
	if (!n || !str_skip(&s, "="))
		return false;
	*value = s;
	return true;
}

struct str config_value(struct str config, struct str symbol)
{
	struct str line, s, v, found = STR_NULL;

	while (str_line(&config, &line))
		if (parse_line(line, &s, &v) && str_eq(s, symbol))
			found = str_eqc(v, "n") ? STR_NULL : v;
	return found;
}

/* The last wish for each symbol, as merge_config.sh would have it. */
static struct wish *gather(const struct str *fragments, size_t n, size_t *ret_n)
{
	struct wish *w = NULL;
	size_t count = 0, cap = 0;

	for (size_t i = 0; i < n; i++) {
		struct str rest = fragments[i], line, symbol, value;
		size_t number = 0, k;

		while (str_line(&rest, &line)) {
			number++;
			if (!parse_line(line, &symbol, &value))
				continue;
			for (k = 0; k < count && !str_eq(w[k].symbol, symbol); k++)
				;
			if (k == count) {
				vec_grow(w, count, cap);
				count++;
			}
			w[k] = (struct wish){ symbol, value, i, number };
		}
	}
	*ret_n = count;
	return w;
}

void lost_options(const char *const *names, const struct str *fragments, size_t n,
		  struct str config, struct strvec *ret, struct strvec *symbols)
{
	size_t count;
	_cleanup_free_ struct wish *w = gather(fragments, n, &count);

	for (size_t i = 0; i < count; i++) {
		struct str want = w[i].value, have = config_value(config, w[i].symbol);
		bool off = str_eqc(want, "n");

		if (off ? !have.len : str_eq(want, have))
			continue;
		strvec_pushf(ret,
			     "CONFIG_" STR_FMT "=" STR_FMT " (asked in %s:%zu), final "
			     "value: " STR_FMT,
			     STR_ARG(w[i].symbol), STR_ARG(want), names[w[i].file],
			     w[i].line, STR_ARG(have.len ? have : STR_LIT("not set")));
		strvec_push_str(symbols, w[i].symbol);
	}
}

/* Symbols of an expression that are off in the .config, as "X is not set". */
static void unmet(struct str expr, struct str config, struct strvec *ret)
{
	size_t i = 0;

	while (i < expr.len) {
		size_t start = i;

		while (i < expr.len && is_symbol_char(expr.p[i]))
			i++;
		struct str word = str_n(expr.p + start, i - start);
		bool negated = start && expr.p[start - 1] == '!';

		if (!word.len) {
			i++;
			continue;
		}
		if (str_eqc(word, "y") || str_eqc(word, "n") || str_eqc(word, "m") ||
		    str_eqc(word, "if"))
			continue;
		struct str v = config_value(config, word);
		_cleanup_free_ char *text =
			xasprintf(STR_FMT " is " STR_FMT, STR_ARG(word),
				  STR_ARG(v.len ? v : STR_LIT("not set")));

		if (negated == (v.len > 0) && !strvec_has(ret, text))
			strvec_push(ret, text);
	}
}

/* Next line with those joined that end in a backslash; blanks at the ends cut. */
static bool kconfig_line(struct str *rest, struct buf *line)
{
	struct str part;
	bool any = false;

	buf_reset(line);
	while (str_line(rest, &part)) {
		part = str_trim(part);
		any = true;
		if (!str_ends(part, "\\")) {
			buf_addstr(line, part);
			break;
		}
		buf_add(line, part.p, part.len - 1);
	}
	return any;
}

static bool names_symbol(struct str line, const char *symbol)
{
	return (str_skip(&line, "config ") || str_skip(&line, "menuconfig ")) &&
	       str_eqc(str_trim(line), symbol);
}

bool lost_depends(struct str kconfig, const char *symbol, struct str config,
		  struct buf *ret)
{
	_cleanup_buf_ struct buf line = BUF_INIT;
	_cleanup_strvec_ struct strvec ifs = STRVEC_INIT, exprs = STRVEC_INIT,
				       off = STRVEC_INIT;
	bool inside = false, found = false;

	while (kconfig_line(&kconfig, &line)) {
		struct str s = buf_str(&line);

		if (names_symbol(s, symbol)) {
			inside = found = true;
			strvec_extend(&exprs, &ifs);
		} else if (str_starts(s, "config ") || str_starts(s, "menuconfig ") ||
			   str_starts(s, "menu ") || str_starts(s, "source ") ||
			   str_starts(s, "choice") || str_starts(s, "comment ")) {
			inside = false;
		} else if (inside && str_skip(&s, "depends on ")) {
			strvec_push_str(&exprs, s);
		} else if (str_skip(&s, "if ")) {
			inside = false;
			strvec_push_str(&ifs, s);
		} else if (str_eqc(s, "endif") || str_starts(s, "endif ")) {
			inside = false;
			if (ifs.n)
				strvec_remove(&ifs, ifs.n - 1);
		}
	}
	if (!found)
		return false;
	for (size_t i = 0; i < exprs.n; i++)
		unmet(str_c(exprs.v[i]), config, &off);
	_cleanup_free_ char *all = strvec_join(&exprs, " && ");
	_cleanup_free_ char *why = strvec_join(&off, ", ");

	if (!exprs.n)
		buf_puts(ret, "depends on nothing in its own entry");
	else
		buf_printf(ret, "depends on %s%s%s", all, off.n ? ": " : "", why);
	return true;
}

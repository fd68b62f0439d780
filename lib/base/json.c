// SPDX-License-Identifier: GPL-2.0-or-later
/* json.c - our JSON interface on jansson; a struct json * is a json_t * behind a cast. */
#include <jansson.h>
#include <math.h>
#include "series/json.h"
#include "series/mem.h"
#include "series/sanitize.h"

static struct json *ours(json_t *j)
{
	return (struct json *)j;
}

static json_t *theirs(const struct json *j)
{
	return (json_t *)(uintptr_t)j;
}

/* Input is checked before, so that only memory can be lacking. */
static struct json *need(json_t *j)
{
	if (!j)
		mem_die(sizeof(json_t *));
	return ours(j);
}

struct json *json_obj(void)
{
	return need(json_object());
}

struct json *json_arr(void)
{
	return need(json_array());
}

struct json *json_str(struct str s)
{
	struct buf b _cleanup_buf_ = BUF_INIT;

	if (!s.p)
		return need(json_null());
	utf8_lossy(s, &b);
	return need(json_stringn_nocheck(buf_cstr(&b), b.len));
}

struct json *json_dup(const struct json *j)
{
	return need(j ? json_deep_copy(theirs(j)) : json_null());
}

bool json_same(const struct json *a, const struct json *b)
{
	return a == b || (a && b && json_equal(theirs(a), theirs(b)));
}

struct json *json_int(int64_t v)
{
	return need(json_integer(v));
}

void json_free(struct json *j)
{
	json_decref(theirs(j));
}

void json_freep(struct json **j)
{
	json_free(*j);
	*j = NULL;
}

void json_set(struct json *obj, const char *key, struct json *value_take)
{
	json_t *value = value_take ? theirs(value_take) : json_null();
	struct buf k _cleanup_buf_ = BUF_INIT;

	utf8_lossy(str_c(key), &k);
	if (json_object_set_new_nocheck(theirs(obj), buf_cstr(&k), value))
		mem_die(k.len);
}

void json_set_str(struct json *obj, const char *key, const char *s)
{
	json_set(obj, key, json_str(str_c(s)));
}

void json_set_strn(struct json *obj, const char *key, struct str s)
{
	json_set(obj, key, json_str(s));
}

void json_set_int(struct json *obj, const char *key, int64_t v)
{
	json_set(obj, key, json_int(v));
}

void json_set_bool(struct json *obj, const char *key, bool v)
{
	json_set(obj, key, ours(json_boolean(v)));
}

void json_set_real(struct json *obj, const char *key, double v)
{
	json_set(obj, key, isfinite(v) ? need(json_real(v)) : NULL);
}

void json_set_strvec(struct json *obj, const char *key, const struct strvec *v)
{
	struct json *arr = json_arr();
	size_t i;

	for (i = 0; i < v->n; i++)
		json_push_str(arr, v->v[i]);
	json_set(obj, key, arr);
}

void json_push(struct json *arr, struct json *value_take)
{
	json_t *value = value_take ? theirs(value_take) : json_null();

	if (json_array_append_new(theirs(arr), value))
		mem_die(sizeof(value));
}

void json_push_str(struct json *arr, const char *s)
{
	json_push(arr, json_str(str_c(s)));
}

void json_push_int(struct json *arr, int64_t v)
{
	json_push(arr, json_int(v));
}

void json_push_real(struct json *arr, double v)
{
	json_push(arr, isfinite(v) ? need(json_real(v)) : NULL);
}

const struct json *json_get(const struct json *j, const char *key)
{
	return ours(json_object_get(theirs(j), key));
}

const char *json_value_str(const struct json *j)
{
	return json_string_value(theirs(j));
}

int64_t json_value_int(const struct json *j, int64_t dflt)
{
	double d;

	if (json_is_integer(theirs(j)))
		return json_integer_value(theirs(j));
	if (!json_is_real(theirs(j)))
		return dflt;
	d = json_real_value(theirs(j));
	if (d != trunc(d) || d < -0x1p63 || d >= 0x1p63)
		return dflt;
	return (int64_t)d;
}

const char *json_get_str(const struct json *j, const char *key)
{
	return json_value_str(json_get(j, key));
}

struct str json_get_strn(const struct json *j, const char *key)
{
	const json_t *s = theirs(json_get(j, key));

	return str_n(json_string_value(s), json_string_length(s));
}

int64_t json_get_int(const struct json *j, const char *key, int64_t dflt)
{
	return json_value_int(json_get(j, key), dflt);
}

bool json_get_bool(const struct json *j, const char *key, bool dflt)
{
	const json_t *b = theirs(json_get(j, key));

	return json_is_boolean(b) ? json_is_true(b) : dflt;
}

void json_get_strvec(const struct json *j, const char *key, struct strvec *ret)
{
	const struct json *arr = json_get(j, key);
	size_t i;

	for (i = 0; i < json_len(arr); i++) {
		const char *s = json_value_str(json_at(arr, i));

		if (s)
			strvec_push(ret, s);
	}
}

size_t json_len(const struct json *arr)
{
	return json_array_size(theirs(arr));
}

const struct json *json_at(const struct json *arr, size_t i)
{
	return ours(json_array_get(theirs(arr), i));
}

bool json_is_obj(const struct json *j)
{
	return json_is_object(theirs(j));
}

bool json_is_arr(const struct json *j)
{
	return json_is_array(theirs(j));
}

void json_keys(const struct json *obj, struct strvec *ret)
{
	struct strvec keys _cleanup_strvec_ = STRVEC_INIT;
	const char *key;
	json_t *value;

	json_object_foreach(theirs(obj), key, value) strvec_push(&keys, key);
	strvec_sort(&keys);
	strvec_extend(ret, &keys);
}

int json_parse(struct str text, const char *what, struct json **ret, struct err *err)
{
	json_error_t e;
	json_t *j = json_loadb(text.p ? text.p : "", text.len,
			       JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &e);
	char *why _cleanup_free_ = NULL;

	if (j) {
		*ret = ours(j);
		return 0;
	}
	if (json_error_code(&e) == json_error_out_of_memory)
		mem_die(text.len);
	why = sanitize_line_dup(e.text);
	return err_set(err, E_CORRUPT, "%s: line %d, column %d: no valid JSON: %s", what,
		       e.line, e.column, why);
}

int json_parse_schema(struct str text, const char *what, int max, struct json **ret,
		      struct err *err)
{
	struct json *j _cleanup_json_ = NULL;
	int64_t schema;
	int rc = json_parse(text, what, &j, err);

	if (rc)
		return rc;
	schema = json_get_int(j, "schema", 0);
	if (schema < 1)
		return err_set(err, E_CORRUPT,
			       "%s: expected a member \"schema\" from 1 to %d", what,
			       max);
	if (schema > max)
		return err_set(
			err, E_CORRUPT,
			"%s: written by a newer version of series (schema %lld, known up "
			"to %d); update the program, nothing was changed",
			what, (long long)schema, max);
	*ret = j;
	j = NULL;
	return 0;
}

static int dump_piece(const char *p, size_t len, void *out)
{
	buf_add(out, p, len);
	return 0;
}

/* 15 digits give back every decimal that was put in with at most 15: 0.466, not
 * 0.46600..03. */
static void dump(const struct json *j, size_t flags, struct buf *out)
{
	flags |= JSON_SORT_KEYS | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15);
	if (json_dump_callback(theirs(j), dump_piece, out, flags))
		mem_die(out->len);
}

void json_dump(const struct json *j, struct buf *out)
{
	dump(j, JSON_INDENT(2), out);
	buf_putc(out, '\n');
}

void json_dump_line(const struct json *j, struct buf *out)
{
	dump(j, 0, out);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.h - JSON documents; the only door to jansson.
 *
 * A struct json is owned by whoever made or parsed it until it is put into another, which
 * then owns it. Getters borrow. Text and keys go through utf8_lossy(): invalid bytes become
 * U+FFFD, for otherwise the document would be lost; valid UTF-8, NUL included, comes back
 * byte for byte. Stored numbers are integers; json_set_real() is for output only.
 */
#ifndef SERIES_JSON_H
#define SERIES_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include "series/buf.h"
#include "series/err.h"
#include "series/strvec.h"
#include "series/utf8.h"

struct json;

struct json *json_obj(void);
struct json *json_arr(void);
struct json *json_str(struct str s);
struct json *json_int(int64_t v);
/* A copy with everything in it; of NULL it is a null. */
struct json *json_dup(const struct json *j);
/* The same value, whatever the order of members; NULL is only NULL's like. */
bool json_same(const struct json *a, const struct json *b);
void json_free(struct json *j);
void json_freep(struct json **j);
#define _cleanup_json_ __attribute__((cleanup(json_freep)))

/*
 * Put a value into an object under key, replacing; a NULL value or string (and a real
 * that is not finite, which JSON has no word for) is stored as null.
 */
void json_set(struct json *obj, const char *key, struct json *value_take);
void json_set_str(struct json *obj, const char *key, const char *s);
void json_set_strn(struct json *obj, const char *key, struct str s);
void json_set_int(struct json *obj, const char *key, int64_t v);
void json_set_bool(struct json *obj, const char *key, bool v);
void json_set_real(struct json *obj, const char *key, double v);
void json_set_strvec(struct json *obj, const char *key, const struct strvec *v);
void json_push(struct json *arr, struct json *value_take);
void json_push_str(struct json *arr, const char *s);
void json_push_int(struct json *arr, int64_t v);
void json_push_real(struct json *arr, double v);

/* Member of an object, NULL if missing or j is no object (NULL allowed). */
const struct json *json_get(const struct json *j, const char *key);
/* String member, or NULL. Borrowed. Ends at a NUL, which json_get_strn() does not. */
const char *json_get_str(const struct json *j, const char *key);
struct str json_get_strn(const struct json *j, const char *key);
/* Integer member, or dflt. A real (1e3, 2.0) is taken when it is a whole number. */
int64_t json_get_int(const struct json *j, const char *key, int64_t dflt);
bool json_get_bool(const struct json *j, const char *key, bool dflt);
/* Strings of an array member appended to *ret; elements of other kinds are passed over. */
void json_get_strvec(const struct json *j, const char *key, struct strvec *ret);
/* Elements of an array (0 if it is none) and one of them. */
size_t json_len(const struct json *arr);
const struct json *json_at(const struct json *arr, size_t i);
/* The value itself. */
const char *json_value_str(const struct json *j);
int64_t json_value_int(const struct json *j, int64_t dflt);
bool json_is_obj(const struct json *j);
bool json_is_arr(const struct json *j);
/* Names of an object's members, sorted. */
void json_keys(const struct json *obj, struct strvec *ret);

/*
 * Parse a document (an object or an array; RFC 8259); E_CORRUPT names what (a path or a
 * ref), the line and the column. Refused: invalid UTF-8, a name twice in one object,
 * integers beyond 64 bits, more than 2048 levels, anything behind the document.
 */
int json_parse(struct str text, const char *what, struct json **ret, struct err *err);
/*
 * Parse an object and look at "schema": missing or below 1 is E_CORRUPT, newer than max is
 * E_CORRUPT with the advice to update the program; nothing is rewritten then.
 */
int json_parse_schema(struct str text, const char *what, int max, struct json **ret,
		      struct err *err);
/* Sorted keys, two blanks of indent, LF at the end. */
void json_dump(const struct json *j, struct buf *out);
/* One line without LF, sorted keys. */
void json_dump_line(const struct json *j, struct buf *out);

#endif

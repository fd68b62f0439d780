// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The outbox: what its journal says after it was cut or damaged at any place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <fcntl.h>
#include <unistd.h>

#include "series/fs.h"
#include "series/mem.h"
#include "series/outbox.h"

#define OID    "0123456789abcdef0123456789abcdef01234567"
#define RECORD 256

static char *tmp;

static struct outbox *make(const char *series)
{
	struct outbox *o = outbox_new(series);

	o->sender = xstrdup("w@example.org");
	o->version.n = 1;
	o->version.postings = xcalloc(1, sizeof(*o->version.postings));
	o->version.postings[0].state = xstrdup("sending");
	o->version.postings[0].message_id = xstrdup("a@example.org");
	o->version.n_postings = 1;
	memcpy(o->version.base, OID, OID_HEX);
	memcpy(o->version.head, OID, OID_HEX);
	outbox_add(o, "a@example.org", "[PATCH 0/1] x", STR_LIT("mail a\n"));
	outbox_add(o, "b@example.org", "[PATCH 1/1] x", STR_LIT("mail b\n"));
	return o;
}

static int setup(void **state)
{
	return fs_tmpdir("outbox", &tmp, NULL);
}

static int teardown(void **state)
{
	int rc = fs_rmtree(tmp, NULL);

	free(tmp);
	return rc;
}

static void found_again(void **state)
{
	struct outbox *o = make("x"), *again = NULL, *none = NULL;
	struct buf data _cleanup_buf_ = BUF_INIT;

	assert_int_equal(outbox_find(tmp, "x", &none, NULL), E_NOTFOUND);
	assert_int_equal(outbox_write(o, tmp, NULL), 0);
	assert_int_equal(outbox_record(o, REC_TRY, 0, "", NULL), 0);
	assert_int_equal(outbox_record(o, REC_END, 0, "", NULL), 0);
	assert_int_equal(outbox_record(o, REC_OK, 0, "250 taken\nas x", NULL), 0);
	assert_int_equal(outbox_record(o, REC_TRY, 1, "", NULL), 0);
	assert_int_equal(outbox_record(o, REC_END, 1, "", NULL), 0);
	outbox_free(o);
	assert_int_equal(outbox_find(tmp, "y", &none, NULL), E_NOTFOUND);
	assert_int_equal(outbox_find(tmp, "x", &again, NULL), 0);
	assert_int_equal(again->n_mails, 2);
	assert_int_equal(again->mails[0].state, OUTBOX_OK);
	assert_string_equal(again->mails[0].reply, "250 taken as x");
	assert_int_equal(again->mails[1].state, OUTBOX_UNSURE);
	assert_string_equal(again->mails[1].message_id, "b@example.org");
	assert_string_equal(again->sender, "w@example.org");
	assert_int_equal(outbox_read(again, 1, &data, NULL), 0);
	assert_string_equal(buf_cstr(&data), "mail b\n");
	assert_int_equal(outbox_remove(again, NULL), 0);
	outbox_free(again);
	assert_int_equal(outbox_find(tmp, "x", &none, NULL), E_NOTFOUND);
}

/* State of mail 0 when only the first bytes of the journal reached the disk. */
static enum outbox_state state_after(struct outbox *o, const struct buf *whole,
				     size_t bytes)
{
	char *path _cleanup_free_ = path_join(o->dir, "journal");
	struct buf cut _cleanup_buf_ = BUF_INIT;
	struct outbox *again = NULL;
	enum outbox_state s;

	buf_add(&cut, whole->p, bytes);
	buf_fill(&cut, 0, whole->len - bytes);
	assert_int_equal(fs_write_atomic(path, cut.p, cut.len, 0600, NULL), 0);
	assert_int_equal(outbox_find(tmp, "x", &again, NULL), 0);
	s = again->mails[0].state;
	outbox_free(again);
	return s;
}

static void torn_records(void **state)
{
	struct outbox *o = make("x");
	char *path _cleanup_free_ = NULL;
	struct buf whole _cleanup_buf_ = BUF_INIT;

	assert_int_equal(outbox_write(o, tmp, NULL), 0);
	outbox_record(o, REC_TRY, 0, "", NULL);
	outbox_record(o, REC_END, 0, "", NULL);
	outbox_record(o, REC_OK, 0, "250", NULL);
	path = path_join(o->dir, "journal");
	assert_int_equal(fs_read(path, 0, &whole, NULL), 0);
	for (size_t n = 0; n <= 3 * RECORD; n++) {
		enum outbox_state want = n < 2 * RECORD	  ? OUTBOX_TODO
					 : n < 3 * RECORD ? OUTBOX_UNSURE
							  : OUTBOX_OK;

		assert_int_equal(state_after(o, &whole, n), want);
	}
	outbox_free(o);
}

/* Writing goes on where the good records end. */
static void goes_on_behind_a_torn_record(void **state)
{
	struct outbox *o = make("x"), *again = NULL;
	char *path _cleanup_free_ = NULL, zeros[RECORD - 30] = "";
	int fd;

	assert_int_equal(outbox_write(o, tmp, NULL), 0);
	outbox_record(o, REC_TRY, 0, "", NULL);
	outbox_record(o, REC_END, 0, "", NULL);
	path = path_join(o->dir, "journal");
	fd = open(path, O_WRONLY);
	assert_int_equal(pwrite(fd, zeros, sizeof(zeros), RECORD + 30), sizeof(zeros));
	close(fd);
	outbox_free(o);
	assert_int_equal(outbox_find(tmp, "x", &again, NULL), 0);
	assert_int_equal(again->mails[0].state, OUTBOX_TODO);
	outbox_record(again, REC_TRY, 1, "", NULL);
	outbox_record(again, REC_END, 1, "", NULL);
	outbox_free(again);
	assert_int_equal(outbox_find(tmp, "x", &again, NULL), 0);
	assert_int_equal(again->mails[1].state, OUTBOX_UNSURE);
	outbox_free(again);
}

/* The last record was whole and one bit of it changed: it may have been "end". */
static void a_flipped_bit_is_not_forgotten(void **state)
{
	struct outbox *o = make("x"), *again = NULL;
	char *path _cleanup_free_ = NULL;
	struct buf whole _cleanup_buf_ = BUF_INIT;

	assert_int_equal(outbox_write(o, tmp, NULL), 0);
	outbox_record(o, REC_TRY, 0, "", NULL);
	outbox_record(o, REC_END, 0, "", NULL);
	path = path_join(o->dir, "journal");
	assert_int_equal(fs_read(path, 0, &whole, NULL), 0);
	outbox_free(o);
	for (size_t bit = 0; bit < 8 * RECORD; bit++) {
		char *at = whole.p + RECORD + bit / 8;

		*at ^= (char)(1 << bit % 8);
		assert_int_equal(fs_write_atomic(path, whole.p, whole.len, 0600, NULL),
				 0);
		assert_int_equal(outbox_find(tmp, "x", &again, NULL), 0);
		assert_int_equal(again->mails[0].state, OUTBOX_UNSURE);
		assert_int_equal(again->mails[1].state, OUTBOX_TODO);
		outbox_free(again);
		*at ^= (char)(1 << bit % 8);
	}
}

/* Without its journal or a mail an outbox is no empty one. */
static void what_is_missing_is_damage(void **state)
{
	struct outbox *o = make("x"), *again = NULL;
	struct err e _cleanup_err_ = ERR_INIT;
	char *journal _cleanup_free_ = NULL, *mail _cleanup_free_ = NULL;
	char *doc _cleanup_free_ = NULL;
	struct buf text _cleanup_buf_ = BUF_INIT;
	ptrdiff_t at;

	assert_int_equal(outbox_write(o, tmp, NULL), 0);
	outbox_record(o, REC_TRY, 0, "", NULL);
	outbox_record(o, REC_END, 0, "", NULL);
	outbox_record(o, REC_OK, 0, "250", NULL);
	journal = path_join(o->dir, "journal");
	mail = path_join(o->dir, "0000.eml");
	doc = path_join(o->dir, "manifest.json");
	outbox_free(o);
	assert_int_equal(truncate(journal, 2 * RECORD), 0);
	assert_int_equal(outbox_find(tmp, "x", &again, &e), E_CORRUPT);
	assert_non_null(strstr(err_msg(&e), "cut off"));
	assert_int_equal(unlink(journal), 0);
	assert_int_equal(outbox_find(tmp, "x", &again, NULL), E_CORRUPT);
	assert_int_equal(unlink(mail), 0);
	assert_int_equal(outbox_find(tmp, "x", &again, NULL), E_CORRUPT);
	assert_int_equal(fs_read(doc, 0, &text, NULL), 0);
	at = str_find(buf_str(&text), "postings");
	assert_true(at > 0);
	text.p[at] = 'x';
	assert_int_equal(fs_write_atomic(doc, text.p, text.len, 0600, NULL), 0);
	assert_int_equal(outbox_find(tmp, "x", &again, &e), E_CORRUPT);
	assert_non_null(strstr(err_msg(&e), "posted"));
}

/* A manifest that cannot be read stops its own series, and no other. */
static void damage_stops_the_owner_only(void **state)
{
	struct outbox *bad = make("bad"), *good = make("good"), *again = NULL;
	char *doc _cleanup_free_ = NULL, *owner _cleanup_free_ = NULL;
	struct err e _cleanup_err_ = ERR_INIT;

	assert_int_equal(outbox_write(bad, tmp, NULL), 0);
	assert_int_equal(outbox_write(good, tmp, NULL), 0);
	doc = path_join(bad->dir, "manifest.json");
	owner = path_join(bad->dir, "owner");
	assert_int_equal(truncate(doc, 20), 0);
	assert_int_equal(outbox_find(tmp, "bad", &again, &e), E_CORRUPT);
	assert_non_null(strstr(err_msg(&e), doc));
	assert_int_equal(outbox_find(tmp, "good", &again, NULL), 0);
	outbox_free(again);
	again = NULL;
	assert_int_equal(outbox_find(tmp, "third", &again, NULL), E_NOTFOUND);
	/* Nobody knows whose it is: nothing goes out before somebody looked. */
	assert_int_equal(unlink(owner), 0);
	assert_int_equal(outbox_find(tmp, "third", &again, NULL), E_CORRUPT);
	assert_int_equal(outbox_remove(bad, NULL), 0);
	assert_int_equal(outbox_remove(good, NULL), 0);
	outbox_free(bad);
	outbox_free(good);
}

/* No series has the name of a rehearsal, and its envelope is its own. */
static void rehearsals_lie_apart(void **state)
{
	char *name _cleanup_free_ = outbox_rehearsal_name("x");
	struct outbox *o = make(name), *again = NULL;

	assert_false(series_name_ok(name));
	assert_ptr_equal(outbox_to(o), &o->version.to);
	o->rehearsal = true;
	strvec_push(&o->to, "me@example.org");
	assert_int_equal(outbox_write(o, tmp, NULL), 0);
	outbox_free(o);
	assert_int_equal(outbox_find(tmp, "x", &again, NULL), E_NOTFOUND);
	assert_int_equal(outbox_find(tmp, name, &again, NULL), 0);
	assert_true(again->rehearsal);
	assert_string_equal(outbox_to(again)->v[0], "me@example.org");
	assert_int_equal(outbox_cc(again)->n, 0);
	assert_int_equal(outbox_remove(again, NULL), 0);
	outbox_free(again);
}

/* Sent again by decision: it may have left all the same, also for the next process. */
static void unsure_burns_the_number(void **state)
{
	struct outbox *o = make("x"), *again = NULL;

	assert_int_equal(outbox_write(o, tmp, NULL), 0);
	outbox_record(o, REC_TRY, 0, "", NULL);
	assert_true(outbox_untouched(o));
	outbox_record(o, REC_END, 0, "", NULL);
	assert_false(outbox_untouched(o));
	outbox_record(o, REC_FAIL, 0, "451 later", NULL);
	assert_true(outbox_untouched(o));
	outbox_record(o, REC_TRY, 0, "", NULL);
	outbox_record(o, REC_END, 0, "", NULL);
	outbox_record(o, REC_REDO, 0, "", NULL);
	assert_int_equal(o->mails[0].state, OUTBOX_TODO);
	assert_false(outbox_untouched(o));
	outbox_free(o);
	assert_int_equal(outbox_find(tmp, "x", &again, NULL), 0);
	assert_int_equal(again->mails[0].state, OUTBOX_TODO);
	assert_false(outbox_untouched(again));
	outbox_free(again);
}

/* A damaged record with good ones behind it is no torn end: nothing may be sent on it. */
static void damage_is_no_end(void **state)
{
	struct outbox *o = make("x"), *again = NULL;
	struct err e _cleanup_err_ = ERR_INIT;
	char *path _cleanup_free_ = NULL;
	int fd;

	assert_int_equal(outbox_write(o, tmp, NULL), 0);
	outbox_record(o, REC_TRY, 0, "", NULL);
	outbox_record(o, REC_END, 0, "", NULL);
	outbox_record(o, REC_OK, 0, "", NULL);
	path = path_join(o->dir, "journal");
	fd = open(path, O_WRONLY);
	assert_int_equal(pwrite(fd, "x", 1, RECORD + 30), 1);
	close(fd);
	assert_int_equal(outbox_find(tmp, "x", &again, &e), E_CORRUPT);
	assert_non_null(strstr(err_msg(&e), "record 2"));
	outbox_free(o);
}

static void a_changed_mail_is_refused(void **state)
{
	struct outbox *o = make("x"), *again = NULL;
	struct err e _cleanup_err_ = ERR_INIT;
	char *path _cleanup_free_ = NULL;

	assert_int_equal(outbox_write(o, tmp, NULL), 0);
	path = path_join(o->dir, "0001.eml");
	assert_int_equal(fs_write_atomic(path, "mail B\n", 7, 0600, NULL), 0);
	assert_int_equal(outbox_find(tmp, "x", &again, &e), E_CORRUPT);
	assert_non_null(strstr(err_msg(&e), "0001.eml"));
	outbox_free(o);
}

/* More tries than there was room for. */
static void grows(void **state)
{
	struct outbox *o = make("x"), *again = NULL;

	assert_int_equal(outbox_write(o, tmp, NULL), 0);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(outbox_record(o, REC_TRY, 0, "", NULL), 0);
		assert_int_equal(outbox_record(o, REC_FAIL, 0, "451 later", NULL), 0);
	}
	assert_int_equal(outbox_record(o, REC_TRY, 1, "", NULL), 0);
	assert_int_equal(outbox_record(o, REC_END, 1, "", NULL), 0);
	assert_int_equal(outbox_record(o, REC_OK, 1, "250", NULL), 0);
	outbox_free(o);
	assert_int_equal(outbox_find(tmp, "x", &again, NULL), 0);
	assert_int_equal(again->mails[0].state, OUTBOX_TODO);
	assert_string_equal(again->mails[0].reply, "451 later");
	assert_int_equal(again->mails[1].state, OUTBOX_OK);
	outbox_free(again);
}

/* What was not published is no outbox, and goes with the next one. */
static void unpublished_is_removed(void **state)
{
	char *dir _cleanup_free_ =
		path_join(tmp, "series/outbox/20260101000000-aaaaaa.tmp");
	struct outbox *o = make("x"), *none = NULL;

	assert_int_equal(fs_mkdirs(dir, NULL), 0);
	assert_int_equal(outbox_find(tmp, "x", &none, NULL), E_NOTFOUND);
	assert_int_equal(outbox_write(o, tmp, NULL), 0);
	assert_false(fs_exists(dir));
	outbox_free(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(found_again, setup, teardown),
		cmocka_unit_test_setup_teardown(damage_stops_the_owner_only, setup, teardown),
		cmocka_unit_test_setup_teardown(rehearsals_lie_apart, setup, teardown),
		cmocka_unit_test_setup_teardown(torn_records, setup, teardown),
		cmocka_unit_test_setup_teardown(goes_on_behind_a_torn_record, setup,
						teardown),
		cmocka_unit_test_setup_teardown(damage_is_no_end, setup, teardown),
		cmocka_unit_test_setup_teardown(a_flipped_bit_is_not_forgotten, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_is_missing_is_damage, setup,
						teardown),
		cmocka_unit_test_setup_teardown(unsure_burns_the_number, setup, teardown),
		cmocka_unit_test_setup_teardown(a_changed_mail_is_refused, setup,
						teardown),
		cmocka_unit_test_setup_teardown(grows, setup, teardown),
		cmocka_unit_test_setup_teardown(unpublished_is_removed, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_review.h - what came back for the series of a thread, by patch: tags, what robots
 * report, remarks.
 */
#ifndef SERIES_SHOW_REVIEW_H
#define SERIES_SHOW_REVIEW_H

#include "series/claim.h"
#include "series/out.h"
#include "series/posted.h"
#include "series/remark.h"
#include "series/robot.h"
#include "series/tag.h"

/* A mail that a program wrote about a patch. */
struct show_report {
	struct robot_report r;
	size_t mail, version, patch;
};

struct show_review {
	const struct thread *t; /* borrowed, as is p */
	const struct posted *p;
	size_t asked; /* index of the version that was asked for, or NO_MAIL */
	struct tags tags;
	struct remarks remarks;
	struct show_report *report;
	size_t n_reports, cap_reports;
};

/* id: the Message-ID that was asked for, or NULL: of each series its newest version. */
void show_review_find(const struct thread *t, const struct posted *p, const char *id,
		      struct show_review *ret);
void show_review_release(struct show_review *r);
#define _cleanup_show_review_ __attribute__((cleanup(show_review_release)))
/*
 * Of one series: the patches for which something came, with the numbers of the version
 * that is shown; what was said of patches that it no longer has stands below, under the
 * version that had them. Nothing where nothing came.
 */
void show_review(struct out *o, const struct show_review *r, size_t series);

/* A patch, or with 0 a cover, at which something is shown. */
struct show_spot {
	size_t version, patch;
};
/* The version of a series that is shown: the one that was asked for, else the newest. */
size_t show_review_version(const struct show_review *r, size_t series);
/* Is what was said of a patch of a version shown at that spot? */
bool show_review_at(const struct show_review *r, const struct show_spot *s,
		    size_t version, size_t patch);
/* What its mail claims, if its version is the one that is shown. */
void show_spot_claims(const struct show_review *r, const struct show_spot *s,
		      struct claims *ret);
/* Its title; NULL where its mail is not here. */
const char *show_spot_title(const struct show_review *r, const struct show_spot *s);
/* Each spot of a series: of the version that is shown, then of the others, newest first.
 */
typedef void show_spot_fn(void *arg, const struct show_review *r,
			  const struct show_spot *s);
void show_review_each(const struct show_review *r, size_t series, show_spot_fn *put,
		      void *arg);
/* What came for one spot, on the struct out; nothing where nothing came. */
void show_review_spot(void *out, const struct show_review *r, const struct show_spot *s);
/* {"label", "patches"}: all that came, each with the label of the version it was said of. */
struct json *show_review_json(const struct show_review *r, size_t series);

#endif

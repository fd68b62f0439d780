// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text.c - the text of a part for people: UTF-8, LF line ends, flowed lines joined.
 *
 * Pieces go from the decoder through the charset to the lines.
 */
#include "mime.h"
#include "series/mem.h"

/* format=flowed is RFC 3676 section 4, one byte after the other. */
struct lines {
	mail_sink *put;
	void *arg;
	bool flowed, delsp;
	bool cr;		 /* a CR that an LF may follow */
	bool in_text;		 /* of a line: behind its ">"s and the stuffed blank */
	bool begun;		 /* the line, or what it goes on with, is put */
	size_t dashes;		 /* that begin the line, not yet put: "-- " may come */
	size_t depth, was_depth; /* of quoting: this line's, and that of the one before */
	bool gap;		 /* behind the ">"s comes a blank, if there is text */
	bool soft;		 /* the line before goes on here */
	size_t blanks;		 /* at the end of the line so far, not yet put */
	bool joined;		 /* some line was */
	struct buf out;
};

static void put_gap(struct lines *l)
{
	buf_fill(&l->out, ' ', l->gap);
	l->gap = false;
}

static void put_blanks(struct lines *l)
{
	put_gap(l);
	buf_fill(&l->out, ' ', l->blanks);
	l->blanks = 0;
}

/* "-- ", the signature's mark, never flows, nor does what is above it (section 4.3). */
static void begin_line(struct lines *l, bool signature)
{
	if (l->soft && l->depth == l->was_depth && !signature) {
		l->joined = true;
	} else {
		if (l->soft)
			buf_putc(&l->out, '\n');
		buf_fill(&l->out, '>', l->depth);
		l->gap = l->depth;
	}
	l->soft = false;
	l->begun = true;
	if (l->dashes)
		put_gap(l);
	buf_fill(&l->out, '-', l->dashes);
	l->dashes = 0;
}

/* The line ends; true when it is the signature's mark. */
static bool end_line(struct lines *l)
{
	bool signature = !l->begun && l->dashes == 2 && l->blanks == 1;

	if (!l->begun)
		begin_line(l, signature);
	return signature;
}

static void flow_line_end(struct lines *l)
{
	bool signature = end_line(l);

	l->soft = l->blanks && !signature;
	if (l->soft && l->delsp)
		l->blanks--;
	if (l->blanks)
		put_blanks(l);
	if (!l->soft)
		buf_putc(&l->out, '\n');
	l->was_depth = l->depth;
	l->depth = l->blanks = 0;
	l->in_text = l->begun = false;
}

static void flow_byte(struct lines *l, char c)
{
	if (c == '\n') {
		flow_line_end(l);
		return;
	}
	if (!l->in_text && c == '>') {
		l->depth++;
		return;
	}
	if (!l->in_text) {
		l->in_text = true;
		if (c == ' ')
			return;
	}
	if (c == ' ') {
		l->blanks++;
		return;
	}
	if (c == '-' && !l->begun && !l->blanks && l->dashes < 2) {
		l->dashes++;
		return;
	}
	if (!l->begun)
		begin_line(l, false);
	put_blanks(l);
	buf_putc(&l->out, c);
}

/* CRLF is LF. */
static void put_lines(struct lines *l, struct str s)
{
	if (!l->flowed && !l->cr && (!s.len || !memchr(s.p, '\r', s.len))) {
		l->put(l->arg, s);
		return;
	}
	for (size_t i = 0; i < s.len; i++) {
		char c = s.p[i];

		if (l->cr && c != '\n') {
			if (l->flowed)
				flow_byte(l, '\r');
			else
				buf_putc(&l->out, '\r');
		}
		l->cr = c == '\r';
		if (l->cr)
			continue;
		if (l->flowed)
			flow_byte(l, c);
		else
			buf_putc(&l->out, c);
	}
	if (l->out.len)
		l->put(l->arg, buf_str(&l->out));
	buf_reset(&l->out);
}

static void end_lines(struct lines *l)
{
	if (l->cr && l->flowed)
		flow_byte(l, '\r');
	else if (l->cr)
		buf_putc(&l->out, '\r');
	if (l->in_text || l->depth)
		end_line(l);
	else if (l->soft)
		buf_putc(&l->out, '\n');
	if (l->blanks)
		put_blanks(l);
	if (l->out.len)
		l->put(l->arg, buf_str(&l->out));
	buf_release(&l->out);
}

struct pipe {
	struct charset charset;
	struct lines lines;
	struct buf utf8;
};

static void probe(void *arg, struct str piece)
{
	charset_probe(&((struct pipe *)arg)->charset, piece);
}

static void convert(void *arg, struct str piece)
{
	struct pipe *p = arg;

	charset_put(&p->charset, piece, &p->utf8);
	put_lines(&p->lines, buf_str(&p->utf8));
	buf_reset(&p->utf8);
}

unsigned part_text(const struct mail *m, const struct mail_part *part, mail_sink *put,
		   void *arg)
{
	struct pipe p = { .utf8 = BUF_INIT };
	unsigned flags;

	p.lines = (struct lines){
		.put = put, .arg = arg, .flowed = part->flowed, .delsp = part->delsp
	};
	charset_init(&p.charset, part->charset);
	if (charset_wants_probe(&p.charset)) {
		part_bytes(m, part, probe, &p);
		charset_probed(&p.charset);
	}
	flags = part_bytes(m, part, convert, &p);
	charset_end(&p.charset, &p.utf8);
	put_lines(&p.lines, buf_str(&p.utf8));
	end_lines(&p.lines);
	flags |= p.charset.flags | (p.lines.joined ? TEXT_FLOWED : 0);
	charset_release(&p.charset);
	buf_release(&p.utf8);
	return flags;
}

void mail_sink_buf(void *arg, struct str piece)
{
	buf_addstr(arg, piece);
}

void mail_sink_lines(void *arg, struct str piece)
{
	struct mail_lines *l = arg;
	struct str line;

	while (piece.len && memchr(piece.p, '\n', piece.len)) {
		str_line(&piece, &line);
		if (l->begun.len) {
			buf_addstr(&l->begun, line);
			line = buf_str(&l->begun);
		}
		l->put(l->arg, line);
		buf_reset(&l->begun);
	}
	buf_addstr(&l->begun, piece);
}

void mail_lines_end(struct mail_lines *l)
{
	if (l->begun.len)
		l->put(l->arg, buf_str(&l->begun));
	buf_release(&l->begun);
}

unsigned mail_text(const struct mail *m, struct buf *out)
{
	struct mail_parts parts _cleanup_mail_parts_;
	unsigned flags = 0;

	mail_parts(m, &parts);
	for (size_t i = 0; i < parts.n; i++) {
		size_t before = out->len;

		if (!part_is_text(&parts.v[i]))
			continue;
		flags |= part_text(m, &parts.v[i], mail_sink_buf, out);
		if (out->len > before && out->p[out->len - 1] != '\n')
			buf_putc(out, '\n');
	}
	return flags;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gmime.c - GMime reading an mbox, for tests/perf/mail.sh: gmime heads|bodies FILE prints how
 * many mails there are, after reading what mail-dump --heads or --bodies reads.
 */
#include <gmime/gmime.h>
#include <stdio.h>
#include <string.h>

static size_t bytes;

static void part(GMimeObject *parent, GMimeObject *o, gpointer data)
{
	char *text;

	if (!GMIME_IS_TEXT_PART(o) || g_mime_content_type_is_type(o->content_type, "text", "html"))
		return;
	text = g_mime_text_part_get_text(GMIME_TEXT_PART(o));
	bytes += text ? strlen(text) : 0;
	g_free(text);
}

static void read_head(GMimeMessage *m)
{
	const char *refs = g_mime_object_get_header(GMIME_OBJECT(m), "References");
	GDateTime *date = g_mime_message_get_date(m);
	GMimeReferences *ids = refs ? g_mime_references_parse(NULL, refs) : NULL;
	const char *subject = g_mime_message_get_subject(m), *id = g_mime_message_get_message_id(m);
	InternetAddressList *from = g_mime_message_get_from(m);

	bytes += (subject ? strlen(subject) : 0) + (id ? strlen(id) : 0) + (date != NULL);
	bytes += from ? (size_t)internet_address_list_length(from) : 0;
	if (ids)
		g_mime_references_free(ids);
}

int main(int argc, char **argv)
{
	FILE *f = argc == 3 ? fopen(argv[2], "rb") : NULL;
	GMimeStream *stream;
	GMimeParser *parser;
	size_t n = 0;

	if (!f)
		return 1;
	g_mime_init();
	stream = g_mime_stream_file_new(f);
	parser = g_mime_parser_new_with_stream(stream);
	g_mime_parser_set_format(parser, GMIME_FORMAT_MBOX);
	while (!g_mime_parser_eos(parser)) {
		GMimeMessage *m = g_mime_parser_construct_message(parser, NULL);

		if (!m)
			break;
		n++;
		read_head(m);
		if (!strcmp(argv[1], "bodies"))
			g_mime_message_foreach(m, part, NULL);
		g_object_unref(m);
	}
	printf("%zu\n", n);
	return bytes == 0;
}

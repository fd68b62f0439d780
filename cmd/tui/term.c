// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * term.c - see term.h. The only file that speaks to ncurses.
 *
 * What gives the terminal back after a crash is made ready when the screen starts: the
 * handler only writes it and sets the modes, which signal-safety(7) allows.
 */
#include <errno.h>
#include <locale.h>
#include <ncurses.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "series/buf.h"
#include "series/mem.h"
#include "series/sanitize.h"
#include "series/utf8.h"
#include "term.h"

static bool started, colored;
static SCREEN *screen;
static attr_t attrs[STYLE_CURSOR + 1];

/* ---- what happens when we crash ---- */

static struct termios saved;
static char *reset;
static size_t reset_len;

static void on_crash(int sig)
{
	ssize_t n = write(STDOUT_FILENO, reset, reset_len);

	(void)n;
	tcsetattr(STDIN_FILENO, TCSANOW, &saved);
	/* The handler was taken away (SA_RESETHAND): the signal does what it does. */
	raise(sig);
}

static void add_capability(struct buf *b, const char *name)
{
	char *s = tigetstr((char *)name);

	if (s && s != (char *)-1)
		buf_puts(b, s);
}

static void prepare_crash(void)
{
	static const int signals[] = {
		SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGQUIT
	};
	struct sigaction act = { .sa_handler = on_crash, .sa_flags = SA_RESETHAND };
	struct buf b _cleanup_buf_ = BUF_INIT;

	add_capability(&b, "sgr0");
	add_capability(&b, "cnorm");
	add_capability(&b, "rmkx");
	add_capability(&b, "rmcup");
	buf_puts(&b, "\r\n");
	reset_len = b.len;
	free(reset);
	reset = buf_take(&b);
	sigemptyset(&act.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &act, NULL);
}

/* ---- start and stop ---- */

static void set_attrs(void)
{
	static const struct {
		short color;
		attr_t color_attr, plain_attr;
	} styles[] = {
		[STYLE_PLAIN] = { -1, A_NORMAL, A_NORMAL },
		[STYLE_BOLD] = { -1, A_BOLD, A_BOLD },
		[STYLE_GREEN] = { COLOR_GREEN, A_NORMAL, A_NORMAL },
		[STYLE_RED] = { COLOR_RED, A_NORMAL, A_BOLD },
		[STYLE_YELLOW] = { COLOR_YELLOW, A_NORMAL, A_NORMAL },
		[STYLE_CYAN] = { COLOR_CYAN, A_NORMAL, A_NORMAL },
		[STYLE_DIM] = { -1, A_DIM, A_NORMAL },
		[STYLE_BAR] = { -1, A_REVERSE, A_REVERSE },
		[STYLE_CURSOR] = { -1, A_REVERSE | A_BOLD, A_REVERSE | A_BOLD },
	};

	for (size_t i = 0; i < ARRAY_SIZE(styles); i++) {
		attrs[i] = colored ? styles[i].color_attr : styles[i].plain_attr;
		if (colored && styles[i].color >= 0) {
			init_pair((short)(i + 1), styles[i].color, -1);
			attrs[i] |= COLOR_PAIR(i + 1);
		}
	}
}

static void modes(void)
{
	cbreak();
	noecho();
	nonl();
	intrflush(stdscr, FALSE);
	keypad(stdscr, TRUE);
	set_escdelay(50);
	curs_set(0);
}

int term_start(bool color, struct err *err)
{
	struct termios now;

	if (tcgetattr(STDIN_FILENO, &saved))
		return err_errno(err, errno, "cannot read the terminal's modes");
	screen = newterm(NULL, stdout, stdin);
	if (!screen)
		return err_set(err, E_FAIL,
			       "no terminal of type '%s' is known here; set TERM, or use "
			       "--text",
			       getenv("TERM") ? getenv("TERM") : "");
	set_term(screen);
	started = true;
	prepare_crash();
	/* ^C is a key: what is going on ends, the view does not. */
	if (!tcgetattr(STDIN_FILENO, &now)) {
		now.c_cc[VINTR] = _POSIX_VDISABLE;
		now.c_cc[VQUIT] = _POSIX_VDISABLE;
		tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
		def_prog_mode();
	}
	modes();
	colored = color && has_colors() && start_color() == OK &&
		  use_default_colors() == OK;
	set_attrs();
	return 0;
}

void term_stop(void)
{
	if (!started)
		return;
	started = false;
	endwin();
	delscreen(screen);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &saved);
}

void term_interrupts(bool on)
{
	static bool is;
	struct termios now;

	if (on == is || tcgetattr(STDIN_FILENO, &now))
		return;
	is = on;
	now.c_cc[VINTR] = on ? TK_CTRL('C') : _POSIX_VDISABLE;
	tcsetattr(STDIN_FILENO, TCSANOW, &now);
}

void term_leave(void)
{
	term_interrupts(false);
	def_prog_mode();
	endwin();
	tcsetattr(STDIN_FILENO, TCSADRAIN, &saved);
}

void term_return(void)
{
	reset_prog_mode();
	clearok(curscr, TRUE);
	curs_set(0);
	refresh();
}

int term_rows(void)
{
	return getmaxy(stdscr);
}

int term_columns(void)
{
	return getmaxx(stdscr);
}

/* ---- writing ---- */

void term_clear(void)
{
	erase();
}

size_t term_put(int row, int column, size_t width, enum style style, struct str text)
{
	struct buf clean _cleanup_buf_ = BUF_INIT;
	struct str fit;
	size_t used;

	if (row < 0 || row >= term_rows() || column < 0 || column >= term_columns())
		return 0;
	width = MIN(width, (size_t)(term_columns() - column));
	sanitize_line(text, &clean);
	fit = utf8_fit(buf_str(&clean), width);
	used = utf8_width(fit);
	attrset(attrs[style]);
	mvaddnstr(row, column, fit.p ? fit.p : "", (int)fit.len);
	/* Not by where ncurses thinks it is: its own idea of widths may differ. */
	if (used < width) {
		move(row, column + (int)used);
		for (size_t i = used; i < width; i++)
			addch(' ');
	}
	attrset(A_NORMAL);
	return used;
}

void term_cursor(int row, int column)
{
	curs_set(row >= 0);
	if (row >= 0)
		move(row, column);
}

void term_flush(void)
{
	refresh();
}

static void base64(const char *s, struct buf *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t n = strlen(s);

	for (size_t i = 0; i < n; i += 3) {
		uint32_t v = (uint32_t)(unsigned char)s[i] << 16;

		if (i + 1 < n)
			v |= (uint32_t)(unsigned char)s[i + 1] << 8;
		if (i + 2 < n)
			v |= (unsigned char)s[i + 2];
		buf_putc(out, digits[v >> 18]);
		buf_putc(out, digits[v >> 12 & 63]);
		buf_putc(out, i + 1 < n ? digits[v >> 6 & 63] : '=');
		buf_putc(out, i + 2 < n ? digits[v & 63] : '=');
	}
}

void term_copy(const char *text)
{
	const char *term = getenv("TERM");
	struct buf b _cleanup_buf_ = BUF_INIT;
	ssize_t n;

	/* The console and old terminals print what they do not know. */
	if (!term || !strcmp(term, "linux") || !strncmp(term, "vt", 2))
		return;
	buf_puts(&b, "\033]52;c;");
	base64(text, &b);
	buf_putc(&b, '\a');
	n = write(STDOUT_FILENO, b.p, b.len);
	(void)n;
}

/* ---- reading ---- */

static int32_t function_key(wint_t c)
{
	static const struct {
		wint_t from;
		int32_t to;
	} keys[] = {
		{ KEY_UP, TK_UP },
		{ KEY_DOWN, TK_DOWN },
		{ KEY_LEFT, TK_LEFT },
		{ KEY_RIGHT, TK_RIGHT },
		{ KEY_HOME, TK_HOME },
		{ KEY_END, TK_END },
		{ KEY_PPAGE, TK_PAGE_UP },
		{ KEY_NPAGE, TK_PAGE_DOWN },
		{ KEY_BACKSPACE, TK_BACKSPACE },
		{ KEY_DC, TK_DELETE },
		{ KEY_ENTER, TK_ENTER },
		{ KEY_RESIZE, TK_NOTHING },
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].from == c)
			return keys[i].to;
	if (c >= KEY_F(1) && c <= KEY_F(12))
		return TK_F1 + (int32_t)(c - KEY_F(1));
	return TK_OTHER;
}

int32_t term_key(int wait_ms)
{
	wint_t c;
	int rc;

	timeout(wait_ms);
	rc = get_wch(&c);
	if (rc == ERR)
		return TK_NOTHING;
	if (rc == KEY_CODE_YES)
		return function_key(c);
	if (c == '\r' || c == '\n')
		return TK_ENTER;
	if (c == 0x7f || c == '\b')
		return TK_BACKSPACE;
	return (int32_t)c;
}

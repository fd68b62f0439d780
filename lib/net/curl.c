// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * curl.c - libcurl, loaded when the first mail goes out.
 *
 * It comes with thirty libraries (OpenSSL, GnuTLS, Kerberos, LDAP, ...), and linking them
 * took half of the time of every command that sends nothing: "series status" above all.
 * So the program is not linked with it: these functions have the names and the types of
 * curl/curl.h and hand on to the real ones. One that is missing here does not link.
 *
 * The .4 is the version of libcurl's binary interface, which is kept since 2006.
 */
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdarg.h>
#include "series/mem.h"

#undef curl_easy_setopt
#undef curl_easy_getinfo

/* Debian has one more, for those who build with GnuTLS. */
static const char *const names[] = { "libcurl.so.4", "libcurl-gnutls.so.4" };

/* The real function; NULL when there is no libcurl. */
static void *real(const char *function)
{
	static void *lib;

	for (size_t i = 0; i < ARRAY_SIZE(names) && !lib; i++)
		lib = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
	return lib ? dlsym(lib, function) : NULL;
}

#define REAL(function) ((__typeof__(&function))real(#function))

/* Without libcurl this fails, and nobody has a handle for the others. */
CURL *curl_easy_init(void)
{
	__typeof__(&curl_easy_init) f = REAL(curl_easy_init);

	return f ? f() : NULL;
}

CURL *curl_easy_duphandle(CURL *h)
{
	return REAL(curl_easy_duphandle)(h);
}

void curl_easy_cleanup(CURL *h)
{
	REAL(curl_easy_cleanup)(h);
}

CURLcode curl_easy_perform(CURL *h)
{
	return REAL(curl_easy_perform)(h);
}

const char *curl_easy_strerror(CURLcode code)
{
	return REAL(curl_easy_strerror)(code);
}

/* One value follows; its type is in the number of the option. */
CURLcode curl_easy_setopt(CURL *h, CURLoption option, ...)
{
	__typeof__(&curl_easy_setopt) f = REAL(curl_easy_setopt);
	va_list ap;
	CURLcode rc;

	va_start(ap, option);
	if (option < CURLOPTTYPE_OBJECTPOINT)
		rc = f(h, option, va_arg(ap, long));
	else if (option >= CURLOPTTYPE_OFF_T && option < CURLOPTTYPE_OFF_T + 10000)
		rc = f(h, option, va_arg(ap, curl_off_t));
	else
		rc = f(h, option, va_arg(ap, void *));
	va_end(ap);
	return rc;
}

/* What follows is always a pointer. */
CURLcode curl_easy_getinfo(CURL *h, CURLINFO info, ...)
{
	va_list ap;
	CURLcode rc;

	va_start(ap, info);
	rc = REAL(curl_easy_getinfo)(h, info, va_arg(ap, void *));
	va_end(ap);
	return rc;
}

struct curl_slist *curl_slist_append(struct curl_slist *l, const char *text)
{
	return REAL(curl_slist_append)(l, text);
}

void curl_slist_free_all(struct curl_slist *l)
{
	REAL(curl_slist_free_all)(l);
}

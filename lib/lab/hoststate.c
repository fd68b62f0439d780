// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hoststate.c - what is remembered of a host: that it is away from its own kernel, and
 * that it is in quarantine. On disk before the boot command goes out, so that whoever
 * comes after a kill -9 or a power cut here knows that the host must be brought back
 * first.
 */
#include <ctype.h>
#include <string.h>
#include "lab_priv.h"
#include "hoststate.h"
#include "series/fs.h"
#include "series/mem.h"
#include "series/time.h"
#include "series/xdg.h"

/* The host's name where it can be a file's, else a hash of it. */
static char *state_path(const struct host *h, const char *suffix)
{
	char *dir _cleanup_free_ = xdg_data("hosts");
	char hash[SHA256_HEX];
	const char *name = h->name;

	for (const char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && (p == name || !strchr("._-", *p))) {
			sha256_hex(h->name, strlen(h->name), hash);
			name = hash;
			break;
		}
	return xasprintf("%s/%s%s", dir, name, suffix);
}

char *host_lock_path(const struct host *h)
{
	return state_path(h, ".lock");
}

int host_state(const struct host *h, struct host_state *ret, struct err *err)
{
	char *path _cleanup_free_ = state_path(h, ".json");
	struct buf text _cleanup_buf_ = BUF_INIT;
	struct json *j _cleanup_json_ = NULL;
	int r;

	*ret = (struct host_state)HOST_STATE_INIT;
	if (!fs_exists(path))
		return 0;
	r = fs_read(path, 65536, &text, err);
	if (!r)
		r = json_parse_schema(buf_str(&text), path, 1, &j, err);
	if (r)
		return r;
	ret->quarantine = xstrdup_null(json_get_str(j, "quarantine"));
	ret->away = xstrdup_null(json_get_str(j, "away"));
	ret->since = json_get_int(j, "since", 0);
	ret->home_build_id = xstrdup_null(json_get_str(j, "home_build_id"));
	ret->home_boot_id = xstrdup_null(json_get_str(j, "home_boot_id"));
	ret->away_boot_id = xstrdup_null(json_get_str(j, "away_boot_id"));
	return 0;
}

int host_state_save(const struct host *h, const struct host_state *s, struct err *err)
{
	char *path _cleanup_free_ = state_path(h, ".json");
	char *dir _cleanup_free_ = path_dir(path);
	struct json *j _cleanup_json_ = json_obj();
	struct buf text _cleanup_buf_ = BUF_INIT;
	int r;

	if (!s->quarantine && !s->away)
		return fs_unlink(path, err);
	json_set_int(j, "schema", 1);
	json_set_str(j, "quarantine", s->quarantine);
	json_set_str(j, "away", s->away);
	json_set_int(j, "since", s->since);
	json_set_str(j, "home_build_id", s->home_build_id);
	json_set_str(j, "home_boot_id", s->home_boot_id);
	json_set_str(j, "away_boot_id", s->away_boot_id);
	json_dump(j, &text);
	r = fs_mkdirs(dir, err);
	return r ? r : fs_write_atomic(path, text.p, text.len, 0600, err);
}

void host_state_release(struct host_state *s)
{
	free(s->quarantine);
	free(s->away);
	free(s->home_build_id);
	free(s->home_boot_id);
	free(s->away_boot_id);
	*s = (struct host_state)HOST_STATE_INIT;
}

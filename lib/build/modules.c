// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The modules of a kernel as one tar file: what shall lie in /lib/modules/RELEASE of the
 * machine that boots it, without the links to the trees it was built in.
 */
#include <string.h>

#include "series/fs.h"
#include "series/proc.h"
#include "internal.h"

#define TAR_MS ((int64_t)600000)

bool modules_wanted(const struct plan *p, const char *config)
{
	_cleanup_buf_ struct buf text = BUF_INIT;

	return p->q->modules && !fs_read(config, 16 << 20, &text, NULL) &&
	       config_value(buf_str(&text), STR_LIT("MODULES")).len;
}

static int pack(const char *dir, const char *tar, struct err *err)
{
	char *argv[] = { (char *)"tar",
			 (char *)"--exclude=./build",
			 (char *)"--exclude=./source",
			 (char *)"--owner=0",
			 (char *)"--group=0",
			 (char *)"-C",
			 (char *)dir,
			 (char *)"-cf",
			 (char *)tar,
			 (char *)".",
			 NULL };
	struct proc_opts o = { .argv = argv, .timeout_ms = TAR_MS };

	return proc_check(&o, NULL, err);
}

int modules_pack(struct plan *p, const char *release, const char *label, struct err *err)
{
	_cleanup_free_ char *root = path_join(p->meta, "modules");
	_cleanup_free_ char *tar = path_join(p->meta, "modules.tar");
	_cleanup_free_ char *dir = xasprintf("%s/lib/modules/%s", root, release);
	_cleanup_strvec_ struct strvec args = STRVEC_INIT;
	struct make_result res = { 0 };
	int rc = fs_rmtree(root, err);

	strvec_pushf(&args, "INSTALL_MOD_PATH=%s", root);
	/* what debugs them stays in vmlinux's folder; they may be a gigabyte with it */
	strvec_pushl(&args, "INSTALL_MOD_STRIP=1", "modules_install", NULL);
	if (!rc)
		rc = make_run(p, &args, NULL, label, &res, err);
	if (!rc && res.rc)
		rc = err_set(err, E_FAIL, "make modules_install failed; see %s/log",
			     p->meta);
	if (!rc && !fs_is_dir(dir))
		rc = err_set(err, E_FAIL, "make modules_install made no %s", dir);
	if (!rc)
		rc = pack(dir, tar, err);
	fs_rmtree(root, NULL);
	return rc;
}

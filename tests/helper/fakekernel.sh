# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel tree of a few files for tests of "series build": real make and a real compiler,
# the layout, targets and output lines of kbuild, built in a second. Its arch is arm64, and
# its cross compiler is this machine's own under another name.
# shellcheck shell=sh

# fake_kernel DIR: a git repository with one commit, branch main.
fake_kernel() {
	mkdir -p "$1/mm" "$1/init" "$1/include" "$1/scripts/kconfig" "$1/Documentation" "$T/bin" \
		"$T/templates/kconfig"
	fake_makefile >"$1/Makefile"
	fake_conf >"$1/scripts/conf.sh"
	fake_merge >"$1/scripts/kconfig/merge_config.sh"
	chmod +x "$1/scripts/conf.sh" "$1/scripts/kconfig/merge_config.sh"
	printf 'obj-y := init/main.o mm/rmap.o mm/swap.o\nobj-$(CONFIG_ZRAM) += mm/zram.o\n' >"$1/Kbuild"
	cat >"$1/Kconfig" <<'EOF'
config MMU
	bool "MMU"
config BLOCK
	bool "block devices"
config ZRAM
	bool "compressed memory"
	depends on BLOCK && MMU
EOF
	echo 'extern int pages;' >"$1/include/mm.h"
	printf '#include "mm.h"\nvoid _start(void);\nvoid _start(void) { pages++; }\n' >"$1/init/main.c"
	printf '#include "mm.h"\nint pages;\nint rmap(void);\nint rmap(void)\n{\n\treturn pages;\n}\n' >"$1/mm/rmap.c"
	printf '#include "mm.h"\nint swap(void);\nint swap(void)\n{\n\tint old;\n\treturn pages;\n}\n' >"$1/mm/swap.c"
	printf 'int zram(void);\nint zram(void)\n{\n\treturn 1;\n}\n' >"$1/mm/zram.c"
	echo 'How it works.' >"$1/Documentation/mm.rst"
	printf '#!/bin/sh\nexec gcc "$@"\n' >"$T/bin/aarch64-linux-gnu-gcc"
	chmod +x "$T/bin/aarch64-linux-gnu-gcc"
	printf 'CONFIG_MMU=y\n# CONFIG_BLOCK is not set\n' >"$T/templates/kconfig/vm.config"
	printf '# nothing\n' >"$T/templates/kconfig/vm-arm64.config"
	PATH=$T/bin:$PATH
	SERIES_TEMPLATES=$T/templates
	export SERIES_TEMPLATES
	(cd "$1" && git init -q && git config series.ccache false && git add -A &&
		git commit -q -m 'a small kernel')
}

# While the file $FAKE_SLOW exists, compiling SLOW=mm/x.o leaves half an object and waits.
fake_makefile() {
	cat <<'EOF'
ifneq ($(KB),1)
.PHONY: sub $(MAKECMDGOALS)
$(filter-out sub,$(MAKECMDGOALS)): sub
	@:
sub:
	@mkdir -p $(O)
	@$(MAKE) -C $(O) -f ../Makefile KB=1 O= $(MAKECMDGOALS)
else
-include .config
include ../Kbuild
CC ?= $(CROSS_COMPILE)gcc
ifeq ($(origin CC),default)
CC := $(CROSS_COMPILE)gcc
endif
.DELETE_ON_ERROR:
.PHONY: FORCE vmlinux_dirs Image bzImage allnoconfig olddefconfig
cmdfile = $(dir $(1)).$(notdir $(1)).cmd
define rule
$(1): ../$(1:.o=.c) $$(if $$(wildcard $$(call cmdfile,$(1))),,FORCE)
	@mkdir -p $$(@D); echo "  CC      $$@"; \
	if test "$$$$FAKE_SLOW" && test -e "$$$$FAKE_SLOW" && test $$@ = mm/swap.o; then \
		echo half >$$@; echo $$$$$$$$ >"$$$$FAKE_SLOW.pid"; sleep 60; fi; \
	$(if $(filter 1,$(C)),sparse $$< &&) $$(CC) -O1 -Wall $(if $(filter 1,$(W)),-Wextra) -Wp,-MMD,$$(call cmdfile,$$@).d -I../include -ffreestanding -fno-pie -c -o $$@ $$< && \
	echo "savedcmd_$$@ := $$(CC)" >$$(call cmdfile,$$@)
endef
all-obj := init/main.o mm/rmap.o mm/swap.o mm/zram.o $(wildcard $(patsubst %,%,mm/new.o))
$(foreach o,$(sort $(all-obj) $(obj-y)),$(eval $(call rule,$(o))))
-include $(wildcard */.*.cmd.d)
vmlinux: $(obj-y)
	@echo "  LD      $@"; mkdir -p include/config; echo "6.0.0$(LOCALVERSION)" >include/config/kernel.release; \
	echo "  LD      vmlinux.o"; : >vmlinux.o; \
	$(CC) -nostdlib -static -no-pie -Wl,--build-id=sha1 -o $@ $(obj-y)
Image bzImage: vmlinux
	@d=arch/$(if $(filter i386 x86_64,$(ARCH)),x86,$(ARCH))/boot; mkdir -p $$d; echo "  OBJCOPY $$d/$@"; cp vmlinux $$d/$@
allnoconfig olddefconfig tinyconfig nommu_virt_defconfig:
	@../scripts/conf.sh $@
endif
EOF
}

# allnoconfig and olddefconfig of the little Kconfig language above.
fake_conf() {
	cat <<'EOF'
#!/bin/sh
: "${KCONFIG_CONFIG:=.config}"
[ "$1" = olddefconfig ] || : >"$KCONFIG_CONFIG"
grep -q '^syntax' ../Kconfig && { echo "Kconfig:1: syntax error" >&2; exit 1; }
awk -v have="$KCONFIG_CONFIG" '
BEGIN { while ((getline l < have) > 0) if (l ~ /^CONFIG_/) { split(l, a, "="); v[a[1]] = a[2] } else if (l ~ /^# CONFIG_/) { split(l, a, " "); delete v[a[2]] } }
/^config / { s = "CONFIG_" $2; order[++n] = s }
/depends on/ { for (i = 3; i <= NF; i++) if ($i != "&&" && v["CONFIG_" $i] != "y") delete v[s] }
END { for (i = 1; i <= n; i++) if (v[order[i]] != "" && v[order[i]] != "n") print order[i] "=" v[order[i]]; else print "# " order[i] " is not set" }
' ../Kconfig >"$KCONFIG_CONFIG.tmp" && mv "$KCONFIG_CONFIG.tmp" "$KCONFIG_CONFIG"
EOF
}

fake_merge() {
	cat <<'EOF'
#!/bin/sh
[ "$1" = -m ] || exit 1
shift
base=$1
shift
cat "$@" >>"$base"
EOF
}

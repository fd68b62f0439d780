# SPDX-License-Identifier: GPL-2.0-or-later
# The only makefile. "make help" lists the targets.
#
#	make			build/release/series
#	make DEVELOPER=1	the same with -Werror
#	make VARIANT=asan	build/asan/: debug, asan, cov and fuzz have folders of their own
#	make V=1		show commands

VERSION := 0.1.0
VARIANT ?= release
CC      ?= gcc
prefix  ?= /usr/local
bindir  ?= $(prefix)/bin
datadir ?= $(prefix)/share/series
mandir  ?= $(prefix)/share/man
bashcompdir ?= $(prefix)/share/bash-completion/completions
zshcompdir  ?= $(prefix)/share/zsh/site-functions
fishcompdir ?= $(prefix)/share/fish/vendor_completions.d
INSTALL ?= install

B := build/$(VARIANT)
Q := $(if $(V),,@)

PKGS := libgit2 libcurl jansson zlib sqlite3 ncursesw
# One pkg-config call for a whole run; empty before "make deps".
PKG_FLAGS := $(shell pkg-config --cflags --libs $(PKGS) 2>/dev/null)

CFLAGS_release := -O2 -g
CFLAGS_debug   := -O0 -g
CFLAGS_asan    := -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
CFLAGS_cov     := -O0 -g --coverage
CFLAGS_fuzz    := -O1 -g -fsanitize=address,undefined,fuzzer-no-link
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef \
	-Wformat=2 -Wvla -Wno-unused-parameter $(if $(DEVELOPER),-Werror)
ALL_CFLAGS := -std=gnu11 -pthread $(CFLAGS_$(VARIANT)) $(WARN) -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 \
	-DSERIES_VERSION='"$(VERSION)"' -DSERIES_DATADIR='"$(datadir)"' \
	-Iinclude -Icmd $(filter-out -l% -L%,$(PKG_FLAGS)) $(CFLAGS)
ALL_LDFLAGS := $(CFLAGS_$(VARIANT)) $(LDFLAGS)
# libcurl is loaded when it is needed: see lib/net/curl.c.
LIBS := $(filter-out -lcurl%,$(filter -l% -L%,$(PKG_FLAGS))) -pthread -ldl -lm

LIB_SRC  := $(sort $(wildcard lib/*/*.c) $(filter-out cmd/main.c,$(wildcard cmd/*.c cmd/tui/*.c)))
LIB_OBJ  := $(LIB_SRC:%.c=$(B)/%.o)
MAIN_OBJ := $(B)/cmd/main.o
UNIT_SRC := $(sort $(wildcard tests/unit/test_*.c))
UNIT     := $(UNIT_SRC:tests/unit/%.c=$(B)/tests/%)
TOOL_SRC := $(sort $(wildcard tests/helper/*.c))
TOOLS    := $(TOOL_SRC:tests/helper/%.c=$(B)/tests/%)
FUZZ_SRC := $(sort $(wildcard tests/fuzz/fuzz_*.c))
FUZZ     := $(FUZZ_SRC:tests/fuzz/%.c=$(B)/tests/%)

all: $(B)/series

# A stamp that changes with the flags, so that other flags rebuild everything.
STAMP := $(B)/flags
FLAGS := $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(LIBS)
$(STAMP): force
	$(Q)mkdir -p $(B)
	$(Q)printf '%s\n' '$(subst ','\'',$(FLAGS))' >$@.new; \
	if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(B)/%.o: %.c $(STAMP)
	$(Q)mkdir -p $(@D)
	@$(if $(V),,echo "  CC      $<")
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/libseries.a: $(LIB_OBJ)
	@$(if $(V),,echo "  AR      $@")
	$(Q)rm -f $@; $(AR) rcs $@ $(LIB_OBJ)

$(B)/series: $(MAIN_OBJ) $(B)/libseries.a
	@$(if $(V),,echo "  LD      $@")
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

# Unit tests link the real code; each prints TAP.
$(UNIT): $(B)/tests/%: $(B)/tests/unit/%.o $(B)/libseries.a
	@$(if $(V),,echo "  LD      $@")
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ -lcmocka $(LIBS)
$(TOOLS): $(B)/tests/%: $(B)/tests/helper/%.o $(B)/libseries.a
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

# With clang and VARIANT=fuzz libFuzzer makes up the input; else it comes from files.
FUZZ_MAIN := $(if $(filter fuzz,$(VARIANT)),,$(B)/tests/fuzz/replay.o)
$(FUZZ): $(B)/tests/%: $(B)/tests/fuzz/%.o $(FUZZ_MAIN) $(B)/libseries.a
	$(Q)$(CC) $(ALL_LDFLAGS) $(if $(FUZZ_MAIN),,-fsanitize=fuzzer) -o $@ $^ $(LIBS)

-include $(LIB_OBJ:.o=.d) $(MAIN_OBJ:.o=.d) $(UNIT_SRC:%.c=$(B)/%.d) $(TOOL_SRC:%.c=$(B)/%.d) $(FUZZ_SRC:%.c=$(B)/%.d)

# Leaks of libraries that are not ours to mend.
export LSAN_OPTIONS ?= suppressions=$(CURDIR)/tests/helper/lsan.supp:print_suppressions=0

unit: $(UNIT)
	$(Q)CMOCKA_MESSAGE_OUTPUT=TAP prove -Q -j4 --exec '' $(UNIT)

# --- checks ---

# End to end tests; each starts what it needs on the loopback interface.
T_SRC := $(sort $(wildcard tests/t/t*.sh))
K_SRC := $(sort $(wildcard tests/k/t*.sh))

check-quick: all unit check-layers check-generated

# All quick tests; the last line is "N passed, N failed".
check: deps
	$(Q)$(MAKE) --no-print-directory all $(UNIT) $(TOOLS) $(FUZZ)
	$(Q)VARIANT=$(VARIANT) sh tests/helper/run-tests.sh $(UNIT) tests/t/t*.sh

# Builds linux, boots it in QEMU, measures: minutes to an hour.
check-kernel: deps
	$(Q)$(MAKE) --no-print-directory all $(TOOLS)
	$(Q)VARIANT=$(VARIANT) sh tests/helper/run-tests.sh tests/k/t*.sh

check-asan:
	$(Q)$(MAKE) --no-print-directory VARIANT=asan all unit

check-valgrind: all $(UNIT)
	$(Q)command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 1; }
	$(Q)CMOCKA_MESSAGE_OUTPUT=TAP prove -Q --exec \
		'valgrind -q --error-exitcode=9 --leak-check=full --child-silent-after-fork=yes' $(UNIT)

# From includes and from the symbols of the objects.
check-layers: all
	$(Q)python3 tests/helper/check-layers.py $(B)

# What is generated from the option tables is committed; this proves that it is current.
GENERATED := templates/man completions
generate: $(B)/series
	$(Q)rm -f templates/man/*.1
	$(Q)$(B)/series --dump-spec | python3 templates/generate.py .

check-generated: $(B)/series
	$(Q)rm -rf $(B)/generated && mkdir -p $(B)/generated
	$(Q)$(B)/series --dump-spec | python3 templates/generate.py $(B)/generated
	$(Q)for d in $(GENERATED); do diff -ru $$d $(B)/generated/$$d || \
		{ echo "out of date: run 'make generate'" >&2; exit 1; }; done

coverage:
	$(Q)command -v gcov >/dev/null || { echo "gcov is not installed" >&2; exit 1; }
	$(Q)$(MAKE) --no-print-directory VARIANT=cov unit
	$(Q)cd build/cov && find lib cmd -name '*.gcda' | sort | while read -r f; do \
		gcov -n -o $$(dirname $$f) $$f 2>/dev/null | grep -A1 "^File 'lib\|^File 'cmd"; done | \
		sed -n "s/^File '\(.*\)'/\1/p; s/^Lines executed:/  /p" | paste - - | sort

# Beside git, b4 and git send-email on a tree as large as the kernel; RUNS=15.
bench: deps
	$(Q)$(MAKE) --no-print-directory all $(TOOLS)
	$(Q)VARIANT=$(VARIANT) sh tests/perf/bench.sh
	$(Q)VARIANT=$(VARIANT) sh tests/perf/mail.sh
	$(Q)VARIANT=$(VARIANT) sh tests/perf/review.sh
	$(Q)VARIANT=$(VARIANT) sh tests/perf/lists.sh
	$(Q)VARIANT=$(VARIANT) sh tests/perf/build.sh
# libFuzzer on each parser, FUZZ_S seconds each; what it finds is in build/fuzz/found/.
FUZZ_S ?= 60
fuzz:
	$(Q)command -v clang >/dev/null || { echo "clang is not installed" >&2; exit 1; }
	$(Q)$(MAKE) --no-print-directory VARIANT=fuzz CC=clang fuzz-targets
	$(Q)sh tests/fuzz/run.sh $(FUZZ_S) $(FUZZ_SRC:tests/fuzz/fuzz_%.c=%)
fuzz-targets: $(FUZZ)

# --- the demo ---

demo: deps
	$(Q)$(MAKE) --no-print-directory all
	$(Q)sh tests/demo/demo.sh

# --- installation ---

deps:
	$(Q)sh tests/helper/deps.sh

# Templates that the program reads; man page sources stay here.
TEMPLATES = $(shell find templates -type f ! -path 'templates/man/*' ! -name generate.py | sort)
PAGES     = $(sort $(wildcard templates/man/*.1))

install: all
	$(Q)$(INSTALL) -d $(DESTDIR)$(bindir) $(DESTDIR)$(mandir)/man1 \
		$(DESTDIR)$(bashcompdir) $(DESTDIR)$(zshcompdir) $(DESTDIR)$(fishcompdir)
	$(Q)$(INSTALL) -m 755 $(B)/series $(DESTDIR)$(bindir)/series
	$(Q)for f in $(TEMPLATES); do \
		$(INSTALL) -D -m 644 $$f $(DESTDIR)$(datadir)/$${f#templates/} || exit 1; done
	$(Q)$(INSTALL) -m 644 $(PAGES) $(DESTDIR)$(mandir)/man1
	$(Q)$(INSTALL) -m 644 completions/series.bash $(DESTDIR)$(bashcompdir)/series
	$(Q)$(INSTALL) -m 644 completions/_series $(DESTDIR)$(zshcompdir)/_series
	$(Q)$(INSTALL) -m 644 completions/series.fish $(DESTDIR)$(fishcompdir)/series.fish

uninstall:
	$(Q)rm -f $(DESTDIR)$(bindir)/series $(DESTDIR)$(bashcompdir)/series \
		$(DESTDIR)$(zshcompdir)/_series $(DESTDIR)$(fishcompdir)/series.fish
	$(Q)rm -f $(PAGES:templates/man/%=$(DESTDIR)$(mandir)/man1/%)
	$(Q)rm -rf $(DESTDIR)$(datadir)

clean:
	rm -rf build

help:
	@echo "make [DEVELOPER=1] [VARIANT=release|debug|asan|cov|fuzz] [V=1] TARGET"
	@echo "  all             build/VARIANT/series"
	@echo "  demo            a real kernel series built, booted, measured and posted"
	@echo "  check           all quick tests; ends with 'N passed, N failed'"
	@echo "  check-quick     units, layers, generated files: for every commit"
	@echo "  check-kernel    builds and boots linux from Debian's source package"
	@echo "  check-asan      units with the address and undefined behaviour sanitizers"
	@echo "  check-valgrind  units under valgrind"
	@echo "  coverage        lines covered by the units, per file"
	@echo "  bench, fuzz     performance beside git, b4 and git send-email (RUNS=15), fuzzing"
	@echo "  generate        man pages and completions from the option tables"
	@echo "  deps            install what is missing (apt, dnf, pacman)"
	@echo "  install, uninstall   with DESTDIR and prefix"

.PHONY: all unit check-quick check check-kernel check-asan check-valgrind check-layers \
	check-generated generate coverage bench fuzz demo deps install uninstall clean help force
.SECONDARY:

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

PKGS := libgit2 libcurl jansson
# One pkg-config call for a whole run; empty before "make deps".
PKG_FLAGS := $(shell pkg-config --cflags --libs $(PKGS) 2>/dev/null)

CFLAGS_release := -O2 -g
CFLAGS_debug   := -O0 -g
CFLAGS_asan    := -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
CFLAGS_cov     := -O0 -g --coverage
CFLAGS_fuzz    := -O1 -g -fsanitize=address,undefined,fuzzer-no-link
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef \
	-Wformat=2 -Wvla -Wno-unused-parameter $(if $(DEVELOPER),-Werror)
ALL_CFLAGS := -std=gnu11 $(CFLAGS_$(VARIANT)) $(WARN) -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 \
	-DSERIES_VERSION='"$(VERSION)"' -DSERIES_DATADIR='"$(datadir)"' \
	-Iinclude -Icmd $(filter-out -l% -L%,$(PKG_FLAGS)) $(CFLAGS)
ALL_LDFLAGS := $(CFLAGS_$(VARIANT)) $(LDFLAGS)
LIBS := $(filter -l% -L%,$(PKG_FLAGS)) -lm

LIB_SRC  := $(sort $(wildcard lib/*/*.c) $(filter-out cmd/main.c,$(wildcard cmd/*.c)))
LIB_OBJ  := $(LIB_SRC:%.c=$(B)/%.o)
MAIN_OBJ := $(B)/cmd/main.o
UNIT_SRC := $(sort $(wildcard tests/unit/test_*.c))
UNIT     := $(UNIT_SRC:tests/unit/%.c=$(B)/tests/%)
TOOL_SRC := $(sort $(wildcard tests/helper/*.c))
TOOLS    := $(TOOL_SRC:tests/helper/%.c=$(B)/tests/%)

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

-include $(LIB_OBJ:.o=.d) $(MAIN_OBJ:.o=.d) $(UNIT_SRC:%.c=$(B)/%.d) $(TOOL_SRC:%.c=$(B)/%.d)

unit: $(UNIT)
	$(Q)CMOCKA_MESSAGE_OUTPUT=TAP prove -Q --exec '' $(UNIT)

check-quick: unit check-layers

check-layers:
	$(Q)python3 tests/helper/check-layers.py

clean:
	rm -rf build

.PHONY: all unit check-quick check-layers clean force
.SECONDARY:

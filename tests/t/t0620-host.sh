#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# series host: the hosts there are, and what is missing to use one.
. "${SRCDIR:-.}/tests/helper/tap.sh"

test_expect_success 'qemu is there without any configuration, outside a repository too' '
	series host list >out &&
	test_grep "^qemu  *qemu  *any arch  *auto  *1024 MiB, 1 CPU$" out
'
test_expect_success 'configured hosts are listed, with the name that mail shows' '
	git config --global series.host.big.memory 4096 &&
	git config --global series.host.big.arch aarch64 &&
	git config --global series.host.big.alias "$(printf "lab\033[31m one")" &&
	series host list >out &&
	test_grep "^big  *qemu  *arm64  *auto  *4096 MiB, 1 CPU, in mail: lab one$" out &&
	series host list --json >out &&
	python3 -c "
import json
h = {x[\"name\"]: x for x in json.load(open(\"out\"))[\"hosts\"]}
assert sorted(h) == [\"big\", \"qemu\"]
assert h[\"big\"][\"memory_mib\"] == 4096 and h[\"big\"][\"arch\"] == \"arm64\"
assert h[\"qemu\"][\"arch\"] is None and h[\"qemu\"][\"alias\"] == \"qemu\""
'
test_expect_success 'what is missing is a finding, with its remedy' '
	mkdir bin && for p in git sh; do ln -s "$(command -v $p)" bin/ || return 1; done &&
	(PATH=$T/bin && test_status 2 "$SERIES" host check --arch s390 >out 2>err) &&
	test_grep "problem  qemu-system-s390x not found: install qemu-system-misc" out &&
	test_grep "problem  s390x-linux-gnu-gcc not found.*install gcc-s390x-linux-gnu" out &&
	test_grep "host qemu, s390: 2 problems" err
'
test_expect_success 'too little memory is one' '
	git config --global series.host.huge.memory 1000000 &&
	test_status 2 series host check huge --json >out 2>err &&
	python3 -c "
import json
j = json.load(open(\"out\"))
assert any(\"1000000 are needed\" in p for p in j[\"problems\"]), j"
'
test_expect_success 'wrong words, names and settings say what is expected' '
	test_status 129 series host 2>err &&
	test_status 129 series host find 2>err && test_grep "check \[NAME\]" err &&
	test_status 129 series host check --arch vax 2>err && test_grep "x86_64, arm64" err &&
	test_status 129 series host check big --arch riscv 2>err && test_grep "boots arm64" err &&
	test_status 1 series host check nowhere 2>err && test_grep "qemu, big, huge" err &&
	git config --global series.host.far.type telnet &&
	test_status 129 series host check far 2>err && test_grep "expected qemu, ssh or local" err
'
test_done

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh SECONDS NAME...: libFuzzer on build/fuzz/tests/fuzz_NAME, with our seeds, what earlier
# runs found worth keeping, and its dictionary. Status 1 when one crashed, leaked or hung.
set -u
seconds=$1
shift
bad=0
for name; do
	dir=build/fuzz/corpus/$name
	mkdir -p "$dir" build/fuzz/found
	echo "fuzz_$name: $seconds s"
	build/fuzz/tests/fuzz_"$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
		-max_len=8192 -dict=tests/fuzz/"$name".dict -print_final_stats=1 \
		-artifact_prefix=build/fuzz/found/"$name"- "$dir" tests/fuzz/corpus/"$name" \
		2>build/fuzz/"$name".log || bad=1
	grep -E "stat::number_of_executed_units|SUMMARY|ERROR|: .*FUZZ|Test unit written" build/fuzz/"$name".log
done
exit $bad

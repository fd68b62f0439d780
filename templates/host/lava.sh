# SPDX-License-Identifier: GPL-2.0-or-later
# bootHook and powerHook for a device of LAVA (see hooks.conf).
#
#	lava.sh boot	copy the kernel of $SERIES_KERNEL to $LAVA_DIR, submit $LAVA_JOB with
#			@KERNEL@ replaced by its URL and @CMDLINE@ by its parameters, and wait
#			until the job runs
#	lava.sh end	cancel the job: LAVA takes the device back and boots it as it does
#
# The job is one that keeps the device up (a test action that sleeps); series comes by ssh.
# lavacli must know the server (lavacli identities add).
set -eu
note=${XDG_RUNTIME_DIR:-$HOME}/.series-lava-$SERIES_HOST

die() {
	echo "lava.sh: $1" >&2
	exit 1
}

end() {
	[ -e "$note" ] || return 0
	lavacli jobs cancel "$(cat "$note")" >/dev/null
	rm -f "$note"
}

boot() {
	end
	scp -q "$SERIES_KERNEL" "$LAVA_DIR/$SERIES_HOST-kernel"
	job=$(mktemp)
	trap 'rm -f "$job"' EXIT
	# | is in no URL, and a & would be the whole match
	line=$(printf '%s' "$SERIES_CMDLINE" | sed 's/[&|\\]/\\&/g')
	sed "s|@KERNEL@|$LAVA_URL/$SERIES_HOST-kernel|; s|@CMDLINE@|$line|" "$LAVA_JOB" >"$job"
	id=$(lavacli jobs submit "$job") || die "the job was not taken"
	echo "$id" >"$note"
	for _ in $(seq 300); do
		state=$(lavacli jobs show "$id" | sed -n 's/^state *: *//p')
		case $state in
		Running) return ;;
		Submitted | Scheduling | Scheduled) sleep "${LAVA_WAIT:-2}" ;;
		*) die "job $id is ${state:-unknown to lavacli}" ;;
		esac
	done
	die "job $id does not run after ten minutes; the device is busy or offline"
}

case ${1:-} in
boot | end) $1 ;;
*) die "expected boot or end" ;;
esac

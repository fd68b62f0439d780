#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Who gets the mails and why: lists kept by hand and found by --auto, git's settings, aliases.
# What git send-email does with the same settings is asked of git itself.
. "${SRCDIR:-.}/tests/helper/tap.sh"
. "${SRCDIR:-.}/tests/helper/mail.sh"

# ours [OPTION...]: all addresses, sorted; git_send: the same of git send-email.
ours() {
	"$SERIES" recipients --json "$@" 2>/dev/null | python3 -c '
import json, sys
d = json.load(sys.stdin)
print("\n".join(sorted(set(x["email"] for k in ("to", "cc", "bcc") for x in d[k]))))'
}
# What git makes of a name with a comma that has no quotes, "Doe", is no address.
git_send() {
	git send-email --dry-run --confirm=never --smtp-server=127.0.0.1 "$@" main..topic >"$T/git.out" 2>&1 ||
		{ cat "$T/git.out"; return 1; }
	sed -n "s/^RCPT TO:<\(.*@.*\)>$/\1/p" "$T/git.out" | sort -u
}
# why [OPTION...]: recipients --why, with ". " in place of the tab that here documents lose.
why() {
	"$SERIES" recipients --why "$@" | sed "s/^	/. /"
}
have_git_send=
[ -e "$(git --exec-path)/git-send-email" ] && perl -MMail::Address -e 1 2>/dev/null && have_git_send=1

# patch FILE TEXT MESSAGE
patch() {
	mkdir -p "$(dirname "$1")" && printf "%s\n" "$2" >>"$1" && git add -A && git commit -q -m "$3"
}

test_expect_success "added, moved, dropped, and why" '
	make_series many 2 && git config sendemail.cc "\"Boss, The\" <boss@example.org>" &&
	why --add-cc "A B <a@example.org>" >answer &&
	cat >wanted <<-\EOF &&
	To: list@example.org
	. added by hand
	Cc: A B <a@example.org>
	. added by hand
	Cc: "Boss, The" <boss@example.org>
	. sendemail.cc
	EOF
	test_cmp wanted answer && "$SERIES" recipients --add-to a@example.org --drop list@example.org >answer &&
	printf "To: A B <a@example.org>\nCc: \"Boss, The\" <boss@example.org>\n" >wanted && test_cmp wanted answer &&
	test_status 129 "$SERIES" recipients --add-to "no body" 2>err && test_grep "no body" err &&
	test_status 1 "$SERIES" recipients --drop other@example.org 2>err && test_grep "why" err &&
	test_status 129 "$SERIES" recipients --remove a@example.org 2>err && test_grep "did you mean --drop" err
'

test_expect_success "--drop of an address of the configuration says where it is from, and lasts" '
	cd many && "$SERIES" recipients --drop "Boss <boss@EXAMPLE.org>" >answer 2>err &&
	test_grep "dropped boss@EXAMPLE.org (sendemail.cc)" err &&
	echo "To: A B <a@example.org>" >wanted && test_cmp wanted answer &&
	"$SERIES" recipients >answer && test_cmp wanted answer && "$SERIES" send --dry-run >mails &&
	test_nogrep boss mails && "$SERIES" send --dry-run --cc boss@example.org >mails && test_grep "^Cc: boss" mails &&
	"$SERIES" recipients --json | python3 -c "
import json, sys
d = json.load(sys.stdin)
assert d[\"dropped\"] == [\"list@example.org\", \"boss@EXAMPLE.org\"], d" &&
	"$SERIES" recipients --add-cc boss@example.org >answer && test_grep "^Cc: boss@example.org" answer
'

test_expect_success "upper and lower case are one in the domain; To goes before Cc before Bcc" '
	cd many && git config --unset sendemail.cc && git config sendemail.cc "a@EXAMPLE.ORG, c@example.org" &&
	git config sendemail.bcc "C@example.org, c@Example.org, d@example.org" &&
	"$SERIES" recipients >answer && cat >wanted <<-\EOF && test_cmp wanted answer &&
	To: A B <a@example.org>
	Cc: boss@example.org
	Cc: c@example.org
	Bcc: C@example.org
	Bcc: d@example.org
	EOF
	"$SERIES" recipients --why | sed -n 1,4p >answer &&
	printf "To: A B <a@example.org>\n\tadded by hand\n\tsendemail.cc\nCc: boss@example.org\n" >wanted && test_cmp wanted answer
'

test_expect_success "Bcc is in the envelope and in nothing that travels" '
	make_series bcc 1 && sink bcc.out && git config sendemail.bcc "Secret <secret@example.org>" &&
	"$SERIES" send --dry-run >mails && test_nogrep secret mails && "$SERIES" send --yes >out &&
	test_grep "RCPT.*secret@example.org" "$T/bcc.out/log" && test_nogrep secret "$T/bcc.out/0001.eml" &&
	git log -p --format= refs/series/topic/state >state && test_nogrep secret state
'

test_expect_success "identities: its own lists in place of the others, as git has it" '
	make_series who 1 && "$SERIES" recipients --drop list@example.org &&
	git config --add sendemail.to x@example.org && git config --add sendemail.to y@example.org &&
	git config sendemail.cc c@example.org && git config sendemail.work.to w@example.org &&
	git config sendemail.suppresscc all && printf "c@example.org\nx@example.org\ny@example.org\n" >wanted &&
	ours >got && test_cmp wanted got && git config sendemail.identity work &&
	printf "c@example.org\nw@example.org\n" >wanted && ours >got && test_cmp wanted got &&
	"$SERIES" recipients --why >out && test_grep "sendemail.work.to" out
'

if ! [ "$have_git_send" ]; then
	test_skip "as git send-email" "git send-email or the Mail::Address of perl is missing"
else
test_expect_success "identities: git send-email sends to the same" '
	cd who && git_send >want && ours >got && test_cmp want got && test -s want &&
	git config --unset sendemail.identity && git_send >want && ours >got && test_cmp want got
'

test_expect_success "toCmd and ccCmd: the shell gets the command with the file of each patch, as of git" '
	make_series cmds 3 && git config sendemail.to list@example.org &&
	for w in author cc body; do git config --add sendemail.suppresscc $w; done &&
	cat >"$T/say" <<-\E && chmod +x "$T/say" &&
		#!/bin/sh
		n=$(sed -n "s/^Subject:.*line \([0-9]*\)$/\1/p" "$2")
		echo "  $1 $n <$1$n@example.org>  "; [ $n = 2 ] || echo "Wendy Writer <wendy@example.org>"
	E
	git config sendemail.tocmd "X=to; \"$T/say\" \$X" && git config sendemail.cccmd "$T/say cc" &&
	git_send >want && ours >got && test_cmp want got &&
	printf "%s@example.org\n" cc1 cc2 cc3 list to1 to2 to3 wendy >hand && test_cmp hand got &&
	git config --add sendemail.suppresscc self && git_send >want && ours >got && test_cmp want got &&
	test_nogrep wendy got && git config --add sendemail.suppresscc cccmd && git_send >want && ours >got &&
	test_cmp want got && test_nogrep cc1 got && "$SERIES" recipients --why >out && test_grep "sendemail.toCmd" out
'

test_expect_success "a command that fails is named with its patch and its words" '
	cd cmds && git config sendemail.tocmd "echo broken >&2; exit 3; :" && test_status 1 "$SERIES" recipients 2>err &&
	test_grep "sendemail.toCmd.*0001-numbers.*broken" err &&
	git config sendemail.tocmd "echo no body; :" && test_status 129 "$SERIES" recipients 2>err &&
	test_grep "sendemail.toCmd.*no body" err && "$SERIES" status >out
'

# aliases TYPE <FILE: both expand the same names of it.
aliases() {
	cat >"$T/alias.$1" && git config sendemail.aliasfiletype "$1" && git config sendemail.aliasesfile "$T/alias.$1" &&
	git config sendemail.to "ann, team" && git config sendemail.cc "Someone <s@example.org>, bob" &&
	git_send >want && ours >got && test_cmp want got && printf "%s@example.org\n" ann bob carl s >hand && test_cmp hand got
}
test_expect_success "alias files of six kinds stand for the same people as with git" '
	make_series alias 1 && "$SERIES" recipients --drop list@example.org && git config sendemail.suppresscc all &&
	aliases mutt <<-\E && aliases mailrc <<-\E2 && aliases gnus <<-\E3 && aliases sendmail <<-\E4 &&
		alias -group g ann Ann Other <ann@example.org> # first
		alias bob "Builder, Bob" <bob@example.org>
		alias team ann, carl@example.org
	E
		alias ann "Ann Other <ann@example.org>"
		alias bob bob@example.org
		alias team ann carl@example.org
	E2
		(define-mail-alias "ann" "ann@example.org")
		(define-mail-alias "bob" "bob@example.org")
		(define-mail-alias "team" "carl@example.org")
	E3
		# sendmail
		ann: ann@example.org
		bob:bob@example.org
		team: ann,
		 carl@example.org
	E4
	printf "ann = Ann = ann@example.org\nbob = B = bob@example.org\nteam = T = ann,carl@example.org\n" | aliases elm &&
	printf "ann\tAnn\tann@example.org\nbob\tB\tbob@example.org\t\tx\nteam\tT\t(ann,\n  carl@example.org)\n" | aliases pine
'

test_expect_success "a short name may be typed, and its people are stored" '
	cd alias && git config --unset sendemail.to && git config --unset sendemail.cc &&
	"$SERIES" recipients --add-to team --add-cc bob >out && test_grep "^To: carl@example.org" out &&
	git show refs/series/topic/state:series.json >doc && test_grep "carl@example.org" doc && test_nogrep team doc &&
	"$SERIES" send --dry-run --cc ann --to "x@example.org" >mails && test_grep "x@example.org" mails &&
	test_status 129 "$SERIES" recipients --add-to nobody 2>err && test_grep "nobody" err &&
	git config sendemail.aliasesfile "~/nofile" && test_status 1 "$SERIES" recipients 2>err &&
	test_grep "sendemail.aliasesFile: $HOME/nofile" err
'

test_expect_success "--auto without a script: it is said, and the commits name the same people as to git" '
	make_base people && git config sendemail.to list@example.org && git config sendemail.smtpserver 127.0.0.1 &&
	patch numbers x "numbers: one

Text with a Cc: inside@example.org that is none.
Fixes: 0123456789ab (\"numbers: zero\")
Reported-by: Ray Reporter <ray@example.org>
Closes: https://example.org/1
Cc: stable@vger.kernel.org # 5.10+
Cc: <other@example.org> [mm parts]
CC: Doe, Jane <jane@example.org>
Suggested-by: nobody
Signed-off-by: Wendy Writer <wendy@example.org>" &&
	git -c user.name="Co Author" -c user.email=co@example.org commit -q --allow-empty -m x && git reset -q --soft HEAD^ &&
	echo y >>numbers && GIT_AUTHOR_NAME="Al Author" GIT_AUTHOR_EMAIL=al@example.org git commit -q -a -m "numbers: two

Reviewed-by: Ray Reporter <ray@example.org>
Acked-by: \"Acker, A.\" <acker@example.org>
Co-developed-by: Co Author <co@example.org>
Signed-off-by: Co Author <co@example.org>
Signed-off-by: Al Author <al@example.org>
Signed-off-by: Wendy Writer <wendy@example.org>" &&
	"$SERIES" init --base main && why --auto >out 2>err &&
	test_grep "has no scripts/get_maintainer.pl" err && cat >wanted <<-\E && test_cmp wanted out &&
		To: list@example.org
		. sendemail.to
		Cc: Wendy Writer <wendy@example.org>
		. author of patch 1
		. Signed-off-by: in patches 1-2
		Cc: Ray Reporter <ray@example.org>
		. Reported-by: in patch 1
		. Reviewed-by: in patch 2
		Cc: stable@vger.kernel.org
		. Cc: in patch 1
		Cc: other@example.org
		. Cc: in patch 1
		Cc: "Doe, Jane" <jane@example.org>
		. Cc: in patch 1
		Cc: Al Author <al@example.org>
		. author of patch 2
		. Signed-off-by: in patch 2
		Cc: "Acker, A." <acker@example.org>
		. Acked-by: in patch 2
		Cc: Co Author <co@example.org>
		. Co-developed-by: in patch 2
		. Signed-off-by: in patch 2
		8 added
	E
	git_send >want && ours >got && test_cmp want got
'

test_expect_success "whom git leaves out by suppressCc, suppressFrom and signedOffByCc, --auto leaves out" '
	cd people && state=$(git rev-parse refs/series/topic/state^) &&
	for w in suppresscc=self suppresscc=author suppresscc=cc suppresscc=bodycc suppresscc=sob suppresscc=misc-by \
		suppresscc=body suppresscc=all suppressfrom=true signedoffbycc=false signedoffcc=false; do
		git update-ref refs/series/topic/state $state && git config sendemail.${w%=*} ${w#*=} &&
		git_send >want && ours --auto >got && echo "# $w" && test_cmp want got || return 1
		git config --unset sendemail.${w%=*}
	done && git config sendemail.suppresscc everybody && test_status 129 "$SERIES" recipients 2>err &&
	test_grep "everybody" err
'
fi

# A small tree whose script prints the documented format of --rolestats: who is named in
# lines "PATH: ADDRESS (ROLE)" of MAINTAINERS, for each path that the patches touch.
make_tree() {
	git init -q "$1" && cd "$1" && mkdir scripts mm && cat >scripts/get_maintainer.pl <<-'E' &&
		#!/usr/bin/perl
		my @files = grep { !/^--/ } @ARGV;
		for my $f (qw(COPYING CREDITS Kbuild Makefile README)) { -f $f or die "no $f\n"; }
		for my $f (qw(Documentation arch include drivers fs init ipc kernel lib scripts)) { -d $f or die "no $f\n"; }
		die "no --rolestats\n" unless grep { $_ eq "--rolestats" } @ARGV;
		my %touched;
		for my $p (@files) { open(my $h, "<", $p) or die "$p\n"; while (<$h>) { $touched{$1} = 1 if m{^\+\+\+ b/(.*)}; } }
		open(my $m, "<", "MAINTAINERS") or die;
		while (<$m>) { print "$2\n" if /^(\S+): (.*)/ && $touched{$1}; }
		open($m, "<", ".mailmap") and print <$m>;
		exit 0;
	E
	cat >MAINTAINERS <<-'E' &&
		mm/a.c: Mia Maintainer <mia@example.org> (maintainer:MEMORY MANAGEMENT)
		mm/a.c: "Ray, R." <ray@example.org> (reviewer:MEMORY MANAGEMENT,commit_signer:2/3=67%)
		mm/a.c: mm@lists.example.org (open list:MEMORY MANAGEMENT)
		mm/b.c: Sue Supporter <sue@example.org> (supporter:B (OLD))
		mm/b.c: arm@lists.example.org (moderated list:B (OLD))
		mm/b.c: sub@lists.example.org (subscriber list)
		mm/b.c: Fay Fixer <fay@example.org> (blamed_fixes:1/1=100%)
	E
	git add -A && git commit -q -m base && git switch -q -c topic
}

test_expect_success "--auto: people to To, lists to Cc, with their roles; the base alone is asked" '
	make_tree tree && patch mm/a.c a "mm: a" && echo "mm/a.c: evil@example.org (maintainer:X)" >>MAINTAINERS &&
	printf "die \"of the branch\";\n" >scripts/get_maintainer.pl && git commit -q -a -m "maintainers" && patch mm/b.c b "mm: b" &&
	echo "print \"Eve <eve@example.org> (maintainer:WORK TREE)\n\"" >scripts/get_maintainer.pl && echo "Map <m@example.org> (maintainer:M)" >.mailmap &&
	git config sendemail.suppresscc all && "$SERIES" init --base main && why --auto >out 2>err &&
	cat >wanted <<-\E && test_cmp wanted out && ! test -s err
		To: Mia Maintainer <mia@example.org>
		. get_maintainer: maintainer:MEMORY MANAGEMENT
		To: "Ray, R." <ray@example.org>
		. get_maintainer: reviewer:MEMORY MANAGEMENT,commit_signer:2/3=67%
		To: Sue Supporter <sue@example.org>
		. get_maintainer: supporter:B (OLD)
		To: Fay Fixer <fay@example.org>
		. get_maintainer: blamed_fixes:1/1=100%
		Cc: mm@lists.example.org
		. get_maintainer: open list:MEMORY MANAGEMENT
		Cc: arm@lists.example.org
		. get_maintainer: moderated list:B (OLD)
		Cc: sub@lists.example.org
		. get_maintainer: subscriber list
		7 added
	E
'

test_expect_success "--auto again: nothing to do writes nothing" '
	cd tree && was=$(git rev-parse refs/series/topic/state) && "$SERIES" recipients --auto >out &&
	test_grep "^0 added$" out && [ "$(git rev-parse refs/series/topic/state)" = "$was" ]
'

test_expect_success "--auto after a rework: new ones come, dropped ones stay away, nobody goes unsaid" '
	cd tree && git checkout -q -f && "$SERIES" recipients --drop ray@example.org --drop mm@lists.example.org \
		--add-cc sue@example.org --add-to own@example.org >out 2>err &&
	test_grep "dropped ray@example.org (get_maintainer: reviewer:MEMORY" err &&
	git reset -q --hard HEAD^ && "$SERIES" recipients --auto >out 2>err &&
	test_grep "^0 added, 2 left out (dropped before)$" out && test_nogrep "^To: .*ray" out &&
	test_grep "^fay@example.org was found before and is not now.*--drop fay@example.org$" out &&
	test_grep "^To: Fay" out && test_nogrep "^own@" out && test_nogrep "^sue@" out &&
	patch mm/b.c b2 "mm: b again" && "$SERIES" recipients --auto --why >out && test_nogrep "found before" out &&
	grep -A2 "^Cc: Sue" out >got &&
	printf "Cc: Sue Supporter <sue@example.org>\n\tadded by hand\n\tget_maintainer: supporter:B (OLD)\n" >wanted &&
	test_cmp wanted got && "$SERIES" recipients --add-to ray@example.org >out &&
	"$SERIES" recipients --auto --why >out && grep -A2 "^To:.*ray@" out >got &&
	printf "To: ray@example.org\n\tadded by hand\n\tget_maintainer: reviewer:MEMORY MANAGEMENT,commit_signer:2/3=67%%\n" >wanted &&
	test_cmp wanted got
'

test_expect_success "what was dropped here and found on another machine stays dropped" '
	cd tree && git show refs/series/topic/state:series.json | python3 -c "
import json, sys
d = json.load(sys.stdin)
d[\"dropped\"].append(\"late@example.org\")
d[\"to\"].append(\"Late <late@EXAMPLE.org>\")
d[\"cc\"].append(\"Mia <mia@example.org>\")
d[\"why\"].append(\"mia@example.org: Cc: in patch 9\")
json.dump(d, sys.stdout)" >doc && blob=$(git hash-object -w doc) && GIT_INDEX_FILE=idx git read-tree refs/series/topic/state &&
	GIT_INDEX_FILE=idx git update-index --cacheinfo "100644,$blob,series.json" &&
	git update-ref refs/series/topic/state "$(git commit-tree -p refs/series/topic/state -m x "$(GIT_INDEX_FILE=idx git write-tree)")" &&
	why >out && test_nogrep late out && grep -c mia@ out >n && echo 1 >want && test_cmp want n && test_grep "Cc: in patch 9" out
'

test_expect_success "what the script says and is no address is shown, and why it fails" '
	make_tree odd && echo "This is no address" >.mailmap && printf "\033[31mred\n" >>.mailmap && git add -A &&
	git commit -q -m odd && git branch -f main && patch mm/a.c a "mm: a" && "$SERIES" init --base main &&
	"$SERIES" recipients --auto >out 2>err && test_grep "no address and role in .This is no address" err &&
	! grep "$(printf "\033")" err && git switch -q main && echo "die \"broken here\n\";" >scripts/get_maintainer.pl &&
	git commit -q -a -m broken && git switch -q topic && git rebase -q main && was=$(git rev-parse refs/series/topic/state) &&
	test_status 1 "$SERIES" recipients --auto 2>err && test_grep "get_maintainer.pl.*broken here" err &&
	[ "$(git rev-parse refs/series/topic/state)" = "$was" ]
'

test_expect_success "b4.send-auto-to-cmd and cc-cmd of the configuration, never of a tracked file" '
	make_tree b4 && printf "[b4]\n\tsend-auto-to-cmd = touch %s/ran; echo evil@example.org\n\tsend-series-to = base-to@example.org\n\tsend-series-cc = Base <base-cc@example.org>\n[sendemail]\n\ttocmd = touch %s/ran\n" "$T" "$T" >.b4-config &&
	git add -A && git commit -q -m conf && git branch -f main && patch mm/a.c a "mm: a" && git config sendemail.suppresscc all &&
	sed "s/base-to/branch-to/" .b4-config >c && mv c .b4-config && git commit -q -a -m conf && "$SERIES" init --base main &&
	"$SERIES" recipients --auto --why >out && ! test -e "$T/ran" && test_nogrep "evil\|branch-to" out &&
	grep -A1 "^To: base-to@example.org" out >got && printf "To: base-to@example.org\n\tb4.send-series-to of the base'\''s .b4-config\n" >want &&
	test_cmp want got && test_grep "^Cc: Base <base-cc@example.org>" out && test_grep "^To: Mia" out &&
	git config b4.send-series-to mine@example.org && "$SERIES" recipients >out && test_nogrep base-to out &&
	test_grep "^To: mine@example.org" out &&
	git config b4.send-auto-cc-cmd "grep -q ^Subject: && echo piped@example.org" && "$SERIES" recipients --auto --why >out &&
	grep -A1 "^Cc: piped" out >got && printf "Cc: piped@example.org\n\tb4.send-auto-cc-cmd\n" >want && test_cmp want got
'

test_expect_success "no commits: --auto says so" '
	make_tree none && "$SERIES" init --base main && test_status 1 "$SERIES" recipients --auto 2>err && test_grep "no commits" err
'

# The kernel's own script, from Debian's package; who it must find is worked out by hand.
tar=${SERIES_LINUX_TAR:-/usr/src/linux-source-6.12.tar.xz}
script=${SERIES_SCRIPT_CACHE:-$SRCDIR/build/cache/get_maintainer.pl}
if ! [ -s "$script" ] && [ -e "$tar" ]; then
	mkdir -p "$(dirname "$script")" &&
	tar -xOf "$tar" --occurrence --wildcards "linux-source-*/scripts/get_maintainer.pl" >"$script.$$" 2>/dev/null
	[ -s "$script.$$" ] && mv "$script.$$" "$script" || rm -f "$script.$$"
fi
if ! [ -s "$script" ]; then
	test_skip "the kernel's own get_maintainer.pl" "$tar is missing; the package linux-source-6.12 brings it"
else
test_expect_success "the kernel's own script: sections, directories, bindings, Fixes:, .mailmap, .get_maintainer.ignore" '
	git init -q kern && cd kern && mkdir scripts && cp "$script" scripts && cat >MAINTAINERS <<-\E &&
	Head of the file, with text.

	Maintainers List
	----------------

	ANTS
	M:	Anna Ant <anna@example.org>
	R:	Rita Reviewer <rita-old@example.org>
	L:	ants@lists.example.org
	L:	closed@lists.example.org (subscribers-only)
	L:	slow@lists.example.org (moderated for non-subscribers)
	S:	Supported
	F:	mm/ants
	X:	mm/ants/not

	BEES
	M:	"Bee, B." <bee@example.org>
	L:	bees@lists.example.org
	S:	Maintained
	F:	drivers/bees.c
	N:	buzz

	WASPS
	M:	Wanda <wanda@example.org>
	S:	Odd Fixes
	K:	sting_hard

	THE REST
	M:	Linda <linda@example.org>
	L:	all@lists.example.org
	S:	Buried alive in reporters
	F:	*
	F:	*/
	E
	echo "Rita Reviewer <rita@example.org> <rita-old@example.org>" >.mailmap && echo "Igor Ignored <ignored@example.org>" >.get_maintainer.ignore &&
	mkdir -p mm/ants/not Documentation/devicetree/bindings && echo a >mm/ants/a.c && echo n >mm/ants/not/n.c && echo x >other.c &&
	printf "title: x\nmaintainers:\n  - Yara Yaml <yara@example.org>\n" >Documentation/devicetree/bindings/y.yaml && git add -A &&
	git commit -q -m "base" && echo b >bug.c && git add -A &&
	git -c user.name="Blame Me" -c user.email=blame@example.org commit -q -s -m "bug: in

Signed-off-by: Igor Ignored <ignored@example.org>" && fix=$(git rev-parse --short=12 HEAD) &&
	git switch -q -c topic && git config sendemail.suppresscc all && find_all() {
		git switch -q -C topic main && "$@" && { git config branch.topic.series >/dev/null || "$SERIES" init --base main; } &&
		why --auto >out 2>err && cat err && ! test -s err && sed "/^[0-9]* added\|found before/d" out >got
	} && find_all patch mm/ants/a.c a "ants: one" && cat >wanted <<-\E && test_cmp wanted got &&
	To: Anna Ant <anna@example.org>
	. get_maintainer: supporter:ANTS
	To: Rita Reviewer <rita@example.org>
	. get_maintainer: reviewer:ANTS
	To: Linda <linda@example.org>
	. get_maintainer: chief penguin:THE REST
	Cc: ants@lists.example.org
	. get_maintainer: open list:ANTS
	Cc: slow@lists.example.org
	. get_maintainer: moderated list:ANTS
	Cc: all@lists.example.org
	. get_maintainer: open list
	E
	true
'

# only NAME...: they, and the maintainer of THE REST, are whom --auto found.
only() {
	printf "%s@example.org\n" linda "$@" | sort >"$T/want" && "$SERIES" recipients --json | python3 -c '
import json, sys
for x in json.load(sys.stdin)["to"]:
    print(x["email"])' | sort >"$T/got" && test_cmp "$T/want" "$T/got"
}
fresh() {
	cd kern && git clean -q -f && git switch -q main && git branch -q -D topic && git update-ref -d refs/series/topic/state &&
	git switch -q -c topic
}
test_expect_success "the kernel's own script: an excluded directory, a name, a keyword, a binding, a Fixes:" '
	fresh && patch mm/ants/not/n.c n "ants: not" && "$SERIES" init --base main && "$SERIES" recipients --auto &&
	only &&
	cd "$T" && fresh && patch sound/buzz.c b "buzz: one" && "$SERIES" init --base main && "$SERIES" recipients --auto && only bee &&
	cd "$T" && fresh && patch other.c "sting_hard();" "other: sting" && "$SERIES" init --base main && "$SERIES" recipients --auto && only wanda &&
	cd "$T" && fresh && patch Documentation/devicetree/bindings/y.yaml "x: y" "dt: y" && "$SERIES" init --base main &&
	"$SERIES" recipients --auto && only yara &&
	cd "$T" && fresh && patch other.c "x" "other: fix

Fixes: $fix (\"bug: in\")" && "$SERIES" init --base main && "$SERIES" recipients --auto && only blame
'
fi

test_done

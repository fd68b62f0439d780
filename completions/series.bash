# bash completion of series
# Generated from the option tables by "make generate"; do not edit.

# Offer the lines of $1 that begin with the current word, quoted for the shell.
_series_lines()
{
	local line
	COMPREPLY=()
	while IFS= read -r line; do
		[[ $line && $line == "$cur"* ]] && COMPREPLY+=("$(printf %q "$line")")
	done <<<"$1"
}

# The same for the last of several with commas between; they are names of ours alone.
_series_list()
{
	local before=
	[[ $cur == *,* ]] && before=${cur%,*},
	COMPREPLY=($(compgen -P "$before" -W "$1" -- "${cur##*,}"))
	compopt -o nospace
}

_series()
{
	local cur prev cmd i
	cur=${COMP_WORDS[COMP_CWORD]}
	prev=${COMP_WORDS[COMP_CWORD-1]}
	if [ "$cur" = "=" ]; then
		cur=
	elif [ "$prev" = "=" ]; then
		prev=${COMP_WORDS[COMP_CWORD-2]}
	fi
	cmd=
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-C|--directory|--color) ((i++)) ;;
		-*|=) ;;
		*) cmd=${COMP_WORDS[i]}; break ;;
		esac
	done
	case $cmd in
	'')
		case $prev in
			--directory|-C) COMPREPLY=($(compgen -d -- "$cur")); return ;;
			--color) COMPREPLY=($(compgen -W 'auto always never' -- "$cur")); return ;;
			--complete) COMPREPLY=(); return ;;
		esac
		COMPREPLY=($(compgen -W 'init import list status cover changes base recipients diff log check build host bench report format send update tags remarks mirror triage show am thank sync doctor help version --directory= -C --no-pager --color= --version --help -h --dump-spec --complete=' -- "$cur")) ;;
	init)
		case $prev in
			--base) _series_lines "$(git for-each-ref --format='%(refname:short)' refs/heads refs/remotes refs/tags 2>/dev/null)"; return ;;
			--reroll-count|-v) COMPREPLY=(); return ;;
			--prefix) COMPREPLY=(); return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--base= --reroll-count= -v --prefix= -h' -- "$cur")) ;;
		*) COMPREPLY=() ;;
		esac ;;
	import)
		case $prev in
			--base) _series_lines "$(git for-each-ref --format='%(refname:short)' refs/heads refs/remotes refs/tags 2>/dev/null)"; return ;;
			--branch) COMPREPLY=(); return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--base= --branch= --offline --yes -y --undo -h' -- "$cur")) ;;
		*) _series_lines "$(git for-each-ref --format='%(refname:short)' refs/heads refs/remotes refs/tags 2>/dev/null)" ;;
		esac ;;
	list)
		case $cur in
		-*) COMPREPLY=($(compgen -W '--json -h' -- "$cur")) ;;
		*) COMPREPLY=() ;;
		esac ;;
	status)
		case $prev in
			--series|-s) _series_lines "$(series --complete=series 2>/dev/null)"; return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--series= -s --json -h' -- "$cur")) ;;
		*) _series_lines "$(series --complete=series 2>/dev/null)" ;;
		esac ;;
	cover)
		case $prev in
			--file|-F) COMPREPLY=($(compgen -f -- "$cur")); return ;;
			--template|-t) _series_lines "$(series --complete=cover-template 2>/dev/null)"; return ;;
			--patch|-p) _series_lines "$(series --complete=patch 2>/dev/null)"; return ;;
			--prefix) COMPREPLY=(); return ;;
			--series|-s) _series_lines "$(series --complete=series 2>/dev/null)"; return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--edit -e --show --file= -F --template= -t --patch= -p --prefix= --no-prefix --series= -s --json -h' -- "$cur")) ;;
		*) COMPREPLY=() ;;
		esac ;;
	changes)
		case $prev in
			--add|-a) COMPREPLY=(); return ;;
			--patch|-p) _series_lines "$(series --complete=patch 2>/dev/null)"; return ;;
			--thanks|-t) COMPREPLY=(); return ;;
			--file|-F) COMPREPLY=($(compgen -f -- "$cur")); return ;;
			--version|-v) _series_lines "$(series --complete=number 2>/dev/null)"; return ;;
			--series|-s) _series_lines "$(series --complete=series 2>/dev/null)"; return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--edit -e --show --suggest --add= -a --patch= -p --thanks= -t --file= -F --version= -v --series= -s --json -h' -- "$cur")) ;;
		*) COMPREPLY=() ;;
		esac ;;
	base)
		case $prev in
			--set) _series_lines "$(git for-each-ref --format='%(refname:short)' refs/heads refs/remotes refs/tags 2>/dev/null)"; return ;;
			--prerequisite) _series_lines "$(git for-each-ref --format='%(refname:short)' refs/heads refs/remotes refs/tags 2>/dev/null)"; return ;;
			--series|-s) _series_lines "$(series --complete=series 2>/dev/null)"; return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--set= --suggest --prerequisite= --no-prerequisite --series= -s --json -h' -- "$cur")) ;;
		*) COMPREPLY=() ;;
		esac ;;
	recipients)
		case $prev in
			--add-to) COMPREPLY=(); return ;;
			--add-cc) COMPREPLY=(); return ;;
			--drop) COMPREPLY=(); return ;;
			--series|-s) _series_lines "$(series --complete=series 2>/dev/null)"; return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--auto --why --add-to= --add-cc= --drop= --series= -s --json -h' -- "$cur")) ;;
		*) COMPREPLY=() ;;
		esac ;;
	diff)
		case $prev in
			--creation-factor) COMPREPLY=(); return ;;
			--series|-s) _series_lines "$(series --complete=series 2>/dev/null)"; return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--summary --creation-factor= --offline --series= -s --json -h' -- "$cur")) ;;
		*) _series_lines "$(series --complete=version 2>/dev/null)"; COMPREPLY+=($(compgen -f -- "$cur")) ;;
		esac ;;
	log)
		case $prev in
			--series|-s) _series_lines "$(series --complete=series 2>/dev/null)"; return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--series= -s --json -h' -- "$cur")) ;;
		*) _series_lines "$(series --complete=series 2>/dev/null)" ;;
		esac ;;
	check)
		case $prev in
			--only) _series_list "$(series --complete=check 2>/dev/null)"; return ;;
			--series|-s) _series_lines "$(series --complete=series 2>/dev/null)"; return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--only= --list --offline --series= -s --json -h' -- "$cur")) ;;
		*) COMPREPLY=($(compgen -f -- "$cur")) ;;
		esac ;;
	build)
		case $prev in
			--arch|-a) _series_lines "$(series --complete=arch 2>/dev/null)"; return ;;
			--config|-c) COMPREPLY=($(compgen -f -- "$cur")); return ;;
			--jobs|-j) COMPREPLY=(); return ;;
			--series|-s) _series_lines "$(series --complete=series 2>/dev/null)"; return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--arch= -a --each --config= -c --jobs= -j --w1 --sparse --bisect --gc --series= -s --json -h' -- "$cur")) ;;
		*) COMPREPLY=() ;;
		esac ;;
	host)
		case $prev in
			--arch) _series_lines "$(series --complete=arch 2>/dev/null)"; return ;;
			--type) COMPREPLY=(); return ;;
			--ssh) COMPREPLY=(); return ;;
			--boot) COMPREPLY=(); return ;;
			--alias) COMPREPLY=(); return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--arch= --type= --ssh= --boot= --alias= --allow-reboot --local --json -h' -- "$cur")) ;;
		*) _series_lines "$(series --complete=host-word 2>/dev/null)" ;;
		esac ;;
	bench)
		case $prev in
			--arch|-a) _series_lines "$(series --complete=arch 2>/dev/null)"; return ;;
			--host) _series_lines "$(series --complete=host 2>/dev/null)"; return ;;
			--case) COMPREPLY=(); return ;;
			--blocks|-b) COMPREPLY=(); return ;;
			--runs|-r) COMPREPLY=(); return ;;
			--config|-c) COMPREPLY=($(compgen -f -- "$cur")); return ;;
			--show) _series_lines "$(series --complete=bench 2>/dev/null)"; return ;;
			--series|-s) _series_lines "$(series --complete=series 2>/dev/null)"; return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--arch= -a --host= --each --case= --blocks= -b --runs= -r --config= -c --aa --resume --list -l --show= --series= -s --json -h' -- "$cur")) ;;
		*) _series_lines "$(series --complete=bench 2>/dev/null)" ;;
		esac ;;
	report)
		case $prev in
			--style) COMPREPLY=($(compgen -W 'table mean before-after runs steps time csv' -- "$cur")); return ;;
			--format) COMPREPLY=($(compgen -W 'text json csv' -- "$cur")); return ;;
			--case) COMPREPLY=(); return ;;
			--series|-s) _series_lines "$(series --complete=series 2>/dev/null)"; return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--style= --format= --case= --raw --all --series= -s --json -h' -- "$cur")) ;;
		*) _series_lines "$(series --complete=bench 2>/dev/null)" ;;
		esac ;;
	format)
		case $prev in
			--output|-o) COMPREPLY=($(compgen -d -- "$cur")); return ;;
			--prefix) COMPREPLY=(); return ;;
			--version|-v) COMPREPLY=(); return ;;
			--fixup) _series_lines "$(series --complete=posted 2>/dev/null)"; return ;;
			--message|-m) COMPREPLY=(); return ;;
			--in-reply-to) COMPREPLY=(); return ;;
			--to) COMPREPLY=(); return ;;
			--cc) COMPREPLY=(); return ;;
			--series|-s) _series_lines "$(series --complete=series 2>/dev/null)"; return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--output= -o --rfc --prefix= --no-prefix --no-signature --version= -v --fixup= --message= -m --in-reply-to= --to= --cc= --series= -s -h' -- "$cur")) ;;
		*) COMPREPLY=() ;;
		esac ;;
	send)
		case $prev in
			--to) COMPREPLY=(); return ;;
			--cc) COMPREPLY=(); return ;;
			--prefix) COMPREPLY=(); return ;;
			--fixup) _series_lines "$(series --complete=posted 2>/dev/null)"; return ;;
			--message|-m) COMPREPLY=(); return ;;
			--preview-to) COMPREPLY=(); return ;;
			--version|-v) COMPREPLY=(); return ;;
			--in-reply-to) COMPREPLY=(); return ;;
			--unsure) COMPREPLY=($(compgen -W 'skip resend' -- "$cur")); return ;;
			--skip-rcpt) COMPREPLY=(); return ;;
			--series|-s) _series_lines "$(series --complete=series 2>/dev/null)"; return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--dry-run -n --yes -y --to= --cc= --rfc --prefix= --no-prefix --resend --fixup= --message= -m --reflect --preview-to= --version= -v --in-reply-to= --no-signature --no-verify --allow-emulated --resume --unsure= --skip-rcpt= --give-up --series= -s -h' -- "$cur")) ;;
		*) COMPREPLY=() ;;
		esac ;;
	update)
		case $prev in
			--from) COMPREPLY=($(compgen -f -- "$cur")); return ;;
			--series|-s) _series_lines "$(series --complete=series 2>/dev/null)"; return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--from= --offline --series= -s --json -h' -- "$cur")) ;;
		*) COMPREPLY=() ;;
		esac ;;
	tags)
		case $prev in
			--keep) _series_lines "$(series --complete=tag 2>/dev/null)"; return ;;
			--drop) _series_lines "$(series --complete=tag 2>/dev/null)"; return ;;
			--reason) COMPREPLY=(); return ;;
			--series|-s) _series_lines "$(series --complete=series 2>/dev/null)"; return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--apply --keep= --drop= --reason= --undo --series= -s --json -h' -- "$cur")) ;;
		*) COMPREPLY=() ;;
		esac ;;
	remarks)
		case $prev in
			--show) _series_lines "$(series --complete=remark 2>/dev/null)"; return ;;
			--reply) _series_lines "$(series --complete=remark 2>/dev/null)"; return ;;
			--answered) _series_lines "$(series --complete=remark 2>/dev/null)"; return ;;
			--done) _series_lines "$(series --complete=remark 2>/dev/null)"; return ;;
			--in) _series_lines "$(series --complete=version 2>/dev/null)"; return ;;
			--open) _series_lines "$(series --complete=remark 2>/dev/null)"; return ;;
			--unsure) COMPREPLY=($(compgen -W 'skip resend' -- "$cur")); return ;;
			--series|-s) _series_lines "$(series --complete=series 2>/dev/null)"; return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--all -a --show= --reply= --answered= --done= --in= --open= --dry-run -n --yes -y --resume --unsure= --give-up --series= -s --json -h' -- "$cur")) ;;
		*) COMPREPLY=() ;;
		esac ;;
	mirror)
		case $prev in
			--since) COMPREPLY=(); return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--since= --json -h' -- "$cur")) ;;
		*) _series_lines "$(series --complete=mirror-word 2>/dev/null)" ;;
		esac ;;
	triage)
		case $prev in
			--list|-l) COMPREPLY=(); return ;;
			--query|-q) COMPREPLY=(); return ;;
			--sort) COMPREPLY=(); return ;;
			--days) COMPREPLY=(); return ;;
			--pager) COMPREPLY=(); return ;;
			--mutt) COMPREPLY=(); return ;;
			--browser) COMPREPLY=(); return ;;
			--build) COMPREPLY=(); return ;;
			--bench) COMPREPLY=(); return ;;
			--snooze) COMPREPLY=(); return ;;
			--until) COMPREPLY=(); return ;;
			--note) COMPREPLY=(); return ;;
			--words) COMPREPLY=(); return ;;
			--flag) COMPREPLY=(); return ;;
			--unflag) COMPREPLY=(); return ;;
			--assign) COMPREPLY=(); return ;;
			--to) COMPREPLY=(); return ;;
			--reply) COMPREPLY=(); return ;;
			--give-tag) COMPREPLY=(); return ;;
			--type) COMPREPLY=($(compgen -W 'Reviewed-by Acked-by Tested-by' -- "$cur")); return ;;
			--unsure) COMPREPLY=($(compgen -W 'skip resend' -- "$cur")); return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--list= -l --query= -q --sort= --days= --all -a --text --ids --try --pager= --mutt= --browser= --build= --bench= --snooze= --until= --note= --words= --flag= --unflag= --assign= --to= --reply= --give-tag= --type= --yes -y --dry-run -n --resume --unsure= --give-up --offline --json -h' -- "$cur")) ;;
		*) COMPREPLY=($(compgen -f -- "$cur")) ;;
		esac ;;
	show)
		case $cur in
		-*) COMPREPLY=($(compgen -W '--tree -t --single --raw --offline --mboxo --json -h' -- "$cur")) ;;
		*) COMPREPLY=($(compgen -f -- "$cur")) ;;
		esac ;;
	am)
		case $prev in
			--version|-v) COMPREPLY=(); return ;;
			--patches|-P) COMPREPLY=(); return ;;
			--take) COMPREPLY=(); return ;;
			--branch|-b) COMPREPLY=(); return ;;
			--base) _series_lines "$(git for-each-ref --format='%(refname:short)' refs/heads refs/remotes refs/tags 2>/dev/null)"; return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--version= -v --patches= -P --signoff -s --no-tags --take= --nak-ok --link --msgid --branch= -b --base= --here --resolve --continue --abort --check --offline --mboxo --json -h' -- "$cur")) ;;
		*) COMPREPLY=($(compgen -f -- "$cur")) ;;
		esac ;;
	thank)
		case $prev in
			--branch|-b) _series_lines "$(git for-each-ref --format='%(refname:short)' refs/heads refs/remotes refs/tags 2>/dev/null)"; return ;;
			--unsure) COMPREPLY=($(compgen -W 'skip resend' -- "$cur")); return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--all -a --branch= -b --edit -e --dry-run -n --yes -y --thanked --forget --resume --unsure= --give-up --json -h' -- "$cur")) ;;
		*) COMPREPLY=() ;;
		esac ;;
	sync)
		case $prev in
			--ours) _series_lines "$(series --complete=series 2>/dev/null)"; return ;;
			--theirs) _series_lines "$(series --complete=series 2>/dev/null)"; return ;;
			--rename) COMPREPLY=(); return ;;
		esac
		case $cur in
		-*) COMPREPLY=($(compgen -W '--push --fetch --yes -y --ours= --theirs= --rename= -h' -- "$cur")) ;;
		*) COMPREPLY=() ;;
		esac ;;
	doctor)
		case $cur in
		-*) COMPREPLY=($(compgen -W '--json -h' -- "$cur")) ;;
		*) COMPREPLY=() ;;
		esac ;;
	help)
		case $cur in
		-*) COMPREPLY=($(compgen -W ' -h' -- "$cur")) ;;
		*) _series_lines "$(series --complete=command 2>/dev/null)" ;;
		esac ;;
	version)
		case $cur in
		-*) COMPREPLY=($(compgen -W '--json -h' -- "$cur")) ;;
		*) COMPREPLY=() ;;
		esac ;;
	esac
	[[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
	return 0
}
complete -F _series series

#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Man pages and completions from the option tables.

	series --dump-spec | generate.py DIR

writes DIR/templates/man/*.1 and DIR/completions/*. "make generate" runs it on the source
tree; "make check-generated" compares what it would write with what is committed."""
import json, os, re, sys

spec = json.load(sys.stdin)
top = sys.argv[1]
commands = spec["commands"]

def write(path, text):
    path = os.path.join(top, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)

# --- man pages (man(7) macros) ---

def roff(s):
    s = s.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", s)

def option_head(o):
    arg = " " + "\\fI" + roff(o["arg"]) + "\\fR" if o.get("arg") else ""
    eq = "=" + "\\fI" + roff(o["arg"]) + "\\fR" if o.get("arg") else ""
    if o["kind"] == "optional":
        arg, eq = "[" + arg.lstrip() + "]", "[" + eq + "]"
    name = ("[no-]" if o["negatable"] else "") + o["name"]
    parts = []
    if o.get("letter"):
        parts.append("\\fB\\-" + o["letter"] + "\\fR" + arg)
    parts.append("\\fB\\-\\-" + roff(name) + "\\fR" + eq)
    return ", ".join(parts)

def option_help(o):
    text = o["help"]
    text = text[0].upper() + text[1:] + "."
    if o["kind"] == "list":
        text += " May be given more than once."
    if o.get("choices") and not all(c in o["help"] for c in o["choices"]):
        text += " One of: " + ", ".join(o["choices"]) + "."
    return roff(text)

def options(rows):
    return "".join(".TP\n%s\n%s\n" % (option_head(o), option_help(o)) for o in rows)

def paragraphs(text):
    return ".PP\n".join(roff(p.strip()) + "\n" for p in text.split("\n\n"))

def examples(text):
    out = []
    for line in text.rstrip("\n").split("\n"):
        if line.startswith("\t"):
            out.append(roff(line.strip()) + "\n")
        else:
            # A quote begins an argument of the macro, and would be gone.
            out.append(".TP\n.B " + roff(line).replace('"', "\\(dq") + "\n")
    return "".join(out)

def checks(rows):
    return ("Each with its default severity; a fixed one cannot be changed, for nothing "
            "could be sent.\n" +
            "".join(".TP\n.BR %s \" (%s%s)\"\n%s\n" % (
                roff(r["id"]), r["severity"], ", fixed" if r["fixed"] else "",
                roff(r["about"][0].upper() + r["about"][1:] + ".")) for r in rows))

def exit_status(findings):
    rows = [("0", "Done."), ("1", "Failed; the message names the thing and the remedy."),
            ("2", findings), ("129", "Wrong command line."),
            ("130", "Interrupted; the same command goes on.")]
    return ".SH EXIT STATUS\n" + "".join(
        ".TP\n%s\n%s\n" % (n, roff(text)) for n, text in rows if text)

def page(title, name, summary, synopsis, body, findings, also):
    return (".\\\" Generated from the option tables by \"make generate\"; do not edit.\n"
            ".TH %s 1 \"\" \"series %s\" \"Series Manual\"\n.SH NAME\n%s \\- %s\n"
            ".SH SYNOPSIS\n%s\n%s%s.SH SEE ALSO\n%s\n"
            % (title, spec["version"], roff(name), roff(summary), synopsis, body, exit_status(findings),
               also))

def star(key):
    """What stands for the "*" of a key."""
    name = {"arch": "ARCH", "check": "ID", "key": "ACTION"}.get(key.split(".")[0], "NAME")
    return key.replace("*", name)

for c in commands:
    syn = ".B series %s\n" % roff(c["name"])
    if c["options"]:
        syn += "[\\fIoptions\\fR]\n"
    if c.get("synopsis"):
        syn += roff(c["synopsis"]) + "\n"
    body = ".SH DESCRIPTION\n" + paragraphs(c.get("about") or c["summary"] + ".")
    if c["options"]:
        body += ".SH OPTIONS\n" + options(c["options"])
    if c["name"] == "check":
        body += ".SH CHECKS\n" + checks(spec["checks"])
    if c.get("examples"):
        body += ".SH EXAMPLES\n" + examples(c["examples"])
    write("templates/man/series-%s.1" % c["name"],
          page("SERIES\\-" + c["name"].upper(), "series-" + c["name"], c["summary"],
               syn.rstrip("\n"), body, c.get("findings"), ".BR series (1),\n.BR git (1)"))

body = ".SH DESCRIPTION\n" + paragraphs(
    "series keeps the versions of a kernel patch series, builds and boots base and patched "
    "kernels, measures both, puts the table with proof and verdict into the cover letter and "
    "sends the mails. It works on the topic branch that git has checked out; its own state is "
    "in refs/series/NAME and the branch stays as it is.\n\nWithout a command it prints the "
    "status of the branch's series, or the list of commands where there is none.")
for g in spec["groups"]:
    rows = [c for c in commands if c["group"] == g["name"]]
    if rows:
        body += ".SS %s\n" % roff(g["title"])
        for c in rows:
            body += ".TP\n.BR series\\-%s (1)\n%s\n" % (
                roff(c["name"]), roff(c["summary"][0].upper() + c["summary"][1:] + "."))
body += ".SH OPTIONS\n" + options(spec["options"])
body += (".SH CONFIGURATION\nKeys of git\\(aqs configuration; where a part is NAME (or ARCH), it is yours "
         "to fill in. series\\-doctor(1) finds mistyped ones. Of the keys of git and b4, user.*, sendemail.*, format.*, "
         "core.editor, core.pager and many of b4.* are read as those programs do.\n" +
         "".join(".TP\n\\fBseries.%s\\fR = \\fI%s\\fR\n%s\n" % (
             roff(star(s["key"])), roff(s["arg"]), roff(s["help"][0].upper() + s["help"][1:] + "."))
             for s in spec["settings"]))
body += """.SH ENVIRONMENT
.TP
.B SERIES_TEMPLATES
Folder of benchmarks, kernel configurations and cover letters, instead of the installed one.
.TP
.BR XDG_CACHE_HOME ", " XDG_DATA_HOME
Where kernel builds, logs and consoles are kept (series/ below it).
.TP
.B NO_COLOR
When set, nothing is coloured.
"""
also = ",\n".join(".BR series\\-%s (1)" % roff(c["name"]) for c in commands)
write("templates/man/series.1",
      page("SERIES", "series", "the whole life of a kernel patch series",
           ".B series\n[\\fIoptions\\fR]\n.I command\n[\\fIarguments\\fR]", body,
           "Done, with findings; the manual of each command says what its findings are.", also))

# --- completions ---

HEAD = "# Generated from the option tables by \"make generate\"; do not edit.\n"
NO_WORD = ("flag", "optional")  # they never take the next word for a value
DYNAMIC = ("series", "host", "host-word", "arch", "bench", "command", "cover-template", "check", "mirror-word",
           "version", "number", "patch", "posted", "tag", "remark")

def many(o):
    """Does the option take several values with commas between?"""
    return (o.get("arg") or "").endswith(",...")

def words(rows):
    w = []
    for o in rows:
        w.append("--" + o["name"] + ("=" if o["kind"] not in NO_WORD else ""))
        if o["negatable"]:
            w.append("--no-" + o["name"])
        if o.get("letter"):
            w.append("-" + o["letter"])
    return " ".join(w)

def bash_value(o):
    if o.get("choices"):
        return "COMPREPLY=($(compgen -W '%s' -- \"$cur\"))" % " ".join(o["choices"])
    k = o.get("complete")
    if k == "version-or-file":
        return bash_value({"complete": "version"}) + "; COMPREPLY+=($(compgen -f -- \"$cur\"))"
    if k in DYNAMIC and many(o):
        return "_series_list \"$(series --complete=%s 2>/dev/null)\"" % k
    if k in DYNAMIC:
        return "_series_lines \"$(series --complete=%s 2>/dev/null)\"" % k
    if k == "ref":
        return "_series_lines \"$(git for-each-ref --format='%(refname:short)' refs/heads refs/remotes refs/tags 2>/dev/null)\""
    if k == "dir":
        return "COMPREPLY=($(compgen -d -- \"$cur\"))"
    if k == "file":
        return "COMPREPLY=($(compgen -f -- \"$cur\"))"
    return "COMPREPLY=()"

def bash_case(rows):
    out = ""
    for o in rows:
        if o["kind"] not in NO_WORD:
            pat = "--" + o["name"] + ("|-" + o["letter"] if o.get("letter") else "")
            out += "\t\t\t%s) %s; return ;;\n" % (pat, bash_value(o))
    return out

# compgen -W expands the words it is given, and a branch may be called $(command).
bash = "# bash completion of series\n" + HEAD + """
# Offer the lines of $1 that begin with the current word, quoted for the shell.
_series_lines()
{
	local line
	COMPREPLY=()
	while IFS= read -r line; do
		[[ $line && $line == "$cur"* ]] && COMPREPLY+=("$(printf %%q "$line")")
	done <<<"$1"
}

# The same for the last of several with commas between; they are names of ours alone.
_series_list()
{
	local before=
	[[ $cur == *,* ]] && before=${cur%%,*},
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
%s		esac
		COMPREPLY=($(compgen -W '%s %s' -- "$cur")) ;;
""" % (bash_case(spec["options"]), " ".join(c["name"] for c in commands), words(spec["options"]))
for c in commands:
    bash += "\t%s)\n" % c["name"]
    cases = bash_case(c["options"])
    if cases:
        bash += "\t\tcase $prev in\n%s\t\tesac\n" % cases
    bash += "\t\tcase $cur in\n\t\t-*) COMPREPLY=($(compgen -W '%s -h' -- \"$cur\")) ;;\n" % words(c["options"])
    bash += "\t\t*) %s ;;\n\t\tesac ;;\n" % bash_value({"complete": c.get("complete")})
bash += """	esac
	[[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
	return 0
}
complete -o filenames -F _series series
"""
bash = bash.replace("complete -o filenames -F", "complete -F")
write("completions/series.bash", bash)

def zq(s):
    return s.replace("\\", "\\\\").replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")

def zsh_action(o):
    if o.get("choices"):
        return "(%s)" % " ".join(o["choices"])
    k = o.get("complete")
    if k == "version-or-file":
        return zsh_action({"complete": "version"})[:-1] + "; _files}"
    if k in DYNAMIC and many(o):
        return "{_sequence compadd - ${(f)\"$(series --complete=%s 2>/dev/null)\"}}" % k
    if k in DYNAMIC:
        return "{compadd -- ${(f)\"$(series --complete=%s 2>/dev/null)\"}}" % k
    if k == "ref":
        return "{compadd -- ${(f)\"$(git for-each-ref --format=\"%(refname:short)\" refs/heads refs/remotes refs/tags 2>/dev/null)\"}}"
    return {"dir": "_directories", "file": "_files"}.get(k, " ")

def zsh_options(rows):
    out = []
    for o in rows:
        star = "*" if o["kind"] == "list" else ""
        help_ = zq(o["help"])
        arg = "" if o["kind"] == "flag" else ":%s:%s" % (zq(o["arg"] or "value"), zsh_action(o))
        eq = "=" if arg else ""
        if o["kind"] == "optional":
            arg, eq = ":" + arg, "=-"
        out.append("'%s--%s%s[%s]%s'" % (star, o["name"], eq, help_, arg))
        if o["negatable"]:
            out.append("'--no-%s[%s]'" % (o["name"], help_))
        if o.get("letter"):
            out.append("'%s-%s%s[%s]%s'" % (star, o["letter"], "-" if o["kind"] == "optional" else "+" if arg else "", help_, arg))
    return out

zsh = "#compdef series\n# zsh completion of series\n" + HEAD + "\n_series()\n{\n\tlocal curcontext=$curcontext state line\n\ttypeset -A opt_args\n\t_arguments -C \\\n"
for o in zsh_options(spec["options"]):
    zsh += "\t\t%s \\\n" % o
zsh += "\t\t'1:command:->command' \\\n\t\t'*::argument:->argument'\n\tcase $state in\n\tcommand)\n\t\tlocal -a cmds=(\n"
for c in commands:
    zsh += "\t\t\t'%s:%s'\n" % (c["name"], zq(c["summary"]))
zsh += "\t\t)\n\t\t_describe command cmds ;;\n\targument)\n\t\tcase $line[1] in\n"
for c in commands:
    rows = zsh_options(c["options"]) + ["'(-h --help)'{-h,--help}'[print the help]'"]
    rows.append("'*:argument:%s'" % zsh_action({"complete": c.get("complete")}))
    zsh += "\t\t%s)\n\t\t\t_arguments \\\n\t\t\t\t%s ;;\n" % (c["name"], " \\\n\t\t\t\t".join(rows))
zsh += "\t\tesac ;;\n\tesac\n}\n\n_series \"$@\"\n"
write("completions/_series", zsh)

def fq(s):
    return "'" + s.replace("\\", "\\\\").replace("'", "\\'") + "'"

def fish_option(cond, o):
    base = "complete -c series -n %s -l %s" % (fq(cond), o["name"])
    if o.get("letter"):
        base += " -s " + o["letter"]
    if o["kind"] not in NO_WORD:
        base += " -r"
        k = o.get("complete")
        if o.get("choices"):
            base += " -f -a " + fq(" ".join(o["choices"]))
        elif k in DYNAMIC and many(o):
            base += " -f -a " + fq("(__fish_complete_list , 'series --complete=%s 2>/dev/null')" % k)
        elif k in DYNAMIC:
            base += " -f -a " + fq("(series --complete=%s 2>/dev/null)" % k)
        elif k == "ref":
            base += " -f -a " + fq("(git for-each-ref --format='%(refname:short)' refs/heads refs/remotes refs/tags 2>/dev/null)")
        elif k not in ("dir", "file"):
            base += " -f"
    out = base + " -d " + fq(o["help"]) + "\n"
    if o["negatable"]:
        out += "complete -c series -n %s -l no-%s -d %s\n" % (fq(cond), o["name"], fq(o["help"]))
    return out

fish = "# fish completion of series\n" + HEAD + "\ncomplete -c series -f\n"
for o in spec["options"]:
    fish += fish_option("__fish_use_subcommand", o)
for c in commands:
    fish += "complete -c series -n __fish_use_subcommand -a %s -d %s\n" % (c["name"], fq(c["summary"]))
for c in commands:
    cond = "__fish_seen_subcommand_from " + c["name"]
    for o in c["options"]:
        fish += fish_option(cond, o)
    k = c.get("complete")
    if k == "version-or-file":
        k = "version"
        fish += "complete -c series -n %s -F\n" % fq(cond)
    if k in DYNAMIC:
        fish += "complete -c series -n %s -a %s\n" % (fq(cond), fq("(series --complete=%s 2>/dev/null)" % k))
    elif k in ("file", "dir"):
        fish += "complete -c series -n %s -F\n" % fq(cond)
write("completions/series.fish", fish)

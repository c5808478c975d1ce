#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Man pages, and completions for bash, zsh and fish, out of what the tools say with --help.

usage: make_man.py BIN OUT      BIN: the folder with the programs; OUT/man1, OUT/bash, OUT/zsh and OUT/fish are written
"""

import argparse
import dataclasses
import json
import pathlib
import re
import subprocess
import sys

TOOLS = {"tileiras": "compile CUDA Tile IR to PTX or a cubin", "tileiras-run": "run a CUDA Tile IR kernel without a GPU and check it",
         "tileirdisasm": "print Tile IR bytecode as text", "tileiras-layout": "draw layouts of tiles",
         "tileiras-emu": "run a CUDA program on an emulator and check it"}
OPTION = re.compile(r"^ {2,3}(?:-h, )?(--?[a-zA-Z][\w-]*)(?:[= ](<[^>]+>|\{[^}]+\}|[A-Z'(][\w|,='()/.:-]*|N\b|\d+x\d+|[a-z\d]+(?:\|[a-z\d]+)+))?(?:\s+(?:- )?(\S.*))?$")
#: Options whose description ends in the words that they take.
LISTED = {"emit", "launch-abi", "host-arch", "host-os", "remark-format", "static-shared", "register-limits", "engine", "time", "rules", "async", "arrays",
          "check", "colour", "sanitize"}


@dataclasses.dataclass
class Option:
    name: str
    value: str
    text: str
    choices: list


def words(text):
    """The longest list of words in a description: "What to write: cuda_tile, tileaa, ptx"."""
    named = re.findall(r"'([\w-]+)'", text)
    if len(named) > 1:
        return named
    text = re.sub(r"\s*\([^)]*\)", "", text)
    found = re.findall(r"[\w.+-]+(?:(?:, or |, | or )[\w.+-]+)*", text)
    best = max(found, key=lambda f: len(re.split(r", or |, | or ", f)), default="")
    return re.split(r", or |, | or ", best)


def parse(tool, text, targets):
    options = []
    for line in text.splitlines():
        match = OPTION.match(line)
        if match:
            name, value, said = match.groups()
            options.append(Option(name, (value or "").strip("<>"), said or "", []))
        elif options and re.match(r"^ {16,}\S", line):  # goes on
            options[-1].text = (options[-1].text + " " + line.strip()).strip()
    for option in options:
        bare = option.name.lstrip("-")
        if option.value.startswith("{"):
            option.choices = option.value.strip("{}").split(",")
        elif "|" in option.value:
            option.choices = option.value.split("|")
        elif bare in ("gpu-name", "device") and option.value not in ("", "N"):
            option.choices = targets
        elif bare in LISTED and option.value:
            option.choices = [w for w in words(option.text) if re.fullmatch(r"[a-z\d][\w-]*", w)]
    return options


def roff(text):
    return re.sub(r"(?m)^([.'])", r"\\&\1", text.replace("\\", "\\e").replace("-", "\\-"))


def man(tool, what, text, options, version):
    usage = re.search(r"(?i)^usage:\s*(.*(?:\n {8,}.*)*)", text, re.M)[1]
    first = re.search(r"(?m)^ {2,}--?[a-z]", text)
    lines = [f'.TH "{tool.upper()}" 1 "" "open-tileiras {version}" "User commands"', ".SH NAME", f"{tool} \\- {roff(what)}", ".SH SYNOPSIS", ".nf",
             roff("\n".join(line.strip() for line in usage.splitlines())), ".fi"]
    intro = text[:first.start()] if first and tool not in ("tileiras", "tileirdisasm", "tileiras-emu") else ""
    intro = re.sub(r"(?im)^usage:.*(\n {6,}.*)*\n", "", intro).strip()
    if intro:
        lines += [".SH DESCRIPTION", ".nf", roff(intro), ".fi"]
    lines.append(".SH OPTIONS")
    for option in options:
        value = f"=\\fI{roff(option.value)}\\fR" if option.value and option.name.startswith("--") else f" \\fI{roff(option.value)}\\fR" if option.value else ""
        lines += [".TP", f"\\fB{roff(option.name)}\\fR{value}", roff(option.text) or "\\&"]
    others = ", ".join(f"\\fB{roff(t)}\\fR(1)" for t in TOOLS if t != tool)
    lines += [".SH SEE ALSO", others, ".PP", f"The manual is in docs/{roff(tool)}.md of the sources." if tool != "tileiras-emu" else "The manual is in docs/device.md of the sources."]
    return "\n".join(lines) + "\n"


def bash(tool, options):
    name = "_" + tool.replace("-", "_")
    cases = "\n".join(f"    {o.name}) COMPREPLY=($(compgen -W '{' '.join(o.choices)}' -- \"$value\")); return;;" for o in options if o.choices)
    flags = " ".join(o.name + ("=" if o.value and o.name.startswith("--") else "") for o in options)
    return f"""# bash completion of {tool}; made by scripts/make_man.py
{name}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} option= value=
  COMPREPLY=()
  # "--emit=pt" is three words, or one, as COMP_WORDBREAKS says.
  if [[ $word == --*=* ]]; then
    option=${{word%%=*}} value=${{word#*=}}
  elif [[ $word == = ]]; then
    option=${{COMP_WORDS[COMP_CWORD-1]}}
  elif [[ $COMP_CWORD -ge 2 && ${{COMP_WORDS[COMP_CWORD-1]}} == = ]]; then
    option=${{COMP_WORDS[COMP_CWORD-2]}} value=$word
  fi
  case $option in
{cases}
  esac
  if [[ -z $option && $word == -* ]]; then
    COMPREPLY=($(compgen -W '{flags}' -- "$word"))
    [[ ${{COMPREPLY[0]-}} == *= ]] && compopt -o nospace 2>/dev/null
    return
  fi
  COMPREPLY=($(compgen -f -- "${{value:-$word}}"))
}}
complete -o filenames -F {name} {tool}
"""


def quote(text):
    return text.replace("\\", "\\\\").replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def zsh(tool, options):
    rows = []
    for o in options:
        what = f"[{quote(o.text)}]"
        if o.choices:
            rows.append(f"'{o.name}={what}:{o.value.strip('{}') or 'value'}:({' '.join(o.choices)})'")
        elif o.value:
            rows.append(f"'{o.name}{'=' if o.name.startswith('--') else ''}{what}:value:_files'")
        else:
            rows.append(f"'{o.name}{what}'")
    return f"#compdef {tool}\n# made by scripts/make_man.py\n_arguments \\\n  " + " \\\n  ".join(rows) + " \\\n  '*:file:_files'\n"


def fish(tool, options):
    lines = ["# made by scripts/make_man.py"]
    for o in options:
        flag = f"-l {o.name[2:]}" if o.name.startswith("--") else f"-s {o.name[1:]}" if len(o.name) == 2 else f"-o {o.name[1:]}"
        text = o.text.replace("\\", "\\\\").replace("'", "\\'")
        rest = f" -x -a '{' '.join(o.choices)}'" if o.choices else " -r" if o.value else ""
        lines.append(f"complete -c {tool} {flag}{rest} -d '{text}'")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    args = parser.parse_args()

    def say(tool, *arguments):
        command = [sys.executable] if tool == "tileiras-emu" else []
        return subprocess.run([*command, str(args.bin / tool), *arguments], stdout=subprocess.PIPE, check=True, text=True,
                              env={"COLUMNS": "200", "PATH": "/usr/bin:/bin"}).stdout

    targets = [t["name"] for t in json.loads(say("tileiras", "--list-targets"))]
    version = re.search(r"open-tileiras ([\d.]+)", say("tileiras", "--version"))[1]
    forms = {"man1": ("{}.1", None), "bash": ("{}", bash), "zsh": ("_{}", zsh), "fish": ("{}.fish", fish)}
    for tool, what in TOOLS.items():
        text = say(tool, "--help")
        options = parse(tool, text, targets)
        if not options:
            sys.exit(f"make_man: no options in what {tool} --help says")
        for folder, (name, make) in forms.items():
            path = args.out / folder / name.format(tool)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(make(tool, options) if make else man(tool, what, text, options, version))


if __name__ == "__main__":
    main()

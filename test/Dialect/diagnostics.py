#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every diagnostic of the front door has a test: fails when a rule is added without one.

usage: diagnostics.py BUILD_DIR [--unit-test BINARY] [--list] [--report FILE] [--llvm-tools DIR]

What the tests provoke is collected by running them again with the diagnostics printed instead of compared: the commands of the lit
tests of cuda_tile and of the bytecode (the suite itself checks that no diagnostic comes that is not expected), and the unit test of
the bytecode's errors, which writes down each text that it has compared. Against that stand

  * the diagnostics in the sources of the dialect and of the bytecode: the string literals of a statement that reports, in their order.
    Of a choice (`c ? "a" : "b"`) each side has to be seen;
  * the rules that ODS generates: for each operation the type of each operand and result, each attribute, each trait that checks, each
    region.

What no input can provoke stands in UNREACHABLE, with the reason.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ["tileiras/Dialect/CudaTile/IR", "tileiras/Bytecode"]
TESTS = ["tileiras/Dialect/CudaTile/test", "tileiras/Bytecode/test"]
OPS = ["tileiras/Dialect/CudaTile/IR/CudaTileOps.td"]

# Diagnostic (its first literal, or "OP: rule" of ODS) -> why no input gives it.
UNREACHABLE = {
    "absf: SameOperandsAndResultShape": "all its types are the same, which is checked first",
    "get_num_tile_blocks: all of {gridSize_x, gridSize_y, gridSize_z} have same type": "one type is legal",
    "get_tile_block_id: all of {blockId_x, blockId_y, blockId_z} have same type": "one type is legal",
    "mmai: all of {lhs, rhs} have the same element type": "one type is legal",
    "if: region elseRegion": "a trait has the same rule and comes first",
    "expected a dictionary of optimization hints": "only C++ can leave it out",
    "expected a tensor view": "only C++ can leave it out",
    "expected attribute 'dim'": "only C++ can leave it out; the verifier comes first",
    "expected operands to be tiles": "only for C++ that builds an operation; the verifier comes first",
    "attribute ' .. ' is not a value of its enumeration": "operations hold enumerations as such",
    "operand groups are missing": "operations that have groups always have their sizes",
}

REPORTS = re.compile(r"\b(?:emit(?:Op)?(?:Error|Warning|Remark)|emitOptionalError|attachNote|error|complain|fail|refuse|report)\s*\("
                     r"|\bdiag\s*<<")


# --------------------------------------------------------------------------------------------------------------------------------
# Diagnostics in C++
# --------------------------------------------------------------------------------------------------------------------------------

TOKEN = re.compile(r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<char>'(?:[^'\\]|\\.)')"""
                   r"""|(?P<end>[;{}])|(?P<choice>[?:](?!:)(?<!::))|(?P<space>\s+)|(?P<other>.)""", re.S)


def statements(path):
    """(line, text of the code without its literals, [(literal, is one side of a choice, place in the text)]) of each statement."""
    code = path.read_text()
    code = re.sub(r"^[ \t]*#.*(?:\\\n.*)*$", "", code, flags=re.M)
    text, literals, line, previous, choosing = "", [], 1, "", False
    for match in TOKEN.finditer(code):
        kind, piece = match.lastgroup, match.group()
        line += piece.count("\n")
        if kind in ("comment", "space"):
            text += " "
            continue
        if kind == "string":
            value = json.loads(piece.replace("\\'", "'").replace("\\x", "\\u00").replace("\\0", "\\u0000"))
            value = value.encode("latin-1", "ignore").decode("utf-8", "replace") if "\\x" in piece else value
            if previous == "string":
                literals[-1] = (literals[-1][0] + value, *literals[-1][1:])
            else:
                literals.append((value, choosing, len(text)))
        elif kind == "end":
            yield line, text, literals
            text, literals = "", []
        if kind == "choice":
            choosing = True
        elif kind != "string":
            choosing = False
        text += piece if kind != "string" else '""'
        previous = kind
    yield line, text, literals


def pattern_of(literals):
    """What is between literals, or in place of `{0}`, may be anything."""
    return ".*".join(re.sub(r"\\\{\d\\\}", ".*", re.escape(literal)) for literal in literals)


def is_prose(literal):
    """Words, not a keyword or punctuation."""
    return len(re.findall(r"[A-Za-z]{2,}", literal)) >= 2 and " " in literal.strip()


def source_rules(folders):
    """(place, name, [patterns that each have to be seen])."""
    for folder in folders:
        for path in sorted((ROOT / folder).glob("*.cpp")) + sorted((ROOT / folder).glob("*.h")):
            for line, text, literals in statements(path):
                place = f"{path.relative_to(ROOT)}:{line}"
                if not literals or re.search(r"cl::desc|llvm_unreachable|assert\s*\(|reportFatal|static_assert|\bprinter <<", text):
                    continue
                reports = REPORTS.search(text)
                if reports:
                    literals = [literal for literal in literals if literal[2] >= reports.start()]
                fixed = [value for value, choice, _ in literals if not choice]
                if reports and any(is_prose(v) or re.search(r"[A-Za-z]{3}", v) for v in fixed):
                    # Choices stand somewhere between the fixed parts.
                    yield place, " .. ".join(v.strip() for v in fixed), [pattern_of(fixed)]
                for value, choice, _ in literals:
                    if (choice and reports and re.search(r"[A-Za-z]{3}", value)) or (not reports and is_prose(value)):
                        yield place, value.strip(), [pattern_of([value])]


# --------------------------------------------------------------------------------------------------------------------------------
# What the tests provoke
# --------------------------------------------------------------------------------------------------------------------------------

def lit_commands(path, scratch):
    """The commands of a lit test on our tools, without what comes after a pipe, and printing what they would compare."""
    for line in "\n".join(re.findall(r"RUN: *(.*)", path.read_text())).replace("\\\n", " ").split("\n"):
        command = re.sub(r"%t\b", str(scratch / "t"), line.replace("%s", str(path)).replace("%S", str(path.parent)))
        words = shlex.split(command)
        stop = [i for i, word in enumerate(words) if re.match(r"\d?[<>|&]", word)]
        words = words[:stop[0]] if stop else words
        while words and not re.match(r"(tileiras|cuda-tile)-", words[0]):
            words.pop(0)
        if words and words[0].split("-")[-1] in ("opt", "translate"):
            yield [w for w in words if not re.match(r"--?verify-diagnostics", w)]


def provoked(build, unit_test):
    """All diagnostics of the tests, one a line."""
    found = set()
    with tempfile.TemporaryDirectory(prefix="tileiras-diagnostics-") as folder:
        scratch = pathlib.Path(folder)
        for test in [p for t in TESTS for p in sorted((ROOT / t).iterdir()) if p.suffix in (".mlir", ".test")]:
            for words in lit_commands(test, scratch):
                done = subprocess.run([str(build / "bin" / words[0]), *words[1:]], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                      cwd=folder)
                found |= set(re.findall(r"(?:error|warning|note|remark): (.*)", done.stderr.decode(errors="replace")))
        log = scratch / "unit"
        done = subprocess.run([str(unit_test), "--gtest_brief=1"], env={**os.environ, "TILEIRAS_DIAGNOSTICS_LOG": str(log)},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode or not log.exists():
            sys.exit(f"diagnostics: {unit_test} fails or writes no log:\n{done.stdout.decode(errors='replace')}")
        found |= set(log.read_text(errors="replace").split("\n"))
    return sorted(found)


# --------------------------------------------------------------------------------------------------------------------------------
# Rules of ODS
# --------------------------------------------------------------------------------------------------------------------------------

# Traits without arguments that check, and what they say.
NATIVE = {
    "SameOperandsAndResultShape": "requires the same shape for all operands and results",
    "SameOperandsAndResultElementType": "requires the same element type for all operands and results",
    "AttrSizedOperandSegments": "operand count (",
    "IsTerminator": "must be the last operation in the parent block",
    "IsIsolatedFromAbove": "using value defined outside the region",
    "NoRegionArguments": "should have no arguments",
    "SymbolTable": "redefinition of symbol named",
}


def ods_rules(llvm_tools, files):
    """(operation, name, pattern) of what the generated code checks."""
    include = pathlib.Path(llvm_tools).resolve().parent / "include"
    for file in files:
        done = subprocess.run([str(pathlib.Path(llvm_tools) / "llvm-tblgen"), "-dump-json", "-I", str(include), "-I", str(ROOT),
                               str(ROOT / file)], stdout=subprocess.PIPE, check=True)
        records = json.loads(done.stdout)
        for name in records["!instanceof"]["Op"]:
            yield from op_rules(records, records[name])


def op_rules(records, op):
    mnemonic = op["opName"]
    head = rf"'cuda_tile\.{re.escape(mnemonic)}' op "

    def kinds(record):
        return set(record["!superclasses"])

    operand = 0
    for arg, name in op["arguments"]["args"]:
        record = records[arg["def"]]
        if "TypeConstraint" in kinds(record):
            if record["summary"] not in ("any type", "variadic of any type"):
                yield mnemonic, f"operand {name} must be {record['summary']}", \
                    head + rf"operand #\d+ must be {re.escape(record['summary'])}, but got"
            operand += 1
        elif "Attr" in kinds(record):
            yield mnemonic, f"attribute {name} of the wrong kind", \
                head + rf"attribute '{name}' failed to satisfy constraint" \
                rf"|for op cuda_tile\.{re.escape(mnemonic)}: Invalid attribute `{name}` in property conversion"
            if arg["def"] != "UnitAttr" and not kinds(record) & {"OptionalAttr", "DefaultValuedAttr"}:
                yield mnemonic, f"attribute {name} missing", head + rf"requires attribute '{name}'"
    for result, name in op["results"]["args"]:
        record = records[result["def"]]
        if record["summary"] not in ("any type", "variadic of any type"):
            yield mnemonic, f"result {name} must be {record['summary']}", \
                head + rf"result #\d+ must be {re.escape(record['summary'])}, but got"
    for region, name in op["regions"]["args"]:
        yield mnemonic, f"region {name}", head + rf"region #\d+ \('{name}'\) failed to verify constraint"

    def traits(record):
        if "TraitList" in kinds(record):
            for inner in record["traits"]:
                yield from traits(records[inner["def"]])
        else:
            yield record
    for trait in [t for outer in op["traits"] for t in traits(records[outer["def"]])]:
        if "PredTrait" in kinds(trait):
            yield mnemonic, trait["summary"], head + "failed to verify that " + re.escape(trait["summary"])
            continue
        native = trait.get("trait") or ""
        if native in NATIVE:
            # Some are reported at another operation.
            elsewhere = native in ("IsIsolatedFromAbove", "SymbolTable")
            yield mnemonic, native, ("" if elsewhere else head + ".*") + re.escape(NATIVE[native])
        elif native.startswith(("HasParent<", "ParentOneOf", "HasParent")):
            yield mnemonic, native, head + "expects parent op"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--unit-test", type=pathlib.Path, help="default: BUILD/unittests/BytecodeTest")
    parser.add_argument("--llvm-tools", default="/usr/lib/llvm-22/bin")
    parser.add_argument("--report", type=pathlib.Path, help="JSON with the counts")
    parser.add_argument("--list", action="store_true", help="print every rule and the first text that shows it")
    options = parser.parse_args()
    build = options.build.resolve()
    texts = "\n".join(provoked(build, (options.unit_test or build / "unittests" / "BytecodeTest").resolve()))

    count, missing, unused = 0, [], dict(UNREACHABLE)
    rules = [(place, name, pattern) for place, name, patterns in source_rules(SOURCES) for pattern in patterns]
    rules += [(f"ODS, {op}", f"{op}: {name}", pattern) for op, name, pattern in ods_rules(options.llvm_tools, OPS)]
    for place, name, pattern in rules:
        seen = re.search(pattern, texts)
        count += 1
        if name in UNREACHABLE:
            unused.pop(name, None)
            if seen:
                missing.append(f"{place}: is said to be unreachable, and a test reaches it: {name}")
        elif not seen:
            missing.append(f"{place}: no test provokes: {name}")
        if options.list:
            print(f"{place}: {name}\n    {seen.group() if seen else '-'}")
    missing += [f"UNREACHABLE names no rule: {name}" for name in unused]
    print("\n".join(missing + [f"{count} rules, {len(UNREACHABLE)} unreachable, {len(missing)} without a test"]))
    if options.report:
        options.report.write_text(json.dumps({"passed": count - len(UNREACHABLE) - len(missing), "failed": len(missing)}))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())

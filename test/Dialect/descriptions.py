#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples in the ODS descriptions of the cuda_tile dialect, and parses those of nv_tileas.

usage: descriptions.py BUILD_DIR [--report FILE.json] [--filter TEXT] [--jobs N] [-v]

Every public operation has a summary, a description, and at its end a complete module that contains the operation. The
module starts with a transcript, `// $ tileiras-run NAME.mlir ARGS` and the lines that this prints. An example passes when

  * the module parses, verifies, and prints to what parses and prints the same; so does the generic form,
  * it survives bytecode, through the newest version,
  * the command prints, on the reference evaluator, exactly what the transcript says.

Every operation of nv_tileas has a summary, a description and an example that parses, verifies and prints to what parses and
prints the same; so does the generic form.

Diagnostics that descriptions quote exist. Attributes, types and enumerations have a summary and a description.
The links of the page's table of contents lead to its headings. Planted faults (a missing example, another value, ...) show that
the checks can fail.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import coverage  # noqa: E402
import dialect_docs  # noqa: E402

TIMEOUT_S = 60
BYTECODE_VERSION = "13.4"
TILEAS = "tileiras/Dialect/TileAS/IR/TileASAllOps.td"


class Failure(Exception):
    pass


@dataclasses.dataclass
class Tools:
    opt: pathlib.Path
    translate: pathlib.Path
    run: pathlib.Path


def run(words, stdin=None):
    """Standard output; anything but success is a failure."""
    try:
        done = subprocess.run([str(w) for w in words], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, errors="replace", timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        raise Failure(f"timeout after {TIMEOUT_S} s: {shlex.join(map(str, words))}")
    if done.returncode:
        raise Failure(f"{shlex.join(map(str, words))}\nexit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def example_of(entry):
    """The module at the end of a description, its command's arguments and what that prints."""
    if not entry.summary:
        raise Failure("no summary")
    prose = re.sub(r"```.*?```", "", entry.description, flags=re.S).strip()
    if len(prose) < 40:
        raise Failure(f"no description to speak of: '{prose}'")
    if not re.search(r"\bSince\s+13\.[1-4]\b", prose):
        raise Failure("the description does not say since which version")
    blocks = re.findall(r"^```mlir\n(.*?)^```$", entry.description, re.M | re.S)
    if not blocks:
        raise Failure("no example")
    module = blocks[-1]
    head = re.match(r"// \$ tileiras-run (\S+)(.*)\n((?://.*\n)*)", module)
    if not head or head[1] != f"{entry.name}.mlir":
        raise Failure(f"the example does not start with '// $ tileiras-run {entry.name}.mlir'")
    if not head[3]:
        raise Failure("the example shows no effect")
    return module, shlex.split(head[2]), re.sub(r"^// ?", "", head[3], flags=re.M)


def attempt(function, *args):
    """What a call gives, or how it failed."""
    try:
        return function(*args)
    except Failure as failure:
        return failure


def result(value):
    if isinstance(value, Failure):
        raise value
    return value


def convert(words, texts):
    """tileiras-opt on every text, in one process while all of them are right: starting it is what takes time."""
    good = [t for t in texts if not isinstance(t, Failure)]
    done = attempt(run, [*words, "-split-input-file"], "// -----\n".join(good))
    outputs = [] if isinstance(done, Failure) else done.split("// -----\n")
    if len(outputs) != len(good):
        outputs = [attempt(run, words, t) for t in good]
    outputs = iter(outputs)
    return [t if isinstance(t, Failure) else next(outputs) for t in texts]


def through_bytecode(tools, source):
    bytecode = source.with_suffix(".tilebc")
    run([tools.translate, "--mlir-to-cudatilebc", f"--bytecode-version={BYTECODE_VERSION}", source, "-o", bytecode])
    return run([tools.translate, "--cudatilebc-to-mlir", bytecode])


def execute(tools, source, args):
    return run([tools.run, "--engine=reference", source, *args])


def check_examples(tools, operations, folder, pool):
    """One result per operation: None or a Failure."""
    examples = [attempt(example_of, e) for e in operations]
    sources = []
    for number, (entry, example) in enumerate(zip(operations, examples)):
        sources.append(folder / f"{number}-{entry.name}.mlir")
        if not isinstance(example, Failure):
            sources[-1].write_text(example[0])
    runs, backs = [], []
    for source, example in zip(sources, examples):
        wrong = isinstance(example, Failure)
        runs.append(example if wrong else pool.submit(attempt, execute, tools, source, example[1]))
        backs.append(example if wrong else pool.submit(attempt, through_bytecode, tools, source))
    modules = [e if isinstance(e, Failure) else e[0] for e in examples]
    generic = convert([tools.opt, "-mlir-print-op-generic"], modules)
    printed = convert([tools.opt], modules)
    again = convert([tools.opt], printed)
    from_generic = convert([tools.opt], generic)
    runs, backs = ([r if isinstance(r, Failure) else r.result() for r in results] for results in (runs, backs))
    backs_generic = convert([tools.opt, "-mlir-print-op-generic"], backs)

    def verdict(i):
        if f'"cuda_tile.{operations[i].name}"' not in result(generic[i]):
            raise Failure("the example does not contain the operation")
        if result(printed[i]) != result(again[i]):
            raise Failure(f"printed:\n{printed[i]}printed again:\n{again[i]}")
        if result(from_generic[i]) != printed[i]:
            raise Failure(f"printed:\n{printed[i]}printed from the generic form:\n{from_generic[i]}")
        if result(backs_generic[i]) != generic[i]:
            raise Failure(f"before bytecode:\n{generic[i]}after:\n{backs_generic[i]}")
        if result(runs[i]) != examples[i][2]:
            raise Failure(f"the description promises:\n{examples[i][2]}tileiras-run prints:\n{runs[i]}")
    return [attempt(verdict, i) for i in range(len(operations))]


def diagnostics():
    """What the dialect says about wrong input, in its sources and in the tests of what they give."""
    folder = ROOT / "tileiras" / "Dialect" / "CudaTile"
    code = "".join(p.read_text() for p in sorted(folder.glob("IR/*.cpp")))
    code += (folder / "IR" / "CudaTileOpBase.td").read_text()
    return re.sub(r'"\s*"', "", code) + "".join(p.read_text() for p in sorted(folder.glob("test/*.mlir")))


def check_quotes(quotes, said):
    """Diagnostics that a description quotes, with two points for what differs, exist."""
    for quote in quotes:
        for part in re.split(r"\.\.|\b\d+\b", quote):
            part = part.strip(" ()'")
            if len(part) > 6 and part not in said:
                raise Failure(f"nobody says '{part}', of '{quote}'")


def check_described(entry):
    if not entry.summary or len(entry.description) < 20:
        raise Failure(f"{entry.heading} has no summary or no description")


def check_roster(entries):
    described, public = {e.name for e in entries if e.kind == "Operations"}, set(coverage.operations())
    if described != public:
        raise Failure(f"operations of bytecode and of the ODS files differ: {sorted(described ^ public)}")


def check_contents(page):
    text = dialect_docs.finished(page)
    headings = {dialect_docs.anchor(heading) for heading in re.findall(r"^#+ (.*)$", text, re.M)}
    lost = set(re.findall(r"\]\(#([^)]*)\)", text)) - headings
    if lost:
        raise Failure(f"links without a heading: {sorted(lost)[:10]}")


def example_of_internal(entry):
    """The module at the end of the description of an operation below cuda_tile."""
    if not entry.summary:
        raise Failure("no summary")
    prose = re.sub(r"```.*?```", "", entry.description, flags=re.S).strip()
    if len(prose) < 40:
        raise Failure(f"no description to speak of: '{prose}'")
    blocks = re.findall(r"^```mlir\n(.*?)^```$", entry.description, re.M | re.S)
    if not blocks:
        raise Failure("no example")
    if "nv_tileaa.func" not in blocks[-1]:
        raise Failure("the example is no module")
    return blocks[-1]


def check_internal(tools, dialect, operations):
    """One result per operation, as check_examples."""
    examples = [attempt(example_of_internal, e) for e in operations]
    generic = convert([tools.opt, "-mlir-print-op-generic"], examples)
    printed = convert([tools.opt], examples)
    again = convert([tools.opt], printed)
    from_generic = convert([tools.opt], generic)

    def verdict(i):
        if f'"{dialect}.{operations[i].name}"' not in result(generic[i]):
            raise Failure("the example does not contain the operation")
        if not result(printed[i]) == result(again[i]) == result(from_generic[i]):
            raise Failure(f"printed:\n{printed[i]}printed again:\n{again[i]}from the generic form:\n{from_generic[i]}")

    return [attempt(verdict, i) for i in range(len(operations))]


def damaged_internal(entries):
    load = next(e for e in entries if e.name == "load")
    fence = "```mlir" + load.text.split("```mlir")[1].split("\n```\n", 1)[0] + "\n```\n"
    for name, old, new, message in (
            ("summary", f"_{load.summary}_", "", "no summary"),
            ("example", fence, "", "no example"),
            ("module", "nv_tileaa.func", "some.func", "is no module"),
            ("operation", "nv_tileas.load %p, mask %m", "nv_tileaa.load %p, mask %m", "does not contain the operation"),
            ("syntax", "-> tensor", "=> tensor", "exit status"),
            ("type of the mask", "tensor<64xi1, #l>", "tensor<64xi8, #l>", "must be i1 or tile of i1"),
            ("type of the pointers", "!nv_tileaa.ptr<f32>", "i64", "must be pointer or tile of pointers")):
        yield name, dataclasses.replace(load, text=load.text.replace(old, new)), message


def damaged(page):
    """Descriptions of one operation with a fault each: the fault's name, the entry, what has to be said about it."""
    absf = next(e for e in dialect_docs.entries(page) if e.name == "absf")
    fence = absf.text[absf.text.index("```mlir"):].split("\n```\n", 1)[0] + "\n```\n"
    shown = f"// {example_of(absf)[2]}"
    for name, old, new, message in (
            ("summary", f"_{absf.summary}_", "", "no summary"),
            ("description", absf.description.split("```mlir")[0], "", "no description"),
            ("since", "Since 13.1", "Since long", "since which version"),
            ("example", fence, "", "no example"),
            ("command", "tileiras-run absf", "tileiras-run --grid=2 absf", "does not start with"),
            ("effect", shown, "", "shows no effect"),
            ("operation", " absf %", " negf %", "does not contain the operation"),
            ("syntax", " absf %", " absf abs %", "exit status"),
            ("value", shown, shown.replace("2", "3"), "the description promises"),
            ("argument", "absf.mlir\n", "absf.mlir i32=1\n", "exit status")):
        yield name, dataclasses.replace(absf, text=absf.text.replace(old, new, 1)), message


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--report")
    parser.add_argument("--filter", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-v", action="store_true")
    args = parser.parse_args()
    bin_dir = pathlib.Path(args.build).resolve() / "bin"
    tools = Tools(*(bin_dir / n for n in ("tileiras-opt", "tileiras-translate", "tileiras-run")))
    page = dialect_docs.generate(args.build)
    entries = [e for e in dialect_docs.entries(page) if args.filter in e.name]
    operations = [e for e in entries if e.kind == "Operations"]
    faults = list(damaged(page))
    with (tempfile.TemporaryDirectory(prefix="tileiras-descriptions-") as temporary,
          concurrent.futures.ThreadPoolExecutor(args.jobs) as pool):
        folder, planted = pathlib.Path(temporary), pathlib.Path(temporary) / "planted"
        planted.mkdir()
        checked = check_examples(tools, operations, folder, pool)
        caught = check_examples(tools, [entry for _, entry, _ in faults], planted, pool)
    results = [(f"operation {e.name}", failure) for e, failure in zip(operations, checked)]
    for (name, _, message), failure in zip(faults, caught):
        noticed = failure is not None and message in str(failure)
        results.append((f"planted fault: {name}", None if noticed else f"expected '{message}', but got: {failure}"))
    invented = attempt(check_quotes, ["nobody has ever said this"], "said something else")
    results.append(("planted fault: quote", None if invented is not None else "was not noticed"))
    results += [(e.heading, attempt(check_described, e)) for e in entries if e.kind != "Operations"]
    said = diagnostics()
    for entry in entries:
        prose = re.sub(r"```.*?```", "", entry.description, flags=re.S)
        if quotes := re.findall(r'"([^"]+)"', " ".join(prose.split())):
            results.append((f"diagnostics quoted by {entry.name}", attempt(check_quotes, quotes, said)))
    internal = dialect_docs.entries(dialect_docs.tblgen(args.build, "-gen-dialect-doc", "-dialect=nv_tileas", ods=TILEAS))
    internal = [e for e in internal if args.filter in e.name and e.kind == "Operations"]
    if not args.filter or internal:
        checked = check_internal(tools, "nv_tileas", internal)
        results += [(f"nv_tileas.{e.name}", failure) for e, failure in zip(internal, checked)]
    if not args.filter:
        faults = list(damaged_internal(internal))
        for (name, _, message), failure in zip(faults, check_internal(tools, "nv_tileas", [e for _, e, _ in faults])):
            noticed = failure is not None and message in str(failure)
            results.append((f"planted fault in nv_tileas: {name}",
                            None if noticed else f"expected '{message}', but got: {failure}"))
        results += [("roster", attempt(check_roster, entries)), ("contents", attempt(check_contents, page))]
    for name, failure in results:
        if failure is not None:
            print(f"--- {name}\n{str(failure)[-3000:]}")
        elif args.v:
            print(f"ok: {name}")
    failed = sum(failure is not None for _, failure in results)
    print(f"descriptions: {len(results) - failed} ok, {failed} not ok")
    if args.report:
        pathlib.Path(args.report).write_text(json.dumps({"passed": len(results) - failed, "failed": failed}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what the fuzzers start from: OUT/text, OUT/bytecode and the dictionary OUT/text.dict.

usage: seeds.py BUILD_DIR OUT [--corpus DIR]

Text: the modules of the lit tests and examples, one per `// -----`, and generated end-to-end kernels. Bytecode: the
modules that BUILD_DIR/bin/tileiras-translate can write, and every fourth small file of a corpus of real ones.
"""

import argparse
import hashlib
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERSIONS = ("13.1", "13.2", "13.3", "13.4")
MAX_SIZE = 16384
GENERATED = 20


def modules(build):
    for folder in ("tileiras", "examples", "fuzz/regressions"):
        for path in sorted((ROOT / folder).rglob("*.mlir")):
            for part in re.split(r"^// -----.*$", path.read_text(errors="replace"), flags=re.M):
                # RUN and CHECK lines are dead weight.
                lines = [line for line in part.splitlines() if not line.lstrip().startswith("//")]
                text = "\n".join(lines).strip() + "\n"
                if "cuda_tile" in text and len(text) <= MAX_SIZE:
                    yield text
    generator = ROOT / "test" / "EndToEnd" / "fuzz.py"
    for seed in range(GENERATED):
        yield subprocess.run([sys.executable, str(generator), str(build), "--show", str(seed)], check=True,
                             stdout=subprocess.PIPE, text=True).stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--corpus", type=pathlib.Path)
    args = parser.parse_args()
    text, bytecode = args.out / "text", args.out / "bytecode"
    text.mkdir(parents=True, exist_ok=True)
    bytecode.mkdir(parents=True, exist_ok=True)
    words = set()
    for module in modules(args.build):
        words.update(re.findall(r"[a-z][a-z_0-9]{2,}", module))
        (text / hashlib.sha1(module.encode()).hexdigest()).write_text(module)
    (args.out / "text.dict").write_text("".join(f'"{word}"\n' for word in sorted(words)))

    sources = [*sorted((ROOT / "tileiras/Bytecode/test").glob("*.mlir")), *sorted((ROOT / "examples").glob("*.mlir"))]
    for source in sources:
        for version in VERSIONS:
            # Not every module can be said in every version, and some tests are of errors.
            done = subprocess.run([str(args.build / "bin" / "tileiras-translate"), "-mlir-to-cudatilebc",
                                   f"--bytecode-version={version}", str(source)],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            if done.returncode == 0 and done.stdout:
                (bytecode / f"{source.stem}-{version}").write_bytes(done.stdout)
    regressions = ROOT / "fuzz" / "regressions"
    files = sorted(regressions.glob("*.tileirbc"))
    if args.corpus:
        files += [f for f in sorted(args.corpus.rglob("*.tileirbc")) if f.stat().st_size < 5120][::4]
    for file in files:
        (bytecode / file.name).write_bytes(file.read_bytes())
    count = [sum(1 for _ in folder.iterdir()) for folder in (text, bytecode)]
    print(f"seeds: {count[0]} of text, {count[1]} of bytecode")
    return 0 if all(count) else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether arguments are found for kernels of which only the module is known (corpus_arguments.py), and for the right reason.

usage: corpus_selftest.py BUILD_DIR [--report FILE.json]

Each kernel needs one kind of repair. With it, arguments are found, the reference stores something, and the emulator agrees; without
any repair there must be none, else the kernel tests nothing.
"""

import argparse
import json
import pathlib
import sys
import tempfile

import corpus
import corpus_arguments

COPY = """    %v, %t = load_view_tko weak %p[{at}] : partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token
    %w = store_view_tko weak %v, %p[{at}] token=%t : tile<16xf32>, partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
"""
VIEW = """    %view = make_tensor_view {base}, shape = [{extent}], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %p = make_partition_view %view : partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>
"""
CONSTANTS = """    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %near = constant <i32: 298> : tile<i32>
    %far = addi %near, %c1 : tile<i32>
"""


def kernel(name, parameters, body):
    return f"cuda_tile.module @kernels {{\n  entry @{name}({parameters}) {{\n{CONSTANTS}{body}    return\n  }}\n}}\n"


ARRAY = "%x: tile<ptr<f32>>, %n: tile<i32>, %s: tile<i32>"
KERNELS = {
    # The 300th tile of a view.
    "far tile": kernel("far_Kt1_A1f32_1t1", ARRAY, VIEW.format(base="%x", extent="%n") + COPY.format(at="%far")),
    # An array from one scalar to another.
    "slice": kernel("slice_Kt1_A1f32_1t1_Si32_Si32", ARRAY + ", %a: tile<i32>, %b: tile<i32>", """    %q = offset %x, %a : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %length = subi %b, %a : tile<i32>
""" + VIEW.format(base="%q", extent="%length") + COPY.format(at="%c0")),
    # No arguments make this one true.
    "false assumption": kernel("false_Kt1_A1f32_1t1", ARRAY, "    %m = assume div_by<4>, %c1 : tile<i32>\n" +
                               VIEW.format(base="%x", extent="%n") + COPY.format(at="%c0")),
    # A sum of scalars that is a multiple of something.
    "divisible sum": kernel("sum_Kt1_A1f32_1t1_Si32", ARRAY + ", %a: tile<i32>", """    %two = addi %a, %a : tile<i32>
    %even = assume div_by<64>, %two : tile<i32>
""" + VIEW.format(base="%x", extent="%even") + COPY.format(at="%c0")),
    # A table of arrays.
    "list": kernel("list_Kt1_LiA1f32_1t1_p16", "%l: tile<ptr<i64>>, %n: tile<i32>", """    %tv = make_tensor_view %l, shape = [%n, 3], strides = [3, 1] : tile<i32> -> tensor_view<?x3xi64, strides=[3,1]>
    %tp = make_partition_view %tv : partition_view<tile=(1x4), tensor_view<?x3xi64, strides=[3,1]>>
    %row, %rt = load_view_tko weak %tp[%c1, %c0] : partition_view<tile=(1x4), tensor_view<?x3xi64, strides=[3,1]>>, tile<i32> -> tile<1x4xi64>, token
    %e = extract %row[%c0, %c0] : tile<1x4xi64> -> tile<1x1xi64>
    %address = reshape %e : tile<1x1xi64> -> tile<i64>
    %ptr = int_to_ptr %address : tile<i64> -> tile<ptr<f32>>
    %q = assume div_by<16>, %ptr : tile<ptr<f32>>
    %f = extract %row[%c0, %c1] : tile<1x4xi64> -> tile<1x1xi64>
    %wide = reshape %f : tile<1x1xi64> -> tile<i64>
    %length = trunci %wide : tile<i64> -> tile<i32>
""" + VIEW.format(base="%q", extent="%length") + COPY.format(at="%c0")),
    # Rows chosen by an array of numbers, each a million elements from the next: only row 0 exists.
    "gather": kernel("gather_Kt1_A1f32_1t1_A1i32_1t1", ARRAY + ", %i: tile<ptr<i32>>, %ni: tile<i32>, %si: tile<i32>", """    %k, %kt = load_ptr_tko weak %i : tile<ptr<i32>> -> tile<i32>, token
    %million = constant <i32: 1000000> : tile<i32>
    %o = muli %k, %million : tile<i32>
    %q = offset %x, %o : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %t = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token
    %w = store_ptr_tko weak %q, %v token=%t : tile<ptr<f32>>, tile<f32> -> token
"""),
    # More of an array than its extents tell.
    "long array": kernel("long_Kt1_A1f32_1t1", ARRAY, """    %at = constant <i32: 60000> : tile<i32>
    %q = offset %x, %at : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %t = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token
    %w = store_ptr_tko weak %q, %v token=%t : tile<ptr<f32>>, tile<f32> -> token
"""),
}
HOPELESS = kernel("endless_Kt1_A1f32_1t1", ARRAY, "    loop {\n      continue\n    }\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--report")
    args = parser.parse_args()
    tool = pathlib.Path(args.build).resolve() / "bin" / "tileiras-run"
    corpus.MOST_STEPS = 100000
    passed, problems = 0, []

    def expect(what, good, said=""):
        nonlocal passed
        passed += bool(good)
        if not good:
            problems.append(what)
            print(f"corpus_selftest: {what}\n{said}", file=sys.stderr)

    with tempfile.TemporaryDirectory(prefix="tileiras-corpus-") as scratch:
        def module(text):
            source, file = pathlib.Path(scratch) / "kernel.mlir", pathlib.Path(scratch) / "kernel.tileirbc"
            source.write_text(text)
            code, said = corpus.run([str(tool.parent / "tileiras-translate"), "-mlir-to-cudatilebc", str(source), "-o", str(file)])
            expect("is a module", code == 0, said)
            return file

        for name, text in KERNELS.items():
            file = module(text)
            found = corpus.find_arguments(tool, file, scratch)
            expect(f"{name}: arguments are found", found.words, "\n".join(found.complaints))
            expect(f"{name}: assumptions are kept unless they are false", found.assume == (name != "false assumption"))
            outcome, said = corpus.check(tool, file, found, "sm_90", [])
            expect(f"{name}: reference and emulator agree, not {outcome}", outcome == "ok", said)
            if name == "list":
                continue  # its name says it all
            repair, corpus_arguments.repair = corpus_arguments.repair, lambda guess, said: False
            expect(f"{name}: none without repair", not corpus.find_arguments(tool, file, scratch).words)
            corpus_arguments.repair = repair
        expect("endless: none", not corpus.find_arguments(tool, module(HOPELESS), scratch).words)
    if args.report:
        pathlib.Path(args.report).write_text(json.dumps({"passed": passed, "failed": len(problems)}))
    print(f"corpus_selftest: {passed} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

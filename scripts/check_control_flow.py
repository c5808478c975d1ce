#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that what asks about control flow asks its interfaces, and not the kind of loop or branch.

    scripts/check_control_flow.py [SOURCE]      SOURCE: the root of the tree, by default the one this script is in

tileiras/Dialect/TileAA/IR/Loops.h and RegionFlow.h answer for all operations that implement LoopLikeOpInterface or
RegionBranchOpInterface. So no C++ file of tileiras/ casts to an operation of scf, walks over them or takes them as
parameters. Making one (scf::ForOp::create, and whatever else follows a name by ::) is free. Who takes a loop of one kind
apart, or gives it to a utility of MLIR's that takes no other, is in the list below with the reason.

Prints one line per violation and exits with 1; also if a file of the list names no such operation any longer.
"""

import pathlib
import re
import sys

ALLOWED = {
    "Compiler/GuardLoopCounters.cpp": "makes scf.while of scf.for, whose counter wraps around",
    "Conversion/CudaTileToTileAA/StructurizeControlFlow.cpp": "makes scf.if in the generic way, and returns it",
    "Conversion/NVGPUToNVVM/Warp.cpp": "makes the scf.yield that replaces gpu.yield",
    "Dialect/TileAA/IR/Loops.cpp": "is the one place: what no interface says, and loops made again with more or fewer values",
    "Dialect/TileAS/Transforms/UnrollRegisterLoops.cpp": "mlir::loopUnrollFull takes scf.for",
    "Dialect/TileAS/Transforms/UnspecializedPipeline.cpp": "scf::pipelineForLoop takes scf.for, which is widened for it",
}

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
NAMED = re.compile(r'\bscf::([A-Z]\w*Op)\b(?!\s*::)|"(scf\.(?:for|forall|if|while|parallel|index_switch|execute_region))"')


def check(source: pathlib.Path, allowed):
    named = set()
    for file in sorted((source / "tileiras").rglob("*")):
        path = file.relative_to(source / "tileiras").as_posix()
        if file.suffix not in (".h", ".cpp") or "/test/" in path:
            continue
        text = COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), file.read_text())
        for match in NAMED.finditer(text):
            named.add(path)
            if path not in allowed:
                where = f"tileiras/{path}:{text.count(chr(10), 0, match.start()) + 1}"
                yield (f"{where}: names {match.group(1) or match.group(2)}: ask Dialect/TileAA/IR/Loops.h or RegionFlow.h, "
                       "or say in scripts/check_control_flow.py why not")
    for path in sorted(set(allowed) - named):
        yield f"scripts/check_control_flow.py: tileiras/{path} names no operation of scf"


def main():
    own = pathlib.Path(__file__).resolve().parent.parent
    source = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else own
    violations = list(check(source, ALLOWED))
    for violation in violations:
        print(violation)
    print(f"{len(violations)} file(s) or line(s) ask for a kind of loop or branch" if violations else
          f"control flow is asked by its interfaces, but in {len(ALLOWED)} files with a reason")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())

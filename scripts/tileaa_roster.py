#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The roster of nv_tileaa against what is there: operations, types and attributes from the .td files, tests from the .mlir
files, lowerings from the conversions.

usage: tileaa_roster.py [--write FILE.md]

Fails if a name of the roster has no definition, or a definition no test that shows it in use and, where it has a verifier, none that
shows it refused. --write makes the page (`make docs`: BUILD/docs/nv_tileaa-roster.md).
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DIALECT = ROOT / "tileiras/Dialect/TileAA"

OPERATIONS = """
addf addptr assert assume atomic_cas atomic_rmw bitcast block_tile broadcast call call_elementwise_intrinsic
cancel_next_program_id cat clampf conv_dot conv_tile create_mem_token create_queue divf dot elementwise_inline_asm
execute exp2 expand_dims extern_elementwise extract extract_slice fma fp_to_fp func gather_load generate get_dim_size
get_global get_num_programs get_program_id global histogram inject_ir int_to_ptr is_valid_program_id join_mem_token
launch_func load make_memref make_range mark_for_reuse message mulf mulhiui optimization_barrier permute plugin pragma
print ptr_to_int queue.get queue.put queue.yield reduce return rsqrt scan scatter_store splat sqrt store subf
tiled_atomic_rmw tiled_load tiled_store view yield constant_tensor mma_block_scale
""".split()
TYPES = "ptr program_id queue memref tiled_view mem_token".split()
ATTRIBUTES = """
kernel_spec cache_modifier eviction_policy mem_semantic mem_scope rmw_mode rounding_mode propagate_nan signedness
padding_value activation_layout conv_params div_by bounded same_elements
""".split()

# Where an operation goes after nv_tileaa, if not by a pattern of its own in Conversion/.
EXPANDED = "call clampf generate histogram pragma optimization_barrier message".split()
QUEUES = "create_queue queue.put queue.get queue.yield execute mark_for_reuse".split()
REFUSED = "cancel_next_program_id is_valid_program_id conv_tile conv_dot inject_ir launch_func plugin".split()


def definitions():
    """{mnemonic: what its definition says of itself}"""
    out = {}
    for path in sorted((DIALECT / "IR").glob("*.td")):
        text = path.read_text()
        bases = {m[1]: m[2] for m in re.finditer(r"^class (TileAA_\w+)<.*?\n(.*?)^\}", text, re.M | re.S)}
        for m in re.finditer(r"^def TileAA_\w+Op : (\w+)<\"([\w.]+)\"(.*?)(?:;\n|^\}\n)", text, re.M | re.S):
            out[m[2]] = m[0] + bases.get(m[1], "")
    return out


def tests():
    """(text of all tests that pass, text of all tests of refusals)"""
    good = bad = ""
    for path in sorted(ROOT.glob("tileiras/**/test/*.mlir")):
        for part in path.read_text().split("// -----"):
            if "expected-error" in part:
                bad += part
            else:
                good += part
    return good, bad


def mentioned(name, text, prefix="nv_tileaa."):
    return re.search(re.escape(prefix + name) + r"(?![\w.])", text) is not None


def fate(name):
    if name in REFUSED:
        return "refused by name"
    if name in QUEUES:
        return "`tileas-queue-to-pipeline`"
    if name in EXPANDED:
        return "`tileaa-expand-ops`"
    if name in ("func", "return"):
        return "`convert-nv-tile-func-to-llvm`"
    return "`convert-nv-tileas-to-llvm`"


def tables():
    problems = []
    defined = definitions()
    good, bad = tests()
    lines = ["| operation | verifier | folds, canonicalisation | ranges | lowered by |", "|---|---|---|---|---|"]
    for name in sorted(OPERATIONS):
        text = defined.get(name)
        if text is None:
            problems.append(f"{name}: not defined")
            continue
        verifier = "hasVerifier" in text or "hasRegionVerifier" in text or "SymbolUserOpInterface" in text
        folds = [word for word, key in (("fold", "hasFolder"), ("patterns", "hasCanonicalizer")) if key in text]
        if not mentioned(name, good):
            problems.append(f"{name}: no test shows it")
        if verifier and not mentioned(name, bad):
            problems.append(f"{name}: has a verifier, and no test shows it refused")
        lines.append(f"| `{name}` | {'yes' if verifier else 'types only'} | {', '.join(folds) or '–'} | {'yes' if 'TileAA_Ranges' in text else '–'} | {fate(name)} |")
    extra = sorted(set(defined) - set(OPERATIONS))
    lines += ["", f"Beside the roster, because the public dialect needs them: {', '.join(f'`{n}`' for n in extra)}.", ""]
    source = "".join(path.read_text() for path in (DIALECT / "IR").glob("*.td"))
    for what, names, sigil in (("types", TYPES, "!"), ("attributes", ATTRIBUTES, "#")):
        for name in names:  # memref and padding_value are printed inside other types, without prefix
            if f'"{name}"' not in source:
                problems.append(f"{sigil}nv_tileaa.{name}: not defined")
            elif not (mentioned(name, good, sigil + "nv_tileaa.") or f"<{name}" in good or name in ("memref", "padding_value")):
                problems.append(f"{sigil}nv_tileaa.{name}: no test shows it")
        lines.append(f"{what.capitalize()}: {', '.join(f'`{sigil}nv_tileaa.{n}`' for n in names)}. ")
    return "\n".join(lines) + "\n", problems


def main():
    text, problems = tables()
    if sys.argv[1:2] == ["--write"]:
        pathlib.Path(sys.argv[2]).write_text("# nv_tileaa: the roster\n\n" + text)
    for problem in problems:
        print(problem)
    print(f"{len(OPERATIONS)} operations, {len(TYPES)} types, {len(ATTRIBUTES)} attributes; {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

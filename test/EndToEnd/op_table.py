# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The public operations with the element types the specification gives them, one row per operation, as cases that can be run.

For each operation and each element type there are the modes of the operation if the type is allowed, else one case that the verifier
must refuse. Classes of types carry the names of the operation tables of the dialect reference.
"""

from op_builder import NONE, SIZE, TYPES, Case, tile
import op_table_arith
import op_table_core
import op_table_memory


def cases():
    result = op_table_arith.cases() + op_table_core.cases() + op_table_memory.cases()
    names = [c.name for c in result]
    twice = {n for n in names if names.count(n) > 1} if len(set(names)) != len(names) else ()
    if twice:
        raise ValueError(f"cases of one name: {sorted(twice)[:5]}")
    return result

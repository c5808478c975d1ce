# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far results of functions may lie from the exact ones, in units in the last place."""


def tolerance(op, t, mode):
    """In tileiras-run's notation, for a comparison with the reference (which is exact within half a unit)."""
    if "approx" in mode or "full" in mode:
        return "rel:1e-5,abs:1e-37"
    if op in ("sqrt", "divf"):
        return "exact"
    return "ulp:3" if op == "tan" and t in ("f32", "f64") else "ulp:2" if t in ("f32", "f64") else "ulp:1"

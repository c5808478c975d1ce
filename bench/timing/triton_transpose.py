# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A transposition in Triton, for scripts/timing_table.py."""

import triton
import triton.language as tl


@triton.jit
def transpose(x, y, m, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(x + i[:, None] * n + j[None, :])
    tl.store(y + j[:, None] * m + i[None, :], tl.trans(v))

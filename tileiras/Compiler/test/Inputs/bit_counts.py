# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers for bit_counts.mlir, and what numpy and Python make of them. usage: bit_counts.py PREFIX"""

import sys

import numpy as np

random = np.random.default_rng(5)
x = (random.integers(0, 2**32, 256, dtype=np.uint64) >> random.integers(0, 33, 256, dtype=np.uint64)).astype(np.uint32)
x[:4] = 0, 1, 0x80000000, 0xFFFFFFFF
f = random.normal(0, 1000, 256).astype(np.float32)
f[:6] = 0.5, -0.5, 8388609, -3.0, np.inf, 1e30
arrays = {
    "x": x.view(np.int32),
    "f": f,
    "lz": np.array([32 - int(v).bit_length() for v in x], np.int32),
    "tz": np.array([32 if v == 0 else (int(v) & -int(v)).bit_length() - 1 for v in x], np.int32),
    "pc": np.array([int(v).bit_count() for v in x], np.int32),
    "tr": np.trunc(f),
}
for name, array in arrays.items():
    np.save(f"{sys.argv[1]}.{name}.npy", array)

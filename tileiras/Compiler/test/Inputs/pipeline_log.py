# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs pipeline_log.mlir, and its PTX with one wait or arrival broken at a time, for trip counts around its three stages.

usage: pipeline_log.py MODULE PTX
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np


def run(kernel, rows, step, folder, schedules=6):
    """(exit status, what was said, the log)."""
    x = np.arange(16 * 64, dtype=np.float32).reshape(16, 64) + 1
    executed = np.zeros(16, bool)
    executed[0:rows:step] = True
    y = np.where(executed[:, None], x, np.float32(0))
    np.save(folder / "x.npy", x)
    np.save(folder / "y.npy", y)
    np.save(folder / "log.npy", np.concatenate([executed, executed]).astype(np.int32))
    command = ["tileiras-run", str(kernel), "--gpu-name=sm_90", "--check-races", f"--schedules={schedules}", "--grid=1"]
    command += ["--block=128"] if kernel.suffix == ".ptx" else []
    result = subprocess.run([*command, f"x:f32[16x64]={folder}/x.npy", f"out:y:f32[16x64]{{expect={folder}/y.npy}}=zeros",
                             f"out:log:i32[32]{{expect={folder}/log.npy}}=zeros", f"i32={rows}", f"i32={step}"],
                            capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


WAIT = r"mbarrier\.t\w+_wait\.parity\.shared\.b64 done, [^;]*;"
# What is broken: the place of the text, counted from its end, and what stands there instead. The last wait is for an empty
# stage, the one before it for a full one; the kernel's warps meet nowhere else in the loop.
FAULTS = {
    "full not awaited": (WAIT, 2, "setp.eq.u32 done, 0, 0;"),
    "empty not awaited": (WAIT, 1, "setp.eq.u32 done, 0, 0;"),
    "a stage is never given back": (r"@one mbarrier\.arrive\.shared\.b64[^;]*;", 1, ""),
}


def main():
    module, ptx = map(pathlib.Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for rows, step in [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (11, 1), (1, 3), (4, 3), (7, 3), (15, 3)]:
            code, output = run(module, rows, step, folder)
            if code:
                sys.exit(f"{rows} rows in steps of {step}: {output}")
        text = ptx.read_text()
        for kind, (pattern, number, replacement) in FAULTS.items():
            place = list(re.finditer(pattern, text))[-number]
            path = folder / "broken.ptx"
            path.write_text(text[:place.start()] + replacement + text[place.end():])
            code, output = run(path, 11, 1, folder)
            if not code:
                sys.exit(f"fault '{kind}': not noticed")


main()

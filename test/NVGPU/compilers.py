# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From MLIR text to PTX: with this project's tools, or with upstream's mlir-opt to see what it makes of the same kernels."""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import targets  # noqa: E402

TIMEOUT_S = 120


def run(command, text=None):
    try:
        done = subprocess.run(command, input=text and text.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=TIMEOUT_S)
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return -1, "", f"timeout after {TIMEOUT_S} s\n"


class Ours:
    """tileiras, which takes a gpu.module down to PTX for a target."""

    def __init__(self, build):
        self.tool = str(pathlib.Path(build) / "bin" / "tileiras")
        self.opt_level = 3

    def compile(self, body, target):
        code, out, err = run([self.tool, "--emit=ptx", f"--gpu-name={target}", f"--opt-level={self.opt_level}", "-"],
                             f"gpu.module @m {{\n{body}}}\n")
        return (out, err) if code == 0 else (None, err or f"exit status {code}")

    def convert(self, module):
        """Host code after convert-nvgpu-to-nvvm: the module's operations."""
        code, out, err = run([self.tool + "-opt", "--mlir-print-op-on-diagnostic=false", "--convert-nvgpu-to-nvvm",
                              "--reconcile-unrealized-casts"], module)
        found = re.fullmatch(r"module \{\n(.*)\}\s*", out, re.S)
        return (found[1], err) if code == 0 and found else (None, err or out)

    def verify(self, body, target):
        """All the errors of the check that stands before the conversion."""
        pipeline = f"builtin.module(gpu.module(nvgpu-verify-target{{chip={target}}}))"
        code, out, err = run([self.tool + "-opt", "--mlir-print-op-on-diagnostic=false", "--pass-pipeline=" + pipeline],
                             f"gpu.module @m {{\n{body}}}\n")
        return (out, err) if code == 0 else (None, err)


class Upstream:
    """mlir-opt with the passes upstream has, in the order its own GPU pipeline uses them."""
    PIPELINE = ("builtin.module(gpu.module(convert-nvgpu-to-nvvm,convert-vector-to-scf,convert-scf-to-cf,expand-strided-metadata,"
                "lower-affine,convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true has-redux=true}),convert-nvvm-to-llvm,"
                "convert-vector-to-llvm,gpu.module(convert-index-to-llvm,convert-arith-to-llvm,convert-math-to-llvm,convert-ub-to-llvm),finalize-memref-to-llvm,"
                "convert-cf-to-llvm,convert-nvvm-to-llvm,reconcile-unrealized-casts,gpu-module-to-binary{format=isa})")

    def __init__(self, mlir_opt):
        self.mlir_opt = mlir_opt

    def compile(self, body, target):
        text = (f'module attributes {{gpu.container_module}} {{\n'
                f'gpu.module @m [#nvvm.target<chip="{target}", features="+ptx90">] {{\n{body}}}\n}}\n')
        code, out, err = run([self.mlir_opt, "--mlir-print-op-on-diagnostic=false", "--pass-pipeline=" + self.PIPELINE], text)
        found = re.search(r'assembly = "((?:[^"\\]|\\.)*)"', out)
        if code or not found:
            return None, err or f"exit status {code}"
        ptx = re.sub(r"\\([0-9A-Fa-f]{2})", lambda m: chr(int(m[1], 16)), found[1])
        return ptx.replace('\\"', '"').replace("\\\\", "\\").rstrip("\0"), err


def assemble(ptxas, ptx, target, path):
    path.write_text(ptx)
    code, out, err = run([ptxas, f"-arch={target}", str(path), "-o", "/dev/null"])
    return None if code == 0 else (err or out or f"ptxas: exit status {code}")


def capability_known(ptxas, target):
    """Whether this ptxas still knows a target: CUDA 13 dropped what came before sm_75."""
    return target in targets.known_to(ptxas)

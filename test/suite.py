# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The one lit suite: every .mlir/.test/.ptx file with RUN lines in a folder named `test`, anywhere in the tree.

Tests stand beside the code they test (tileiras/**/test) or, when they cross rooms, in /test. The suite is
configured by <build>/test/lit.site.cfg.py (this file is not called lit.cfg.py: lit would take the folder for a suite of
its own), so one test is run with
    lit -v build/test/tileiras/Dialect/CudaTile/test/ops.mlir
"""

import os
import shutil
import sys

import lit.formats

config.name = "open-tileiras"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".ptx"]
config.test_source_root = config.tileiras_source
config.test_exec_root = os.path.join(config.tileiras_build, "test")

# Only folders named `test` hold tests; the rest of the tree is not worth walking.
config.excludes = ["Inputs", "examples", "bench", "docs", "cmake", "scripts", "unittests", "shared", "tools", ".git", "Mutation"]
config.excludes += [d for d in os.listdir(config.tileiras_source) if d.startswith("build")]

path = [os.path.join(config.tileiras_build, "bin"), config.llvm_tools, os.environ.get("PATH", "")]
config.environment["PATH"] = os.pathsep.join(path)
for variable in ("HOME", "TMPDIR", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]

# A CUDA toolkit is optional: tests that need one say REQUIRES: ptxas or REQUIRES: libdevice.
toolkits = ["/usr/local/cuda", "/opt/cuda"] + [os.environ[v] for v in ("CUDA_HOME", "CUDA_PATH") if v in os.environ]
ptxas = shutil.which("ptxas") or next(
    (p for p in (os.path.join(t, "bin", "ptxas") for t in toolkits) if os.access(p, os.X_OK)), None)
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
if any(os.path.exists(os.path.join(t, "nvvm", "libdevice", "libdevice.10.bc")) for t in toolkits):
    config.available_features.add("libdevice")

clang_format = shutil.which("clang-format-22") or os.path.join(config.llvm_tools, "clang-format")
if os.access(clang_format, os.X_OK):
    config.available_features.add("clang-format-22")
    config.substitutions.append(("%clang-format-22", clang_format))

# Large pages are asked for by the allocator, if there is one, and if the kernel was built with them.
if all(p and not p.endswith("NOTFOUND") for p in config.allocator) and os.path.exists("/sys/kernel/mm/transparent_hugepage"):
    config.available_features.add("huge-pages")

config.substitutions.append(("%source", config.tileiras_source))
config.substitutions.append(("%examples", os.path.join(config.tileiras_source, "examples")))
config.substitutions.append(("%python", sys.executable))
# %{exits} N COMMAND...: succeeds when the command exits with exactly N.
config.substitutions.append(
    ("%{exits}", f"{sys.executable} {os.path.join(config.tileiras_source, 'test', 'exits.py')}"))

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: exits.py N COMMAND...: succeeds when the command exits with exactly N. `not` would take a crash for a no."""

import subprocess
import sys

code = subprocess.run(sys.argv[2:]).returncode
if code != int(sys.argv[1]):
    sys.exit(f"expected exit code {sys.argv[1]}, got {code}: {' '.join(sys.argv[2:])}")

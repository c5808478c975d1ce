# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: flags_of_memory.py FLAG SECONDS COMMAND...: whether a program that waits for its standard input has, within so many seconds, a range of memory with this flag (VmFlags
of /proc/PID/smaps)."""

import re
import subprocess
import sys
import time

flag, seconds, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
program = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
found, deadline = False, time.monotonic() + seconds
while not found and time.monotonic() < deadline:
    time.sleep(0.05)
    with open(f"/proc/{program.pid}/smaps") as ranges:
        found = any(flag in line.split() for line in ranges if re.match("VmFlags:", line))
program.stdin.close()
program.wait()
print("found" if found else f"no range with the flag {flag}")
sys.exit(not found)

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels under test: executed beside the reference, their PTX assembled, and their PTX with something wrong executed."""

import pathlib
import re

from run import run, targets

TIMINGS = ("early", "late", "random")


class Bench:
    """Compiles and runs kernels in a folder. full: more schedules, and every timing."""

    def __init__(self, build, ptxas, folder, full=False):
        self.tool, self.ptxas = pathlib.Path(build).resolve() / "bin/tileiras-run", ptxas
        self.folder, self.full = pathlib.Path(folder), full

    def path(self, name, suffix):
        """A file of a case: names have spaces, and may have slashes and dots."""
        return self.folder / (re.sub(r"[ /]", "-", name) + suffix)

    def source(self, name, case):
        path = self.path(name, ".mlir")
        path.write_text(case.text)
        return path

    @staticmethod
    def launch(case):
        return [f"--entry={case.entry}", "--grid=" + ",".join(map(str, case.grid)), "--threads=1", *case.args]

    def compare(self, name, case, target, *options, prefix=(), timings=TIMINGS, schedules=None):
        """Runs the kernel on the emulator, checked, under several schedules, and compares with the reference. Returns what is wrong,
        or None, and the PTX."""
        ptx = self.path(name, ".ptx")
        schedules = schedules or (16 if self.full else 2)
        for number, timing in enumerate(timings):
            command = [*prefix, str(self.tool), str(self.source(name, case)), "--engine=reference,emulator", "--check", f"--gpu-name={target}",
                       f"--tolerance={case.within(target)}", f"--save-ptx={ptx}", f"--async={timing}", f"--schedules={schedules}", f"--seed={number + 1}",
                       *options, *self.launch(case)]
            code, output = run(command)
            if code:
                return f"{' '.join(command)}\nexit status {code}\n{output}", None
        return None, ptx.read_text()

    def assemble(self, name, target, complains=lambda output: False):
        """What ptxas has against the PTX of `compare`: an error, a warning, or what `complains` finds in its statistics. None without
        a ptxas that knows the target."""
        if not self.ptxas or not targets.can_assemble(self.ptxas, target):
            return None
        code, output = run([self.ptxas, "-v", f"-arch={targets.compiled_as(target)}", str(self.path(name, ".ptx")), "-o", str(self.path(name, ".cubin"))])
        return f"ptxas: {output}" if code or "warning" in output.lower() or complains(output) else None

    def compile(self, name, case, target, *options, prefix=()):
        """The kernel's PTX, which runs; or None. And what was printed."""
        ptx = self.path(name, ".ptx")
        code, output = run([*prefix, str(self.tool), str(self.source(name, case)), "--engine=emulator", f"--gpu-name={target}", f"--save-ptx={ptx}",
                            *options, *self.launch(case)])
        return (None, output) if code else (ptx.read_text(), output)

    def noticed(self, name, ptx, why, *arguments, timings=("late", "early", "random"), schedules=4, wrong=lambda code: code == 6):
        """Runs PTX that is wrong. None if a run is reported (or ends as `wrong` says of its exit status), else that none was."""
        path = self.path(name, ".ptx")
        path.write_text(ptx)
        for timing in timings:
            code, output = run([str(self.tool), str(path), "--engine=emulator", "--check-races", f"--async={timing}", f"--schedules={schedules}", *arguments])
            if wrong(code):
                return None
        return f"not reported: {why}\n{output}"

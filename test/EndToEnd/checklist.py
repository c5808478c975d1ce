# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the checklists of this folder have in common: loops of PTX, machine code, and how counts become a suite.

A count is (what, got, wanted). Whoever counts is a generator of them.
"""

import dataclasses
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "test" / "EndToEnd"), str(ROOT / "test")]
import inner_loop  # noqa: E402
from harness import basic_arguments, conclude, find_ptxas, run_all  # noqa: E402

# What an entry of the table of tensor maps says if it is ready and not ours: with this in the place of the look nobody
# finds a map. Pattern and replacement, as those of planted faults.
LOOK = r"ld\.acquire\.gpu\.global\.b64\s+(%rd\d+), \[(%rd\d+)\];"
NO_MAPS = (LOOK, r"mov.b64 \1, 4;")


@dataclasses.dataclass
class Tools:
    compiler: pathlib.Path
    runner: pathlib.Path
    ptxas: str
    nvdisasm: str
    folder: str
    verbose: bool

    def see_machine_code(self):
        return bool(self.ptxas and self.nvdisasm)


def run(words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def loops(ptx):
    """The innermost loops, as lists of lines: from a label to a branch back to it, with no such loop inside."""
    lines = [line.strip() for line in ptx.splitlines()]
    labels = {line[:-1]: i for i, line in enumerate(lines) if re.fullmatch(r"\$L\w+:", line)}
    found = []
    for end, line in enumerate(lines):
        back = re.match(r"(?:@!?%p\d+ )?bra(?:\.uni)?\s+(\$L\w+);", line)
        if back and labels.get(back[1], end) < end:
            start = labels[back[1]]
            if "ret;" not in lines[start:end]:  # the kernel's end may stand before those who go there
                found.append((start, end))
    return [lines[a:b + 1] for a, b in found]


def loop_with(ptx, text):
    """The smallest loop in which `text` stands."""
    return min((loop for loop in loops(ptx) if any(text in line for line in loop)), key=len, default=[])


def count(lines, pattern):
    return sum(len(re.findall(pattern, line)) for line in lines)


def assembled(tools, ptx, target, warnings=r"warning.*|C75\d\d"):
    """Counts of what ptxas says of the file `ptx`; and the instructions of the inner loop and of the whole kernel, as pairs of
    name and operands."""
    cubin = ptx.with_suffix(".cubin")
    code, said = run([tools.ptxas, "-v", f"-arch={target}", ptx, "-o", cubin])
    counts = [("ptxas", code, 0), ("warnings", re.findall(warnings, said), []),
              ("spilled bytes", sum(map(int, re.findall(r"(\d+) bytes spill", said))), 0)]
    (_, body), *_ = inner_loop.functions(run([tools.nvdisasm, "-c", cubin])[1])
    return counts, inner_loop.instructions_of(body)


def verdict(name, counts, tools):
    """What is wrong, or None."""
    counts = list(counts)
    if tools.verbose:
        for what, got, _ in counts:
            print(f"  {name}: {what}: {got}")
    return "\n".join(f"{what}: {got}, expected {wanted}" for what, got, wanted in counts if got != wanted) or None


def unnoticed(text, changes, counted):
    """The first of `changes`, {what: (pattern, replacement)}, that `counted` of the changed text does not notice; or None."""
    for what, (pattern, replacement) in changes.items():
        changed, times = re.subn(pattern, replacement, text)
        if not times or not any(one == what and got != wanted for one, got, wanted in counted(changed)):
            return what
    return None


def main(title, work_of, planted, not_yet):
    """Runs the pairs (name, check) of `work_of(tools)`, then `planted(folder)`, which looks at what they have left there."""
    parser = basic_arguments()
    parser.add_argument("--keep", help="where PTX and machine code stay")
    args = parser.parse_args()
    build = pathlib.Path(args.build).resolve() / "bin"
    with tempfile.TemporaryDirectory(prefix=f"tileiras-{title}-") as folder:
        if args.keep:
            folder = args.keep
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        tools = Tools(build / "tileiras", build / "tileiras-run", find_ptxas(), inner_loop.find_nvdisasm(), folder, args.v)
        if not tools.see_machine_code():
            print(f"{title} checklist: no ptxas or no nvdisasm: PTX only")
        passed, failures, times = run_all(list(work_of(tools)), args.jobs, args.v)
        more, wrong, last = run_all([("planted", lambda: planted(folder))], 1, args.v)
        passed, failures, times = passed + more, failures + wrong, times + last
    print(f"not yet: {not_yet}")
    return conclude(f"{title} checklist:", passed, failures, times, args.report)

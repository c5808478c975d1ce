# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every kernel once more without one of its synchronising operations. The emulator must report each, or the result be wrong,
unless the operation is one the kernel can do without."""

import dataclasses
import re

# Lines without results that order, wait, signal or announce.
DROPPED = re.compile(r"^ *(gpu\.barrier|nvgpu\.device_async_wait|nvgpu\.mbarrier\.(init|arrive\.expect_tx|try_wait\.parity|inval)|"
                     r"nvvm\.fence[\w.]*|nvvm\.cp\.async\.bulk\.[\w.]+|nvvm\.bar\.warp\.sync|nvvm\.cluster\.\w+|"
                     r"nvgpu\.tma\.fence\.descriptor|nvgpu\.tensormap\.publish)\b[^\n]*$", re.M)
GROUP = re.compile(r"^ *(%\w+) = (nvgpu\.device_async_create_group) (%\w+)[^\n]*$", re.M)

# Operations a kernel can do without: kernel and number of the operation, and why.
HARMLESS = [
    (r"barrier_group_without_[02]", "barriers of the group that nobody uses"),
    (r"barrier_count_65_without_2|barrier_nocomplete_65_without_3|barrier_expect_(all|q)_without_3",
     "the phase never completes, whenever one looks"),
    (r"barrier_expect_(all|q|never)_without_2", "an arrival less also keeps the phase open; and nobody expects anything"),
    (r"barrier_nocomplete_6[45]_without_2", "every warp's last arrival is one that may complete the phase"),
    (r"barrier_phases_without_2", "the wait for the phase before the first returns at once"),
    (r"(load|store|reduce)_never_without_\d", "nothing is copied"),
    (r"fence_map_without_3", "the host made the map"),
    (r"load_multicast_without_2", "the barrier of the cluster orders as well"),
    (r"dynamic_and_static_without_0", "the barrier after it orders both kinds of memory"),
    (r"inval(_predicated)?_without_1", "one thread makes the barrier and takes it away again"),
    (r"tensormap_\w+_without_2", "one warp, which a warp barrier orders later"),
]


def harmless(name):
    return any(re.fullmatch(pattern, name) for pattern, _ in HARMLESS)


def mutants(case):
    """(the operation that is missing, the kernel without it)."""
    found = []
    for match in DROPPED.finditer(case.text):
        found.append((match[1], case.text[:match.start()] + case.text[match.end():]))
    for match in GROUP.finditer(case.text):
        text = case.text[:match.start()] + case.text[match.end():]
        found.append((match[2], re.sub(re.escape(match[1]) + r"\b", match[3], text)))
    for number, (op, text) in enumerate(found):
        name = f"{case.name}_without_{number}"
        text = re.sub(rf"@{case.name}\(", f"@{name}(", text)
        yield op, dataclasses.replace(case, name=name, text=text)

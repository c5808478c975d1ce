# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvgpu.device_async_copy, device_async_create_group, device_async_wait: cp.async and its groups."""

from case import SM80, Case, kernel
from formats import Random, pack

SHARED = "memref<{n}x{t}, 3>"


def copy_kernel(name, element, elements, attributes="", source_elements=None, guard="nvgpu.device_async_wait %g",
                index="%i", alignment=16):
    """Every thread copies `elements` elements from %src to shared memory and, after the wait, on to %dst."""
    n = 32 * elements
    size = f", %n{attributes}" if source_elements else attributes
    extra = ", %n: index" if source_elements else ""
    return kernel(name, f"%src: memref<{n}x{element}>, %dst: memref<{n}x{element}>{extra}", f"""
        %e = arith.constant {elements} : index
        %i = arith.muli %t, %e : index
        %0 = nvgpu.device_async_copy %src[%i], %s[{index}], {elements}{size} : memref<{n}x{element}> to memref<{n}x{element}, 3>
        %g = nvgpu.device_async_create_group %0
        {guard}
        %v = vector.load %s[%i] : memref<{n}x{element}, 3>, vector<{elements}x{element}>
        vector.store %v, %dst[%i] : memref<{n}x{element}>, vector<{elements}x{element}>""",
                  workgroup=f"%s: memref<{n}x{element}, 3> {{llvm.align = {alignment} : i64}}")


def cases():
    rows = []
    random = Random(1)
    # Sizes of 4, 8 and 16 bytes; .cg exists for 16 only (PTX ISA, cp.async).
    for element, width, elements, attributes, modifier, size in (
            ("f32", 4, 1, "", "ca", 4), ("f32", 4, 2, "", "ca", 8), ("f32", 4, 4, "", "ca", 16),
            ("f32", 4, 4, " {bypassL1}", "cg", 16), ("f16", 2, 2, "", "ca", 4), ("f16", 2, 8, " {bypassL1}", "cg", 16),
            ("i8", 1, 16, " {bypassL1}", "cg", 16), ("i8", 1, 4, "", "ca", 4), ("f64", 8, 1, "", "ca", 8),
            ("f64", 8, 2, " {bypassL1}", "cg", 16)):
        data = random.bytes(32 * size)
        name = f"copy_{element}_{elements}_{modifier}"
        rows.append(Case("nvgpu.device_async_copy", name, copy_kernel(name, element, elements, attributes), SM80,
                         args=[bytearray(data), (bytearray(len(data)), "out")], expect={1: data},
                         ptx=(rf"cp\.async\.{modifier}\.shared\.global \[%\w+(\+\d+)?\], \[%\w+(\+\d+)?\], {size};",
                              r"cp\.async\.commit_group;", r"cp\.async\.wait_group\s+0;")))
    # A run-time element count: the rest of the destination is written with zeros, the source beyond it not read.
    for count in (0, 1, 3, 4):
        for attributes, modifier in (("", "ca"), (" {bypassL1}", "cg")):
            data = random.bytes(32 * 16)
            name = f"copy_predicated_{modifier}_{count}"
            want = b"".join(data[16 * i:16 * i + 4 * count] + bytes(16 - 4 * count) for i in range(32))
            rows.append(Case("nvgpu.device_async_copy", name, copy_kernel(name, "f32", 4, attributes, source_elements=True),
                             SM80, args=[bytearray(data), (bytearray(512), "out"), pack([count], 8)], expect={1: want},
                             ptx=(rf"cp\.async\.{modifier}\.shared\.global \[%\w+(\+\d+)?\], \[%\w+(\+\d+)?\], 16, %\w+;",)))
    # Two groups, waited for one after the other: with numGroups = 1 the first has landed and the second need not have.
    data = random.bytes(1024)
    two_groups = """
        %i = arith.muli %t, %c4 : index
        %0 = nvgpu.device_async_copy %src[%c0, %i], %s[%c0, %i], 4 : memref<2x128xf32> to memref<2x128xf32, 3>
        %g0 = nvgpu.device_async_create_group %0
        %1 = nvgpu.device_async_copy %src[%c1, %i], %s[%c1, %i], 4 : memref<2x128xf32> to memref<2x128xf32, 3>
        %g1 = nvgpu.device_async_create_group %1
        nvgpu.device_async_wait %g0 {{numGroups = {first} : i32}}
        %v0 = vector.load %s[%c0, %i] : memref<2x128xf32, 3>, vector<4xf32>
        vector.store %v0, %dst[%c0, %i] : memref<2x128xf32>, vector<4xf32>
        {second}
        %v1 = vector.load %s[%c1, %i] : memref<2x128xf32, 3>, vector<4xf32>
        vector.store %v1, %dst[%c1, %i] : memref<2x128xf32>, vector<4xf32>"""
    params = "%src: memref<2x128xf32>, %dst: memref<2x128xf32>"
    shared = "%s: memref<2x128xf32, 3> {llvm.align = 16 : i64}"
    for row, name in (("nvgpu.device_async_wait", "wait_groups"), ("nvgpu.device_async_create_group", "create_groups")):
        rows.append(Case(row, name, kernel(name, params, two_groups.format(first=1, second="nvgpu.device_async_wait %g1"),
                                           workgroup=shared),
                         SM80, args=[bytearray(data), (bytearray(1024), "out")], expect={1: data},
                         ptx=(r"cp\.async\.commit_group;", r"cp\.async\.wait_group\s+1;", r"cp\.async\.wait_group\s+0;")))
    # One group of two copies.
    rows.append(Case("nvgpu.device_async_create_group", "group_of_two", kernel("group_of_two", params, """
        %i = arith.muli %t, %c4 : index
        %0 = nvgpu.device_async_copy %src[%c0, %i], %s[%c0, %i], 4 : memref<2x128xf32> to memref<2x128xf32, 3>
        %1 = nvgpu.device_async_copy %src[%c1, %i], %s[%c1, %i], 4 : memref<2x128xf32> to memref<2x128xf32, 3>
        %g = nvgpu.device_async_create_group %0, %1
        nvgpu.device_async_wait %g
        %v0 = vector.load %s[%c0, %i] : memref<2x128xf32, 3>, vector<4xf32>
        vector.store %v0, %dst[%c0, %i] : memref<2x128xf32>, vector<4xf32>
        %v1 = vector.load %s[%c1, %i] : memref<2x128xf32, 3>, vector<4xf32>
        vector.store %v1, %dst[%c1, %i] : memref<2x128xf32>, vector<4xf32>""", workgroup=shared),
                     SM80, args=[bytearray(data), (bytearray(1024), "out")], expect={1: data},
                     ptx=(r"cp\.async\.commit_group;", r"cp\.async\.wait_group\s+0;")))

    # Shared memory by gpu's name for it.
    text = copy_kernel("copy_workgroup", "f32", 4, " {bypassL1}").replace(", 3>", ", #gpu.address_space<workgroup>>")
    rows.append(Case("nvgpu.device_async_copy", "copy_workgroup", text, SM80,
                     args=[bytearray(data[:512]), (bytearray(512), "out")], expect={1: data[:512]},
                     ptx=(r"cp\.async\.cg\.shared\.global",)))

    # Planted: no wait; a group nobody made; a group too many left in flight; the neighbour's data without a barrier.
    def planted(name, text, reports):
        size = 1024 if "2x128" in text else 512
        rows.append(Case("nvgpu.device_async_wait", name, text, SM80,
                         args=[bytearray(data[:size]), (bytearray(size), "out")], reports=reports))

    planted("no_wait", copy_kernel("no_wait", "f32", 4, guard=""), ("async",))
    planted("wait_for_less", copy_kernel("wait_for_less", "f32", 4, guard="nvgpu.device_async_wait %g {numGroups = 1 : i32}"),
            ("async",))
    planted("group_left", kernel("group_left", params, two_groups.format(first=2, second="nvgpu.device_async_wait %g1"),
                                 workgroup=shared), ("async",))
    planted("second_not_waited", kernel("second_not_waited", params, two_groups.format(first=1, second=""), workgroup=shared),
            ("async",))
    neighbour = copy_kernel("no_barrier", "f32", 4).replace("%v = vector.load %s[%i]", """%x4 = arith.constant 4 : index
        %x127 = arith.constant 127 : index
        %far = arith.xori %i, %x4 : index
        %v = vector.load %s[%far]""")
    planted("no_barrier", neighbour, ("async", "race"))
    text = copy_kernel("no_group", "f32", 4).replace("%g = nvgpu.device_async_create_group %0\n", "\n").replace(
        "nvgpu.device_async_wait %g", "nvgpu.device_async_wait %0")
    rows.append(Case("nvgpu.device_async_create_group", "no_group", text, SM80,
                     args=[bytearray(data[:512]), (bytearray(512), "out")], reports=("async",)))
    planted("misplaced", copy_kernel("misplaced", "f32", 4, index="%t"), ("misaligned",))
    return rows

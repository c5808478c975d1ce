#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of the documented driver and runtime API, against what libcuda.so.1 and libcudart.so of ours have.

  device_table.py --update      writes tileiras/Device/Driver.def and Runtime.def: names for the per-thread default
                                stream, and functions that fail by name
  device_table.py --write FILE  writes a table of every function: done, partial, refused
  device_table.py --check       fails if a function of cuda.h or cuda_runtime_api.h is neither done nor refused

Reads the headers of a CUDA toolkit (CUDA_HOME, or where nvcc is); without one, --check says so and succeeds.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEVICE = ROOT / "tileiras" / "Device"
# Done, but not all of it; with what is missing.
PARTIAL = {
    "cuModuleLoadData": "needs PTX in the image", "cuModuleLoadDataEx": "needs PTX in the image; options are ignored",
    "cuModuleLoadFatBinary": "needs PTX in the image", "cuLibraryLoadData": "needs PTX in the image; options are ignored",
    "cuLinkAddData_v2": "PTX only", "cuLinkAddFile_v2": "PTX only",
    "cuStreamWaitValue32_v2": "what is waited for must have been submitted before",
    "cuStreamWaitValue64_v2": "what is waited for must have been submitted before",
    "cuCtxCreate_v4": "no execution affinity", "cuFuncGetAttribute": "registers are an estimate",
    "cuDevicePrimaryCtxReset_v2": "clears errors; memory and modules stay",
    "cuStreamAddCallback": "called at once", "cuLaunchHostFunc": "called at once",
    "cudaDeviceReset": "clears errors; memory and modules stay", "cudaStreamAddCallback": "called at once",
    "cudaLaunchHostFunc": "called at once",
    "cuTexObjectCreate": "no anisotropy, seamless cubes, block-compressed and planar formats", "cuArray3DCreate_v2": "no sparse, depth and planar arrays",
    "cudaCreateTextureObject": "no anisotropy, seamless cubes, block-compressed and planar formats",
}


def toolkit():
    for place in [os.environ.get("CUDA_HOME"), "/usr/local/cuda"]:
        if place and (pathlib.Path(place) / "include" / "cuda.h").exists():
            return pathlib.Path(place) / "include"
    nvcc = shutil.which("nvcc")
    include = nvcc and pathlib.Path(nvcc).resolve().parent.parent / "include"
    return include if include and (include / "cuda.h").exists() else None


def declared(include, header, prefix, result, per_thread):
    """Functions that a header declares, under the names that a program links."""
    flags = ["-DCUDA_API_PER_THREAD_DEFAULT_STREAM"] if per_thread else []
    text = subprocess.run(["c++", "-E", "-P", "-x", "c++", *flags, f"-I{include}", "-"], input=f"#include <{header}>\n",
                          text=True, capture_output=True, check=True).stdout
    return sorted(set(re.findall(result + r"\s*(?:__stdcall\s+)?(" + prefix + r"[A-Z]\w+)\s*\(", text)))


def implemented(pattern):
    names = set()
    for file in DEVICE.glob("*.cpp"):
        text = file.read_text()
        names |= set(re.findall(pattern, text))
        for base in re.findall(r"TILEIRAS_COPY\((cu\w+),", text):
            names |= {base + "_v2", base + "Async_v2"}
        for bits in re.findall(r"TILEIRAS_FILL\((\d+),", text):
            names |= {f"cuMemsetD{bits}_v2", f"cuMemsetD{bits}Async", f"cuMemsetD2D{bits}_v2", f"cuMemsetD2D{bits}Async"}
        names |= set(re.findall(r"TILEIRAS_FORWARD\((cuda\w+),", text))
        for kind in re.findall(r"TILEIRAS_NODES\((\w+),", text):
            names |= {f"cuGraphAdd{kind}Node", *(f"cuGraph{exec}{kind}Node{verb}Params" for exec in ("", "Exec") for verb in ("Get", "Set"))}
            names -= {f"cuGraphExec{kind}NodeGetParams"}
        for suffix in re.findall(r"TILEIRAS_COPY_NODES\((\w*),", text):
            names |= {"cudaGraphAddMemcpyNode" + suffix, "cudaGraphMemcpyNodeSetParams" + suffix, "cudaGraphExecMemcpyNodeSetParams" + suffix}
    return {n for n in names if "#" not in n and n not in ("NAME", "NAME##_v2", "cuGraphAdd", "cuGraph", "cuGraphExec")}


APIS = [("Driver", "cuda.h", "cu", "CUresult", r"TILEIRAS_API (cu\w+)\("),
        ("Runtime", "cuda_runtime_api.h", "cuda", r"(?:cudaError_t|const char *\*|struct cudaChannelFormatDesc)",
         r"(?:TILEIRAS_RUNTIME|TILEIRAS_HIDDEN_API const char \*|\) cudaChannelFormatDesc) ?(cuda\w+)\(")]


def tables(include):
    for title, header, prefix, result, pattern in APIS:
        have = implemented(pattern)
        plain = declared(include, header, prefix, result, False)
        threads = declared(include, header, prefix, result, True)
        aliases = [(n, re.sub(r"_pts[zd]$|_ptds$", "", n)) for n in threads if re.search(r"_(ptsz|ptds)$", n)]
        aliases = [(a, b) for a, b in aliases if b in have or b in plain]
        yield title, header, have, plain, aliases


def structures(include):
    """What c++ says of our structures beside those of the headers: sizes, and places of members of the same name."""
    blocks = []
    for name in ("Abi.h", "Runtime.h", "RuntimeDevice.cpp", "RuntimeTexture.cpp"):
        text = (DEVICE / name).read_text()
        blocks += re.findall(r"^using (?:CU|cuda)\w+ = .*?;", text, re.MULTILINE)
        blocks += re.findall(r"^(?:struct|union) (?:CU|cuda|dim3)\w* \{.*?^\};", text, re.MULTILINE | re.DOTALL)
    lines = ["#include <cstddef>", "#include <cstdint>", "#include <cuda.h>", "#include <cuda_runtime_api.h>", "namespace ours {",
             "enum CUresult : int;", *blocks, "}"]
    for block in blocks:
        head = re.match(r"(?:struct|union) (\w+) \{\n(.*)^\};", block, re.MULTILINE | re.DOTALL)
        if not head:
            continue
        name, body = head.groups()
        theirs = f"::{name}"
        lines.append(f'static_assert(sizeof(ours::{name}) == sizeof({theirs}), "size of {name}");')
        # Declarations of the structure itself, two blanks deep; those of unions inside have their sizes to answer for them.
        for declaration in re.findall(r"^  (?! )[^{}]*?;", re.sub(r"\{[^{}]*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}[^{}]*)*\}", "", body), re.MULTILINE):
            for member in re.findall(r"(\w+)(?:\[[^\]]*\])*\s*(?=[,;])", declaration):
                if not re.match(r"reserved|pad|textures$", member):
                    lines.append(f'static_assert(offsetof(ours::{name}, {member}) == offsetof({theirs}, {member}), "{name}::{member}");')
    done = subprocess.run(["c++", "-x", "c++", "-std=c++20", "-fsyntax-only", "-Wno-invalid-offsetof", f"-I{include}", "-"],
                          input="\n".join(lines) + "\n", text=True, capture_output=True)
    return [line for line in done.stderr.splitlines() if "error" in line], sum("static_assert" in line for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for flag in ("update", "check"):
        parser.add_argument("--" + flag, action="store_true")
    parser.add_argument("--write", type=pathlib.Path)
    options = parser.parse_args()
    page = ["# The CUDA API on the emulator", "", "[device.md](../../docs/device.md) says how it behaves.", ""]
    include = toolkit()
    if not include:
        print("skipped: no CUDA toolkit (cuda.h)")
        return 0
    missing = []
    for title, header, have, plain, aliases in tables(include):
        refused = [n for n in plain if n not in have]
        if options.update:
            lines = [f"// {title}.def - written by scripts/device_table.py --update from the names that {header} declares."]
            lines += [f"TILEIRAS_ALIAS({a}, {b})" for a, b in aliases if a not in have]
            lines += [f"TILEIRAS_UNSUPPORTED({n})" for n in refused]
            (DEVICE / f"{title}.def").write_text("\n".join(lines) + "\n")
        done = [n for n in plain if n in have]
        page += [f"## {title} API", "", f"{len(done)} of {len(plain)} functions, {sum(n in PARTIAL for n in done)} of them in part.",
                 "", "| function | |", "|---|---|"]
        page += [f"| `{n}` | {'refused' if n not in have else 'partial: ' + PARTIAL[n] if n in PARTIAL else 'done'} |" for n in plain]
        page.append("")
        if options.check:
            text = (DEVICE / f"{title}.def").read_text()
            listed = set(re.findall(r"TILEIRAS_UNSUPPORTED\((\w+)\)", text)) | {a for a, _ in re.findall(r"TILEIRAS_ALIAS\((\w+), (\w+)\)", text)}
            missing += [n for n in plain if n not in have and n not in listed]
            missing += [f"{n} (both done and refused)" for n in plain if n in have and n in listed]
    if options.check:
        wrong, asserts = structures(include)
        for line in wrong:
            print(line)
        print(f"{asserts} sizes and places of structures compared with the headers")
        if wrong:
            return 1
    if options.write:
        options.write.write_text("\n".join(page))
    for n in missing:
        print(f"error: {n}: run scripts/device_table.py --update")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())

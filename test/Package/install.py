#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `cmake --install` installs: programs that run, man pages, completions, a library that CMake and pkg-config find, also when it is moved.

usage: install.py BUILD [--report FILE.json] [--deb]      --deb: also the Debian package (a minute)
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from suite import Suite

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNEL = """cuda_tile.module @m { entry @twice(%p: tile<ptr<f32>>) {
  %t = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
  %v = make_partition_view %t : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
  %0 = constant <i32: 0> : tile<i32>
  %x, %t0 = load_view_tko weak %v[%0] : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
  %y = addf %x, %x : tile<4xf32>
  %t1 = store_view_tko weak %y, %v[%0] : tile<4xf32>, partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> token
  return } }
"""


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        raise AssertionError(f"{command}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def complete(prefix, words):
    """What bash offers for the last of the words."""
    script = (f"source {prefix}/share/bash-completion/completions/{words[0]}; COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; "
              f"_{words[0].replace('-', '_')}; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
    return run("bash", "-c", script).split()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--report")
    parser.add_argument("--deb", action="store_true")
    args = parser.parse_args()
    suite = Suite(args.report)
    build = args.build.resolve()
    with tempfile.TemporaryDirectory(prefix="tileiras-install-") as scratch:
        folder = pathlib.Path(scratch)
        kernel = folder / "k.mlir"
        kernel.write_text(KERNEL)
        first, prefix = folder / "first", folder / "moved"
        with suite.case("install"):
            run("cmake", "--install", build, "--prefix", first)
            first.rename(prefix)
        bare = {"PATH": "/usr/bin:/bin", "HOME": scratch}
        with suite.case("the tools run where they are installed"):
            assert ".entry twice(" in run(prefix / "bin" / "tileiras", kernel, "--gpu-name=sm_90", "--emit=ptx", env=bare)
            assert "PASS" in run(prefix / "bin" / "tileiras-run", kernel, "--check", "--summary", "x:f32[4]=iota", env=bare)
            for tool in ("tileiras-opt", "cuda-tile-opt", "tileiras-layout", "tileirdisasm", "cuda-tile-optimize", "tileiras-translate"):
                assert run(prefix / "bin" / tool, "--help", env=bare), tool
            program = folder / "driver.py"
            program.write_text("import ctypes\nprint(ctypes.CDLL('libcuda.so.1').cuInit(0))\n")
            output = run(prefix / "bin" / "tileiras-emu", sys.executable, program, env={**bare, "PATH": os.environ["PATH"]})
            assert output.startswith("0"), output
        with suite.case("man pages"):
            for tool in ("tileiras", "tileiras-run", "tileirdisasm", "tileiras-layout", "tileiras-emu"):
                page = prefix / "share" / "man" / "man1" / f"{tool}.1"
                text = page.read_text()
                assert text.startswith(".TH") and text.count("\n.TP\n") >= 4, tool
                if shutil.which("groff"):
                    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", str(page)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                    assert not done.stderr and tool in done.stdout, (tool, done.stderr)
            # Every option of --help is there.
            text = (prefix / "share/man/man1/tileiras.1").read_text().replace("\\-", "-")
            for option in re.findall(r"^ +(--?[\w-]+)", run(prefix / "bin" / "tileiras", "--help"), re.M):
                assert f"\\fB{option}\\fR" in text, option
        with suite.case("completions"):
            assert complete(prefix, ["tileiras", "--em"]) == ["--emit="]
            assert complete(prefix, ["tileiras", "--emit", "=", "pt"]) == ["ptx"]
            assert complete(prefix, ["tileiras", "--gpu-name=sm_12"]) == ["sm_120", "sm_121"]
            assert complete(prefix, ["tileiras-run", "--async="]) == ["early", "late", "random"]
            assert complete(prefix, ["tileiras-run", "--rules="]) == ["isa", "hardware"]
            assert str(kernel) in complete(prefix, ["tileiras", str(kernel)[:-3]])
            for shell, path in (("zsh", "zsh/vendor-completions/_tileiras"), ("fish", "fish/vendor_completions.d/tileiras.fish")):
                if shutil.which(shell):
                    run(shell, "-n", prefix / "share" / path)
        with suite.case("a CMake project finds the package"):
            run("cmake", "-S", ROOT / "test" / "Package" / "consumer", "-B", folder / "consumer", f"-DCMAKE_PREFIX_PATH={prefix}")
            run("cmake", "--build", folder / "consumer")
            assert run(folder / "consumer" / "consumer", kernel).split() == ["2", "4", "6", "8"]
        if shutil.which("pkg-config"):
            with suite.case("pkg-config finds the library"):
                flags = run("pkg-config", "--cflags", "--libs", "tileiras", env={**os.environ, "PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")}).split()
                assert run("pkg-config", "--modversion", "tileiras", env={**os.environ, "PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")}).strip() == "0.1.0"
                compiler = next(c for c in map(shutil.which, ("cc", "clang-22", "gcc")) if c)
                run(compiler, ROOT / "test" / "Package" / "consumer" / "consumer.c", *flags, f"-Wl,-rpath,{prefix}/lib", "-o", folder / "plain")
                assert run(folder / "plain", kernel).split() == ["2", "4", "6", "8"]
        else:
            suite.skip("pkg-config", "there is none")
        if args.deb:
            with suite.case("a Debian package"):
                run("cpack", cwd=build)
                package, = (build / "package").glob("open-tileiras_*.deb")
                fields = run("dpkg-deb", "--field", package)
                assert "Package: open-tileiras" in fields and "libmlir-22" in fields, fields
                names = run("dpkg-deb", "--contents", package)
                for name in ("./usr/bin/tileiras\n", "./usr/lib/libtileiras.so\n", "./usr/share/man/man1/tileiras.1", "./usr/lib/open-tileiras/device/libcuda.so.1\n"):
                    assert name in names + "\n", name
                run("dpkg-deb", "--extract", package, folder / "deb")
                assert ".entry twice(" in run(folder / "deb/usr/bin/tileiras", kernel, "--gpu-name=sm_90", "--emit=ptx", env=bare)
                print(f"{package.name}: {package.stat().st_size / 1e6:.0f} MB")
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())

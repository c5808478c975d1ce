# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The wheel has programs and libraries, but nothing of one Python version. scripts/make_wheel.py puts them beside the modules and says in
OPEN_TILEIRAS_PLATFORM which platform they are for."""

import os

from setuptools import Distribution, setup

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel


class Wheel(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", os.environ["OPEN_TILEIRAS_PLATFORM"]


class Binary(Distribution):
    def has_ext_modules(self):
        return True


setup(cmdclass={"bdist_wheel": Wheel}, distclass=Binary)

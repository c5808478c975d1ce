#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what the build and the tests need from Debian's packages. Says nothing when nothing is missing.
set -euo pipefail

packages=(
  libmlir-22-dev mlir-22-tools   # the dialects we build on, mlir-tblgen
  llvm-22-dev llvm-22-tools      # NVPTX back end, FileCheck, lit
  clang-22 lld-22 clang-format-22  # compiler, linker, formatter
  libclang-rt-22-dev             # sanitizers and libFuzzer
  cmake ninja-build ccache make
  libgtest-dev libbenchmark-dev
  libgoogle-perftools-dev        # the compiler's allocator
  zlib1g-dev libzstd-dev libxml2-dev libz3-dev  # what LLVM's static archives ask for
  python3 python3-numpy
  python3-setuptools python3-wheel python3-venv python3-pytest  # the wheel and its test
)

# What the build does without where nobody offers it, or nobody may install it.
optional=(
  bolt-22  # puts the compiler's code in the order in which it runs
)

# What is really installed: dpkg also lists packages that were removed but not purged.
is_installed() {
  [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null || true) == installed ]]
}
is_offered() {
  local candidate
  candidate=$(apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: //p')
  [[ -n $candidate && $candidate != "(none)" ]]
}
add_optional() {
  for package in "${optional[@]}"; do
    if ! is_installed "$package" && is_offered "$package"; then missing+=("$package"); fi
  done
}

missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  if [[ $(id -u) -ne 0 ]] && ! command -v sudo >/dev/null; then exit 0; fi
  add_optional
  if [[ ${#missing[@]} -eq 0 ]]; then exit 0; fi
fi

# -H sets HOME to root's, so that apt leaves nothing of root's behind in the user's.
as_root() {
  if [[ $(id -u) -eq 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo -H "$@"
  else
    echo "setup: ${missing[*]} must be installed, but this is not root and there is no sudo" >&2
    exit 1
  fi
}

if ! command -v apt-get >/dev/null; then
  echo "setup: no apt-get on this system; install the equivalents of: ${missing[*]}" >&2
  exit 1
fi

echo "setup: installing ${missing[*]}"
as_root apt-get update -qq

# LLVM 22 comes with Debian 14 and, as a toolchain update, with the security archive of Debian 12 and 13.
unavailable=()
for package in "${missing[@]}"; do
  is_offered "$package" || unavailable+=("$package")
done
if [[ ${#unavailable[@]} -gt 0 ]]; then
  release=$(. /etc/os-release && echo "${PRETTY_NAME:-this system}")
  {
    echo "setup: the package sources of $release do not offer: ${unavailable[*]}"
    echo "setup: LLVM/MLIR 22 is in the security archive of Debian 12 (bookworm-security, main);"
    echo "setup: check that /etc/apt/sources.list.d/ names debian-security, or build on a newer release."
  } >&2
  exit 1
fi

add_optional # apt takes a name twice
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"

//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Tools.h"

int main(int argc, char **argv) { return tileiras::TILEIRAS_TOOL(argc, argv); }

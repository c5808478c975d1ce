//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tools as functions: each is a program of its own, linked statically, and all of them are in libtileiras.so, whose
// programs in the package are nothing but a call (tools/libtileiras).
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_TILEIRAS_TOOLS_H
#define TOOLS_TILEIRAS_TOOLS_H

namespace tileiras {

int tileirasMain(int argc, char **argv);
int tileirasRunMain(int argc, char **argv);
int tileirdisasmMain(int argc, char **argv);

} // namespace tileiras

#endif // TOOLS_TILEIRAS_TOOLS_H

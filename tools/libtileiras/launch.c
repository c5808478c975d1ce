/* Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A tool of the package: everything is in libtileiras.so, which the tools and Python share. */
#include "tileiras/CAPI/open_tileiras.h"

int main(int argc, char **argv) { return tileiras_tool_main(TILEIRAS_TOOL_NAME, argc, argv); }

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DINPUT=file -DOUTPUT=file.inc -P EmbedBytes.cmake: the bytes of a file as an initializer. (#embed does it too, but ccache does not
# see what it reads.)
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "${bytes}\n")

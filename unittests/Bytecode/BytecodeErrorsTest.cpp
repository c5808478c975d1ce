//===- BytecodeErrorsTest.cpp - What the reader refuses -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BytecodeTestUtil.h"
#include "llvm/Support/LEB128.h"

using namespace tileiras_test;

namespace {
std::string varint(uint64_t value) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  llvm::encodeULEB128(value, os);
  return bytes;
}

/// A file put together from payloads.
struct FileParts {
  uint8_t minor = 4;
  std::string strings = hexBytes("01 cb*3 00*4 6b");              // "k"
  std::string types = hexBytes("01 cb*3 00*4 10 00 00");          // () -> ()
  std::string functions = hexBytes("01 00 00 02 00 03 5c 00 00"); // @k() { return }
  std::string constants, debug, globals, producer;

  std::string build() const {
    std::string file = hexBytes("7f 54 69 6c 65 49 52 00 0d");
    file += static_cast<char>(minor);
    file += std::string(2, '\0');
    auto add = [&](uint8_t id, const std::string &payload, uint8_t alignment, bool always = false) {
      if (payload.empty() && !always)
        return;
      file += static_cast<char>(id | (alignment > 1 ? 0x80 : 0));
      file += varint(payload.size());
      if (alignment > 1)
        file += static_cast<char>(alignment);
      while (file.size() % alignment)
        file += '\xcb';
      file += payload;
    };
    add(2, functions, 8, true);
    add(6, globals, 1);
    add(4, constants, 8);
    add(3, debug, 8);
    add(5, types, 4);
    add(7, producer, 1);
    add(1, strings, 4, true);
    return file + '\0';
  }
};

/// A table of `entries`: count, padding, offsets.
template <typename OffsetT = uint32_t> std::string table(ArrayRef<std::string> entries) {
  std::string result(1, static_cast<char>(entries.size())), bytes;
  result.append(sizeof(OffsetT) - 1, '\xcb');
  for (const std::string &entry : entries) {
    for (size_t i = 0; i < sizeof(OffsetT); ++i)
      result += static_cast<char>(bytes.size() >> (8 * i));
    bytes += entry;
  }
  return result + bytes;
}
std::string hexTable(ArrayRef<StringRef> entries) {
  SmallVector<std::string> bytes;
  for (StringRef entry : entries)
    bytes.push_back(hexBytes(entry));
  return table(bytes);
}
/// One function @k of type 0 whose body is `body`.
std::string function(StringRef body) {
  std::string bytes = hexBytes(body);
  return hexBytes("01 00 00 02 00") + varint(bytes.size()) + bytes;
}
} // namespace

class BytecodeErrorsTest : public BytecodeTest {
protected:
  static bool isVerifierError(StringRef text) {
    return text.contains("' op ") || text.contains("redefinition of symbol") ||
           text.contains("block with no terminator");
  }
  void expectError(const std::string &file, StringRef text) {
    OwningOpRef<ct::ModuleOp> module = read(file);
    EXPECT_FALSE(module) << "accepted; expected: " << text.str();
    EXPECT_TRUE(StringRef(messages).contains(text)) << "expected: " << text.str() << "\ngot: " << messages;
    EXPECT_TRUE(StringRef(messages).starts_with("error at offset ") || isVerifierError(messages)) << messages;
    for (Location loc : locations)
      EXPECT_TRUE(isa<UnknownLoc>(loc));
    // The prefix alone compares nothing.
    if (text != "error at offset ")
      logCompared(text);
  }
  void expectError(const FileParts &parts, StringRef text) { expectError(parts.build(), text); }
};

TEST_F(BytecodeErrorsTest, TheBaseFileIsGood) {
  EXPECT_TRUE(read(FileParts().build())) << messages;
  FileParts old;
  old.minor = 1;
  EXPECT_TRUE(read(old.build())) << messages;
}

TEST_F(BytecodeErrorsTest, Header) {
  std::string good = FileParts().build();
  std::string file = good;
  file[3] = 'X';
  expectError(file, "error at offset 3: invalid magic number at position 3, got 88 expected 108");
  file = good;
  file[8] = 18;
  file[9] = 0;
  expectError(file, "error at offset 8: unsupported Tile version 18.0.0, this reader supports versions [13.1 - 13.4]");
  file[8] = 13;
  file[9] = 5;
  file[10] = 7;
  expectError(file, "unsupported Tile version 13.5.7, this");
  file = good;
  file[10] = 7; // the tag says nothing
  EXPECT_TRUE(read(file)) << messages;
  expectError("", "error at offset 0: unexpected end of data");
}

TEST_F(BytecodeErrorsTest, EveryTruncationIsAnError) {
  for (std::string good : {FileParts().build()})
    for (size_t size = 0; size < good.size(); ++size)
      expectError(good.substr(0, size), "error at offset ");
}

TEST_F(BytecodeErrorsTest, Sections) {
  std::string head = hexBytes("7f 54 69 6c 65 49 52 00 0d 04 00 00");
  std::string good = FileParts().build();
  expectError(head + hexBytes("7f 00"), "error at offset 12: unknown section ID: 127");
  expectError(head + hexBytes("ff 00"), "unknown section ID: 127");
  expectError(head + hexBytes("80"), "error at offset 12: end section should not have alignment flag set");
  expectError(good + '\0', "end section is not the last section");
  expectError(good.substr(0, good.size() - 1), "end section is missing");
  expectError(head + hexBytes("00"), "string section is mandatory");
  expectError(head + hexBytes("81 01 04 cb 00 00"), "function section is mandatory");
  expectError(head + hexBytes("07 05 00"), "section length 5 exceeds remaining data size 1");
  expectError(head + hexBytes("07 ff ff ff ff ff ff ff ff ff 01"), "exceeds remaining data size 0");
  expectError(head + hexBytes("07 ff ff ff ff ff ff ff ff ff 7f"), "variable-length integer does not fit in 64 bits");
  expectError(head + hexBytes("81 01 00 00"), "invalid alignment value: 0");
  expectError(head + hexBytes("81 01 03 00"), "invalid alignment value: 3");
  expectError(head + hexBytes("81 01 80 80 80 80 80 80 80 80 80 01 00"), "unexpected end of data"); // 2^63
  expectError(head + hexBytes("01 01 00"),
              "section 1 must have alignment that is a multiple of 4 bytes, but has no alignment flag set");
  expectError(head + hexBytes("82 01 04 cb 00"),
              "section 2 must have alignment that is a multiple of 8 bytes, but has alignment of 4");
}

TEST_F(BytecodeErrorsTest, Tables) {
  FileParts parts;
  parts.strings = hexBytes("7f cb*3 00*4");
  expectError(parts, "127 strings cannot fit in the remaining 7 bytes");
  parts.strings = hexBytes("01 cb*3 05 00*3 6b");
  expectError(parts, "offset 5 of strings entry 0 is out of bounds");
  parts.strings = hexBytes("02 cb*3 01 00*3 00*4 6b 6b");
  expectError(parts, "offset 0 of strings entry 1 is out of bounds");
  parts.strings = hexBytes("ff ff ff ff ff ff ff ff ff 01");
  expectError(parts, "18446744073709551615 strings cannot fit");
  parts = {};
  parts.constants = hexBytes("01 cb*7 00*8 05 00");
  expectError(parts, "5 bytes expected, but only 1 remain");
  parts = {};
  parts.functions = hexBytes("01 07 00 02 00 03 5c 00 00");
  expectError(parts, "string index 7 out of bounds (size=1)");
}

TEST_F(BytecodeErrorsTest, OneConstantOfManyTypes) {
  // A megabyte in the file, one for each type in memory.
  constexpr uint64_t size = 1 << 20;
  FileParts parts;
  parts.constants = hexBytes("01 cb*7 00*8") + varint(size);
  for (uint64_t i = 0; i < size; ++i)
    parts.constants += static_cast<char>(i * 37);
  auto use = [&](unsigned times) {
    std::string body;
    SmallVector<std::string> types = {hexBytes("10 00 00"), hexBytes("01")}; // () -> (), i8
    for (unsigned a = 0; a < 10; ++a)
      for (unsigned b = 0; b < 10 && types.size() < times + 2; ++b) {
        body += "10 " + llvm::utohexstr(types.size()) + " 00 ";
        std::string tile = hexBytes("0d 01 03");
        for (uint64_t dim : {uint64_t(1) << a, uint64_t(1) << b, size >> (a + b)})
          for (unsigned byte = 0; byte < 8; ++byte)
            tile += static_cast<char>(dim >> (8 * byte));
        types.push_back(tile);
      }
    parts.types = table(types);
    parts.functions = function(body + "5c 00 00");
    return parts.build();
  };
  EXPECT_TRUE(read(use(3))) << messages;
  expectError(use(100), "the constants take too much memory");
}

TEST_F(BytecodeErrorsTest, Types) {
  auto expectTypeError = [&](ArrayRef<StringRef> types, StringRef text, uint8_t minor = 4) {
    FileParts parts;
    parts.minor = minor;
    parts.types = hexTable(types);
    expectError(parts, text);
  };
  expectTypeError({"17"}, "unknown type tag: 23");
  expectTypeError({"c8 01"}, "unknown type tag: 200");
  expectTypeError({"10 01 01 00", "82 01"}, "element type f8E5M3FNU (developer preview of 13.4) is not supported");
  expectTypeError({"10 01 01 00", "82 01"},
                  "type 'Float8E5M3FNU' requires bytecode version 13.4+, file version is 13.3", 3);
  expectTypeError({"10 01 01 00", "13"}, "type 'Float4E2M1FN' requires bytecode version 13.3+, file version is 13.1",
                  1);
  expectTypeError({"10 01 01 00", "12"}, "type 'Float8E8M0FNU' requires bytecode version 13.2+, file version is 13.1",
                  1);
  expectTypeError({"10 01 09 00"}, "type index 9 out of bounds (size=1)");
  expectTypeError({"10 01 00 00"}, "type 0 is nested too deeply or contains itself");
  expectTypeError({"10 01 01 00", "0d 01 00"}, "type 1 is nested too deeply or contains itself");
  expectTypeError({"10 01 01 00", "10 00 00"}, "a value cannot have the type");
  expectTypeError({"10 00 00 00"}, "type 0 has 1 bytes too many");
  expectTypeError({"10 00"}, "unexpected end of data");
  expectTypeError({"10 01 01 00", "0d 02 01 03 00*7", "07"}, "all dimensions must be powers of two, got 3");
  expectTypeError({"10 01 01 00", "0d 02 01 00*7 80", "07"}, "all dimensions must be positive constants");
  expectTypeError({"10 01 01 00", "0d 02 02 00*3 01 00*4 00*3 01 00*4", "07"},
                  "tile would exceed the maximum of 16777216 elements");
  expectTypeError({"10 01 01 00", "0d 02 20 00", "07"}, "32 array elements cannot fit in the remaining 1 bytes");
  expectTypeError({"10 01 01 00", "0c 02 02", "07"}, "unknown flags 2 for bytecode version 13.4");
  expectTypeError({"10 01 01 00", "0c 01 02 01", "07"}, "invalid enum value 1 for attribute 'ptr_attr'"); // unicast
  expectTypeError({"10 01 01 00", "0f 00 01 02 00*3 02 01 00 00*3", "07"}, "expected a tensor_view type, got 'f32'");
  expectTypeError({"10 01 01 00", "0f 00 01 ff ff ff 7f 02 00", "0e 00 03 00 00", "07"},
                  "array contains unsupported value 2147483647");
  expectTypeError({"10 01 01 00", "0f 00 01 00 00 00 80 02 00", "0e 00 03 00 00", "07"},
                  "array contains unsupported value -2147483648");
  StringRef tensor = "0e 00 03 01 40 00*7 01 01 00*7", oldTensor = "0e 03 01 40 00*7 01 01 00*7";
  expectTypeError({"10 01 01 00", "0f 01 04 00*3 02 01 00*4 02", oldTensor, "07"},
                  "invalid presence byte of the padding value", 2);
  expectTypeError({"10 01 01 00", "0f 00 01 00*4 02 01 00*4", tensor, "07"},
                  "tile shape dimensions must have positive length but got [0]");
  expectTypeError({"10 01 02 00", "13", "0e 00 03 01 40 00*7 01 00*8", "07"},
                  "dimensions must have strictly positive constant strides but got [0]");
  expectTypeError({"10 01 01 00", "14 00 01 04 00*3 02 80 80 80 80 08", tensor, "07"},
                  "sparse dimension 2147483648 is too large");
  expectTypeError({"10 01 01 00", "14 00 01 04 00*3 02 80 80 80 80 10", tensor, "07"},
                  "sparse dimension 4294967296 does not fit in 32 bits");
}

TEST_F(BytecodeErrorsTest, Functions) {
  FileParts parts;
  parts.functions = hexBytes("7f");
  expectError(parts, "127 functions cannot fit in the remaining 0 bytes");
  parts.functions = hexBytes("01 00 00 00 00 03 5c 00 00");
  expectError(parts, "un-expected non-entry function 'k'");
  parts.functions = hexBytes("01 00 00 02 00 09 5c 00 00");
  expectError(parts, "9 bytes of a function body cannot fit in the remaining 3 bytes");
  parts.functions = hexBytes("01 00 00 02 02 03 5c 00 00");
  expectError(parts, "location list index 1 out of bounds (size=0)");
  parts.functions = hexBytes("01 00 00 06 00 00 03 5c 00 00");
  expectError(parts, "unknown attribute tag: 0");
  parts.functions = hexBytes("01 00 00 06 00 05 00 03 5c 00 00");
  expectError(parts, "expected optimization hints for function 'k'");
  parts.functions = hexBytes("01 00 00 06 00 0b 00 03 5c 00 00");
  EXPECT_TRUE(read(parts.build())) << messages;
  parts = {};
  parts.strings = hexBytes("01 cb*3 00*4");
  expectError(parts, "function name at index 0 is empty");
  parts = {};
  parts.types = hexTable({"07"});
  expectError(parts, "expected a function type for function 'k', got 'f32'");
  parts = {};
  parts.functions = hexBytes("02 00 00 02 00 03 5c 00 00 00 00 02 00 03 5c 00 00");
  expectError(parts, "redefinition of symbol named 'k'");
}

TEST_F(BytecodeErrorsTest, Bodies) {
  auto expectBodyError = [&](StringRef body, StringRef text, uint8_t minor = 4) {
    FileParts parts;
    parts.minor = minor;
    // 0 () -> (), 1 f32, 2 tile<f32>, 3 token, 4 tile<i1>, 5 i1
    parts.types = hexTable({"10 00 00", "07", "0d 01 00", "11", "0d 05 00", "00"});
    parts.constants = hexBytes("01 cb*7 00*8 01 00");
    parts.functions = function(body);
    expectError(parts, text);
    EXPECT_TRUE(StringRef(messages).contains("failed to parse function body for function 'k'")) << messages;
  };
  expectBodyError("19", "unsupported opcode 25 for bytecode version 13.4");
  expectBodyError("82 01", "unsupported opcode 130 for bytecode version 13.4 (fpowi of a 13.4 preview writer");
  expectBodyError("82 01", "unsupported opcode 130 for bytecode version 13.3\n", 3);
  expectBodyError("16", "unsupported opcode 22 for bytecode version 13.4");
  expectBodyError("78 03 00 5c 00 00", "unsupported opcode 120 for bytecode version 13.3", 3);
  expectBodyError("6f", "unsupported opcode 111 for bytecode version 13.2", 2);
  expectBodyError("6e", "unsupported opcode 110 for bytecode version 13.1", 1);
  expectBodyError("00 02 00 5c 00 00", "operand index 0 out of bounds (size=0) for operand 0");
  expectBodyError("00 09 00 5c 00 00", "type index 9 out of bounds (size=6)");
  expectBodyError("44 00 5c 00 00", "a value cannot have the type '() -> ()'");
  expectBodyError("5c 01 03", "operation 'cuda_tile.return' expected 0 results, got 1");
  expectBodyError("5c 00 05", "5 operands cannot fit in the remaining 0 bytes");
  expectBodyError("26 01 02 00", "operation 'cuda_tile.extract' cannot have 0 operands");
  expectBodyError("44 03 78 03 02 00 00 5c 00 00", "operation 'cuda_tile.gdc_wait_tko' cannot have 2 operands");
  expectBodyError("10 02 07 5c 00 00", "constant index 7 out of bounds (size=1)");
  expectBodyError("10 03 00 5c 00 00", "a constant must be a tile of integers or floats, got '!cuda_tile.token'");
  expectBodyError("10 02 00 5c 00 00", "constant of 1 bytes does not match type '!cuda_tile.tile<f32>'");
  expectBodyError("10 04 00 02 02 02 08 00 00 5c 00 00", "unknown flags 2 for bytecode version 13.4");
  expectBodyError("10 04 00 02 02 00 08 00 00 5c 00 00", "invalid enum value 8 for attribute 'rounding_mode'");
  expectBodyError("10 04 00 2a 02 07 00 5c 00 00",
                  "enum value for attribute 'rounding_mode' is not available in bytecode version 13.3", 3);
  expectBodyError("10 04 00 32 00 00 01 00 5c 00 00", "if op expected 2 regions, got 1");
  expectBodyError("10 04 00 32 00 00 02 02 00 00 5c 00 00", "expected at most one block, got 2");
  expectBodyError("10 04 00 32 00 00 02 01 00 00 00 5c 00 00",
                  "invalid block structure: block is expected to have a terminator operation, but it is empty");
  expectBodyError("10 04 00 32 00 00 02 01 00 01 44 03 00 5c 00 00",
                  "invalid block structure: block is expected to have a terminator operation, but the last operation "
                  "'cuda_tile.make_token' is not a terminator.");
  // A value of a block that has ended.
  expectBodyError("10 04 00 32 00 00 02 01 00 02 44 03 6d 00 00 00 3c 01 03 02 01 01 5c 00 00",
                  "operand index 1 out of bounds (size=1) for operand 0");
  // The verifier's word.
  expectBodyError("10 04 00", "block with no terminator");
  expectBodyError("44 03 00 02 00 5c 00 00", "must be tile of f16 or bf16 or f32 or f64 values");
  EXPECT_TRUE(StringRef(messages).contains("failed to create operation 'cuda_tile.absf'due to verification error."))
      << messages;
  expectBodyError("10 04 00 32 01 04 00 02 01 00 01 6d 00 00 00 5c 00 00", "but then branch does not yield anything");
  EXPECT_TRUE(StringRef(messages).contains("failed to create operation 'cuda_tile.if'due to verification error."))
      << messages;
  // What the function itself does wrong is no operation's fault.
  expectBodyError("10 04 00", "block with no terminator");
  EXPECT_FALSE(StringRef(messages).contains("failed to create operation")) << messages;
}

TEST_F(BytecodeErrorsTest, UsesOfSymbols) {
  FileParts parts;
  parts.types = hexTable({"10 00 00", "07", "0c 00 01", "0d 02 00", "0d 01 01 02 00*7"});
  parts.strings = table({"k", "g"});
  parts.constants = hexBytes("01 cb*7 00*8 08 00*8");
  parts.globals = hexBytes("01 01 04 00 00 00 00");
  parts.functions = function("2c 03 01 5c 00 00");
  EXPECT_TRUE(read(parts.build())) << messages;
  parts.functions = function("2c 03 00 5c 00 00");
  expectError(parts, "'k' does not reference a valid global");
}

TEST_F(BytecodeErrorsTest, DeepNesting) {
  // Ifs inside each other, well-formed otherwise.
  auto nest = [&](int depth) {
    std::string body = "10 02 00 ";
    for (int i = 1; i <= depth; ++i)
      body += i == depth ? "32 00 00 02 01 00 01 " : "32 00 00 02 01 00 02 ";
    for (int i = 1; i <= depth; ++i)
      body += "6d 00 00 00 ";
    FileParts parts;
    parts.types = hexTable({"10 00 00", "00", "0d 01 00"});
    parts.constants = hexBytes("01 cb*7 00*8 01 01");
    parts.functions = function(body + "5c 00 00");
    return parts.build();
  };
  EXPECT_TRUE(read(nest(200))) << messages;
  expectError(nest(300), "regions are nested too deeply");
  expectError(nest(100000), "regions are nested too deeply");
}

TEST_F(BytecodeErrorsTest, Attributes) {
  auto expectPredicateError = [&](StringRef predicate, StringRef text) {
    FileParts parts;
    // 0 (tile<i32>) -> (), 1 tile<i32>, 2 i32, 3 f32, 4 i1
    parts.types = hexTable({"10 01 01 00", "0d 02 00", "03", "07", "00"});
    parts.strings = table({"k", ""});
    parts.functions = function(("06 01 " + predicate + " 00 5c 00 00").str());
    expectError(parts, text);
  };
  expectPredicateError("0d", "unknown attribute tag: 13");
  expectPredicateError("08 03 00", "'cuda_tile.div_by' divisor must be a power of 2");
  expectPredicateError("08 10 04", "invalid flags 4");
  expectPredicateError("08 10 01 02", "'cuda_tile.div_by' 'every'/'along' must be used in combination");
  expectPredicateError("0a 7f", "127 dictionary entries cannot fit");
  expectPredicateError("09 01 ff*7 7f", "array contains unsupported value 9223372036854775807");
  expectPredicateError("0a 01 01 03 01", "invalid empty attribute name for DictionaryAttr element 0");
  expectPredicateError("0a 02 00 03 01 00 03 00", "duplicate attribute name 'k' in DictionaryAttr");
  expectPredicateError("01 03 00", "expected an integer type, got 'f32'");
  expectPredicateError("02 02 00", "expected a float type, got 'i32'");
  expectPredicateError("01 02 80 80 80 80 10", "value 4294967296 does not fit in 32 bits");
  expectPredicateError("01 04 02", "value 2 does not fit in 1 bits");
  expectPredicateError("02 03 80 80 80 80 20", "value 4294967296 does not fit in 32 bits");
  expectPredicateError("0b 01 00 03 01", "expected dictionary attribute for optimization_hints entry `k`");
  std::string deep;
  for (int i = 0; i < 40; ++i)
    deep += "06 01 ";
  expectPredicateError(deep + "03 01", "attributes are nested too deeply");
  expectPredicateError("06 7f", "127 attributes cannot fit");
  expectPredicateError("03 01", "requires attribute 'predicate'"); // a boolean is no predicate
}

TEST_F(BytecodeErrorsTest, DebugInfo) {
  auto expectDebugError = [&](ArrayRef<StringRef> records, StringRef indices, unsigned number, StringRef text) {
    FileParts parts;
    parts.functions = hexBytes("01 00 00 02 01 03 5c 00 00");
    parts.debug =
        hexBytes("01 cb*3 00*4") + static_cast<char>(number) + hexBytes("cb*7") + hexBytes(indices) + hexTable(records);
    expectError(parts, text);
  };
  StringRef file = "02 00 00", unit = "01 01", sub = "05 01 03 00 00 02 04", loc = "04 03 00 03 02";
  std::string good = "04 00*7 04 00*7";
  {
    FileParts parts;
    parts.functions = hexBytes("01 00 00 02 01 03 5c 00 00");
    parts.debug = hexBytes("01 cb*3 00*4 02 cb*7 04 00*7 00*8") + hexTable({file, unit, sub, loc});
    OwningOpRef<ct::ModuleOp> module = read(parts.build());
    ASSERT_TRUE(module) << messages;
    StringRef text = "loc(#cuda_tile.di_loc<loc(\"k\":3:2) in ";
    EXPECT_TRUE(StringRef(print(*module, OpPrintingFlags().enableDebugInfo())).contains("\"k\":3:2")) << text.str();
  }
  expectDebugError({file, unit, sub, loc}, "04 00*7", 1, "the list of locations is shorter than the function");
  expectDebugError({file, unit, sub, loc}, "09 00*7 00*8", 2, "debug record index 8 out of bounds (size=4)");
  expectDebugError({file, unit, sub, loc}, "01 00*7 00*8", 2, "the debug record of an operation is not a location");
  expectDebugError({"06 01 01"}, "01 00*7 00*8", 2, "debug record 0 is nested too deeply or contains itself");
  expectDebugError({"07"}, "01 00*7 00*8", 2, "unknown debug record tag: 7");
  expectDebugError({"01 00"}, "01 00*7 00*8", 2, "expected a debug record of a file");
  expectDebugError({file, "04 01 00 03 02"}, "02 00*7 00*8", 2,
                   "expected the scope of a location to be a subprogram or a lexical block");
  expectDebugError({"00 00"}, "01 00*7 00*8", 2, "debug record 0 has 1 bytes too many");
  expectDebugError({file, unit, "05 01 03 00 00 01 04", loc}, "04 00*7 04 00*7", 2,
                   "expected a debug record of a compile unit");
  expectDebugError({file, unit, "05 01 03 00 00 02 80 80 80 80 10", loc}, "04 00*7 04 00*7", 2,
                   "scope line 4294967296 does not fit in 32 bits");
  // Call sites of call sites: each is twice as large as the one before.
  SmallVector<StringRef> calls = {"00",       "06 01 01", "06 02 02", "06 03 03", "06 04 04",
                                  "06 05 05", "06 06 06", "06 07 07", "06 08 08", "06 09 09",
                                  "06 0a 0a", "06 0b 0b", "06 0c 0c", "06 0d 0d", "06 0e 0e"};
  expectDebugError(calls, "00*8 0f 00*7", 2, "is too large");
  FileParts parts;
  parts.debug = hexBytes("7f cb*3 00*4");
  expectError(parts, "127 location lists cannot fit");
  parts.debug = hexBytes("01 cb*3 00*4 7f cb*7 00*8");
  expectError(parts, "127 locations cannot fit");
  parts.debug = hexBytes("01 cb*3 00*4 01 cb*7 00*8 7f cb*3 00*4");
  expectError(parts, "127 debug records cannot fit");
  parts.debug = hexBytes("01 cb*3 00*4 01 cb*7 00*8 02 cb*3 09 00*3 00*4 00");
  expectError(parts, "offset 9 of debug record 0 is out of bounds");
  parts.debug = hexBytes("01 cb*3 09 00*3 00 cb*7 00");
  expectError(parts, "start 9 of location list 0 is out of bounds (size=0)");
}

TEST_F(BytecodeErrorsTest, Globals) {
  FileParts parts;
  parts.types = hexTable({"10 00 00", "07", "0d 01 01 02 00*7"});
  parts.constants = hexBytes("01 cb*7 00*8 08 00*8");
  parts.strings = table({"k", "g"});
  parts.globals = hexBytes("01 01 02 00 04 00 01");
  OwningOpRef<ct::ModuleOp> module = read(parts.build());
  ASSERT_TRUE(module) << messages;
  EXPECT_TRUE(StringRef(print(*module)).contains("global constant @g alignment = 4 <f32: 0.0")) << print(*module);
  parts.globals = hexBytes("01 01 02 00 03 00 00");
  expectError(parts, "alignment must be zero or a power of two");
  parts.globals = hexBytes("01 01 02 00 04 02 00");
  expectError(parts, "invalid enum value 2 for attribute 'visibility'");
  parts.globals = hexBytes("01 00 02 00 04 00 00");
  expectError(parts, "redefinition of symbol named 'k'");
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

class BytecodeConstantTest : public BytecodeTest {
protected:
  /// The text of a constant whose raw data is `raw` and whose type has the tag `element` and `size` elements.
  std::string readConstant(StringRef raw, StringRef element, uint8_t size) {
    std::string bytes = hexBytes(raw);
    FileParts parts;
    parts.types = hexTable({"10 00 00", element});
    std::string tile = hexBytes("0d 01 01") + static_cast<char>(size) + std::string(7, '\0');
    parts.types = table({hexBytes("10 00 00"), hexBytes(element), tile});
    parts.constants = hexBytes("01 cb*7 00*8") + static_cast<char>(bytes.size()) + bytes;
    parts.functions = function("10 02 00 5c 00 00");
    OwningOpRef<ct::ModuleOp> module = read(parts.build());
    if (!module)
      return messages;
    std::string text = print(*module);
    StringRef line = StringRef(text).split("constant <").second.split('>').first;
    // What was read is written in the packed form, and means the same.
    written = write(*module, ct::v13_4);
    OwningOpRef<ct::ModuleOp> again = read(written);
    EXPECT_TRUE(again) << messages;
    EXPECT_EQ(print(*again), text);
    return line.str();
  }

  /// The last constant as the writer has it.
  std::string written;
};

TEST_F(BytecodeConstantTest, BothFormsOfI1) {
  // One bit per element.
  EXPECT_EQ(readConstant("05", "00", 4), "i1: [true, false, true, false]");
  EXPECT_EQ(readConstant("05 80", "00", 16).substr(0, 30), "i1: [true, false, true, false,");
  EXPECT_EQ(readConstant("ff", "00", 16), "i1: true");
  EXPECT_EQ(readConstant("00", "00", 16), "i1: false");
  EXPECT_EQ(readConstant("ff ff", "00", 16), "i1: true");
  EXPECT_EQ(readConstant("0f", "00", 4), "i1: true");
  EXPECT_EQ(readConstant("01", "00", 1), "i1: true");
  EXPECT_EQ(readConstant("ff", "00", 1), "i1: true");
  EXPECT_EQ(readConstant("00", "00", 1), "i1: false");
  // One byte per element.
  EXPECT_EQ(readConstant("01 00 01 00", "00", 4), "i1: [true, false, true, false]");
  EXPECT_EQ(readConstant("01", "00", 16), "i1: true");
  // Ambiguous: packed.
  EXPECT_EQ(readConstant("01", "00", 2), "i1: [true, false]");
  // Neither.
  EXPECT_EQ(StringRef(readConstant("01 00 01", "00", 4)).contains("constant of 3 bytes does not match type"), true);
}

TEST_F(BytecodeConstantTest, OtherElements) {
  EXPECT_EQ(readConstant("01 00 00 00 02 00 00 00", "03", 2), "i32: [1, 2]");
  EXPECT_EQ(readConstant("07 00 00 00", "03", 64), "i32: 7");
  // Bits beyond the width of an element mean nothing.
  EXPECT_EQ(readConstant("01 02 03 0f", "13", 4),
            "f4E2M1FN: [5.000000e-01, 1.000000e+00, 1.500000e+00, -6.000000e+00]");
  std::string clean = written;
  (void)readConstant("01 02 f3 ff", "13", 4);
  EXPECT_EQ(bytesHex(written), bytesHex(clean));
  (void)readConstant("00 fe 07", "08", 2);
  clean = written;
  (void)readConstant("00 fe ff", "08", 2);
  EXPECT_EQ(bytesHex(written), bytesHex(clean));
  EXPECT_EQ(readConstant("00 fe 01", "08", 4), readConstant("00 fe 01", "08", 2)); // tf32: three bytes, a splat
  EXPECT_EQ(StringRef(readConstant("00 00", "03", 4)).contains("constant of 2 bytes does not match type"), true);
  EXPECT_EQ(StringRef(readConstant("", "03", 4)).contains("constant of 0 bytes does not match type"), true);
}

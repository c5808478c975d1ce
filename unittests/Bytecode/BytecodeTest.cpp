//===- BytecodeTest.cpp - Examples byte for byte, tables, versions --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BytecodeTestUtil.h"
#include "tileiras/Bytecode/OpTable.h"
#include "tileiras/Bytecode/ReaderImpl.h"
#include "tileiras/Bytecode/WriterImpl.h"

using namespace tileiras_test;
using namespace mlir::cuda_tile::bytecode;

//===----------------------------------------------------------------------===//
// Whole files, byte for byte
//===----------------------------------------------------------------------===//

// A 13.1 file: one kernel without arguments that negates a constant twice.
static std::string negiFile() {
  return hexBytes("7f 54 69 6c 65 49 52 00 0d 01 00 00 "
                  "82 18 08 cb 01 00 00 02 00 0c 10 02 00 50 02 00 50 02 01 5c 00 00 cb*6 "
                  "84 19 08 cb*5 01 cb*7 00*8 08 01 00 00 00 02 00 00 00 "
                  "85 1f 04 03 cb*3 00*4 03 00*3 04 00*3 10 00 00 03 0d 01 01 02 00*7 "
                  "81 0d 04 cb*2 01 cb*3 00*4 62 61 73 69 63 "
                  "00");
}

TEST_F(BytecodeTest, ReadsAndWritesTheNegiFile) {
  OwningOpRef<ct::ModuleOp> module = read(negiFile());
  ASSERT_TRUE(module) << messages;
  EXPECT_EQ(module->getSymName(), "kernels");
  OwningOpRef<ct::ModuleOp> expected = parse(R"(
    cuda_tile.module @kernels {
      entry @basic() {
        %0 = constant <i32: [1, 2]> : tile<2xi32>
        %1 = negi %0 : tile<2xi32>
        %2 = negi %1 : tile<2xi32>
        return
      }
    })");
  ASSERT_TRUE(expected) << messages;
  EXPECT_EQ(print(*module), print(*expected));
  EXPECT_EQ(bytesHex(write(*module, ct::v13_1)), bytesHex(negiFile()));
  EXPECT_EQ(negiFile().size(), 126u);
}

// A 13.4 file: wait, fence and launch of programmatic dependent launch, chained by tokens.
static std::string gdcFile() {
  return hexBytes("7f 54 69 6c 65 49 52 00 0d 04 00 00 "
                  "82 18 08 cb 01 00 04 02 00 0d 78 03 00 7a 03 01 77 03 01 02 5c 00 00 cb*5 "
                  "85 24 04 cb 05 cb*3 00*4 01 00*3 04 00*3 07 00*3 08 00*3 07 0c 00 00 0d 01 00 11 10 01 02 00 "
                  "81 09 04 cb 01 cb*3 00*4 6b "
                  "00");
}

TEST_F(BytecodeTest, ReadsTheGdcFile) {
  EXPECT_EQ(gdcFile().size(), 94u);
  OwningOpRef<ct::ModuleOp> module = read(gdcFile());
  ASSERT_TRUE(module) << messages;
  OwningOpRef<ct::ModuleOp> expected = parse(R"(
    cuda_tile.module @kernels {
      entry @k(%p: tile<ptr<f32>>) {
        %0 = gdc_wait_tko -> token
        %1 = memory_fence_alias_tko token=%0 -> token
        %2 = gdc_launch_dependents_tko token = %1 -> token
        return
      }
    })");
  ASSERT_TRUE(expected) << messages;
  EXPECT_EQ(print(*module), print(*expected));
  // Our types come in the order of use, signature first.
  std::string again = write(*module, ct::v13_4);
  OwningOpRef<ct::ModuleOp> decoded = read(again);
  ASSERT_TRUE(decoded) << messages;
  EXPECT_EQ(print(*decoded), print(*expected));
}

// What cuTile Python sends to find out which versions a compiler takes: no function, every section there, the
// padding after zero counts, the function section not padded.
TEST_F(BytecodeTest, ReadsTheVersionProbe) {
  std::string probe = hexBytes("7f 54 69 6c 65 49 52 00 0d 04 00 00 "
                               "82 01 08 cb 00 "
                               "84 08 08 cb*4 00 cb*7 "
                               "83 11 08 cb*5 00 cb*3 00 cb*3 01 cb*3 00*4 00 "
                               "85 0e 04 02 cb*3 00*4 01 00*3 00 03 "
                               "81 04 04 cb*3 00 cb*3 "
                               "00");
  EXPECT_EQ(probe.size(), 85u);
  OwningOpRef<ct::ModuleOp> module = read(probe);
  ASSERT_TRUE(module) << messages;
  EXPECT_TRUE(module->getBodyRegion().front().empty());
  // The other style: no section that would be empty.
  std::string own = write(*module, ct::v13_4);
  EXPECT_EQ(bytesHex(own),
            bytesHex(hexBytes("7f 54 69 6c 65 49 52 00 0d 04 00 00 82 08 08 cb 00 cb*7 81 01 04 cb 00 00")));
  EXPECT_TRUE(read(own)) << messages;
}

TEST_F(BytecodeTest, SectionsComeInAnyOrder) {
  std::string file = negiFile();
  // Type, String, Constant, Func; each starts at a multiple of 8 here, so that the bytes can move.
  std::string moved = file.substr(0, 12);
  auto add = [&](std::string payload, uint8_t id, uint8_t alignment) {
    moved += static_cast<char>(0x80 | id);
    moved += static_cast<char>(payload.size());
    moved += static_cast<char>(alignment);
    while (moved.size() % alignment)
      moved += '\xcb';
    moved += payload;
  };
  add(file.substr(0x4c, 0x1f), 5, 4);
  add(file.substr(0x70, 0x0d), 1, 16);
  add(file.substr(0x30, 0x19), 4, 64);
  add(file.substr(0x10, 0x18), 2, 8);
  moved += '\0';
  OwningOpRef<ct::ModuleOp> module = read(moved);
  ASSERT_TRUE(module) << messages;
  EXPECT_EQ(bytesHex(write(*module, ct::v13_1)), bytesHex(file));
}

TEST_F(BytecodeTest, Sniffs) {
  EXPECT_TRUE(ct::isTileIRBytecode(negiFile()));
  EXPECT_FALSE(ct::isTileIRBytecode(negiFile().substr(0, 7)));
  EXPECT_FALSE(ct::isTileIRBytecode("cuda_tile.module @m {}"));
  EXPECT_TRUE(ct::isMLIRBytecode("ML\xEFR rest"));
  EXPECT_FALSE(ct::isMLIRBytecode(negiFile()));
  EXPECT_EQ(ct::peekBytecodeVersion(negiFile()), ct::v13_1);
  EXPECT_EQ(ct::peekBytecodeVersion(negiFile().substr(0, 9)), std::nullopt);
}

//===----------------------------------------------------------------------===//
// Primitives
//===----------------------------------------------------------------------===//

TEST_F(BytecodeTest, VarintsRoundTrip) {
  std::vector<uint64_t> numbers = {0, 1, 127, 128, 130, 16383, 16384, UINT32_MAX, uint64_t(1) << 63, UINT64_MAX};
  std::vector<int64_t> signedNumbers = {0, -1, 1, -64, 64, INT32_MIN, INT64_MIN, INT64_MAX};
  ByteSink sink;
  for (uint64_t number : numbers)
    sink.varint(number);
  for (int64_t number : signedNumbers)
    sink.svarint(number);
  std::string bytes(sink.contents().data(), sink.size());
  Cursor cursor(&context, ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  for (uint64_t number : numbers) {
    uint64_t value;
    ASSERT_TRUE(succeeded(cursor.varint(value)));
    EXPECT_EQ(value, number);
  }
  for (int64_t number : signedNumbers) {
    int64_t value;
    ASSERT_TRUE(succeeded(cursor.svarint(value)));
    EXPECT_EQ(value, number);
  }
  EXPECT_TRUE(cursor.atEnd());
  ByteSink one;
  one.varint(130);
  one.svarint(-1);
  EXPECT_EQ(bytesHex(StringRef(one.contents().data(), one.size())), "820101");
}

TEST_F(BytecodeTest, BadVarints) {
  auto tryRead = [&](std::string bytes) {
    messages.clear();
    Cursor cursor(&context, ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
    uint64_t value;
    EXPECT_TRUE(failed(cursor.varint(value)));
    return messages;
  };
  EXPECT_EQ(tryRead(""), "error at offset 0: unexpected end of data\n");
  EXPECT_EQ(tryRead(hexBytes("80 80")), "error at offset 2: unexpected end of data\n");
  EXPECT_EQ(tryRead(hexBytes("ff*9 02")), "error at offset 0: variable-length integer does not fit in 64 bits\n");
  EXPECT_EQ(tryRead(hexBytes("80*11")), "error at offset 0: variable-length integer does not fit in 64 bits\n");
}

TEST_F(BytecodeTest, BitPatterns) {
  auto read = [&](std::string bytes, uint64_t &value) {
    messages.clear();
    Cursor cursor(&context, ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
    return succeeded(cursor.patternVarint(value)) && cursor.atEnd();
  };
  // -inf as f64 is 0xFFF0000000000000: as a negative number, and as cuTile Python 1.7 writes it, shifted into 65 bits.
  uint64_t value = 0;
  EXPECT_TRUE(read(hexBytes("ff*7 0f"), value)) << messages;
  EXPECT_EQ(value, 0xFFF0000000000000u);
  EXPECT_TRUE(read(hexBytes("80*7 f0 ff 03"), value)) << messages;
  EXPECT_EQ(value, 0xFFF0000000000000u);
  EXPECT_TRUE(read(hexBytes("02"), value));
  EXPECT_EQ(value, 1u);
  EXPECT_TRUE(read(hexBytes("fe ff*8 03"), value)) << messages;
  EXPECT_EQ(value, UINT64_MAX);
  EXPECT_FALSE(read(hexBytes("81 80*8 02"), value)); // a negative number of 65 bits
  EXPECT_EQ(messages, "error at offset 10: bit pattern does not fit in 64 bits\n");
  logCompared("bit pattern does not fit in 64 bits");
  EXPECT_FALSE(read(hexBytes("ff*9 04"), value));
  EXPECT_EQ(messages, "error at offset 0: variable-length integer does not fit in 64 bits\n");
}

TEST_F(BytecodeTest, Versions) {
  EXPECT_EQ(ct::BytecodeVersion::parse("13.2"), ct::v13_2);
  for (StringRef bad : {"", "13", "13.", "12.0", "13.0", "13.5", "13.256", "a.b", "13.1.0", "-13.1"})
    EXPECT_EQ(ct::BytecodeVersion::parse(bad), std::nullopt) << bad.str();
  EXPECT_EQ(ct::BytecodeVersion::supportedRange(), "13.1 - 13.4");
  EXPECT_EQ(ct::BytecodeVersion::all().size(), 4u);
}

//===----------------------------------------------------------------------===//
// The op table
//===----------------------------------------------------------------------===//

TEST_F(BytecodeTest, TableMatchesTheDialect) {
  // Every op of the dialect has a number, and every row an op with attributes and operands of these names.
  unsigned numOps = 0;
  for (RegisteredOperationName op : context.getRegisteredOperations()) {
    if (op.getDialectNamespace() != "cuda_tile")
      continue;
    ++numOps;
    EXPECT_TRUE(OpTable::get().find(op.stripDialect())) << op.getStringRef().str();
  }
  EXPECT_EQ(numOps, 105u);
  EXPECT_EQ(OpTable::get().rows().size(), 105u);
  for (const OpRow &row : OpTable::get().rows()) {
    auto op = RegisteredOperationName::lookup(("cuda_tile." + row.mnemonic).str(), &context);
    ASSERT_TRUE(op) << row.mnemonic.str();
    if (!row.inStream)
      continue;
    std::set<std::string> expected, found;
    for (const AttributeRow &attr : row.attributes)
      expected.insert(attr.name.str());
    if (row.style == OperandStyle::Segmented)
      expected.insert("operandSegmentSizes");
    for (StringAttr name : op->getAttributeNames())
      found.insert(name.str());
    found.erase("operand_segment_sizes");
    EXPECT_EQ(found, expected) << row.mnemonic.str();
    EXPECT_EQ(row.style == OperandStyle::Segmented, op->hasTrait<OpTrait::AttrSizedOperandSegments>())
        << row.mnemonic.str();
    EXPECT_EQ(row.numRegions == 0, op->hasTrait<OpTrait::ZeroRegions>()) << row.mnemonic.str();
    EXPECT_EQ(row.results.empty(), op->hasTrait<OpTrait::ZeroResults>()) << row.mnemonic.str();
  }
}

TEST_F(BytecodeTest, FlagsAndVersionsOfTheTable) {
  const OpTable &table = OpTable::get();
  auto flag = [&](StringRef op, StringRef name) {
    const OpRow *row = table.find(op);
    for (const AttributeRow &attr : row->attributes)
      if (attr.name == name)
        return attr.flagBit;
    for (const OperandRow &operand : row->operands)
      if (operand.name == name)
        return operand.flagBit;
    return -2;
  };
  EXPECT_EQ(flag("load_ptr_tko", "memory_scope"), 0);
  EXPECT_EQ(flag("load_ptr_tko", "optimization_hints"), 1);
  EXPECT_EQ(flag("load_ptr_tko", "mask"), 2);
  EXPECT_EQ(flag("load_ptr_tko", "paddingValue"), 3);
  EXPECT_EQ(flag("load_ptr_tko", "token"), 4);
  EXPECT_EQ(flag("load_view_tko", "token"), 2);
  EXPECT_EQ(flag("load_view_tko", "inbounds"), -1);
  EXPECT_EQ(flag("maxf", "propagate_nan"), 0);
  EXPECT_EQ(flag("maxf", "flush_to_zero"), 1);
  EXPECT_EQ(flag("gdc_wait_tko", "token"), -1);
  EXPECT_FALSE(table.find("for")->hasFlags(ct::v13_1));
  EXPECT_TRUE(table.find("for")->hasFlags(ct::v13_2));
  EXPECT_FALSE(table.find("ftoi")->hasFlags(ct::v13_3));
  EXPECT_TRUE(table.find("ftoi")->hasFlags(ct::v13_4));
  EXPECT_FALSE(table.find("mmaf")->hasFlags(ct::v13_2));
  EXPECT_EQ(table.find("print_tko")->numFixedResults(ct::v13_1), 0u);
  EXPECT_EQ(table.find("print_tko")->numFixedResults(ct::v13_2), 1u);
  // The largest opcode of each version.
  for (auto [version, largest] :
       {std::pair(ct::v13_1, 0x6Du), {ct::v13_2, 0x6Eu}, {ct::v13_3, 0x75u}, {ct::v13_4, 0x7Au}}) {
    unsigned found = 0;
    for (const OpRow &row : table.rows())
      if (row.since <= version)
        found = std::max(found, row.opcode);
    EXPECT_EQ(found, largest) << version.str();
  }
  EXPECT_EQ(table.find(uint64_t(0x19)), nullptr);
  EXPECT_EQ(table.find(uint64_t(0x7B)), nullptr);
  EXPECT_EQ(table.find(UINT64_MAX), nullptr);
}

//===----------------------------------------------------------------------===//
// Streams of single ops
//===----------------------------------------------------------------------===//

/// Where in a file the body of its only function stands.
static std::string bodyOf(const std::string &file) {
  // The function section comes first; its payload starts at 16: count, name, type, flags, location list, length.
  EXPECT_EQ(file[13 - 1], '\x82');
  size_t start = 16; // with a length of one or of two bytes
  EXPECT_EQ(file[start], 1);
  size_t length = static_cast<uint8_t>(file[start + 5]), begin = start + 6;
  if (length & 0x80) {
    length = (length & 0x7F) | static_cast<size_t>(static_cast<uint8_t>(file[start + 6])) << 7;
    ++begin;
  }
  return file.substr(begin, length);
}

struct StreamCase {
  const char *op;
  ct::BytecodeVersion version;
  const char *stream;
};

class BytecodeStreamTest : public BytecodeTest {
protected:
  /// The stream of one op, the first of a body; the signature's types and names are the same for all.
  std::string streamOf(StringRef op, ct::BytecodeVersion version) {
    std::string file = assemble(("cuda_tile.module @kernels { entry @k(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>, "
                                 "%i: tile<i32>, %p: tile<ptr<f32>>) { " +
                                 op + " return } }")
                                    .str(),
                                version);
    if (file.empty())
      return messages;
    std::string body = bodyOf(file);
    EXPECT_TRUE(StringRef(body).ends_with(StringRef("\x5c\0\0", 3)));
    return bytesHex(StringRef(body).drop_back(3));
  }
};

// Types of the signature: 0 f32, 1 tile<f32>, 2 i32, 3 tile<i32>, 4 ptr<f32>, 5 tile<ptr<f32>>, 6 the signature.
TEST_F(BytecodeStreamTest, Layouts) {
  const StreamCase cases[] = {
      {"%r = addf %a, %b : tile<f32>", ct::v13_4,
       "0201000000"
       "01"},
      {"%r = addf %a, %b rounding<zero> flush_to_zero : tile<f32>", ct::v13_1, "020101010001"},
      {"%r = exp %a : tile<f32>", ct::v13_2, "170100"},
      {"%r = exp %a : tile<f32>", ct::v13_3, "17010500"},
      {"%r = negi %i : tile<i32>", ct::v13_1, "500303"},
      {"%r = negi %i : tile<i32>", ct::v13_2, "50030003"},
      {"%r = ftoi %a signed : tile<f32> -> tile<i32>", ct::v13_3, "2b03010600"},
      {"%r = ftoi %a signed : tile<f32> -> tile<i32>", ct::v13_4, "2b0300010600"},
      {"%r = ftoi %a signed saturating : tile<f32> -> tile<i32>", ct::v13_4, "2b0301010600"},
      {"%r = fpowi %a, %i : tile<f32>, tile<i32>", ct::v13_4, "79010003"},
      {"%r = fpowf %a, %b : tile<f32>", ct::v13_1, "54010001"},
      {"%r = gdc_wait_tko -> token", ct::v13_4, "780700"},
      {"%r, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token", ct::v13_1,
       "3d01070000"
       "04"},
      {"print_tko \"%d\", %i : tile<i32> -> token", ct::v13_1, "5500010103"},
      {"print_tko \"%d\", %i : tile<i32> -> token", ct::v13_2, "55010700010103"},
      {"for %j in (%i to %i, step %i) : tile<i32> { }", ct::v13_1,
       "290003030303010101030111"
       "0000"},
      {"for unsigned %j in (%i to %i, step %i) : tile<i32> { }", ct::v13_2,
       "29000103030303010101030111"
       "0000"},
      {"%t = make_token : token %t2 = memory_fence_alias_tko token=%t -> token", ct::v13_4, "44077a0705"},
      {"%r, %t = atomic_rmw_tko relaxed device %p, addf, %a : tile<ptr<f32>>, tile<f32> -> tile<f32>, token", ct::v13_1,
       "0801070001010404"
       "00"},
  };
  for (const StreamCase &one : cases)
    EXPECT_EQ(streamOf(one.op, one.version), one.stream) << one.op << " in " << one.version.str();
}

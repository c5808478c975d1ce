//===- BytecodeWriterTest.cpp - What the writer refuses -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BytecodeTestUtil.h"

using namespace tileiras_test;

class BytecodeWriterTest : public BytecodeTest {
protected:
  void expectRefusal(StringRef body, ct::BytecodeVersion version, StringRef text) {
    OwningOpRef<ct::ModuleOp> module = parse(("cuda_tile.module @kernels {" + body + "}").str());
    ASSERT_TRUE(module) << messages << body.str();
    EXPECT_TRUE(write(*module, version).empty()) << "written: " << body.str();
    EXPECT_TRUE(StringRef(messages).contains(text)) << "expected: " << text.str() << "\ngot: " << messages;
    logCompared(text);
    EXPECT_FALSE(write(*module, ct::v13_4).empty()) << messages;
  }
  void expectOpRefusal(StringRef op, ct::BytecodeVersion version, StringRef text) {
    expectRefusal(("entry @k(%a: tile<f32>, %i: tile<i32>, %p: tile<ptr<f32>>) {" + op + "}").str(), version, text);
  }
};

TEST_F(BytecodeWriterTest, OldVersionsRefuseNewThings) {
  expectOpRefusal("%r = atan2 %a, %a : tile<f32>", ct::v13_1,
                  "operation 'cuda_tile.atan2' is not available in bytecode version 13.1");
  expectOpRefusal("%r = fpowi %a, %i : tile<f32>, tile<i32>", ct::v13_3,
                  "operation 'cuda_tile.fpowi' is not available in bytecode version 13.3");
  expectOpRefusal("%r = negi %i overflow<no_signed_wrap> : tile<i32>", ct::v13_1,
                  "attribute 'overflow' requires bytecode version 13.2+, but targeting 13.1");
  expectOpRefusal("%r = exp %a rounding<approx> : tile<f32>", ct::v13_2,
                  "attribute 'rounding_mode' requires bytecode version 13.3+, but targeting 13.2");
  expectOpRefusal("for unsigned %j in (%i to %i, step %i) : tile<i32> { }", ct::v13_1,
                  "optional attribute 'unsignedCmp' is provided but requires bytecode version 13.2, targeting 13.1");
  expectOpRefusal("%r = ftoi %a signed saturating : tile<f32> -> tile<i32>", ct::v13_3,
                  "optional attribute 'saturating' is provided but requires bytecode version 13.4, targeting 13.3");
  expectOpRefusal("%t = make_token : token %r = print_tko \"x\" token=%t -> token", ct::v13_1,
                  "optional operand 'token' is provided but requires bytecode version 13.2, targeting 13.1");
  expectOpRefusal("%t = make_token : token %r = print_tko \"x\" -> token %j = join_tokens %t, %r : token", ct::v13_1,
                  "result 'result_token' requires bytecode version 13.2 but is being used and targeting 13.1");
  expectOpRefusal("%r = ftof %a rounding<nearest_away> : tile<f32> -> tile<tf32>", ct::v13_3,
                  "enum value for attribute 'rounding_mode' is not available in bytecode version 13.3");
  expectRefusal("entry @k(%p: tile<f8E8M0FNU>) {}", ct::v13_1,
                "type 'Float8E8M0FNU' requires bytecode version 13.2+, targeting 13.1");
  expectRefusal("entry @k(%p: tile<ptr<f32, #cuda_tile.ptr_attr<none>>>) {}", ct::v13_3,
                "pointer attribute requires bytecode version 13.4+, targeting 13.3");
  expectRefusal("global private @g <f32: [1.0]> : tile<1xf32>", ct::v13_2,
                "global `g` uses non-public symbol visibility, which cannot be encoded in bytecode version 13.2 "
                "(requires bytecode 13.3+)");
  expectRefusal("global constant @g <f32: [1.0]> : tile<1xf32>", ct::v13_1,
                "constant global `g` cannot be encoded in bytecode version 13.1 (the `constant` attribute requires "
                "bytecode 13.3+)");
  expectOpRefusal("%v = make_tensor_view %p, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]> "
                  "%w = make_partition_view %v : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>> "
                  "%t, %u = load_view_tko weak %w[%i] inbounds = [true] : partition_view<tile=(4), tensor_view<4xf32, "
                  "strides=[1]>>, tile<i32> -> tile<4xf32>, token",
                  ct::v13_3, "attribute 'inbounds' requires bytecode version 13.4+, but targeting 13.3");
}

TEST_F(BytecodeWriterTest, UnsupportedVersion) {
  OwningOpRef<ct::ModuleOp> module = parse("cuda_tile.module @kernels {}");
  EXPECT_TRUE(write(*module, {12, 0}).empty());
  EXPECT_EQ(messages, "unsupported version requested 12.0, must be in range [13.1, 13.4]\n");
  logCompared(messages);
  EXPECT_TRUE(write(*module, {13, 5}).empty());
}

TEST_F(BytecodeWriterTest, ModulesThatDoNotVerify) {
  auto expectWriteError = [&](ct::ModuleOp module, StringRef text) {
    EXPECT_TRUE(write(module, ct::v13_4).empty());
    EXPECT_TRUE(StringRef(messages).contains(text)) << "expected: " << text.str() << "\ngot: " << messages;
    logCompared(text);
  };
  OwningOpRef<ct::ModuleOp> module = parse(R"(cuda_tile.module @kernels {
    global @g <i32: 1> : tile<1xi32>
    entry @k() {
      %v = iota : tile<4xi32>
      %c = cat %v, %v dim = 0 : tile<4xi32>, tile<4xi32> -> tile<8xi32>
    }
  })");
  ASSERT_TRUE(module) << messages;
  ct::CatOp cat;
  module->walk([&](ct::CatOp op) { cat = op; });
  auto global = cast<ct::GlobalOp>(module->getBodyRegion().front().front());
  cat->removeAttr("dim");
  expectWriteError(*module, "attribute 'dim' is missing or has the wrong kind");
  global->moveBefore(cat);
  expectWriteError(*module, "operation not supported in bytecode");
}

TEST_F(BytecodeWriterTest, OtherDialects) {
  OwningOpRef<ct::ModuleOp> module = parse(R"(cuda_tile.module @kernels {
    entry @k(%a: tile<i32>) {
      %b = builtin.unrealized_conversion_cast %a : !cuda_tile.tile<i32> to i32
    }
  })");
  ASSERT_TRUE(module) << messages;
  EXPECT_TRUE(write(*module, ct::v13_4).empty());
  EXPECT_TRUE(StringRef(messages).contains("only ops from the 'cuda_tile' dialect are allowed")) << messages;
  logCompared("only ops from the 'cuda_tile' dialect are allowed");
}

TEST_F(BytecodeWriterTest, ProducerIsDroppedBefore13_3) {
  OwningOpRef<ct::ModuleOp> module = parse("cuda_tile.module @kernels attributes {producer = \"me\"} {}");
  ASSERT_TRUE(module) << messages;
  for (ct::BytecodeVersion version : ct::BytecodeVersion::all()) {
    OwningOpRef<ct::ModuleOp> again = read(write(*module, version));
    ASSERT_TRUE(again) << messages;
    EXPECT_EQ(again->getProducer(), version >= ct::v13_3 ? std::optional<StringRef>("me") : std::nullopt);
  }
}

TEST_F(BytecodeWriterTest, Locations) {
  auto writeAt = [&](StringRef loc) {
    OwningOpRef<ct::ModuleOp> module =
        parse(("cuda_tile.module @kernels { entry @k() { return loc(" + loc + ") } }").str());
    EXPECT_TRUE(module) << messages;
    return write(*module, ct::v13_4);
  };
  EXPECT_TRUE(writeAt("fused[\"a\", \"b\"]").empty());
  EXPECT_EQ(messages, "unsupported location, got FusedLoc, expected DILocAttr or CallSiteLoc\n");
  EXPECT_TRUE(writeAt("\"name\"(\"f\":1:1)").empty());
  EXPECT_EQ(messages, "unsupported location, got NameLoc, expected DILocAttr or CallSiteLoc\n");
  // Positions outside any scope are dropped.
  EXPECT_EQ(writeAt("\"f\":1:1"), writeAt("unknown"));
}

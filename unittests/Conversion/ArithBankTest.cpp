//===- ArithBankTest.cpp --------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The type converter of tiles converts everything that checkTiles lets pass, so that no kernel has an operation whose
// types have no conversion; a converter of our own has some.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "tileiras/Conversion/TileAAToTileAS/TileAAToTileAS.h"
#include "tileiras/Dialect/TileAS/IR/LayoutInference.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

/// Tiles of f32 get a layout, those of f16 have no conversion.
class OnlyF32 : public TypeConverter {
public:
  explicit OnlyF32(MLIRContext *context) {
    addConversion([](Type type) { return type; });
    addConversion([context](RankedTensorType type) -> std::optional<Type> {
      if (type.getElementType().isF16())
        return Type();
      if (type.getEncoding())
        return type;
      return nv_tileas::withLayout(type, nv_tileas::getDefaultLayout(context, type.getShape(), /*numWarps=*/1));
    });
    auto cast = [](OpBuilder &builder, Type type, ValueRange inputs, Location loc) -> Value {
      return UnrealizedConversionCastOp::create(builder, loc, type, inputs).getResult(0);
    };
    addSourceMaterialization(cast);
    addTargetMaterialization(cast);
  }
};

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

/// Converts every operation of arith on tiles without layouts; whether that went well.
bool convert(ModuleOp module) {
  MLIRContext *context = module.getContext();
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) { return success(); });
  OnlyF32 converter(context);
  RewritePatternSet patterns(context);
  nv_tileas::populateArithBank(converter, patterns);
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  target.addDynamicallyLegalDialect<arith::ArithDialect>([](Operation *op) {
    auto hasLayout = [](Type type) {
      auto tile = dyn_cast<RankedTensorType>(type);
      return !tile || tile.getEncoding();
    };
    return llvm::all_of(op->getResultTypes(), hasLayout) && llvm::all_of(op->getOperandTypes(), hasLayout);
  });
  return succeeded(applyPartialConversion(module, target, std::move(patterns)));
}

OwningOpRef<ModuleOp> parse(MLIRContext &context, StringRef body) {
  context.loadDialect<arith::ArithDialect, func::FuncDialect, nv_tileas::TileASDialect>();
  return parseSourceString<ModuleOp>(
      ("func.func @f(%x: tensor<32xf32>, %y: tensor<32xf16>) {\n" + body + "  return\n}\n").str(), &context);
}

TEST(ArithBankTest, OperationsGetLayouts) {
  MLIRContext context;
  OwningOpRef<ModuleOp> module = parse(context, "  %a = arith.addf %x, %x : tensor<32xf32>\n");
  ASSERT_TRUE(module);
  EXPECT_TRUE(convert(*module));
  EXPECT_NE(print(*module).find("arith.addf %"), std::string::npos);
  EXPECT_NE(print(*module).find("#blocked"), std::string::npos);
}

/// What has no conversion is not replaced by half, and neither is what stands beside it: the module is what it was.
TEST(ArithBankTest, ATypeWithoutConversionReplacesNothing) {
  for (StringRef body : {
           // The result, and the operand alone.
           "  %a = arith.addf %x, %x : tensor<32xf32>\n  %b = arith.addf %y, %y : tensor<32xf16>\n",
           "  %a = arith.mulf %x, %x : tensor<32xf32>\n  %b = arith.extf %y : tensor<32xf16> to tensor<32xf32>\n",
           "  %b = arith.truncf %x : tensor<32xf32> to tensor<32xf16>\n",
       }) {
    MLIRContext context;
    OwningOpRef<ModuleOp> module = parse(context, body);
    ASSERT_TRUE(module);
    std::string before = print(*module);
    EXPECT_FALSE(convert(*module)) << body.str();
    EXPECT_EQ(print(*module), before);
  }
}

} // namespace

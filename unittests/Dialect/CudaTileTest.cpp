//===- CudaTileTest.cpp - The C++ interface of the cuda_tile dialect ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Dialect/CudaTile/IR/CudaTile.h"
#include "mlir/AsmParser/AsmParser.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::cuda_tile;

namespace {

class CudaTileTest : public ::testing::Test {
protected:
  CudaTileTest() : builder(&context) { context.loadDialect<CudaTileDialect>(); }

  OptimizationHintsAttr hints(StringRef text) {
    Attribute attr = parseAttribute(("#cuda_tile.optimization_hints" + text).str(), &context);
    return cast<OptimizationHintsAttr>(attr);
  }

  MLIRContext context;
  OpBuilder builder;
};

TEST_F(CudaTileTest, HintsFallBackToDefault) {
  auto h = hints("<default = {latency = 3, allow_tma = false}, sm_90 = {latency = 5}>");
  EXPECT_EQ(h.getLatency("sm_90"), 5);
  EXPECT_EQ(h.getLatency("sm_100"), 3);
  EXPECT_EQ(h.getAllowTMA("sm_90"), false);
  EXPECT_EQ(h.getOccupancy("sm_90"), std::nullopt);
}

TEST_F(CudaTileTest, BadHintsAreNoHints) {
  auto h = hints("<default = {latency = 11, occupancy = 0, num_cta_in_cga = 3, allow_tma = 1, "
                 "num_worker_warps_per_cta = \"x\"}>");
  EXPECT_EQ(h.getLatency("sm_90"), std::nullopt);
  EXPECT_EQ(h.getOccupancy("sm_90"), std::nullopt);
  EXPECT_EQ(h.getNumCTAInCGA("sm_90"), std::nullopt);
  EXPECT_EQ(h.getAllowTMA("sm_90"), std::nullopt);
  EXPECT_EQ(h.getNumWorkerWarpsPerCTA("sm_90"), std::nullopt);
}

TEST_F(CudaTileTest, ClusterHintNeedsClusters) {
  auto h = hints("<default = {num_cta_in_cga = 2}>");
  EXPECT_EQ(h.getNumCTAInCGA("sm_90"), 2);
  EXPECT_EQ(h.getNumCTAInCGA("sm_86"), std::nullopt);
}

TEST_F(CudaTileTest, WarpsAreClamped) {
  EXPECT_EQ(hints("<default = {num_worker_warps_per_cta = 1}>").getNumWorkerWarpsPerCTA("sm_90"), 4);
  EXPECT_EQ(hints("<default = {num_worker_warps_per_cta = 8}>").getNumWorkerWarpsPerCTA("sm_90"), 8);
  EXPECT_EQ(hints("<default = {num_worker_warps_per_cta = 32}>").getNumWorkerWarpsPerCTA("sm_90"), 8);
}

TEST_F(CudaTileTest, StorageBits) {
  EXPECT_EQ(getStorageBits(builder.getI1Type()), 8u);
  EXPECT_EQ(getStorageBits(FloatTF32Type::get(&context)), 32u);
  EXPECT_EQ(getStorageBits(Float4E2M1FNType::get(&context)), 4u);
  EXPECT_EQ(getStorageBits(cuda_tile::PointerType::get(builder.getF16Type())), 64u);
}

TEST_F(CudaTileTest, TypesShareOneInterface) {
  auto tensor = TensorViewType::get(builder.getF32Type(), {64, ShapedType::kDynamic}, {ShapedType::kDynamic, 1});
  EXPECT_EQ(tensor.getNumDynamicShape(), 1u);
  EXPECT_EQ(tensor.getNumDynamicStrides(), 1u);
  TileView view = cast<TileView>(Type(PartitionViewType::get(&context, {8, 16}, tensor, {0, 1}, {})));
  EXPECT_EQ(view.getViewTileType(), TileType::get({8, 16}, builder.getF32Type()));
  EXPECT_EQ(view.getViewTensorView(), tensor);
  EXPECT_FALSE(view.getViewPadding());
  // A tile is a shaped type: literals and constants are ordinary dense attributes.
  auto dense = DenseElementsAttr::get(view.getViewTileType(), 1.5f);
  EXPECT_TRUE(isa<DenseIntOrFPElementsAttr>(dense));
}

// A kernel made with the builders alone verifies, and absent attributes have their public defaults.
TEST_F(CudaTileTest, Builders) {
  Location loc = builder.getUnknownLoc();
  OwningOpRef<mlir::ModuleOp> top = mlir::ModuleOp::create(loc);
  builder.setInsertionPointToEnd(top->getBody());
  auto module = cuda_tile::ModuleOp::create(builder, loc, "m");
  builder.setInsertionPointToEnd(module.getBody());
  auto i32 = TileType::get({}, builder.getI32Type());
  auto entry = EntryOp::create(builder, loc, "k", builder.getFunctionType({i32, i32}, {}));
  builder.setInsertionPointToEnd(&entry.getBody().front());
  Value lo = entry.getBody().getArgument(0), hi = entry.getBody().getArgument(1);
  auto loop = ForOp::create(builder, loc, lo, hi, lo, ValueRange{hi},
                            [&](OpBuilder &b, Location l, Value iv, ValueRange carried) {
                              Value sum = AddIOp::create(b, l, iv, carried[0]);
                              ContinueOp::create(b, l, ValueRange{sum});
                            });
  Value less = CmpIOp::create(builder, loc, i32.withElementType(builder.getI1Type()), ComparisonPredicate::LessThan,
                              loop.getResult(0), hi, Signedness::Signed);
  auto branch = IfOp::create(builder, loc, TypeRange(), less, /*withElse=*/true);
  EXPECT_TRUE(isa<YieldOp>(branch.getElseBlock()->back()));
  ReturnOp::create(builder, loc);
  EXPECT_TRUE(succeeded(verify(*top)));
  auto add = cast<AddIOp>(loop.getBody()->front());
  EXPECT_EQ(add.getOverflow(), Overflow::None);
  EXPECT_EQ(loop.getRegionIterValues().size(), 1u);
  EXPECT_FALSE(loop.getUnsignedCmp());
}

} // namespace

//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// What a kernel needs depends on where its atoms have operands and sums: a product whose sums are in tensor memory and
// whose factors are in shared memory needs no registers for them, and nobody slices it.
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/Transforms/Resources.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "tileiras/Support/LinearLayout.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileiras::DotOperand;

namespace {

/// An atom that no target has: "tensor" has its sums in tensor memory, everything else in registers; both read their
/// factors from shared memory.
struct SyntheticAtom : MmaAtomAttrInterface::ExternalModel<SyntheticAtom, StringAttr> {
  Type getElement(Attribute attr) const { return Float16Type::get(attr.getContext()); }
  StringRef getAtomName(Attribute) const { return "synthetic"; }
  tileiras::DotTiling getTiling(Attribute) const { return {}; }
  MemorySet getMemories(Attribute attr, DotOperand operand) const {
    if (operand != DotOperand::C)
      return MemoryKind::Shared;
    return cast<StringAttr>(attr).getValue() == "tensor" ? MemoryKind::Tensor : MemoryKind::Registers;
  }
  std::optional<tileiras::LinearLayout> getRegisterLayout(Attribute, const tileiras::DotShape &, DotOperand) const {
    return std::nullopt;
  }
  std::optional<tileiras::LinearLayout> getScaleLayout(Attribute, const tileiras::DotShape &, DotOperand,
                                                       int32_t) const {
    return std::nullopt;
  }
  bool acceptsLayout(Attribute, const tileiras::DotShape &, DotOperand, MemoryKind,
                     const tileiras::LinearLayout &) const {
    return true;
  }
  std::array<int32_t, 3> getInstructionShape(Attribute) const { return {64, 64, 16}; }
  std::string whyNot(Attribute, const tileiras::DotShape &) const { return {}; }
  MmaCost getCost(Attribute, const tileiras::DotShape &) const { return {}; }
};

class ResourcesTest : public ::testing::Test {
protected:
  ResourcesTest() {
    context
        .loadDialect<nv_tileaa::TileAADialect, TileASDialect, arith::ArithDialect, scf::SCFDialect, gpu::GPUDialect>();
    StringAttr::attachInterface<SyntheticAtom>(context);
    module = parseSourceString<ModuleOp>(R"mlir(
      nv_tileaa.func @product(%a: tensor<256x64xf16>, %b: tensor<64x256xf16>, %z: tensor<256x256xf32>, %n: i32,
                                %va: !nv_tileaa.tiled_view<[256, 64], !nv_tileaa.memref<256x64xf16, strides = [64, 1]>>,
                                %vb: !nv_tileaa.tiled_view<[64, 256], !nv_tileaa.memref<64x256xf16, strides = [256, 1]>>) {
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (tensor<256x256xf32>) : i32 {
          %x, %tx = nv_tileaa.tiled_load %va[%i, %i] : <[256, 64], !nv_tileaa.memref<256x64xf16, strides = [64, 1]>>, (i32, i32) -> tensor<256x64xf16>
          %y, %ty = nv_tileaa.tiled_load %vb[%i, %i] : <[64, 256], !nv_tileaa.memref<64x256xf16, strides = [256, 1]>>, (i32, i32) -> tensor<64x256xf16>
          %p = nv_tileaa.dot %x, %y, %s : tensor<256x64xf16>, tensor<64x256xf16>, tensor<256x256xf32>
          scf.yield %p : tensor<256x256xf32>
        }
        %h = nv_tileaa.dot %a, %b, %r : tensor<256x64xf16>, tensor<64x256xf16>, tensor<256x256xf32>
        nv_tileaa.return
      })mlir",
                                         &context);
    if (module)
      func = *module->getOps<nv_tileaa::FuncOp>().begin();
    target = tileiras::lookupTarget("sm_100");
  }

  ResourceModel model(StringRef atom) {
    MmaAtomAttrInterface chosen = cast<MmaAtomAttrInterface>(Attribute(StringAttr::get(&context, atom)));
    return ResourceModel(func, target, [chosen](Operation *) { return chosen; });
  }

  Value result() { return (*func.getOps<scf::ForOp>().begin()).getResult(0); }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  nv_tileaa::FuncOp func;
  const tileiras::TargetInfo *target = nullptr;
};

} // namespace

TEST_F(ResourcesTest, SumsInRegisters) {
  ASSERT_TRUE(func && target);
  // mma.sync: 65,536 sums are all the registers of a multiprocessor.
  ResourceModel resources(func, target);
  EXPECT_EQ(resources.memoryOf(result()), MemoryKind::Registers);
  EXPECT_EQ(resources.words(result()), 256 * 256);
  EXPECT_GE(resources.demand().registerWords, 256 * 256);
  EXPECT_EQ(resources.demand().tensorColumns, 0);
  EXPECT_TRUE(resources.exceeds(8, 1));
  // Factors elsewhere do not help: the sums are too many.
  EXPECT_TRUE(model("registers").exceeds(8, 1));
}

TEST_F(ResourcesTest, SumsInTensorMemory) {
  ASSERT_TRUE(func && target);
  ResourceModel resources = model("tensor");
  // Also what the loop carries and ends with.
  EXPECT_EQ(resources.memoryOf(result()), MemoryKind::Tensor);
  EXPECT_EQ(resources.memoryOf(func.getArgument(2)), MemoryKind::Tensor);
  EXPECT_EQ(resources.words(result()), 0);
  Demand demand = resources.demand();
  EXPECT_EQ(demand.tensorColumns, 512);
  // The factors of the product in the loop, which are loaded for it alone.
  EXPECT_EQ(demand.sharedBytes, 2 * 256 * 64 * 2);
  EXPECT_LT(demand.registerWords, 256 * 256);
  EXPECT_FALSE(resources.exceeds(8, 1));
  // Divided by two, as slices would have it.
  EXPECT_EQ(resources.demand([](Value) { return 2; }).tensorColumns, 256);
}

TEST_F(ResourcesTest, RoomFallsWithOccupancy) {
  ASSERT_TRUE(func && target);
  ResourceModel resources = model("tensor");
  EXPECT_GT(resources.room(8, 1), resources.room(8, 2));
  EXPECT_GT(resources.room(8, 1), resources.room(4, 1));
}

TEST(Resources, OperandsWithoutRoom) {
  // What has no room in shared memory is held by several threads.
  Demand demand;
  demand.registerWords = 1000;
  demand.sharedBytes = 64 * 1024;
  EXPECT_EQ(ResourceModel::wordsWith(demand, 64 * 1024), 1000);
  EXPECT_EQ(ResourceModel::wordsWith(demand, 48 * 1024), 1000 + 64 * 1024);
}

// Tiles must not take all of shared memory where the address of columns and the mbarriers of products lie behind them
// (tileas-optimize-alloc-tensor: eight bytes each; the kernel has one product).
TEST(Resources, TensorMemoryNeedsSharedMemory) {
  MLIRContext context;
  context.loadDialect<nv_tileaa::TileAADialect, TileASDialect, gpu::GPUDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"mlir(
    #a = #nv_tileas.shared<rank = 2, offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0], [32, 0], [64, 0]]>
    #b = #nv_tileas.shared<rank = 2, offset = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 1], [0, 2], [8, 4], [0, 8]]>
    #t = #nv_tileas.tensor_memory<rank = 2, row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], column = [[0, 1], [0, 2], [0, 4], [0, 8]]>
    nv_tileaa.func @product(%a: tensor<128x16xf16, #a>, %b: tensor<16x16xf16, #b>, %adds: i1) {
      %c = nv_tileas.alloc_tensor : tensor<128x16xf32, #t>
      %d = nv_tileas.dot %a, %b, %c if %adds {atom = #nv_tileas.sm100_mma_atom<f16, m = 128, n = 16, warps = 4>} : tensor<128x16xf16, #a>, tensor<16x16xf16, #b>, tensor<128x16xf32, #t>
      nv_tileaa.return
    }
    nv_tileaa.func @none() {
      nv_tileaa.return
    })mlir",
                                                             &context);
  ASSERT_TRUE(module);
  auto product = module->lookupSymbol<nv_tileaa::FuncOp>("product"),
       none = module->lookupSymbol<nv_tileaa::FuncOp>("none");
  ASSERT_TRUE(product && none);
  EXPECT_LE(SharedMemory(product).room() + 16, SharedMemory(none).room());
  EXPECT_GE(SharedMemory(product).room() + 128, SharedMemory(none).room());
  EXPECT_LE(SharedMemory(product).roomToKeep(), SharedMemory(product).room());
}

//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Operands of products go through an array laid out as the plan says and come out by ldmatrix as the PTX ISA describes
// it: every register of every lane must hold what the fragment wants, without a bank conflict.
//===----------------------------------------------------------------------===//

#include "tileiras/Support/MatrixFetch.h"
#include "tileiras/Support/DotLayouts.h"
#include "tileiras/Support/LayoutBuilders.h"
#include "gtest/gtest.h"

#include <numeric>

using namespace tileiras;

namespace {

/// What ldmatrix puts into element `i` of register `matrix` of a lane: which byte of shared memory, given the address
/// (in elements) that each lane would give.
template <typename AddressOf>
uint64_t elementOf(const MatrixFetch &fetch, int elementBytes, int lane, int matrix, int i, AddressOf addressOf) {
  int group = lane / 4, thread = lane % 4, perWord = 4 / elementBytes;
  if (fetch.transposed && elementBytes == 1)
    return addressOf(16 * (matrix / 2) + 4 * thread + i) + uint64_t(group + 8 * (matrix % 2));
  if (fetch.transposed)
    return addressOf(8 * matrix + 2 * thread + i) + uint64_t(group);
  return addressOf(8 * matrix + group) + uint64_t(thread * perWord + i);
}

std::vector<int> allBits(const LinearLayout &fragments) {
  std::vector<int> bits(size_t(fragments.inBits(kRegister)));
  std::iota(bits.begin(), bits.end(), 0);
  return bits;
}

/// Number of registers that do not get their element; -1 if there is no plan.
int wrong(const LinearLayout &src, const LinearLayout &fragments, int elementBytes, bool transposed,
          bool plantBug = false) {
  std::optional<MatrixFetch> fetch = matrixFetch(fragments, elementBytes, transposed, allBits(fragments));
  if (!fetch)
    return -1;
  std::optional<SharedPlan> plan = planMatrixFetch(src, *fetch, elementBytes);
  if (!plan)
    return -1;
  EXPECT_EQ(plan->load.wavefronts, plan->load.idealWavefronts);
  LinearLayout toOffset = fetch->rows.invertAndCompose(plan->memory)->sublayout(fetch->rows.inNames(), {kOffset});
  if (plantBug)
    fetch->transposed = !fetch->transposed;
  int count = 0;
  for (int warp = 0; warp < fragments.inSize(kWarp); ++warp)
    for (int lane = 0; lane < 32; ++lane)
      for (int r = 0; r < fragments.inSize(kRegister); ++r) {
        int instruction = fetch->instructionOf(r), matrix = fetch->matrixOf(r), i = r & ((1 << fetch->wordBits) - 1);
        EXPECT_EQ(fetch->registerOf(instruction, matrix, i), r);
        uint64_t offset = elementOf(*fetch, elementBytes, lane, matrix, i, [&](int from) {
          return uint64_t(
              toOffset.coords({{kRegister, instruction << fetch->rowBits}, {kLane, from}, {kWarp, warp}})[0]);
        });
        std::vector<int32_t> got = plan->memory.coords({{kOffset, int32_t(offset)}});
        std::vector<int32_t> wanted = fragments.coords({{kRegister, r}, {kLane, lane}, {kWarp, warp}});
        count += got != wanted;
      }
  return count;
}

DotTiling tilingOf(int k, int bits, int warpsM, int warpsN) {
  DotTiling t;
  t.k = k;
  t.elementBits = bits;
  t.warpsM = warpsM;
  t.warpsN = warpsN;
  return t;
}

LinearLayout fragmentsOf(const DotTiling &t, const DotShape &shape, DotOperand operand) {
  return dotLayout(t, shape, operand).removeRedundantBasesAlongDim(kRegister);
}

} // namespace

TEST(MatrixFetch, Fragments) {
  struct Type {
    int bytes, k;
  };
  for (Type type : {Type{2, 16}, Type{2, 8}, Type{1, 32}, Type{4, 8}})
    for (auto [m, n, k] :
         {std::array{128, 256, 64}, std::array{64, 64, 32}, std::array{16, 8, 32}, std::array{128, 32, 128}}) {
      DotShape shape;
      shape.m = m, shape.n = n, shape.k = k;
      DotTiling t = tilingOf(type.k, type.bytes * 8, m >= 64 ? 2 : 1, n >= 32 ? 2 : 1);
      int warps = t.warpsM * t.warpsN;
      for (DotOperand operand : {DotOperand::A, DotOperand::B}) {
        LinearLayout fragments = fragmentsOf(t, shape, operand);
        std::vector<int32_t> tile = fragments.shape();
        int along = operand == DotOperand::A ? 1 : 0;
        for (int fastest : {0, 1}) {
          std::vector<int32_t> order = {fastest, 1 - fastest};
          LinearLayout src = defaultBlockedLayout(tile, type.bytes * 8, warps, order);
          bool transposed = fastest != along;
          int result = wrong(src, fragments, type.bytes, transposed);
          bool rowsOf8 = type.bytes == 1 && operand == DotOperand::B && n == 8;
          if (transposed && (type.bytes == 4 || rowsOf8))
            EXPECT_EQ(result, -1);
          else
            EXPECT_EQ(result, 0) << m << "x" << n << "x" << k << ", " << type.bytes << " bytes, operand "
                                 << int(operand) << ", fastest " << fastest << ", " << fragments.toString();
        }
      }
    }
}

TEST(MatrixFetch, PlantedBug) {
  DotShape shape;
  shape.m = 64, shape.n = 64, shape.k = 64;
  LinearLayout fragments = fragmentsOf(tilingOf(16, 16, 2, 2), shape, DotOperand::A);
  LinearLayout src = defaultBlockedLayout({64, 64}, 16, 4, {1, 0});
  EXPECT_EQ(wrong(src, fragments, 2, false), 0);
  EXPECT_GT(wrong(src, fragments, 2, false, /*plantBug=*/true), 0);
}

TEST(MatrixFetch, PlantedBugInBytes) {
  // Both registers of a matrix as if they came from the same eight bytes of a row.
  DotShape shape;
  shape.m = 64, shape.n = 64, shape.k = 64;
  LinearLayout fragments = fragmentsOf(tilingOf(32, 8, 2, 2), shape, DotOperand::B);
  LinearLayout src = defaultBlockedLayout({64, 64}, 8, 4, {1, 0});
  EXPECT_EQ(wrong(src, fragments, 1, true), 0);
  EXPECT_GT(wrong(src, fragments, 1, true, /*plantBug=*/true), 0);
}

/// Elements that stmatrix puts where they do not belong; -1 if there is no plan. It writes what ldmatrix would read.
static int wronglyStored(const LinearLayout &fragments, const LinearLayout &dst, bool transposed,
                         bool plantBug = false) {
  std::optional<MatrixFetch> rows = matrixFetch(fragments, 2, transposed, allBits(fragments));
  std::optional<SharedPlan> plan = rows ? planMatrixStore(*rows, dst, 2) : std::nullopt;
  if (!plan)
    return -1;
  EXPECT_EQ(plan->store.wavefronts, plan->store.idealWavefronts);
  LinearLayout toOffset = rows->rows.invertAndCompose(plan->memory)->sublayout(rows->rows.inNames(), {kOffset});
  std::vector<std::vector<int32_t>> array(size_t(plan->memory.inSize(kOffset)));
  for (int warp = 0; warp < fragments.inSize(kWarp); ++warp)
    for (int lane = 0; lane < 32; ++lane)
      for (int r = 0; r < fragments.inSize(kRegister); ++r) {
        int instruction = rows->instructionOf(r), matrix = rows->matrixOf(r) ^ int(plantBug);
        uint64_t offset = elementOf(*rows, 2, lane, matrix, r & 1, [&](int from) {
          return uint64_t(
              toOffset.coords({{kRegister, instruction << rows->rowBits}, {kLane, from}, {kWarp, warp}})[0]);
        });
        array[offset] = fragments.coords({{kRegister, r}, {kLane, lane}, {kWarp, warp}});
      }
  int count = 0;
  for (int32_t offset = 0; offset < int32_t(array.size()); ++offset)
    count += array[size_t(offset)] != plan->memory.coords({{kOffset, offset}});
  return count;
}

TEST(MatrixFetch, Stores) {
  for (auto [m, n] : {std::array{64, 64}, std::array{128, 32}, std::array{64, 256}})
    for (int fastest : {0, 1}) {
      DotShape shape;
      shape.m = m, shape.n = n, shape.k = 16;
      LinearLayout sums = fragmentsOf(tilingOf(16, 16, 2, 2), shape, DotOperand::C);
      LinearLayout dst = defaultBlockedLayout({m, n}, 16, 4, {fastest, 1 - fastest});
      EXPECT_EQ(wronglyStored(sums, dst, fastest == 0), 0) << m << "x" << n << ", fastest " << fastest;
      EXPECT_GT(wronglyStored(sums, dst, fastest == 0, /*plantBug=*/true), 0);
    }
}

TEST(MatrixFetch, SwizzleInsideRows) {
  // Multiply-adds of a tile that comes transposed: the writes want a swizzle that mixes elements inside rows, which ld
  // can follow and ldmatrix cannot.
  using Bases = std::vector<std::vector<int32_t>>;
  auto layout = [](Bases registers, Bases lanes, Bases warps) {
    return LinearLayout(
        {{kRegister, std::move(registers)}, {kLane, std::move(lanes)}, {kWarp, std::move(warps)}, {kBlock, {}}},
        {16, 16});
  };
  LinearLayout fragments =
      layout({{0, 1}, {1, 0}, {2, 0}, {4, 0}, {8, 0}}, {{0, 2}, {0, 4}, {0, 8}, {0, 0}, {0, 0}}, {{0, 0}, {0, 0}});
  LinearLayout src = layout({{1, 0}}, {{2, 0}, {4, 0}, {8, 0}, {0, 1}, {0, 2}}, {{0, 4}, {0, 8}});
  std::optional<MatrixFetch> fetch = matrixFetch(fragments, 4, false, {0, 1, 2, 3, 4});
  ASSERT_TRUE(fetch);
  EXPECT_FALSE(planMatrixFetch(src, *fetch, 4));
}

TEST(MatrixFetch, NotFragments) {
  // Lanes that hold copies have no rows of 16 bytes.
  DotShape shape;
  shape.m = 64, shape.n = 4, shape.k = 64;
  LinearLayout fragments = fragmentsOf(tilingOf(16, 16, 1, 1), shape, DotOperand::B);
  EXPECT_FALSE(matrixFetch(fragments, 2, true, {}));
  EXPECT_TRUE(matrixFetch(fragments, 2, false, {}));
  // Elements of 8 bytes are no matter for ldmatrix.
  EXPECT_FALSE(matrixFetch(fragments, 8, false, {}));
}

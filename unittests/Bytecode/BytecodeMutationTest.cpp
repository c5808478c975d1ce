//===- BytecodeMutationTest.cpp - Damaged files ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Good files with random damage, from a fixed seed. Reading must end, must not crash, and must either report an error
// or give a module that verifies, prints, and survives another trip. TILEIRAS_MUTANTS sets how many, TILEIRAS_SEED
// where to start.
//===----------------------------------------------------------------------===//
#include "BytecodeTestUtil.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <random>

using namespace tileiras_test;

static unsigned getNumber(const char *variable, unsigned fallback) {
  const char *text = std::getenv(variable);
  unsigned value;
  return text && !StringRef(text).getAsInteger(10, value) ? value : fallback;
}

class BytecodeMutationTest : public BytecodeTest {
protected:
  std::vector<std::string> makeSeeds() {
    std::vector<std::string> seeds;
    auto text = llvm::MemoryBuffer::getFile(TILEIRAS_SOURCE_DIR "/tileiras/Bytecode/test/all_ops.mlir");
    EXPECT_TRUE(static_cast<bool>(text));
    seeds.push_back(assemble((*text)->getBuffer()));
    EXPECT_FALSE(seeds.back().empty()) << messages;
    // Every layout of every version, in a file small enough that damage hits something each time.
    StringRef small = R"(
      cuda_tile.module @kernels {
        global @g <f32: [1.0, 2.0]> : tile<2xf32>
        entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) optimization_hints=<sm_90 = {occupancy = 2 : i32}> {
          %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
          %pv = make_partition_view %tv : partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>
          %0, %t = load_view_tko weak %pv[%n] : partition_view<tile=(8), padding_value = zero, tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
          %1 = ftoi %0 signed : tile<8xf32> -> tile<8xi32>
          %2 = exp %0 : tile<8xf32>
          %3 = reduce %2 dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32> (%e: tile<f32>, %a: tile<f32>) {
            %s = addf %e, %a : tile<f32>
            yield %s : tile<f32>
          }
          %4 = for %i in (%n to %n, step %n) : tile<i32> iter_values(%v = %3) -> (tile<f32>) {
            %w = if %c -> (tile<f32>) { yield %v : tile<f32> } else { yield %3 : tile<f32> }
            continue %w : tile<f32>
          }
          %5 = assume div_by<16>, %n : tile<i32>
          %6 = print_tko "%f", %4 : tile<f32> -> token
        } loc(#kernel)
      }
      #file = #cuda_tile.di_file<"a.py" in "/src">
      #unit = #cuda_tile.di_compile_unit<file = #file>
      #sub = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 1>
      #kernel = loc(#cuda_tile.di_loc<loc("a.py":1:1) in #sub>)
    )";
    for (ct::BytecodeVersion version : ct::BytecodeVersion::all()) {
      seeds.push_back(assemble(small, version));
      EXPECT_FALSE(seeds.back().empty()) << messages;
    }
    return seeds;
  }

  std::string mutate(std::string bytes, std::mt19937 &random) {
    auto pick = [&](size_t limit) { return limit ? random() % limit : 0; };
    static constexpr uint8_t interesting[] = {0x00, 0x01, 0x7F, 0x80, 0xFF, 0xCB, 0x40, 0x10};
    for (unsigned edits = 1 + pick(4); edits > 0; --edits) {
      // Headers stay whole most of the time, or little else would be seen.
      size_t at = pick(16) ? std::min<size_t>(bytes.size(), 12 + pick(bytes.size())) : pick(bytes.size());
      if (at >= bytes.size())
        continue;
      switch (pick(10)) {
      case 0:
      case 1:
      case 2:
        bytes[at] ^= static_cast<char>(1 << pick(8));
        break;
      case 3:
      case 4:
        bytes[at] = static_cast<char>(random());
        break;
      case 5:
        bytes[at] = static_cast<char>(interesting[pick(std::size(interesting))]);
        break;
      case 6: // another number of about the same size
        bytes[at] = static_cast<char>(bytes[at] + static_cast<int>(pick(5)) - 2);
        break;
      case 7: { // a piece of the file stands elsewhere as well
        size_t from = pick(bytes.size()), size = std::min(pick(16) + 1, bytes.size() - std::max(from, at));
        std::string piece = bytes.substr(from, size);
        bytes.replace(at, piece.size(), piece);
        break;
      }
      case 8:
        pick(2) ? bytes.insert(at, 1, static_cast<char>(random())) : bytes.erase(at, 1 + pick(4));
        break;
      case 9:
        if (pick(4) == 0)
          bytes.resize(at);
        else
          bytes[at] = static_cast<char>(0x80 | bytes[at]);
        break;
      }
    }
    return bytes;
  }
};

TEST_F(BytecodeMutationTest, DamageIsReportedOrHarmless) {
  std::vector<std::string> seeds = makeSeeds();
  unsigned number = getNumber("TILEIRAS_MUTANTS", 20000), seed = getNumber("TILEIRAS_SEED", 1), accepted = 0;
  for (unsigned i = 0; i < number; ++i) {
    std::mt19937 random(seed + i);
    std::string bytes = mutate(seeds[i % seeds.size()], random);
    if (const char *file = std::getenv("TILEIRAS_MUTANT_FILE")) { // leaves the culprit behind after a crash
      std::error_code error;
      llvm::raw_fd_ostream(file, error) << bytes;
    }
    numErrors = 0;
    OwningOpRef<ct::ModuleOp> module = read(bytes);
    if (!module) {
      ASSERT_GT(numErrors, 0u) << "refused without an error: seed " << seed + i;
      continue;
    }
    ++accepted;
    ASSERT_TRUE(succeeded(verify(*module))) << messages << "seed " << seed + i;
    OpPrintingFlags flags;
    flags.enableDebugInfo();
    std::string text = print(*module, flags);
    std::string again = write(*module, *ct::peekBytecodeVersion(bytes));
    ASSERT_FALSE(again.empty()) << messages << "seed " << seed + i << "\n" << text;
    OwningOpRef<ct::ModuleOp> decoded = read(again);
    ASSERT_TRUE(decoded) << messages << "seed " << seed + i << "\n" << text;
    ASSERT_EQ(print(*decoded, flags), text) << "seed " << seed + i;
  }
  std::cout << number << " mutants, " << accepted << " of them still good" << std::endl;
  // Damage that goes unnoticed is rare enough, yet not absent, or the mutations miss the point.
  EXPECT_GT(accepted, number / 50);
  EXPECT_LT(accepted, number / 2);
}

// Every prefix of a file, and every single bit of a small one.
TEST_F(BytecodeMutationTest, PrefixesAndSingleBits) {
  std::vector<std::string> seeds = makeSeeds();
  for (const std::string &seed : ArrayRef(seeds).drop_front())
    for (size_t size = 0; size < seed.size(); ++size)
      ASSERT_FALSE(read(seed.substr(0, size))) << size;
  std::string bytes = seeds.back();
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    OwningOpRef<ct::ModuleOp> module = read(bytes);
    if (module)
      (void)print(*module);
    bytes[bit / 8] ^= static_cast<char>(1 << (bit % 8));
  }
}

//===- EmulatorTmaTest.cpp - Bulk and tensor copies -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "EmulatorTmaUtil.h"

using namespace tileiras::emu;
using namespace tileiras::emu::test;

namespace {

/// The tensor's bytes as dense host memory with the map's strides, element e of the buffer holding a value of its own.
struct Source {
  uint64_t address = 0;
  std::vector<uint8_t> bytes;
};
Source makeSource(Memory &memory, uint64_t bytes, uint64_t seed = 1) {
  Source s;
  Rng rng(seed);
  s.bytes.resize(bytes);
  for (uint8_t &b : s.bytes)
    b = uint8_t(rng.next());
  s.address = upload(memory, s.bytes, "tensor");
  return s;
}

/// Dense strides with padding of 16 bytes per row; returns the bytes of the tensor.
uint64_t makeStrides(Tensormap &m) {
  uint64_t pitch = (m.dims[0] * tensorTypeBits(m.type) / 8 + 15) / 16 * 16 + 16;
  for (unsigned k = 1; k < m.rank; ++k) {
    m.strides[k - 1] = pitch;
    pitch *= m.dims[k];
  }
  return pitch;
}

/// The box as five nested loops, element by element; `visit(image offset, byte offset in the tensor or -1)`.
template <typename F> void eachElement(const Tensormap &m, const std::vector<int64_t> &coords, F visit) {
  uint64_t n[5] = {1, 1, 1, 1, 1}, index = 0, size = tensorTypeBits(m.type) / 8;
  for (unsigned k = 0; k != m.rank; ++k)
    n[k] = k ? (m.box[k] + m.elementStrides[k] - 1) / m.elementStrides[k] : m.box[0];
  for (uint64_t e = 0; e != n[4]; ++e)
    for (uint64_t d = 0; d != n[3]; ++d)
      for (uint64_t c = 0; c != n[2]; ++c)
        for (uint64_t b = 0; b != n[1]; ++b)
          for (uint64_t a = 0; a != n[0]; ++a, ++index) {
            uint64_t i[5] = {a, b, c, d, e};
            int64_t at = 0;
            bool inside = true;
            for (unsigned k = 0; k != m.rank; ++k) {
              int64_t p = coords[k] + int64_t(i[k] * (k ? m.elementStrides[k] : 1));
              inside &= p >= 0 && p < int64_t(m.dims[k]);
              at += p * int64_t(k ? m.strides[k - 1] : size);
            }
            visit(index * size, inside ? at : -1);
          }
}

std::vector<uint8_t> referenceTile(const Tensormap &m, const std::vector<uint8_t> &tensor,
                                   const std::vector<int64_t> &coords) {
  std::vector<uint8_t> image;
  uint64_t size = tensorTypeBits(m.type) / 8;
  eachElement(m, coords, [&](uint64_t, int64_t at) {
    for (uint64_t b = 0; b != size; ++b)
      image.push_back(at >= 0                      ? tensor[uint64_t(at) + b]
                      : m.fill == TensorFill::Zero ? 0
                      : b + 1 == size              ? 0x7f
                                                   : 0xff);
  });
  return image;
}

std::string loadText(const Tensormap &m, const std::string &mode, const std::vector<int64_t> &coords,
                     const std::string &extra = "", const std::string &destination = "%r2") {
  return "@%p0 cp.async.bulk.tensor." + std::to_string(m.rank) + "d.shared::cluster.global" + mode +
         ".mbarrier::complete_tx::bytes [" + destination + "], [%rd1, " + braces(coords) + "], [bar]" + extra + ";\n";
}

/// Loads one box into buf (filled with 0xee before) and returns `bytes` bytes of it.
TmaRun load(Tensormap m, Memory &memory, const std::string &instruction, uint64_t transfer, uint32_t bytes,
            TmaSetup s = {}) {
  s.outBytes = bytes;
  return runTma(initBarriers() + fillBuffer(bytes) + expectTx(transfer) + instruction + waitBarrier() + copyOut(bytes),
                encoded(m), memory, 0, s);
}

/// Names of the cells (16 bytes each) in lines of 128 bytes, as the tables of PTX ISA, Tensors, Swizzling Modes.
struct Pattern {
  TensorSwizzle mode;
  uint32_t span;
  std::vector<std::array<int, 8>> lines;
};
const Pattern patterns[] = {
    {TensorSwizzle::None, 128, {{0, 1, 2, 3, 4, 5, 6, 7}}},
    {TensorSwizzle::B32, 32, {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}}},
    {TensorSwizzle::B64,
     64,
     {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}, {2, 3, 0, 1, 6, 7, 4, 5}, {3, 2, 1, 0, 7, 6, 5, 4}}},
    {TensorSwizzle::B128,
     128,
     {{0, 1, 2, 3, 4, 5, 6, 7},
      {1, 0, 3, 2, 5, 4, 7, 6},
      {2, 3, 0, 1, 6, 7, 4, 5},
      {3, 2, 1, 0, 7, 6, 5, 4},
      {4, 5, 6, 7, 0, 1, 2, 3},
      {5, 4, 7, 6, 1, 0, 3, 2},
      {6, 7, 4, 5, 2, 3, 0, 1},
      {7, 6, 5, 4, 3, 2, 1, 0}}},
    {TensorSwizzle::B128Atom32,
     128,
     {{0, 1, 2, 3, 4, 5, 6, 7}, {2, 3, 0, 1, 6, 7, 4, 5}, {4, 5, 6, 7, 0, 1, 2, 3}, {6, 7, 4, 5, 2, 3, 0, 1}}},
    {TensorSwizzle::B128Atom32Flip8,
     128,
     {{0, 1, 2, 3, 4, 5, 6, 7}, {2, 3, 0, 1, 6, 7, 4, 5}, {4, 5, 6, 7, 0, 1, 2, 3}, {6, 7, 4, 5, 2, 3, 0, 1}}},
    {TensorSwizzle::B128Atom64, 128, {{0, 1, 2, 3, 4, 5, 6, 7}, {4, 5, 6, 7, 0, 1, 2, 3}}},
    {TensorSwizzle::B96, 96, {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}}},
};

/// Every cell of the tensor holds its own number; after the load, each line of shared memory must show the ISA's table.
/// A destination that is not aligned to the pattern starts in the middle of it (swizzle base offset).
TEST(EmulatorTma, SwizzleTables) {
  for (const Pattern &p : patterns)
    for (uint32_t offset : {0u, 128u, 640u}) {
      Memory memory;
      uint32_t rows = 16 * 128 / p.span / 3 * 3;
      Tensormap m;
      m.type = TensorType::U32;
      m.rank = 2;
      m.dims[0] = m.box[0] = p.span / 4;
      m.dims[1] = m.box[1] = rows;
      m.strides[0] = p.span;
      m.swizzle = p.mode;
      uint32_t bytes = p.span * rows / 128 * 128;
      std::vector<uint32_t> cells(p.span * rows / 4);
      for (size_t i = 0; i != cells.size(); ++i)
        cells[i] = uint32_t(i / 4 << 8 | i % 4); // cell number, word in the cell
      m.address = upload(memory, cells, "tensor");
      TmaRun r =
          load(m, memory, loadText(m, "", {0, 0}, "", "%r2+" + std::to_string(offset)), p.span * rows, bytes + offset);
      ASSERT_TRUE(r.result.ok) << reports(r.result);
      for (uint32_t line = 0; line * 128 < bytes; ++line)
        for (uint32_t cell = 0; cell != 8; ++cell)
          for (uint32_t word = 0; word != 4; ++word) {
            uint32_t absolute = line + offset / 128, got;
            uint32_t want = (line * 8 + uint32_t(p.lines[absolute % p.lines.size()][cell])) << 8;
            // "A flip of adjacent 8-bytes within the 16-byte data at every alternate shared memory line."
            want |= p.mode == TensorSwizzle::B128Atom32Flip8 && absolute % 2 ? word ^ 2 : word;
            std::memcpy(&got, &r.out[offset + line * 128 + cell * 16 + word * 4], 4);
            ASSERT_EQ(got, want) << tensorSwizzleName(p.mode) << " base " << offset << " line " << line << " cell "
                                 << cell << " word " << word;
          }
    }
}

/// Boxes of every rank, inside, hanging over every edge, and outside altogether; element strides, both fill modes.
TEST(EmulatorTma, TileLoads) {
  Rng rng(7);
  const TensorType types[] = {TensorType::U8,  TensorType::U16,  TensorType::F32,
                              TensorType::F64, TensorType::BF16, TensorType::S64};
  for (int round = 0; round != 60; ++round) {
    Memory memory;
    Tensormap m;
    m.type = types[rng.next() % 6];
    unsigned size = tensorTypeBits(m.type) / 8;
    m.rank = 1 + round % 5;
    m.fill = (m.type == TensorType::F32 || m.type == TensorType::BF16) && rng.next() % 2 ? TensorFill::NaN
                                                                                         : TensorFill::Zero;
    uint32_t total = size;
    std::vector<int64_t> coords;
    for (unsigned k = 0; k != m.rank; ++k) {
      m.dims[k] = k ? 1 + rng.next() % 9 : 1 + rng.next() % 60;
      m.box[k] = k ? 1 + uint32_t(rng.next() % 5) : 16 / size * (1 + uint32_t(rng.next() % (32 / (16 / size) + 1)));
      m.elementStrides[k] = k && rng.next() % 3 == 0 ? 1 + uint32_t(rng.next() % 3) : 1;
      coords.push_back(int64_t(rng.next() % (m.dims[k] + 2 * m.box[k])) - int64_t(m.box[k]));
      total *= (m.box[k] + m.elementStrides[k] - 1) / m.elementStrides[k];
    }
    Source source = makeSource(memory, makeStrides(m), uint64_t(round));
    m.address = source.address;
    std::vector<uint8_t> want = referenceTile(m, source.bytes, coords);
    ASSERT_EQ(want.size(), total);
    LaunchOptions o;
    o.asyncTiming = AsyncTiming(round % 3);
    uint32_t bytes = (total + 127) / 128 * 128 + 128;
    TmaSetup s;
    s.options = o;
    TmaRun r = load(m, memory, loadText(m, round % 2 ? ".tile" : "", coords), total, bytes, s);
    ASSERT_TRUE(r.result.ok) << reports(r.result);
    want.resize(bytes, 0xee); // nothing else is touched
    ASSERT_EQ(r.out, want) << "round " << round;
    EXPECT_EQ(r.result.stats.tmaLoadBytes, total);
    // What is outside of the tensor nobody reads.
    bool inside = true;
    for (unsigned k = 0; k != m.rank; ++k) {
      bool some = false;
      for (uint32_t i = 0; i < m.box[k]; i += m.elementStrides[k])
        some |= coords[k] + i >= 0 && coords[k] + i < int64_t(m.dims[k]);
      inside &= some;
    }
    EXPECT_EQ(r.result.stats.tmaSectors != 0, inside) << "round " << round;
    EXPECT_LE(r.result.stats.tmaSectors, total) << "round " << round;
  }
}

/// Stores write exactly the elements inside the tensor, and read only the shared bytes of those.
TEST(EmulatorTma, TileStores) {
  Rng rng(11);
  const TensorType types[] = {TensorType::U8, TensorType::F16, TensorType::S32, TensorType::U64};
  for (int round = 0; round != 40; ++round) {
    Memory memory;
    Tensormap m;
    m.type = types[rng.next() % 4];
    unsigned size = tensorTypeBits(m.type) / 8;
    m.rank = 1 + round % 5;
    m.swizzle = TensorSwizzle(round / 5 % 5);
    uint32_t span = tensorSwizzleSpan(m.swizzle) ? tensorSwizzleSpan(m.swizzle) : 64, total = size;
    std::vector<int64_t> coords;
    for (unsigned k = 0; k != m.rank; ++k) {
      m.dims[k] = k ? 1 + rng.next() % 9 : 1 + rng.next() % 200;
      m.box[k] = k ? 1 + uint32_t(rng.next() % 4) : span / size;
      m.elementStrides[k] = k && rng.next() % 4 == 0 ? 2 : 1;
      coords.push_back(int64_t(rng.next() % m.dims[k]) / (k ? 1 : 16) * (k ? 1 : 16));
      total *= (m.box[k] + m.elementStrides[k] - 1) / m.elementStrides[k];
    }
    Source source = makeSource(memory, makeStrides(m), uint64_t(round) + 100);
    m.address = source.address;
    // The image in shared memory, written with the swizzle by hand: cell by cell through the ISA's table.
    std::vector<uint8_t> image((total + 127) / 128 * 128);
    for (uint8_t &b : image)
      b = uint8_t(rng.next());
    uint64_t aux = upload(memory, image, "image");
    const Pattern &p = patterns[unsigned(m.swizzle)];
    std::vector<uint8_t> want = source.bytes;
    eachElement(m, coords, [&](uint64_t offset, int64_t at) {
      if (at < 0)
        return;
      // Which cell of the line shows this one?
      uint64_t line = offset / 128;
      int cell = int(offset / 16 % 8);
      const auto &table = p.lines[line % p.lines.size()];
      uint64_t home = uint64_t(std::find(table.begin(), table.end(), cell) - table.begin());
      for (unsigned b = 0; b != size; ++b)
        want[uint64_t(at) + b] = image[line * 128 + home * 16 + offset % 16 + b];
    });
    TmaSetup s;
    s.options.asyncTiming = AsyncTiming(round % 3);
    TmaRun r = runTma(copyIn(uint32_t(image.size())) + "@%p0 cp.async.bulk.tensor." + std::to_string(m.rank) +
                          "d.global.shared::cta.bulk_group [%rd1, " + braces(coords) +
                          "], [%r2];\ncp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
                      encoded(m), memory, aux, s);
    ASSERT_TRUE(r.result.ok) << reports(r.result);
    ASSERT_EQ(download<uint8_t>(memory, source.address, source.bytes.size()), want) << "round " << round;
  }
}

/// Shared memory that only a part of the box's elements inside the tensor have been written to.
TEST(EmulatorTma, StoreReadsOnlyWhatItWrites) {
  for (bool missing : {false, true}) {
    Memory memory;
    Tensormap m;
    m.type = TensorType::U32;
    m.rank = 2;
    m.dims[0] = 6, m.dims[1] = 3;
    m.box[0] = 8, m.box[1] = 4;
    Source source = makeSource(memory, makeStrides(m));
    m.address = source.address;
    // Thread t writes words 0..5 of rows 0..2 only (missing: not word 5 of row 2).
    std::string s =
        "div.u32 %r3, %r0, 6; mul.lo.u32 %r4, %r3, 6; sub.u32 %r4, %r0, %r4; shl.b32 %r3, %r3, 5; shl.b32 %r4, %r4, 2;"
        "add.u32 %r3, %r3, %r4; add.u32 %r3, %r3, %r2; setp.lt.u32 %p1, %r0, " +
        std::string(missing ? "17" : "18") +
        "; @%p1 st.shared.u32 [%r3], %r0; fence.proxy.async.shared::cta; bar.sync 0;\n"
        "@%p0 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd1, {0, 0}], [%r2]; "
        "cp.async.bulk.commit_group; "
        "cp.async.bulk.wait_group 0;";
    TmaRun r = runTma(s, encoded(m), memory, 0, {});
    EXPECT_EQ(r.result.ok, !missing) << reports(r.result);
    EXPECT_EQ(hasReport(r.result, ReportKind::Uninitialized), missing);
    for (uint32_t y = 0; y != 3; ++y)
      for (uint32_t x = 0; x != 6 && !missing; ++x)
        EXPECT_EQ(download<uint32_t>(memory, source.address + y * m.strides[0] + 4 * x, 1)[0], 6 * y + x);
  }
}

Tensormap simpleMap(Memory &memory, uint32_t width = 32, uint32_t rows = 8) {
  Tensormap m;
  m.type = TensorType::U32;
  m.rank = 2;
  m.dims[0] = m.box[0] = width;
  m.dims[1] = m.box[1] = rows;
  m.strides[0] = width * 4;
  std::vector<uint32_t> values(width * rows);
  for (uint32_t i = 0; i != values.size(); ++i)
    values[i] = i + 1;
  m.address = upload(memory, values, "tensor");
  return m;
}

/// Planted bugs of a load.
TEST(EmulatorTma, LoadMistakes) {
  struct Mistake {
    uint64_t transfer;
    bool wait;
    ReportKind kind;
    AsyncTiming timing;
  };
  const Mistake mistakes[] = {
      {1024, true, ReportKind::Launch, AsyncTiming::Late},   // none
      {1040, true, ReportKind::Deadlock, AsyncTiming::Late}, // too many bytes expected
      {1040, true, ReportKind::Deadlock, AsyncTiming::Early},
      {512, true, ReportKind::Deadlock, AsyncTiming::Random},      // too few
      {1024, false, ReportKind::Uninitialized, AsyncTiming::Late}, // nobody waits
  };
  for (const Mistake &k : mistakes) {
    Memory memory;
    Tensormap m = simpleMap(memory);
    TmaSetup s;
    s.outBytes = 1024;
    s.options.asyncTiming = k.timing;
    TmaRun r = runTma(initBarriers() + expectTx(k.transfer) + loadText(m, "", {0, 0}) + (k.wait ? waitBarrier() : "") +
                          copyOut(1024),
                      encoded(m), memory, 0, s);
    EXPECT_EQ(r.result.ok, k.kind == ReportKind::Launch) << reports(r.result);
    EXPECT_EQ(hasReport(r.result, k.kind), k.kind != ReportKind::Launch) << reports(r.result);
  }
}

/// A store's source may be overwritten after wait_group.read, its destination be read after wait_group only.
TEST(EmulatorTma, BulkGroups) {
  everyTiming([](LaunchOptions o) {
    for (int wait : {0, 1, 2}) { // none, .read, full
      Memory memory;
      uint64_t target = upload(memory, std::vector<uint32_t>(64), "target");
      TmaSetup s;
      s.outBytes = 4;
      s.options = o;
      s.checkRaces = false;
      std::string text = "shl.b32 %r3, %r0, 3; add.u32 %r3, %r3, %r2; st.shared.v2.u32 [%r3], {%r0, 7}; "
                         "fence.proxy.async.shared::cta; bar.sync 0;\n"
                         "@!%p0 bra DONE; cp.async.bulk.global.shared::cta.bulk_group [%rd3], [%r2], 256; "
                         "cp.async.bulk.commit_group;\n";
      if (wait)
        text += wait == 1 ? "cp.async.bulk.wait_group.read 0;\n" : "cp.async.bulk.wait_group 0;\n";
      text += "ld.global.u32 %r5, [%rd3+8]; st.global.u32 [%rd2], %r5; st.shared.u32 [%r2+8], 99;\nDONE:";
      TmaRun r = runTma(text, MapBytes{}, memory, target, s);
      EXPECT_TRUE(r.result.ok) << reports(r.result);
      uint32_t seen;
      std::memcpy(&seen, r.out.data(), 4);
      uint32_t stored = download<uint32_t>(memory, target + 8, 1)[0];
      if (wait == 2)
        EXPECT_EQ(seen, 1u);
      if (wait)
        EXPECT_EQ(stored, 1u);
      if (o.asyncTiming == AsyncTiming::Late) {
        EXPECT_EQ(seen, wait == 2 ? 1u : 0u);
        EXPECT_EQ(stored, wait ? 1u : 99u);
      }
    }
  });
}

/// wait_group N leaves the N newest groups alone.
TEST(EmulatorTma, GroupsInOrder) {
  Memory memory;
  uint64_t target = upload(memory, std::vector<uint32_t>(64), "target");
  TmaSetup s;
  s.outBytes = 16;
  s.checkRaces = false; // looks at a target whose store is not complete
  TmaRun r = runTma("shl.b32 %r3, %r0, 3; add.u32 %r3, %r3, %r2; st.shared.v2.u32 [%r3], {%r0, 7}; "
                    "fence.proxy.async.shared::cta; bar.sync 0;\n"
                    "@!%p0 bra DONE;\n"
                    "cp.async.bulk.global.shared::cta.bulk_group [%rd3], [%r2+16], 16; cp.async.bulk.commit_group;\n"
                    "cp.async.bulk.global.shared::cta.bulk_group [%rd3+16], [%r2+32], 16; cp.async.bulk.commit_group;\n"
                    "cp.async.bulk.global.shared::cta.bulk_group [%rd3+32], [%r2+48], 16; cp.async.bulk.commit_group;\n"
                    "cp.async.bulk.wait_group 1; ld.global.u32 %r5, [%rd3]; ld.global.u32 %r6, [%rd3+16]; "
                    "ld.global.u32 %r7, [%rd3+32];\n"
                    "st.global.v4.u32 [%rd2], {%r5, %r6, %r7, 0}; cp.async.bulk.wait_group 0;\nDONE:",
                    MapBytes{}, memory, target, s);
  EXPECT_TRUE(r.result.ok) << reports(r.result);
  uint32_t got[3];
  std::memcpy(got, r.out.data(), 12);
  EXPECT_EQ(got[0], 2u);
  EXPECT_EQ(got[1], 4u);
  EXPECT_EQ(got[2], 0u);
  EXPECT_EQ(download<uint32_t>(memory, target + 32, 1)[0], 6u);
}

/// Copies without a tensor map: in, out with a byte mask, prefetch, cache hints.
TEST(EmulatorTma, BulkCopies) {
  everyTiming([](LaunchOptions o) {
    Memory memory;
    Source source = makeSource(memory, 2048);
    TmaSetup s;
    s.outBytes = 1024;
    s.options = o;
    s.target = "sm_100a";
    TmaRun r = runTma(initBarriers() + fillBuffer(1024) + expectTx(512 + 128) + R"(
        mov.b64 %rd10, 0; createpolicy.fractional.L2::evict_last.b64 %rd10, 1.0;
        @%p0 cp.async.bulk.prefetch.L2.global [%rd3], 1024;
        @%p0 cp.async.bulk.prefetch.L2.global.L2::cache_hint [%rd3], 1024, %rd10;
        @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd3+16], 512, [bar];
        @%p0 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r2+512], [%rd3+1024], 128, [bar], %rd10;
        )" + waitBarrier() +
                          R"(mov.b16 %h1, 0x8421;
        @%p0 cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd2], [%r2], 512, %h1;
        @%p0 cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%rd2+512], [%r2+512], 512, %rd10;
        cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;)",
                      MapBytes{}, memory, source.address, s);
    ASSERT_TRUE(r.result.ok) << reports(r.result);
    for (uint32_t b = 0; b != 1024; ++b) {
      uint8_t inBuffer = b < 512 ? source.bytes[16 + b] : b < 640 ? source.bytes[512 + b] : 0xee;
      ASSERT_EQ(r.out[b], b >= 512 || 0x8421 >> (b & 15) & 1 ? inBuffer : 0) << b;
    }
    EXPECT_EQ(r.result.stats.tmaLoadBytes, 640u);
    EXPECT_EQ(r.result.stats.tmaStoreBytes, 1024u);
    // 512 bytes from byte 16 on are 17, 128 are four, and what is stored is 32.
    EXPECT_EQ(r.result.stats.tmaSectors, 53u);
  });
}

/// Every block of a cluster gets the boxes of all, each loaded by one and multicast.
TEST(EmulatorTma, Multicast) {
  for (uint32_t blocks : {2u, 4u})
    everyTiming([&](LaunchOptions o) {
      Memory memory;
      Tensormap m = simpleMap(memory, 32, 8 * blocks);
      m.box[1] = 8;
      TmaSetup s;
      s.blocks = blocks;
      s.cluster = {blocks};
      s.outBytes = 1024 * blocks;
      s.options = o;
      std::string mask = std::to_string((1u << blocks) - 1);
      TmaRun r = runTma(initBarriers() + fillBuffer(s.outBytes) + expectTx(1024 * blocks) + R"(
          barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
          shl.b32 %r3, %r1, 3; shl.b32 %r4, %r1, 10; add.u32 %r4, %r4, %r2; mov.b16 %h1, )" +
                            mask + R"(;
          @%p0 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r4], [%rd1, {0, %r3}], [bar], %h1;
          )" + waitBarrier() +
                            copyOut(s.outBytes) + "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
                        encoded(m), memory, 0, s);
      ASSERT_TRUE(r.result.ok) << reports(r.result);
      for (uint32_t i = 0; i != s.outBytes * blocks / 4; ++i) {
        uint32_t got;
        std::memcpy(&got, &r.out[4 * i], 4);
        ASSERT_EQ(got, i % (s.outBytes / 4) + 1) << i;
      }
    });
}

/// .cta_group::2: the pair's even block is signalled for the data of both.
TEST(EmulatorTma, CtaPair) {
  for (bool multicast : {false, true})
    everyTiming([&](LaunchOptions o) {
      Memory memory;
      Tensormap m = simpleMap(memory, 32, 16);
      m.box[1] = 8;
      TmaSetup s;
      s.target = "sm_100a";
      s.blocks = 2;
      s.cluster = {2};
      s.outBytes = 1024;
      s.options = o;
      // Block 0 expects the bytes of both blocks. With multicast block 1 issues one copy that goes to both.
      std::string issue = multicast ? "setp.eq.u32 %p3, %r1, 1; and.pred %p3, %p3, %p0; mov.b16 %h1, 3; @%p3 "
                                      "cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.mbarrier::complete_"
                                      "tx::bytes.multicast::cluster [%r2], [%rd1, {0, 8}], [%r5], %h1;"
                                    : "shl.b32 %r3, %r1, 3; @%p0 "
                                      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::"
                                      "bytes.cta_group::2 [%r2], [%rd1, {0, %r3}], [%r5];";
      TmaRun r = runTma(initBarriers() + fillBuffer(1024) + R"(
          setp.eq.u32 %p1, %r1, 0; and.pred %p2, %p1, %p0;
          @%p2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 2048;
          barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
          mov.u32 %r5, bar; and.b32 %r5, %r5, 0xfeffffff;
          )" + issue + R"(
          @!%p1 bra SKIP;
          )" + waitBarrier() +
                            R"(
          SKIP: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
          )" + copyOut(1024),
                        encoded(m), memory, 0, s);
      ASSERT_TRUE(r.result.ok) << reports(r.result);
      for (uint32_t i = 0; i != 512; ++i) {
        uint32_t got;
        std::memcpy(&got, &r.out[4 * i], 4);
        ASSERT_EQ(got, multicast ? i % 256 + 257 : i + 1) << i;
      }
    });
}

TEST(EmulatorTma, GatherAndScatter) {
  everyTiming([](LaunchOptions o) {
    Memory memory;
    Tensormap m = simpleMap(memory, 64, 12);
    m.box[0] = 32;
    m.box[1] = 1;
    m.swizzle = TensorSwizzle::B128;
    TmaSetup s;
    s.target = "sm_100a";
    s.options = o;
    // Rows 7, 12 (outside), -1 (outside), 2 from column 32 on.
    TmaRun r = load(m, memory,
                    "@%p0 cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [%r2], "
                    "[%rd1, {32, 7, 12, -1, 2}], [bar];\n",
                    512, 640, s);
    ASSERT_TRUE(r.result.ok) << reports(r.result);
    const int rows[4] = {7, -1, -1, 2};
    for (uint32_t i = 0; i != 128; ++i) {
      uint32_t got, line = i / 32, cell = patterns[3].lines[line][i / 4 % 8];
      std::memcpy(&got, &r.out[4 * i], 4);
      ASSERT_EQ(got, rows[line] < 0 ? 0u : uint32_t(rows[line]) * 64 + 32 + cell * 4 + i % 4 + 1) << i;
    }
    // Scatter: row j of the image to row y[j], columns from 0 on.
    std::vector<uint32_t> image(128);
    for (uint32_t i = 0; i != 128; ++i)
      image[i] = 1000 + i;
    uint64_t aux = upload(memory, image, "image");
    r = runTma(copyIn(512) + "@%p0 cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%rd1, {0, 9, "
                             "0, 3, 15}], [%r2];\n"
                             "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
               encoded(m), memory, aux, s);
    ASSERT_TRUE(r.result.ok) << reports(r.result);
    auto tensor = download<uint32_t>(memory, m.address, 64 * 12);
    const int to[12] = {1, -1, -1, 2, -1, -1, -1, -1, -1, 0, -1, -1};
    for (uint32_t i = 0; i != tensor.size(); ++i) {
      uint32_t y = i / 64, x = i % 64, want = i + 1;
      if (to[y] >= 0 && x < 32) {
        const auto &table = patterns[3].lines[size_t(to[y])];
        uint32_t home = uint32_t(std::find(table.begin(), table.end(), int(x / 4)) - table.begin());
        want = 1000 + uint32_t(to[y]) * 32 + home * 4 + x % 4;
      }
      ASSERT_EQ(tensor[i], want) << i;
    }
  });
}

/// im2col against the counting definition: the bounding box has (dim + upper - lower - 1) / stride + 1 base pixels per
/// dimension, and the copy takes consecutive ones of the flattened box, W fastest.
TEST(EmulatorTma, Im2col) {
  Rng rng(3);
  for (int round = 0; round != 45; ++round) {
    Memory memory;
    Tensormap m;
    m.mode = TensorMode::Im2col;
    m.type = TensorType::F16;
    m.rank = 3 + round % 3;
    m.dims[0] = 8 * (1 + rng.next() % 4);
    m.channels = 8 * (1 + uint32_t(rng.next() % 4));
    m.pixels = 1 + uint32_t(rng.next() % 60);
    m.fill = rng.next() % 2 ? TensorFill::NaN : TensorFill::Zero;
    unsigned spatial = m.rank - 2;
    int64_t offset[3], counts[3], index[4];
    std::vector<int64_t> coords{int64_t(rng.next() % 3) * 8 - 8}, offsets;
    for (unsigned k = 0; k != spatial; ++k) {
      int64_t filter = 1 + int64_t(rng.next() % 3), pad = int64_t(rng.next() % 3);
      m.dims[k + 1] = 3 + rng.next() % 7;
      m.elementStrides[k + 1] = 1 + uint32_t(rng.next() % 2);
      m.lower[k] = int32_t(-pad);
      m.upper[k] = int32_t(pad - (filter - 1));
      offset[k] = int64_t(rng.next() % uint64_t(filter));
      offsets.push_back(offset[k]);
      counts[k] = (int64_t(m.dims[k + 1]) + m.upper[k] - m.lower[k] - 1) / m.elementStrides[k + 1] + 1;
      index[k] = int64_t(rng.next() % uint64_t(counts[k]));
      coords.push_back(m.lower[k] + index[k] * m.elementStrides[k + 1]);
    }
    m.dims[m.rank - 1] = 1 + rng.next() % 4;
    index[spatial] = int64_t(rng.next() % m.dims[m.rank - 1]);
    coords.push_back(index[spatial]);
    Source source = makeSource(memory, makeStrides(m), uint64_t(round));
    m.address = source.address;
    int64_t first = index[spatial];
    for (unsigned k = spatial; k--;)
      first = first * counts[k] + index[k];
    std::vector<uint8_t> want;
    for (int64_t n = 0; n != m.pixels; ++n) {
      int64_t rest = first + n, at = 0, p;
      bool inside = true;
      for (unsigned k = 0; k != spatial; ++k) {
        p = m.lower[k] + rest % counts[k] * m.elementStrides[k + 1] + offset[k];
        rest /= counts[k];
        inside &= p >= 0 && p < int64_t(m.dims[k + 1]);
        at += p * int64_t(m.strides[k]);
      }
      inside &= rest < int64_t(m.dims[m.rank - 1]);
      at += rest * int64_t(m.strides[m.rank - 2]);
      for (int64_t c = coords[0]; c != coords[0] + m.channels; ++c)
        for (int b = 0; b != 2; ++b)
          want.push_back(inside && c >= 0 && c < int64_t(m.dims[0]) ? source.bytes[uint64_t(at + 2 * c + b)]
                         : m.fill == TensorFill::Zero               ? 0
                         : b                                        ? 0x7f
                                                                    : 0xff);
    }
    uint32_t total = uint32_t(want.size()), bytes = (total + 127) / 128 * 128;
    want.resize(bytes, 0xee);
    TmaSetup s;
    s.options.asyncTiming = AsyncTiming(round / 3 % 3);
    TmaRun r = load(m, memory, loadText(m, ".im2col", coords, ", " + braces(offsets)), total, bytes, s);
    ASSERT_TRUE(r.result.ok) << reports(r.result);
    ASSERT_EQ(r.out, want) << "round " << round;
  }
}

/// im2col_no_offs stores are the inverse of loads without offsets.
TEST(EmulatorTma, Im2colStore) {
  Memory memory;
  Tensormap m;
  m.mode = TensorMode::Im2col;
  m.type = TensorType::F16;
  m.rank = 4;
  m.dims[0] = 16, m.dims[1] = 5, m.dims[2] = 4, m.dims[3] = 2;
  m.channels = 8;
  m.pixels = 18;
  m.upper[0] = -1; // W: 0..3
  Source source = makeSource(memory, makeStrides(m));
  m.address = source.address;
  std::vector<uint8_t> image(384), want = source.bytes;
  for (size_t i = 0; i != image.size(); ++i)
    image[i] = uint8_t(i * 7 + i / 128);
  uint64_t aux = upload(memory, image, "image");
  for (uint32_t n = 0; n != 18; ++n) { // from (w 2, h 3, n 0)
    uint32_t k = n + 2 + 4 * 3, w = k % 4, h = k / 4 % 4, img = k / 16;
    if (img < 2)
      std::memcpy(&want[w * m.strides[0] + h * m.strides[1] + img * m.strides[2] + 16], &image[16 * n], 16);
  }
  TmaRun r = runTma(
      copyIn(384) +
          "@%p0 cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [%rd1, {8, 2, 3, 0}], [%r2];\n"
          "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
      encoded(m), memory, aux, {});
  ASSERT_TRUE(r.result.ok) << reports(r.result);
  EXPECT_EQ(download<uint8_t>(memory, source.address, want.size()), want);
}

/// im2col::w and im2col::w::128: one row of pixels that goes on in the next image, and its halo.
TEST(EmulatorTma, Im2colWide) {
  for (bool w128 : {false, true})
    for (uint32_t halo : {0u, 2u}) {
      Memory memory;
      Tensormap m;
      m.mode = TensorMode::Im2colWide;
      m.type = TensorType::F16;
      m.rank = 4;
      m.swizzle = TensorSwizzle::B64;
      m.dims[0] = m.channels = 32, m.dims[1] = 7, m.dims[2] = 3, m.dims[3] = 30;
      m.pixels = 20;
      m.lower[0] = -1;
      Source source = makeSource(memory, makeStrides(m));
      m.address = source.address;
      uint32_t pixels = w128 ? 128 + 4 * halo : 20 + halo, total = pixels * 64, bytes = (total + 127) / 128 * 128;
      TmaSetup s;
      s.target = "sm_100a";
      // From w = 2, h = 1, image 4, with wOffset 1: base pixels w = 2..6, then -1..6 of the following images.
      TmaRun r = load(
          m, memory,
          loadText(m, w128 ? ".im2col::w::128" : ".im2col::w", {0, 2, 1, 4}, ", {" + std::to_string(halo) + ", 1}"),
          total, bytes, s);
      ASSERT_TRUE(r.result.ok) << reports(r.result);
      for (uint32_t n = 0; n != pixels; ++n) {
        uint32_t k = n < 128 || !w128 ? n : 32 * ((n - 128) % 4 + 1) + (n - 128) / 4; // place in the walk
        uint32_t step = k + 3, w = step % 8, image = 4 + step / 8; // w counts from lower + wOffset = 0
        for (uint32_t b = 0; b != 64; ++b) {
          uint32_t cell = n * 4 + b / 16, home = cell / 8 * 8 + uint32_t(patterns[2].lines[cell / 8 % 4][cell % 8]);
          uint8_t want = w < 7 ? source.bytes[b + w * m.strides[0] + m.strides[1] + image * m.strides[2]] : 0;
          ASSERT_EQ(r.out[home * 16 + b % 16], want) << w128 << halo << " pixel " << n << " byte " << b;
        }
      }
    }
}

} // namespace

//===- Tma.cpp - Bulk and tensor copies -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Machine/Async/Tma.h"

#include "tileiras/Emulator/Machine/Cta.h"
#include "tileiras/Emulator/Machine/Exec/FloatRounding.h"

#include <algorithm>
#include <bit>

using namespace tileiras::emu;

TmaOp::TmaOp(Warp &warp, const Inst &inst, uint32_t lane, const TmaRequest &request)
    : AsyncOp(AsyncUnit::Tma, warp, inst, lane), request(request) {
  bytes = request.size;
  if (request.x->multicast) {
    targets = request.mask;
  } else if (request.x->hasBarrier()) {
    targets = 1u << (request.dst >> 24);
  }
}

/// The hardware would trap: the block does not go on. Always true, for the operation is over.
bool TmaOp::fail(ReportKind kind, std::string message, uint64_t address) {
  report(kind, std::move(message), address);
  cta->failed = true;
  return true;
}

bool TmaOp::step() {
  if (phase++ == 0) {
    bool over = readSource();
    readsDone = true;
    return over;
  }
  return writeDestination();
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

bool TmaOp::readTensormap() {
  uint64_t address = request.map;
  if (address % 64)
    return fail(ReportKind::Misaligned, "the address of a tensor map must be a multiple of 64", address), false;
  Region r;
  Space space = request.mapSpace;
  if (!warp->region(space, address, address + TensormapBytes, false, r))
    return fail(ReportKind::OutOfBounds, "no tensor map at this address: " + warp->describe(space, address), address),
           false;
  if (space == Space::Generic) {
    space = address - ParamWindow < WindowSize   ? Space::Param
            : address - ConstWindow < WindowSize ? Space::Const
                                                 : Space::Global;
    if (address - SharedWindow < WindowSize || address - LocalWindow < WindowSize)
      return fail(ReportKind::Descriptor, "a tensor map must lie in global, constant or parameter memory", address),
             false;
  }
  if (space == Space::Global) {
    proxy = Proxy::Tensormap;
    observe(space, address, TensormapBytes, false);
    proxy = Proxy::Async;
  }
  std::string error = decodeTensormap(r.host, map);
  if (error.empty())
    error = planTmaBox(map, request, box);
  if (!error.empty())
    return fail(ReportKind::Descriptor, std::move(error), address), false;
  bytes = box.transferBytes();
  return true;
}

/// Copies shared memory, checking only the bytes that count as read: those of each 16 whose bit is set.
bool TmaOp::loadShared(uint64_t address, uint8_t *to, uint64_t size, uint32_t byteMask) {
  Region r;
  if (!shared(address, size, r)) {
    std::memset(to, 0, size);
    return false;
  }
  if (warp->checkInit && r.shadow)
    for (uint64_t b = 0; b != size; ++b)
      if (!r.shadow[b] && byteMask >> (b & 15) & 1) {
        report(ReportKind::Uninitialized,
               "asynchronous read of shared memory reaches a byte nobody has written: " +
                   warp->describe(Space::Shared, address + b),
               address + b);
        break;
      }
  std::memcpy(to, r.host, size);
  return true;
}

/// How many sectors of 32 bytes a run of global memory touches.
static uint64_t sectorsOf(uint64_t address, uint64_t size) {
  constexpr uint64_t sector = 32;
  return size ? (address + size - 1) / sector - address / sector + 1 : 0;
}

static uint64_t sectorsOf(const TmaBox &box) {
  uint64_t sectors = 0;
  for (const TmaBox::Row &r : box.rows)
    if (r.hi > r.lo)
      sectors += sectorsOf(r.address + uint64_t(r.lo) * box.globalUnit, uint64_t(r.hi - r.lo) * box.globalUnit);
  return sectors;
}

bool TmaOp::readSource() {
  Stats &stats = *warp->stats;
  switch (request.x->kind) {
  case TmaKind::BulkLoad:
    data.resize(request.size);
    if (request.size)
      read(Space::Global, request.src, data.data(), request.size);
    stats.tmaLoadBytes += request.size;
    stats.tmaSectors += sectorsOf(request.src, request.size);
    ++stats.tmaCopies;
    return false;
  case TmaKind::BulkStore:
  case TmaKind::BulkReduceGlobal:
    stats.tmaStoreBytes += request.size;
    stats.tmaSectors += sectorsOf(request.dst, request.size);
    [[fallthrough]];
  case TmaKind::BulkRemote:
  case TmaKind::BulkReduceShared:
    ++stats.tmaCopies;
    data.resize(request.size);
    if (request.size) {
      observe(Space::Shared, request.src, request.size, false);
      loadShared(request.src, data.data(), request.size, request.x->byteMask ? request.mask : 0xffff);
    }
    return false;
  case TmaKind::BulkPrefetch: {
    Region r;
    if (request.size)
      global(request.src, request.size, false, r);
    return true;
  }
  case TmaKind::TensorLoad:
    if (!readTensormap() || !loadBox())
      return true;
    stats.tmaLoadBytes += bytes;
    stats.tmaSectors += sectorsOf(box);
    ++stats.tmaCopies;
    return false;
  case TmaKind::TensorStore:
  case TmaKind::TensorReduce:
    if (!readTensormap() || !storeBox(request.src))
      return true;
    stats.tmaStoreBytes += bytes;
    stats.tmaSectors += sectorsOf(box);
    ++stats.tmaCopies;
    return false;
  case TmaKind::TensorPrefetch:
    readTensormap();
    return true;
  }
  return true;
}

/// Bits of an element outside of the tensor. PTX ISA, Tensors, Out of Boundary Access: zero, or a special NaN whose
/// bits are not documented; here all of them but the sign.
static void fillUnits(uint8_t *to, uint64_t size, const Tensormap &map) {
  if (map.fill == TensorFill::Zero) {
    std::memset(to, 0, size);
    return;
  }
  unsigned element = tensorTypeBits(map.type) / 8;
  std::memset(to, 0xff, size);
  for (uint64_t b = element - 1; b < size; b += element)
    to[b] = 0x7f;
}

/// .f32.ftz and .tf32.ftz flush subnormals, .tf32 and .tf32.ftz round to tf32 when they are loaded: to the nearest,
/// ties to even, and infinities and NaNs stay (Triton's test of round_f32_to_tf32, which passes on sm_120: pull request
/// 11751).
static void convertLoaded(uint8_t *image, uint64_t size, TensorType type) {
  bool flush = type == TensorType::F32Ftz || type == TensorType::TF32Ftz;
  bool round = type == TensorType::TF32 || type == TensorType::TF32Ftz;
  if (!flush && !round)
    return;
  for (uint64_t b = 0; b + 4 <= size; b += 4) {
    uint32_t v;
    std::memcpy(&v, image + b, 4);
    if (flush && !(v & 0x7f800000))
      v &= 0x80000000u;
    if (round && (v & 0x7f800000) != 0x7f800000)
      v = (v + 0xfff + (v >> 13 & 1)) & 0xffffe000u; // a carry into the exponent is right
    std::memcpy(image + b, &v, 4);
  }
}

/// Fills `data` with the box, in image order, not swizzled.
bool TmaOp::loadBox() {
  data.resize(box.imageBytes());
  uint64_t pitch = uint64_t(box.rowUnits) * box.sharedUnit;
  uint8_t *row = data.data();
  for (const TmaBox::Row &r : box.rows) {
    if (r.lo != 0 || r.hi != box.rowUnits)
      fillUnits(row, pitch, map);
    if (r.hi > r.lo) {
      uint64_t from = r.address + uint64_t(r.lo) * box.globalUnit, size = uint64_t(r.hi - r.lo) * box.globalUnit;
      if (box.globalUnit == box.sharedUnit) {
        read(Space::Global, from, row + uint64_t(r.lo) * box.sharedUnit, size);
      } else {
        std::vector<uint8_t> packed(size);
        read(Space::Global, from, packed.data(), size);
        for (uint32_t u = r.lo; u != r.hi; ++u)
          std::memcpy(row + uint64_t(u) * box.sharedUnit, &packed[uint64_t(u - r.lo) * box.globalUnit], box.globalUnit);
      }
    }
    row += pitch;
  }
  convertLoaded(data.data(), data.size(), map.type);
  return true;
}

/// Fills `data` with the box from shared memory. What lies outside of the tensor is not looked at: nobody needs to
/// have written it.
bool TmaOp::storeBox(uint64_t source) {
  data.resize(box.imageBytes());
  uint64_t pitch = uint64_t(box.rowUnits) * box.sharedUnit;
  bool whole = true;
  for (const TmaBox::Row &r : box.rows)
    whole &= r.lo == 0 && r.hi == box.rowUnits;
  if (whole && (map.swizzle == TensorSwizzle::None || data.size() % 128 == 0)) {
    observe(Space::Shared, source, data.size(), false);
    if (!loadShared(source, data.data(), data.size()))
      return true;
    if (map.swizzle != TensorSwizzle::None) {
      std::vector<uint8_t> plain(data.size());
      for (uint64_t b = 0; b != data.size(); b += 16)
        std::memcpy(&plain[b], &data[tensorSwizzle(map.swizzle, source + b) - source], 16);
      data.swap(plain);
    }
    return true;
  }
  for (size_t n = 0; n != box.rows.size(); ++n) {
    const TmaBox::Row &r = box.rows[n];
    for (uint64_t b = n * pitch + uint64_t(r.lo) * box.sharedUnit, end = n * pitch + uint64_t(r.hi) * box.sharedUnit;
         b < end;) {
      uint64_t piece = std::min(end, (b | 15) + 1) - b;
      uint64_t at = tensorSwizzle(map.swizzle, source + b);
      observe(Space::Shared, at, piece, false);
      loadShared(at, &data[b], piece);
      b += piece;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Destinations
//===----------------------------------------------------------------------===//

/// A block that has exited has given its shared memory back.
bool TmaOp::blockIsThere(uint64_t address) {
  uint32_t rank = uint32_t(address >> 24);
  if (rank >= cta->cluster->ctas.size())
    return true; // reported as an address that is out of bounds
  Cta &owner = *cta->cluster->ctas[rank];
  if (&owner == cta || owner.liveWarps)
    return true;
  report(ReportKind::Async,
         "block " + std::to_string(rank) + " of the cluster has exited, and its shared memory is written", address);
  return false;
}

/// Writes `data` to shared memory, swizzled.
void TmaOp::storeImage(uint64_t destination) {
  bool swizzled = request.x->isTensor() && map.swizzle != TensorSwizzle::None;
  uint64_t size = data.size();
  // The swizzle moves 16 bytes about within 128 bytes.
  uint64_t touched = swizzled ? (size + 127) & ~uint64_t(127) : size;
  Region r;
  if (!size || !blockIsThere(destination) || !shared(destination, touched, r))
    return;
  bool padded = request.x->isTensor() && box.globalUnit != box.sharedUnit;
  if (!swizzled && !padded) {
    observe(Space::Shared, destination, size, true);
    std::memcpy(r.host, data.data(), size);
    if (r.shadow)
      std::memset(r.shadow, 0xff, size);
    return;
  }
  uint64_t piece = padded ? box.globalUnit : 16;
  if (size == touched && !padded)
    observe(Space::Shared, destination, size, true);
  bool flip = swizzled && map.swizzle == TensorSwizzle::B128Atom32Flip8;
  for (uint64_t b = 0; b != size; b += 16) {
    // The flip exchanges the halves of 16 bytes.
    unsigned parts = flip ? 2 : 1;
    for (unsigned part = 0; part != parts; ++part) {
      uint64_t from = b + 8 * part, length = flip ? 8 : piece;
      uint64_t at = swizzled ? tensorSwizzle(map.swizzle, destination + from) - destination : from;
      if (size != touched || padded)
        observe(Space::Shared, destination + at, length, true);
      std::memcpy(r.host + at, &data[from], length);
      if (r.shadow)
        std::memset(r.shadow + at, 0xff, length);
    }
  }
}

/// 16 elements of 6 bits in 12 bytes, from one byte each (.b6p2x16: the upper two bits are dropped).
static void packSixBits(const uint8_t *from, uint8_t *to) {
  std::memset(to, 0, 12);
  for (unsigned e = 0; e != 16; ++e)
    for (unsigned bit = 0; bit != 6; ++bit)
      if (from[e] >> bit & 1)
        to[(6 * e + bit) / 8] |= uint8_t(1 << (6 * e + bit) % 8);
}

void TmaOp::reduce(Space space, uint64_t address, const uint8_t *values, uint64_t size, Type type) {
  Region r;
  if (!(space == Space::Shared ? shared(address, size, r) : global(address, size, true, r)))
    return;
  if (Observer *o = cta->cluster->observer)
    o->asyncAccess(*this, space, address, size, AccessKind::Atomic);
  if (r.shadow && warp->checkInit)
    for (uint64_t b = 0; b != size; ++b)
      if (!r.shadow[b]) {
        report(ReportKind::Uninitialized,
               std::string("reduction onto a byte of ") + spaceName(space) +
                   " memory that nobody has written: " + warp->describe(space, address + b),
               address + b);
        break;
      }
  atomicReduce(request.x->reduce, type, r.host, values, size, space == Space::Global);
  if (r.shadow)
    std::memset(r.shadow, 0xff, size);
}

/// The PTX type of a reduction's elements.
static Type reductionType(TensorType t) {
  switch (t) {
  case TensorType::U32:
    return Type::U32;
  case TensorType::S32:
    return Type::S32;
  case TensorType::U64:
    return Type::U64;
  case TensorType::S64:
    return Type::S64;
  case TensorType::F16:
    return Type::F16;
  case TensorType::BF16:
    return Type::BF16;
  default:
    return Type::F32;
  }
}

void TmaOp::writeRows() {
  uint64_t pitch = uint64_t(box.rowUnits) * box.sharedUnit;
  for (size_t n = 0; n != box.rows.size(); ++n) {
    const TmaBox::Row &r = box.rows[n];
    if (r.hi <= r.lo)
      continue;
    const uint8_t *from = &data[n * pitch + uint64_t(r.lo) * box.sharedUnit];
    uint64_t to = r.address + uint64_t(r.lo) * box.globalUnit, size = uint64_t(r.hi - r.lo) * box.globalUnit;
    if (request.x->kind == TmaKind::TensorReduce) {
      reduce(Space::Global, to, from, size, reductionType(map.type));
    } else if (box.globalUnit == box.sharedUnit) {
      write(Space::Global, to, from, size);
    } else {
      std::vector<uint8_t> packed(size);
      for (uint32_t u = 0; u != r.hi - r.lo; ++u)
        packSixBits(from + uint64_t(u) * box.sharedUnit, &packed[uint64_t(u) * box.globalUnit]);
      write(Space::Global, to, packed.data(), size);
    }
  }
}

bool TmaOp::writeDestination() {
  const TmaAux &x = *request.x;
  switch (x.kind) {
  case TmaKind::BulkStore:
    if (!request.size)
      return true;
    if (!x.byteMask) {
      write(Space::Global, request.dst, data.data(), request.size);
      return true;
    }
    for (uint64_t b = 0; b != request.size;) { // runs of bytes whose bit is set
      uint64_t end = b;
      while (end != request.size && request.mask >> (end & 15) & 1)
        ++end;
      if (end != b)
        write(Space::Global, request.dst + b, &data[b], end - b);
      b = std::max(end, b + 1);
    }
    return true;
  case TmaKind::BulkReduceGlobal:
    if (request.size)
      reduce(Space::Global, request.dst, data.data(), request.size, x.type);
    return true;
  case TmaKind::TensorStore:
  case TmaKind::TensorReduce:
    writeRows();
    return true;
  default:
    break;
  }
  // Shared memory, one block in each step.
  if (!targets)
    return true;
  uint32_t rank = uint32_t(std::countr_zero(targets));
  targets &= targets - 1;
  uint64_t destination = (request.dst & 0xffffff) | uint64_t(rank) << 24;
  if (x.kind == TmaKind::BulkReduceShared) {
    if (request.size && blockIsThere(destination))
      reduce(Space::Shared, destination, data.data(), request.size, x.type);
  } else {
    storeImage(destination);
  }
  // PTX ISA, cp.async.bulk.tensor: with multicast the signal goes to the same offset as mbar, in the destination
  // block, or with .cta_group::2 in that block of its pair whose rank has the parity of mbar's block.
  uint32_t signal = uint32_t(request.bar >> 24);
  if (x.multicast)
    signal = x.pair ? (rank & ~1u) | (signal & 1) : rank;
  uint64_t barrier = (request.bar & 0xffffff) | uint64_t(signal) << 24;
  if (bytes && blockIsThere(barrier) &&
      !mbarrierArrive({warp, inst, lane, this, {true, false, true, 2}}, barrier, 0, -int64_t(bytes)))
    cta->failed = true;
  return targets == 0;
}

//===- KernelLoops.cpp - Inner loops of kernels as dependence graphs ------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelLoops.h"

#include <cmath>

namespace tileiras::schedule {

namespace {

/// Makes nodes whose costs come from the machine's, in units of `unit` cycles.
struct Loop {
  Loop(const std::string &name, int capability, int unit, int maxDepth)
      : loop{name, capability, {}, maxDepth}, costs(costsFor(capability)), unit(unit) {}

  int units(double cycles) const { return std::max(1, int(std::ceil(cycles / unit - 1e-9))); }
  int time(int node) const {
    int longest = 1;
    for (const Reservation &use : loop.graph[node].reservations)
      longest = std::max(longest, use.length);
    return longest;
  }

  /// A tile from global to shared memory.
  int copy(const std::string &name, int64_t bytes) {
    Node node;
    node.name = name;
    node.role = Role::AsyncCopy;
    node.reservations = {{row(Slot::Tma) | row(Slot::TpGnicRd), units(double(bytes) / costs.memoryBytes)}};
    node.sharedBytes = bytes;
    return loop.graph.add(node);
  }
  /// What a copy's reader waits for.
  int copyLatency(int copy) const { return time(copy) + units(costs.memoryLatency + costs.copyLatency); }

  int product(const std::string &name, int64_t m, int64_t n, int64_t k, int part = -1, int64_t registerBytes = 0) {
    Node node;
    node.name = name;
    node.part = part;
    node.reservations = {{row(Slot::TcAndMma), units(double(m * n * k) / costs.f16MultiplyAdds)}};
    node.role = costs.computeCapability / 10 == 10 ? Role::AsyncProduct : Role::Simt;
    node.busy = costs.computeCapability / 10 >= 9 && costs.computeCapability < 120 ? 1 : node.reservations[0].length;
    (node.role == Role::AsyncProduct ? node.tensorBytes : node.registerBytes) = registerBytes;
    return loop.graph.add(node);
  }
  int simt(const std::string &name, Slot slot, double operations, double perCycle, int part = -1,
           int64_t registerBytes = 0) {
    Node node;
    node.name = name;
    node.part = part;
    node.reservations = {{row(slot), units(operations / perCycle)}};
    node.busy = node.reservations[0].length;
    node.registerBytes = registerBytes;
    return loop.graph.add(node);
  }
  void then(int from, int to, int distance = 0, int extra = 0) {
    loop.graph.connect(from, to, time(from) + extra, distance);
  }

  KernelLoop loop;
  const TargetCosts &costs;
  int unit;
};

KernelLoop gemm(int capability, int64_t m, int64_t n, int64_t k, int unit) {
  Loop l("GEMM " + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) + " sm_" +
             std::to_string(capability),
         capability, unit, -1);
  int a = l.copy("load A", m * k * 2), b = l.copy("load B", k * n * 2);
  int dot = l.product("product", m, n, k, -1, m * n * 4);
  l.loop.graph.connect(a, dot, l.copyLatency(a));
  l.loop.graph.connect(b, dot, l.copyLatency(b));
  l.then(dot, dot, 1);
  return l.loop;
}

/// Rows in one part, keys and values in blocks; everything in the registers of whoever computes it.
KernelLoop attention(int capability, int64_t rows, int64_t keys, int64_t width, int parts, int unit) {
  Loop l("attention " + std::to_string(parts) + " x " + std::to_string(rows) + ", keys " + std::to_string(keys) +
             ", width " + std::to_string(width) + " sm_" + std::to_string(capability),
         capability, unit, -1);
  const TargetCosts &c = l.costs;
  bool tensor = c.tensorMemoryBytes > 0;
  int k = l.copy("load K", keys * width * 2), v = l.copy("load V", keys * width * 2);
  double scores = double(rows * keys), outputs = double(rows * width);
  for (int p = 0; p < parts; ++p) {
    std::string s = parts > 1 ? " " + std::to_string(p) : "";
    // Accumulators of asynchronous products are in tensor memory.
    int qk = l.product("Q K" + s, rows, keys, width, p, rows * keys * 4);
    l.loop.graph.connect(k, qk, l.copyLatency(k));
    int from = qk;
    if (tensor) {
      from = l.simt("fetch S" + s, Slot::TpTmemRd, scores * 4, c.tensorMemoryBytes, p, rows * keys * 4);
      l.then(qk, from, 0, l.units(c.productTail));
    }
    int maximum = l.simt("max" + s, Slot::Alu, scores, c.aluOperations, p);
    l.then(from, maximum, 0, tensor ? 0 : l.units(c.productTail));
    l.then(maximum, maximum, 1);
    int shift = l.simt("subtract" + s, Slot::Fp32x2Fp16Ultra, scores, c.f32Operations, p);
    l.then(maximum, shift);
    int exp = l.simt("exp" + s, Slot::Xu, scores, c.functions, p, tensor ? 0 : rows * keys * 2);
    l.then(shift, exp);
    int sum = l.simt("sum" + s, Slot::Fp32x2Fp16Ultra, scores, c.f32Operations, p);
    l.then(exp, sum);
    l.then(sum, sum, 1);
    int round = l.simt("round P" + s, Slot::Alu, scores / 2, c.aluOperations, p);
    l.then(exp, round);
    int ready = round;
    if (tensor) {
      ready = l.simt("store P" + s, Slot::TpTmemWr, scores * 2, c.tensorMemoryBytes, p);
      l.then(round, ready);
    }
    // On Blackwell the sums O are in tensor memory: whoever rescales them fetches and stores them.
    int rescale = l.simt("rescale O" + s, tensor ? Slot::Tmem : Slot::Fp32x2Fp16Ultra, outputs * (tensor ? 3 : 1),
                         c.f32Operations, tensor ? -1 : p); // of no part: no registers tie it to one
    l.then(maximum, rescale);
    int pv = l.product("P V" + s, rows, width, keys, p, rows * width * 4);
    l.loop.graph.connect(v, pv, l.copyLatency(v));
    l.then(ready, pv);
    l.then(rescale, pv);
    l.then(pv, rescale, 1, l.units(c.productTail));
  }
  return l.loop;
}

/// y = f(x) over long rows: a stream without a product.
KernelLoop stream(int capability, int64_t elements, int unit) {
  Loop l("stream of " + std::to_string(elements) + " sm_" + std::to_string(capability), capability, unit, -1);
  const TargetCosts &c = l.costs;
  int load = l.copy("load", elements * 4);
  int read = l.simt("fetch", Slot::TpSmemRd, double(elements) * 4, c.sharedBytes);
  l.loop.graph.connect(load, read, l.copyLatency(load));
  int exp = l.simt("exp", Slot::Xu, double(elements), c.functions);
  l.then(read, exp);
  int add = l.simt("sum", Slot::Fp32x2Fp16Ultra, double(elements), c.f32Operations);
  l.then(exp, add);
  l.then(add, add, 1);
  int store = l.simt("store", Slot::TpGnicWr, double(elements) * 4, c.memoryBytes);
  l.then(exp, store);
  return l.loop;
}

/// A reduction of each block of a product's left operand beside the product (row norms).
KernelLoop gemmWithNorm(int capability, int64_t m, int64_t n, int64_t k, int unit) {
  Loop l("GEMM with row norms sm_" + std::to_string(capability), capability, unit, -1);
  const TargetCosts &c = l.costs;
  int a = l.copy("load A", m * k * 2), b = l.copy("load B", k * n * 2);
  int dot = l.product("product", m, n, k, -1, m * n * 4);
  l.loop.graph.connect(a, dot, l.copyLatency(a));
  l.loop.graph.connect(b, dot, l.copyLatency(b));
  l.then(dot, dot, 1);
  int read = l.simt("fetch A", Slot::TpSmemRd, double(m * k) * 2, c.sharedBytes);
  l.loop.graph.connect(a, read, l.copyLatency(a));
  int square = l.simt("square", Slot::Fp32x2Fp16Ultra, double(m * k), c.f32Operations);
  l.then(read, square);
  int sum = l.simt("sum", Slot::Fp32x2Fp16Ultra, double(m * k), c.f32Operations);
  l.then(square, sum);
  l.then(sum, sum, 1);
  return l.loop;
}

} // namespace

KernelLoop hopperAttention() { return attention(90, 64, 128, 128, 2, 64); }
KernelLoop blackwellAttention() { return attention(100, 128, 128, 128, 2, 64); }

std::vector<KernelLoop> kernelLoops() {
  return {gemm(80, 128, 128, 32, 32),
          gemm(89, 128, 128, 32, 64),
          gemm(90, 128, 256, 64, 32),
          gemm(100, 128, 256, 64, 16),
          gemm(120, 128, 128, 32, 64),
          gemmWithNorm(80, 128, 128, 32, 32),
          gemmWithNorm(90, 128, 256, 64, 64),
          stream(80, 4096, 64),
          stream(90, 4096, 64),
          attention(80, 64, 64, 64, 1, 64),
          attention(90, 64, 128, 128, 1, 64),
          hopperAttention(),
          attention(120, 64, 64, 128, 1, 128),
          attention(100, 128, 128, 128, 1, 64),
          blackwellAttention()};
}

} // namespace tileiras::schedule

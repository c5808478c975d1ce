//===- EmulatorEngine.cpp - Launching on the PTX emulator ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Runtime/EmulatorEngine.h"

#include "tileiras/Emulator/Machine/Async/Tensormap.h"

#include <chrono>
#include <sstream>

using namespace tileiras;

namespace {

class EmulatorEngine : public Engine {
public:
  EmulatorEngine(std::unique_ptr<emu::Module> module, emu::LaunchOptions options)
      : module(std::move(module)), options(std::move(options)) {}
  const char *name() const override { return "emulator"; }
  RunOutcome run(LaunchRequest &request) override;

private:
  std::unique_ptr<emu::Module> module;
  emu::LaunchOptions options;
};

/// The map's bytes for a tensor at `address`; an error text if the parameters break a rule.
std::string encode(const TensorMapArg &map, uint64_t address, uint8_t (&bytes)[emu::TensormapBytes]) {
  unsigned rank = unsigned(map.dims.size());
  emu::TensorType type;
  if (!emu::tensorTypeOfDriver(map.type, type))
    return "no such element type";
  auto interleave = emu::TensorInterleave(map.interleave);
  auto swizzle = emu::TensorSwizzle(map.swizzle);
  auto l2 = emu::TensorL2Promotion(map.l2);
  auto fill = emu::TensorFill(map.fill);
  switch (map.mode) {
  case TensorMapArg::Mode::Tiled:
    return emu::encodeTiled(bytes, type, rank, address, map.dims.data(), map.strides.data(), map.box.data(),
                            map.steps.data(), interleave, swizzle, l2, fill);
  case TensorMapArg::Mode::Im2col:
    return emu::encodeIm2col(bytes, type, rank, address, map.dims.data(), map.strides.data(), map.lower.data(),
                             map.upper.data(), map.channels, map.pixels, map.steps.data(), interleave, swizzle, l2,
                             fill);
  case TensorMapArg::Mode::Im2colWide:
    return emu::encodeIm2colWide(bytes, type, rank, address, map.dims.data(), map.strides.data(), map.lower.back(),
                                 map.upper.back(), map.channels, map.pixels, map.steps.data(), swizzle, l2, fill);
  }
  return {};
}

/// The arrays at `bases` as the request has them.
void fill(const LaunchRequest &request, emu::Memory &memory, const std::vector<uint64_t> &bases) {
  for (size_t i = 0; i < bases.size(); ++i) {
    const Buffer &buffer = request.buffers[i];
    const std::vector<uint8_t> &bytes = buffer.array.bytes;
    uint64_t base = bases[i];
    if (bytes.empty())
      continue;
    // The bytes are the same for every engine; those nobody has written count as unwritten.
    if (buffer.poison)
      std::copy(bytes.begin(), bytes.end(), memory.hostPointer(base, bytes.size()));
    else
      memory.copyIn(base, bytes.data(), bytes.size());
  }
}

/// Puts the request's arrays into `memory` at `bases`, and everything else into `config`. An error text, with the
/// request unchanged, if a tensor map breaks a rule.
std::string place(LaunchRequest &request, emu::Memory &memory, std::vector<uint64_t> &bases,
                  emu::LaunchConfig &config) {
  for (const Buffer &buffer : request.buffers)
    bases.push_back(
        memory.allocate(buffer.array.bytes.size(), buffer.name, emu::Memory::Init::Uninitialized, buffer.alignment));
  relocate(request.buffers, bases);
  fill(request, memory, bases);
  config.kernel = request.entry;
  config.firstClusters = request.blocks;
  config.grid = {request.grid.x, request.grid.y, request.grid.z};
  config.block = {request.block.x, request.block.y, request.block.z};
  config.dynamicSharedBytes = request.dynamicSharedBytes;
  for (const KernelArg &arg : request.args) {
    auto address = [&](int buffer) {
      return bases[size_t(buffer)] + uint64_t(request.buffers[size_t(buffer)].array.byteOffset);
    };
    if (arg.map >= 0) {
      const TensorMapArg &map = request.maps[size_t(arg.map)];
      uint8_t bytes[emu::TensormapBytes];
      std::string error = encode(map, address(map.buffer), bytes);
      if (!error.empty()) {
        unrelocate(request.buffers, bases);
        return "tensor map '" + map.name + "': " + error;
      }
      config.args.addBytes(bytes, sizeof bytes);
      continue;
    }
    uint64_t bits = arg.buffer >= 0 ? address(arg.buffer) : arg.bits;
    config.args.addBytes(&bits, arg.bytes());
  }
  return "";
}

RunOutcome EmulatorEngine::run(LaunchRequest &request) {
  RunOutcome outcome;
  emu::Memory memory;
  std::vector<uint64_t> bases;
  emu::LaunchConfig config;
  if (std::string error = place(request, memory, bases, config); !error.empty()) {
    outcome.reports.push_back(error);
    return outcome;
  }
  config.options = options;
  config.options.print = [&](std::string_view text) { outcome.output += text; };
  config.options.progress = request.progress;

  auto start = std::chrono::steady_clock::now();
  emu::LaunchResult result = emu::launch(*module, memory, config);
  for (uint64_t i = 1; i < request.launches && result.ok; ++i) {
    outcome.output.clear();
    fill(request, memory, bases);
    result = emu::launch(*module, memory, config);
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  outcome.ok = result.ok;
  for (const emu::Report &report : result.reports)
    outcome.reports.push_back(report.str());
  for (size_t i = 0; i < bases.size(); ++i) {
    std::vector<uint8_t> &bytes = request.buffers[i].array.bytes;
    if (!bytes.empty())
      memory.copyOut(bases[i], bytes.data(), bytes.size());
  }
  unrelocate(request.buffers, bases);
  // "name   value" lines.
  std::istringstream lines(result.stats.str());
  for (std::string line; std::getline(lines, line);)
    if (!line.empty())
      outcome.stats.push_back({"", line});
  return outcome;
}

} // namespace

std::unique_ptr<Engine> tileiras::makeEmulatorEngine(const std::string &ptx, const std::string &fileName,
                                                     const emu::LaunchOptions &options, std::string &error,
                                                     emu::LineCoverage *coverage) {
  std::vector<emu::Diagnostic> diagnostics;
  std::unique_ptr<emu::Module> module = emu::Module::parse(ptx, fileName, diagnostics);
  if (!module) {
    for (const emu::Diagnostic &diagnostic : diagnostics)
      error += (error.empty() ? "" : "\n") + diagnostic.str();
    return nullptr;
  }
  emu::LaunchOptions own = options;
  if (coverage)
    own.observers.push_back(coverage->watch(*module));
  return std::make_unique<EmulatorEngine>(std::move(module), std::move(own));
}

emu::timing::Prediction tileiras::predictLaunch(const std::string &ptx, const std::string &fileName,
                                                LaunchRequest &request, const emu::timing::PredictOptions &options) {
  emu::timing::Prediction failed;
  std::vector<emu::Diagnostic> diagnostics;
  std::unique_ptr<emu::Module> module = emu::Module::parse(ptx, fileName, diagnostics);
  if (!module) {
    for (const emu::Diagnostic &diagnostic : diagnostics)
      failed.error += (failed.error.empty() ? "" : "\n") + diagnostic.str();
    return failed;
  }
  emu::Memory memory;
  std::vector<uint64_t> bases;
  emu::LaunchConfig config;
  failed.error = place(request, memory, bases, config);
  if (!failed.error.empty())
    return failed;
  config.firstClusters = 0;
  config.options.print = [](std::string_view) {};
  emu::timing::PredictOptions withText = options;
  withText.ptx = ptx;
  emu::timing::Prediction prediction = emu::timing::predict(*module, memory, config, withText);
  unrelocate(request.buffers, bases);
  return prediction;
}

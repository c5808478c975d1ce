//===- SmokeDriver.cpp - A fuzz target without libFuzzer ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// usage: NAME EXECUTIONS SECONDS SCRATCH-FILE SEED FILE-OR-FOLDER...
//
// Runs the target on every file as it is, then on random mutants, until there were so many executions or the time is
// up, whichever comes first: a fast machine tests the same inputs as a slow one, at most more of them. It knows nothing
// of coverage: it keeps the targets working in the ordinary, uninstrumented build, and catches what shallow damage
// finds. The input being tested stands in SCRATCH-FILE, so a crash leaves it behind; a target that takes more than 20 s
// is killed by SIGALRM. An input is repeated with EXECUTIONS 0 and the file alone.
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {
constexpr unsigned kTimeoutSeconds = 20;
constexpr size_t kMaxSize = 16384;

class Mutator {
public:
  Mutator(const std::vector<std::string> &seeds, uint64_t seed) : seeds(seeds), random(seed) {}

  std::string next() {
    std::string bytes = pickSeed();
    for (size_t edits = 1 + pick(4); edits > 0; --edits)
      edit(bytes);
    bytes.resize(std::min(bytes.size(), kMaxSize));
    return bytes;
  }

private:
  size_t pick(size_t limit) { return limit ? random() % limit : 0; }
  const std::string &pickSeed() { return seeds[pick(seeds.size())]; }

  void edit(std::string &bytes) {
    static constexpr uint8_t interesting[] = {0x00, 0x01, 0x7F, 0x80, 0xFF, '<', '-', '"'};
    if (bytes.empty())
      return;
    size_t at = pick(bytes.size());
    switch (pick(10)) {
    case 0:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << pick(8)));
      break;
    case 1:
      bytes[at] = static_cast<char>(interesting[pick(std::size(interesting))]);
      break;
    case 2:
      bytes.erase(at, 1 + pick(8));
      break;
    case 3:   // a few bytes from elsewhere, put in
    case 4: { // or put over
      const std::string &other = pickSeed();
      std::string piece = other.substr(pick(other.size()), 1 + pick(24));
      bytes.replace(at, pick(2) ? piece.size() : 0, piece);
      break;
    }
    case 5: // a line moved or doubled
    case 6: {
      std::string line = takeLine(bytes, at, pick(2));
      bytes.insert(startOfLine(bytes, pick(bytes.size())), line);
      break;
    }
    case 7: { // a line of another seed
      std::string other = pickSeed();
      bytes.insert(startOfLine(bytes, at), takeLine(other, pick(other.size()), false));
      break;
    }
    case 8:
      replaceNumber(bytes, at);
      break;
    case 9: { // one word in place of another
      const std::string &other = pickSeed();
      auto [from, size] = findWord(other, pick(other.size()));
      auto [to, oldSize] = findWord(bytes, at);
      bytes.replace(to, oldSize, other.substr(from, size));
      break;
    }
    }
  }

  static size_t startOfLine(std::string_view text, size_t at) {
    size_t newline = text.substr(0, at).rfind('\n');
    return newline == text.npos ? 0 : newline + 1;
  }

  static std::string takeLine(std::string &text, size_t at, bool remove) {
    size_t start = startOfLine(text, at);
    size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    std::string line = start < end ? text.substr(start, end - start) : std::string();
    if (remove)
      text.erase(start, line.size());
    return line;
  }

  static bool isWord(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  static std::pair<size_t, size_t> findWord(std::string_view text, size_t at) {
    while (at < text.size() && !isWord(text[at]))
      ++at;
    size_t end = at;
    while (at > 0 && isWord(text[at - 1]))
      --at;
    while (end < text.size() && isWord(text[end]))
      ++end;
    return {at, end - at};
  }

  void replaceNumber(std::string &text, size_t at) {
    static constexpr const char *numbers[] = {
        "0", "1",   "-1",       "2147483648", "9223372036854775807", "18446744073709551616", "4294967296", "16",
        "3", "128", "16777216", "1e400"};
    size_t start = text.find_first_of("0123456789", at);
    if (start == text.npos)
      return;
    size_t end = std::min(text.find_first_not_of("0123456789", start), text.size());
    text.replace(start, end - start, numbers[pick(std::size(numbers))]);
  }

  const std::vector<std::string> &seeds;
  std::mt19937_64 random;
};

std::string readFile(const std::filesystem::path &path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

void runOne(const std::string &bytes, const char *scratch) {
  std::ofstream(scratch, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  alarm(kTimeoutSeconds);
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  alarm(0);
}
} // namespace

int main(int argc, char **argv) {
  if (argc < 6) {
    std::fprintf(stderr, "usage: %s EXECUTIONS SECONDS SCRATCH-FILE SEED FILE-OR-FOLDER...\n", argv[0]);
    return 2;
  }
  std::vector<std::filesystem::path> paths;
  for (int i = 5; i < argc; ++i) {
    if (std::filesystem::is_directory(argv[i]))
      for (const auto &entry : std::filesystem::directory_iterator(argv[i]))
        paths.push_back(entry.path());
    else
      paths.push_back(argv[i]);
  }
  std::sort(paths.begin(), paths.end()); // the same order everywhere, or the seed would mean nothing
  std::vector<std::string> seeds;
  for (const auto &path : paths)
    if (std::string bytes = readFile(path); !bytes.empty())
      seeds.push_back(std::move(bytes));
  if (seeds.empty()) {
    std::fprintf(stderr, "%s: no input\n", argv[0]);
    return 2;
  }

  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  auto end = start + std::chrono::seconds(std::atoi(argv[2]));
  for (const std::string &bytes : seeds)
    runOne(bytes, argv[3]);
  unsigned long executions = seeds.size();
  Mutator mutator(seeds, std::strtoull(argv[4], nullptr, 10));
  for (unsigned long limit = std::strtoul(argv[1], nullptr, 10); executions < limit && Clock::now() < end; ++executions)
    runOne(mutator.next(), argv[3]);
  double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  std::printf("%lu executions, %.0f per second\n", executions,
              seconds > 0 ? static_cast<double>(executions) / seconds : 0.0);
  std::filesystem::remove(argv[3]);
  return 0;
}

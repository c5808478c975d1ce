//===- BytecodeCorpusTest.cpp - Bytecode of real front ends ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Reads every .tileirbc file of a folder outside the repository: $TILEIRAS_CORPUS, or `../shared/corpus` beside it.
// Each must verify, survive printing and parsing, and survive writing and reading in its own version.
//===----------------------------------------------------------------------===//
#include "BytecodeTestUtil.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace tileiras_test;

static std::string findCorpus() {
  if (const char *folder = std::getenv("TILEIRAS_CORPUS"))
    return folder;
  SmallString<128> path(TILEIRAS_SOURCE_DIR);
  llvm::sys::path::append(path, "..", "shared", "corpus");
  return std::string(path);
}

static std::vector<std::string> listFiles(StringRef folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end; it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".tileirbc"))
      files.push_back(it->path());
  llvm::sort(files);
  return files;
}

class BytecodeCorpusTest : public BytecodeTest {
protected:
  static std::string printGeneric(Operation *op) {
    return print(op, OpPrintingFlags().enableDebugInfo().printGenericOpForm());
  }
};

TEST_F(BytecodeCorpusTest, EveryFileRoundTrips) {
  std::string folder = findCorpus();
  std::vector<std::string> files = listFiles(folder);
  if (files.empty())
    GTEST_SKIP() << "no corpus of real bytecode files at " << folder << " (set TILEIRAS_CORPUS)";
  std::map<std::string, unsigned> numByVersion;
  unsigned numGood = 0, numOps = 0;
  size_t numBytes = 0, numWritten = 0;
  for (const std::string &file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    ASSERT_TRUE(static_cast<bool>(buffer)) << file;
    StringRef bytes = (*buffer)->getBuffer();
    std::optional<ct::BytecodeVersion> version = ct::peekBytecodeVersion(bytes);
    ASSERT_TRUE(version) << file;
    OwningOpRef<ct::ModuleOp> module = read(bytes);
    EXPECT_TRUE(module) << file << "\n" << messages;
    if (!module)
      continue;
    std::string text = print(*module);
    OwningOpRef<ct::ModuleOp> parsed = parse(text);
    EXPECT_TRUE(parsed) << file << "\n" << messages;
    if (parsed)
      EXPECT_EQ(print(*parsed), text) << file;

    // The generic form shows everything, also terminators that the custom one leaves out, and their locations.
    std::string full = printGeneric(*module);
    parsed = parse(full);
    EXPECT_TRUE(parsed) << file << "\n" << messages;
    if (!parsed)
      continue;
    // What was parsed stands for what was read: nothing may hide in the IR that text does not show.
    std::string again = write(*parsed, *version);
    EXPECT_FALSE(again.empty()) << file << "\n" << messages;
    EXPECT_EQ(bytesHex(write(*module, *version)), bytesHex(again)) << file;
    OwningOpRef<ct::ModuleOp> decoded = read(again);
    EXPECT_TRUE(decoded) << file << "\n" << messages;
    if (!decoded)
      continue;
    EXPECT_EQ(printGeneric(*decoded), full) << file;

    ++numGood;
    ++numByVersion[version->str()];
    numBytes += bytes.size();
    numWritten += again.size();
    module->walk([&](Operation *) { ++numOps; });
  }
  std::cout << numGood << " of " << files.size() << " files, " << numOps << " operations, " << numBytes
            << " bytes read, " << numWritten << " bytes written;";
  for (auto &[version, number] : numByVersion)
    std::cout << " " << version << ": " << number;
  std::cout << std::endl;
  EXPECT_EQ(numGood, files.size());
}

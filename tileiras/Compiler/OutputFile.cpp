//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/OutputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace tileiras {

/// By write(2): a raw_fd_ostream that meets an error ends the process in its destructor.
static std::error_code writeAll(int descriptor, llvm::StringRef bytes) {
  // Beyond a limit on file sizes write must fail, not end the process.
  auto before = std::signal(SIGXFSZ, SIG_IGN);
  std::error_code error;
  while (!bytes.empty() && !error) {
    ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written >= 0)
      bytes = bytes.drop_front(size_t(written));
    else if (errno != EINTR)
      error = std::error_code(errno, std::generic_category());
  }
  std::signal(SIGXFSZ, before);
  return error;
}

llvm::Error writeOutputFile(llvm::StringRef file, llvm::StringRef bytes) {
  namespace fs = llvm::sys::fs;
  if (file == "-") {
    llvm::outs().flush();
    return llvm::errorCodeToError(writeAll(STDOUT_FILENO, bytes));
  }
  fs::file_status status;
  bool special = !fs::status(file, status) && fs::exists(status) && !fs::is_regular_file(status);
  if (special && !fs::is_directory(status)) {
    int descriptor;
    if (std::error_code error = fs::openFileForWrite(file, descriptor, fs::CD_OpenExisting))
      return llvm::errorCodeToError(error);
    std::error_code error = writeAll(descriptor, bytes);
    ::close(descriptor);
    return llvm::errorCodeToError(error);
  }
  llvm::Expected<fs::TempFile> temporary = fs::TempFile::create(file + ".%%%%%%.tmp");
  if (!temporary)
    return temporary.takeError();
  if (std::error_code error = writeAll(temporary->FD, bytes)) {
    llvm::consumeError(temporary->discard());
    return llvm::errorCodeToError(error);
  }
  return temporary->keep(file);
}

OutputOfTool::OutputOfTool(int argc, char **argv) {
  int ends[2];
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    bool dashes = argument.consume_front("--") || argument.consume_front("-");
    bool separate = argument == "o" && i + 1 < argc;
    if (!dashes || (!separate && !argument.consume_front("o=")))
      continue;
    file = separate ? argv[i + 1] : argument.str();
    if (file == "-" || ::pipe2(ends, O_CLOEXEC) != 0)
      return;
    writeEnd = ends[1];
    pipe = "/proc/self/fd/" + std::to_string(writeEnd);
    option = "-o=" + pipe;
    argv[separate ? i + 1 : i] = separate ? pipe.data() : option.data();
    reader = std::thread([this, from = ends[0]] {
      char buffer[1 << 16];
      ssize_t count;
      while ((count = ::read(from, buffer, sizeof(buffer))) > 0 || (count < 0 && errno == EINTR))
        if (count > 0)
          bytes.append(buffer, size_t(count));
      ::close(from);
    });
    return;
  }
}

void OutputOfTool::close() {
  if (writeEnd < 0)
    return;
  ::close(writeEnd);
  writeEnd = -1;
  reader.join();
}

OutputOfTool::~OutputOfTool() { close(); }

int OutputOfTool::finish(int status) {
  bool deferred = writeEnd >= 0;
  close();
  if (status != 0 || !deferred)
    return status;
  if (llvm::Error error = writeOutputFile(file, bytes)) {
    llvm::errs() << "error: cannot write '" << file << "': " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}

} // namespace tileiras

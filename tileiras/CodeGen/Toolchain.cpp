//===----------------------------------------------------------------------===//
// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tileiras/CodeGen/Toolchain.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

using llvm::SmallString;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace tileiras {

static std::string inFolder(StringRef a, StringRef b) {
  SmallString<256> result(a);
  path::append(result, b);
  return std::string(result);
}

/// Folders in `parent` whose name starts with `prefix`, greatest version first ("cuda-13.0" before "cuda-12.9").
static std::vector<std::string> foldersWithPrefix(StringRef parent, StringRef prefix) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator it(parent, error), end; it != end && !error; it.increment(error))
    if (path::filename(it->path()).starts_with(prefix))
      found.push_back(it->path());
  llvm::sort(found, [](const std::string &a, const std::string &b) { return StringRef(a).compare_numeric(b) > 0; });
  return found;
}

static std::string ownFolder() {
  // The address of any function of ours identifies the executable.
  std::string executable = fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&ownFolder));
  return path::parent_path(executable).str();
}

/// Python package folders that may hold NVIDIA's wheels.
static std::vector<std::string> sitePackages() {
  std::vector<std::string> folders;
  auto addBelow = [&](StringRef lib) {
    for (const std::string &python : foldersWithPrefix(lib, "python3")) {
      folders.push_back(inFolder(python, "site-packages"));
      folders.push_back(inFolder(python, "dist-packages"));
    }
  };
  // A binary installed as a wheel: <site-packages>/nvidia/cu13/bin/tileiras.
  std::string own = ownFolder();
  for (StringRef up = own; !up.empty(); up = path::parent_path(up))
    if (path::filename(up) == "site-packages" || path::filename(up) == "dist-packages")
      folders.push_back(up.str());
  for (const char *variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (auto prefix = llvm::sys::Process::GetEnv(variable))
      addBelow(inFolder(*prefix, "lib"));
  if (auto home = llvm::sys::Process::GetEnv("HOME"))
    addBelow(inFolder(*home, ".local/lib"));
  addBelow("/usr/local/lib");
  addBelow("/usr/lib");
  return folders;
}

std::vector<std::string> toolkitRoots() {
  std::vector<std::string> roots;
  std::string own = ownFolder();
  roots.push_back(own);
  roots.push_back(path::parent_path(own).str());
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
    if (auto value = llvm::sys::Process::GetEnv(variable); value && !value->empty())
      roots.push_back(*value);
  if (auto search = llvm::sys::Process::GetEnv("PATH")) {
    llvm::SmallVector<StringRef> parts;
    StringRef(*search).split(parts, ':', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      if (path::filename(part) == "bin")
        roots.push_back(path::parent_path(part).str());
  }
  for (const std::string &site : sitePackages()) {
    roots.push_back(inFolder(site, "nvidia/cu13"));
    roots.push_back(inFolder(site, "nvidia/cuda_nvcc"));
  }
  roots.push_back("/usr/local/cuda");
  for (std::string &folder : foldersWithPrefix("/usr/local", "cuda-"))
    roots.push_back(std::move(folder));
  roots.push_back("/opt/cuda");
  return roots;
}

static bool isExecutableFile(StringRef file) { return fs::can_execute(file) && !fs::is_directory(file); }

std::string findPtxas(StringRef named) {
  if (!named.empty()) {
    if (fs::is_directory(named)) {
      for (StringRef inside : {"ptxas", "bin/ptxas"})
        if (std::string file = inFolder(named, inside); isExecutableFile(file))
          return file;
      return "";
    }
    return isExecutableFile(named) ? named.str() : "";
  }
  if (std::string beside = inFolder(ownFolder(), "ptxas"); isExecutableFile(beside))
    return beside;
  // Folders on PATH need not be called bin, so PATH is also searched as such, at its place in the order.
  for (const std::string &root : toolkitRoots())
    if (std::string file = inFolder(root, "bin/ptxas"); isExecutableFile(file))
      return file;
  if (auto search = llvm::sys::Process::GetEnv("PATH")) {
    llvm::SmallVector<StringRef> parts;
    StringRef(*search).split(parts, ':', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      if (std::string file = inFolder(part, "ptxas"); isExecutableFile(file))
        return file;
  }
  return "";
}

std::string findLibdevice(StringRef named) {
  constexpr StringRef fileName = "libdevice.10.bc";
  if (named == "none")
    return "";
  if (!named.empty()) {
    if (fs::is_directory(named)) {
      for (StringRef inside : {"", "nvvm/libdevice"})
        if (std::string file = inFolder(inFolder(named, inside), fileName); fs::exists(file))
          return file;
      return "";
    }
    return fs::exists(named) ? named.str() : "";
  }
  if (std::string beside = inFolder(ownFolder(), fileName); fs::exists(beside))
    return beside;
  for (const std::string &root : toolkitRoots())
    if (std::string file = inFolder(inFolder(root, "nvvm/libdevice"), fileName); fs::exists(file))
      return file;
  return "";
}

//===----------------------------------------------------------------------===//
// Running a tool
//===----------------------------------------------------------------------===//

namespace {
struct Descriptor {
  int fd = -1;
  explicit Descriptor(int fd = -1) : fd(fd) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() { reset(); }
  void reset() {
    if (fd >= 0)
      ::close(fd);
    fd = -1;
  }
};
} // namespace

static bool writeAll(int fd, StringRef data) {
  while (!data.empty()) {
    ssize_t written = ::write(fd, data.data(), data.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    data = data.drop_front(written);
  }
  return true;
}

static bool readAll(int fd, std::string &data) {
  char buffer[1 << 16];
  while (true) {
    ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return got == 0;
    data.append(buffer, got);
  }
}

/// The numbers under which the child sees its two files; the same for every child, so they can be in its arguments.
static constexpr int kChildInput = 3, kChildOutput = 4;

ProcessResult RunningTool::failed(const char *what) {
  result.failure = std::string(what) + ": " + std::strerror(errno);
  return result;
}

RunningTool::RunningTool(StringRef program, const std::vector<std::string> &arguments, StringRef input) {
  Descriptor in(::memfd_create("input", MFD_CLOEXEC)), made(::memfd_create("output", MFD_CLOEXEC));
  if (in.fd < 0 || made.fd < 0) {
    failed("memfd_create");
    return;
  }
  if (!writeAll(in.fd, input)) {
    failed("write");
    return;
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    failed("pipe");
    return;
  }
  Descriptor readEnd(ends[0]), writeEnd(ends[1]);

  // Everything the child needs is made before fork: it may only make async-signal-safe calls.
  std::string programCopy = program.str();
  std::vector<std::string> words{programCopy};
  for (const std::string &argument : arguments) {
    if (argument == "{in}")
      words.push_back("/proc/self/fd/" + std::to_string(kChildInput));
    else if (argument == "{out}")
      words.push_back("/proc/self/fd/" + std::to_string(kChildOutput));
    else
      words.push_back(argument);
  }
  std::vector<char *> argv;
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t parent = ::getpid();

  child = ::fork();
  if (child < 0) {
    failed("fork");
    return;
  }
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
      ::_exit(127);
    // Move our descriptors out of the way of 3 and 4 first.
    int inputHigh = ::fcntl(in.fd, F_DUPFD, 10), outputHigh = ::fcntl(made.fd, F_DUPFD, 10);
    int pipeHigh = ::fcntl(writeEnd.fd, F_DUPFD_CLOEXEC, 10), null = ::open("/dev/null", O_RDONLY);
    if (inputHigh < 0 || outputHigh < 0 || pipeHigh < 0 || null < 0)
      ::_exit(127);
    ::dup2(null, 0);
    ::dup2(pipeHigh, 1);
    ::dup2(pipeHigh, 2);
    ::dup2(inputHigh, kChildInput);
    ::dup2(outputHigh, kChildOutput);
    ::close(inputHigh);
    ::close(outputHigh);
    ::execv(argv[0], argv.data());
    const char *reason = std::strerror(errno);
    (void)!::write(2, reason, std::strlen(reason));
    ::_exit(127);
  }
  std::swap(out, made.fd);
  std::swap(messages, readEnd.fd);
}

RunningTool::RunningTool(RunningTool &&other)
    : result(std::move(other.result)), child(std::exchange(other.child, -1)), out(std::exchange(other.out, -1)),
      messages(std::exchange(other.messages, -1)) {}

RunningTool::~RunningTool() {
  Descriptor made(out), said(messages);
  if (child < 0)
    return;
  ::kill(child, SIGKILL);
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR)
    ;
}

ProcessResult RunningTool::wait(std::string &output) {
  if (child < 0)
    return result;
  Descriptor made(std::exchange(out, -1)), said(std::exchange(messages, -1));
  pid_t its = std::exchange(child, -1);
  readAll(said.fd, result.standardError);
  int status = 0;
  while (::waitpid(its, &status, 0) < 0)
    if (errno != EINTR)
      return failed("waitpid");
  if (WIFSIGNALED(status)) {
    result.failure = std::string("ended by signal ") + std::to_string(WTERMSIG(status));
    return result;
  }
  result.exitCode = WEXITSTATUS(status);
  output.clear();
  if (::lseek(made.fd, 0, SEEK_SET) != 0 || !readAll(made.fd, output))
    return failed("read");
  return result;
}

ProcessResult runTool(StringRef program, const std::vector<std::string> &arguments, StringRef input,
                      std::string &output) {
  return RunningTool(program, arguments, input).wait(output);
}

} // namespace tileiras

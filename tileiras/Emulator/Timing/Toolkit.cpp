//===- Toolkit.cpp - What the assembler says of a kernel --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "tileiras/Emulator/Timing/Toolkit.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

using namespace tileiras::emu::timing;

std::optional<ToolkitFacts> tileiras::emu::timing::readAssemblerOutput(std::string_view text,
                                                                       const std::string &kernel) {
  std::istringstream lines{std::string(text)};
  ToolkitFacts facts;
  bool inKernel = false, found = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("C75") != std::string::npos && line.find("wgmma") != std::string::npos &&
        line.find(kernel) != std::string::npos)
      facts.wgmmaSerialised = true;
    if (size_t at = line.find("Compiling entry function '"); at != std::string::npos) {
      at += 26;
      inKernel = line.compare(at, kernel.size() + 1, kernel + "'") == 0;
    }
    if (!inKernel)
      continue;
    if (size_t at = line.find("bytes stack frame"); at != std::string::npos) {
      std::sscanf(line.c_str(), " %u bytes stack frame, %u bytes spill stores, %u bytes spill loads", &facts.stack,
                  &facts.spillStores, &facts.spillLoads);
    }
    if (size_t at = line.find("Used "); at != std::string::npos)
      found = std::sscanf(line.c_str() + at, "Used %u registers", &facts.registers) == 1;
  }
  if (!found)
    return std::nullopt;
  return facts;
}

std::optional<ToolkitFacts> tileiras::emu::timing::askAssembler(const std::string &ptx, const std::string &kernel,
                                                                const std::string &target,
                                                                const std::vector<uint32_t> &lines,
                                                                std::string &reason) {
  char folder[] = "/tmp/tileiras-timing-XXXXXX";
  if (!mkdtemp(folder)) {
    reason = "no room for temporary files";
    return std::nullopt;
  }
  const std::string base = folder, input = base + "/k.ptx", output = base + "/k.txt", cubin = base + "/k.cubin";
  std::ofstream(input) << withOwnLines(ptx, lines);
  const char *named = std::getenv("TILEIRAS_PTXAS");
  std::string program = named && *named ? named : "ptxas", arch = "-arch=" + target;
  char *argv[] = {
      program.data(),           const_cast<char *>("-v"),          const_cast<char *>("-lineinfo"),   arch.data(),
      const_cast<char *>("-o"), const_cast<char *>(cubin.c_str()), const_cast<char *>(input.c_str()), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  int status = posix_spawnp(&child, program.c_str(), &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  std::optional<ToolkitFacts> facts;
  if (status != 0) {
    reason = "there is no ptxas";
  } else {
    waitpid(child, &status, 0);
    std::ifstream file(output);
    std::stringstream text;
    text << file.rdbuf();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      facts = readAssemblerOutput(text.str(), kernel);
    if (facts) {
      std::ifstream binary(cubin, std::ios::binary);
      std::stringstream bytes;
      bytes << binary.rdbuf();
      facts->lines = readLineCounts(bytes.str(), kernel);
    }
    if (!facts)
      reason = "ptxas does not take the kernel";
  }
  std::error_code ignored;
  std::filesystem::remove_all(base, ignored);
  return facts;
}

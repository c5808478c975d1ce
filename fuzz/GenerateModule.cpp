//===- GenerateModule.cpp - Prints random modules -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// usage: GenerateModule [SEED [NAME=NUMBER]...]
//
// One module on standard output, and what tileiras-run needs to run it in comments after it:
//
//   // grid: 2,1,1
//   // argument: b0:i32[40]=random(seed=7)
//
// and `// inexact` if what is computed depends on the implementation.
//
// NAME is an option of the generator: operations, depth, elements, version, rank, blocks, parameters, exact,
// features (a bit mask).
// Without a seed, seeds and options are read from standard input, one line for each module, and every module ends in
// a line `// end`: a caller that wants many starts one process.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Testing/ModuleGenerator.h"

#include <cstdio>
#include <iostream>
#include <sstream>

using namespace tileiras;

/// The options that the words say, or false.
static bool parse(std::istream &words, GeneratorOptions &options) {
  if (!(words >> options.seed))
    return false;
  for (std::string word; words >> word;) {
    size_t equals = word.find('=');
    if (equals == std::string::npos)
      return false;
    std::string name = word.substr(0, equals);
    char *end;
    long long number = std::strtoll(word.c_str() + equals + 1, &end, 0);
    if (*end || equals + 1 == word.size() || number < 0)
      return false;
    if (name == "operations")
      options.numOperations = static_cast<unsigned>(number);
    else if (name == "depth")
      options.maxDepth = static_cast<unsigned>(number);
    else if (name == "elements" && number > 0)
      options.maxElements = number;
    else if (name == "version" && number >= 1 && number <= 4)
      options.minorVersion = static_cast<unsigned>(number);
    else if (name == "blocks" && number > 0)
      options.maxBlocks = static_cast<unsigned>(number);
    else if (name == "rank")
      options.maxRank = static_cast<unsigned>(number);
    else if (name == "parameters")
      options.parameters = number != 0;
    else if (name == "exact")
      options.exact = number != 0;
    else if (name == "features")
      options.features = static_cast<uint32_t>(number);
    else
      return false;
  }
  return true;
}

static bool print(std::istream &words) {
  GeneratorOptions options;
  if (!parse(words, options)) {
    std::cerr << "usage: GenerateModule [SEED [NAME=NUMBER]...]; names: operations depth elements version rank blocks "
                 "parameters exact features\n";
    return false;
  }
  GeneratedModule module = generateModule(options);
  std::cout << module.text << "// grid: " << module.grid[0] << "," << module.grid[1] << "," << module.grid[2] << "\n";
  if (!options.exact)
    std::cout << "// inexact\n";
  for (const std::string &argument : module.arguments)
    std::cout << "// argument: " << argument << "\n";
  return true;
}

int main(int argc, char **argv) {
  if (argc > 1) {
    std::string words;
    for (int i = 1; i < argc; ++i)
      words += std::string(argv[i]) + " ";
    std::istringstream stream(words);
    return print(stream) ? 0 : 1;
  }
  for (std::string text; std::getline(std::cin, text);) {
    std::istringstream stream(text);
    if (!print(stream))
      return 1;
    std::cout << "// end\n" << std::flush;
  }
  return 0;
}

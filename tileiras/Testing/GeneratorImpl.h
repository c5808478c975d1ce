//===- GeneratorImpl.h - The state of one generation ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TILEIRAS_TESTING_GENERATORIMPL_H
#define TILEIRAS_TESTING_GENERATORIMPL_H

#include "tileiras/Testing/ModuleGenerator.h"

#include <array>
#include <initializer_list>

namespace tileiras::generator {

using Shape = std::vector<int64_t>;
using Options = GeneratorOptions;

inline int64_t countOf(const Shape &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

struct TileTy {
  std::string element;
  Shape shape;

  bool operator==(const TileTy &) const = default;
  std::string str() const;
  TileTy with(std::string other) const { return {std::move(other), shape}; }
};

struct Value {
  std::string name;
  TileTy type;
  int64_t below = 0; ///< if not 0: the value is a scalar in [0, below)
};

/// Memory of known size that the kernel may access.
struct Buffer {
  std::string name, element;
  int64_t count;
  bool writable = true;
};

class Generator {
public:
  explicit Generator(const Options &options) : options(options), state(options.seed * 2 + 1) {}
  GeneratedModule run();

private:
  // Choices. Own arithmetic: the standard distributions differ between libraries.
  uint64_t random();
  int64_t below(int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); }
  bool chance(unsigned percent) { return below(100) < percent; }
  bool has(uint32_t features) const { return (options.features & features) != 0; }
  bool version(unsigned minor) const { return options.minorVersion >= minor; }
  template <typename T> const T &pick(const std::vector<T> &list) {
    return list[below(static_cast<int64_t>(list.size()))];
  }
  std::string word(std::initializer_list<const char *> list) { return list.begin()[below(list.size())]; }
  std::string anyInt(bool withBool) {
    return withBool ? word({"i1", "i8", "i16", "i32", "i64"}) : word({"i8", "i16", "i32", "i64"});
  }
  std::string anyFloat() { return word({"f16", "bf16", "f32", "f64"}); }
  std::string sign() { return word({"signed", "unsigned"}); }
  const Shape &anyShape() { return pick(shapes); }
  /// Another shape with as many elements.
  Shape reshaped(int64_t count);

  // Text.
  std::string fresh() { return "%v" + std::to_string(nextValue++); }
  void line(const std::string &text);
  Value define(const TileTy &type, const std::string &operation, int64_t below = 0);

  // Values of a type: one there is, or a new constant.
  Value operand(const TileTy &type);
  Value constant(const TileTy &type);
  Value splat(const TileTy &type, const std::string &literal);
  std::string literal(const std::string &element);
  std::string nested(std::vector<std::string> parts, const Shape &shape);
  Value listed(const TileTy &type, std::initializer_list<const char *> list);
  Value index(int64_t below, const std::string &element = "i32");
  Value mask(const Value &value, int64_t bits);

  // GeneratorArithmetic.cpp
  void floatOperation();
  void mathOperation();
  void integerOperation();
  void overflow(const Value &a, const Value &b);
  void division(const Value &a, const Value &b);
  void shapeOperation();
  void matrixOperation();

  // GeneratorTypes.cpp
  std::vector<std::string> floatElements() const;
  std::string anyElement(const Shape &shape);
  static bool allowed(const TileTy &type);
  Shape shapeFor(const std::string &element);
  Value made(const TileTy &type);
  Value plainNumbers(const TileTy &type);
  void conversion();
  void oneConversion();
  void convertInteger();
  void integerToFloat();
  void floatToInteger();
  std::vector<std::string> modesOf(const std::string &from, const std::string &to) const;
  void floatToFloat();
  void bitcast();
  void repack();
  void anySelect();
  void smallAggregate();
  void tokens();
  void assumption();
  void print();
  void digest();
  std::string ieeeRounding();

  // GeneratorStructure.cpp
  void forLoop();
  void endlessLoop();
  void branch();
  void aggregate();
  struct Carried {
    std::vector<TileTy> tiles;
    std::vector<std::string> types, inits, args; ///< with the token as the last
  };
  Carried carriedValues();
  std::string yieldedValues(const Carried &carried);
  size_t enterBody(const Carried &carried, bool withArguments);
  void leaveBody(size_t mark);
  void bindResults(const Carried &carried, const std::string &results);
  /// A loop around the current operation. The counter of one that `break` leaves is not among what is carried.
  struct LoopFrame {
    Carried carried, results;
    std::string counter, one;
    Value index; ///< of a counted loop
    bool isUnsigned = false;
  };
  Carried otherResults();
  void body(unsigned operations);
  void operation();

  // GeneratorKernels.cpp
  void makeGrid();
  int64_t blocks() const { return grid[0] * grid[1] * grid[2]; }
  Value varied(const TileTy &type);
  Value known(const std::string &element, int64_t number);
  void gridTile(bool isStore, const std::string &ofType = "");
  void fourBitFloats();
  void gridLoad();
  void sharedAtomic();
  void earlyExit();
  void leaveLoop();
  void earlyReturn();
  Value smallNumbers(const TileTy &type, int64_t bits, bool negative);
  void exactMatrix();
  void gatherTile(const std::string &tile, const std::string &done, const std::string &after, const TileTy &type,
                  const std::string &pointer, const std::array<std::string, 2> &at, const Shape &extents,
                  const Shape &steps);
  void matrixLoop();
  void streamLoop();
  void matrixChain();
  void leafMath();
  void aggregateWithBody();

  // GeneratorScales.cpp
  std::pair<std::string, std::string> scaledArray(const std::string &element, const Shape &tile, const Shape &extents,
                                                  const std::string &values);
  void scaledLoop();

  // GeneratorMemory.cpp
  const Buffer &anyBuffer(bool writable, const std::vector<std::string> &elements);
  const Buffer &addBuffer(const std::string &element, int64_t count, bool output, const std::string &tolerance = "");
  std::string inputInit(const std::string &element);
  static int64_t byteSize(const std::string &element);
  std::string padding(const std::string &element);
  std::vector<std::string> plainElements() const;
  std::vector<std::string> memoryElements() const;
  TileTy accessed(const Buffer &buffer);
  void compareFloats();
  void extraEntry();
  std::string entryHints();
  bool isPlain(const std::string &element) const;
  void addGlobal();
  void addLocal();
  Value pointers(const Buffer &buffer, const Value &offsets);
  Value distinctOffsets(const Shape &shape, int64_t room);
  void load();
  void store();
  void storeTo(const Buffer &buffer, const Value &value);
  void atomic();
  void view();
  void gather();
  const Buffer &viewedBuffer();
  void loadAgain(const std::string &make, const std::string &viewType, const std::string &tensor, const std::string &at,
                 const std::string &indexTypes, const TileTy &type);
  void gatherAnywhere(const Buffer &buffer);
  std::string order(bool isLoad);
  std::string hints(bool ofView = false);
  std::string tokenOperand(const char *equals);
  void accessView(bool isStore, const std::string &at, const std::string &types, const TileTy &type,
                  const std::string &next);

  Options options;
  uint64_t state;
  unsigned nextValue = 0, depth = 0;
  std::string indent = "    ";
  std::string text;     ///< of the body so far
  std::string prologue; ///< stands before it, in the entry
  std::string globals;
  std::string token = "%tok";
  std::vector<std::string> initTokens; ///< of the prologue's stores
  std::vector<Shape> shapes;
  std::vector<Value> pool;
  std::vector<Buffer> buffers;
  std::vector<std::string> parameters, arguments;
  std::array<int64_t, 3> grid{1, 1, 1};
  std::vector<std::string> blockIds; ///< if there is more than one block, and sometimes otherwise
  std::vector<LoopFrame> loops;
};

std::string join(const std::vector<std::string> &words, const char *separator = ", ");
std::string dims(const Shape &shape, const char *separator = "x");

} // namespace tileiras::generator

#endif // TILEIRAS_TESTING_GENERATORIMPL_H

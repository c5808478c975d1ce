# Tile IR bytecode. The corpus of real files lives outside the repository.
tileiras_unittest(BytecodeCorpusTest BytecodeCorpusTest.cpp LINK TileirasBytecode)
target_compile_definitions(BytecodeCorpusTest PRIVATE TILEIRAS_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
tileiras_unittest(BytecodeTest BytecodeTest.cpp BytecodeErrorsTest.cpp BytecodeWriterTest.cpp LINK TileirasBytecode)
tileiras_unittest(BytecodeMutationTest BytecodeMutationTest.cpp LINK TileirasBytecode)
target_compile_definitions(BytecodeMutationTest PRIVATE TILEIRAS_SOURCE_DIR="${CMAKE_SOURCE_DIR}")

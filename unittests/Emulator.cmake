# Unit tests of the PTX emulator; they see no MLIR.
tileiras_unittest(EmulatorLaunchTest PLAIN EmulatorLaunchTest.cpp LINK TileirasEmulator)

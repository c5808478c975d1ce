# Unit tests of the PTX emulator; they see no MLIR.
tileiras_unittest(EmulatorLaunchTest PLAIN EmulatorLaunchTest.cpp LINK TileirasEmulator)
tileiras_unittest(EmulatorNvccTest PLAIN EmulatorNvccTest.cpp LINK TileirasEmulator)
tileiras_unittest(EmulatorIntegerTest PLAIN EmulatorIntegerTest.cpp LINK TileirasEmulator)
tileiras_unittest(EmulatorFloatTest PLAIN EmulatorFloatTest.cpp LINK TileirasEmulator)
tileiras_unittest(EmulatorConvertTest PLAIN EmulatorConvertTest.cpp LINK TileirasEmulator)
tileiras_unittest(EmulatorControlTest PLAIN EmulatorControlTest.cpp LINK TileirasEmulator)
tileiras_unittest(EmulatorMemoryTest PLAIN EmulatorMemoryTest.cpp LINK TileirasEmulator)
tileiras_unittest(EmulatorParserTest PLAIN EmulatorParserTest.cpp LINK TileirasEmulator)

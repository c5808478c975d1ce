// What every file of the rooms of the tile dialects includes, beside pch.h: the classes of their operations.
#include "pch.h"
#include "tileiras/Dialect/TileAA/IR/TileAA.h"
#include "tileiras/Dialect/TileAS/IR/TileAS.h"

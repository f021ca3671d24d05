// The first bytes of a model file. Readers of data know them too, to recognise a model given instead of data.
#pragma once

#include <string_view>

namespace kinglet {

inline constexpr std::string_view kModelMagic = "\x89KINGLET";

}  // namespace kinglet

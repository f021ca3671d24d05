// The page that reports are written into, as web/build.mjs made it: parts to be put together. None where the program was
// built without.
#pragma once

#include <span>
#include <string_view>

namespace kinglet::report {

std::span<const std::string_view> page_parts();

}  // namespace kinglet::report

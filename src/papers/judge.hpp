// The verdict on a cell: its mean compared with the published number.
#pragma once

#include "papers/paper.hpp"

namespace kinglet {

// Sets the verdict, the deviations and the reason.
void judge(CellResult& result, std::string_view experiment);

}  // namespace kinglet

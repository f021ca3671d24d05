// What the BSGD paper says about its table 3 (section 7.2), checked on our numbers.
#pragma once

#include "papers/paper.hpp"

namespace kinglet {

// Adds each claim whose cells have all been measured.
void conclude_bsgd_table3(PaperResult& result);

}  // namespace kinglet

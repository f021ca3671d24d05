// Why complete options cannot be combined: what the selected parts say themselves, and what concerns several of them.
#pragma once

#include "learn/selected_parts.hpp"

namespace kinglet {

// The first reason why complete options cannot be combined; empty if they can.
Message incompatibility(const SelectedParts& parts, const Options& full);
// Why a new model shall not have these options, although saved ones may; empty if it may.
Message objection(const SelectedParts& parts, const Options& given, const Options& full);
// Why complete options cannot have their `output`; empty if they can. The average needs all vectors that were ever
// added.
Message output_incompatibility(const Options& options);

}  // namespace kinglet

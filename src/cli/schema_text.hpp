// Shows the columns of records: which kinds they are, and what they lack.
#pragma once

#include <string>

#include "cli/json.hpp"
#include "cli/table.hpp"
#include "kinglet/source.hpp"

namespace kinglet::cli {

// The columns by kind, one line for each kind, after a line with their number. Empty if all are plain numbers.
// `with_times`: also the range of the times that were learned.
std::string schema_text(const Columns* columns, bool with_times = false);
// A list of {"name", "kind", …} for all columns that are learned from; null if their names and kinds are not known.
Json schema_json(const Columns* columns);

// Missing values and labels, and times that the model has not learned, as lines of a listing or in JSON; nothing if
// there are none.
void add_gaps(Listing& listing, const DataGaps& gaps, const Columns* columns);
void add_gaps(Json& json, const DataGaps& gaps, const Columns* columns);
// The same as notes, for commands that do not list them.
void note_gaps(const DataGaps& gaps, const Columns* columns);

}  // namespace kinglet::cli

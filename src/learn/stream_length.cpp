// The length of the stream, which some update rules use: whether it is asked for, and what complete options say about
// it.
#include "learn/fill_options.hpp"

namespace kinglet {
namespace {

// How the update rule of complete options uses the length of the stream; null if it does not.
const StreamLengthUse* stream_length_use(const Options& full) {
  if (!full.has("update")) return nullptr;  // a committee has one if it was given
  const StreamLengthUse& use = update_rule_entry(full.text("update")).stream_length;
  return !use.option.empty() && use.wanted(full) ? &use : nullptr;
}

// 0: unknown.
std::uint64_t known_length(const StreamLengthUse& use, const Options& full) {
  return full.has(use.option) ? static_cast<std::uint64_t>(full.integer(use.option)) : 0;
}

}  // namespace

bool wants_stream_length(const Options& given) {
  Options full;
  fill_options(with_keys(given), full);
  const StreamLengthUse* use = stream_length_use(full);
  return use != nullptr && known_length(*use, full) == 0;
}

Options with_stream_length(Options given, std::uint64_t examples) {
  Options full;
  fill_options(with_keys(given), full);
  const StreamLengthUse* use = stream_length_use(full);
  if (use != nullptr && known_length(*use, full) == 0) given.set(use->option, std::to_string(examples));
  return given;
}

std::optional<StreamLength> stream_length(const Options& complete) {
  const StreamLengthUse* use = stream_length_use(complete);
  const std::uint64_t examples = use == nullptr ? 0 : known_length(*use, complete);
  if (examples == 0) return std::nullopt;
  return StreamLength{.option = option(use->option), .examples = examples, .if_exceeded = use->if_exceeded};
}

}  // namespace kinglet

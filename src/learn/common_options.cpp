// The common options, which belong to no single rule, whole learner or kernel: a list of what each is called, means and
// allows.
#include "core/compose.hpp"
#include "kinglet/registry.hpp"

namespace kinglet {
namespace {

std::vector<std::string> names_of(std::span<const Entry* const> entries) {
  std::vector<std::string> names;
  for (const Entry* entry : entries) names.push_back(entry->name);
  return names;
}

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) names.push_back(algorithm.name);
  return names;
}

constexpr const char* kDefaultAlgorithm = "auto";

// "bnorma for task novelty, bmp for query ramp": algorithms that are the default with certain other options. Not those
// without a budget, which only the budget rule `none` asks for.
Message special_defaults() {
  Message text;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.default_for.has("maintain")) continue;
    for (const auto& [name, value] : algorithm.default_for.all()) {
      text += Message{text.empty() ? "" : ", ", algorithm.name, " for ", option(name, value)};
    }
  }
  return text;
}

constexpr double kMaxBudget = 100'000'000;
constexpr double kMostLabels = 1e15;

std::vector<OptionSpec> make_common_options() {
  const OptionMention classes = option("task", "classify");
  return {
      {.name = "algo",
       .kind = OptionKind::choice,
       .default_value = kDefaultAlgorithm,
       .help = compose("the algorithm (default {}; {})", kDefaultAlgorithm, special_defaults()),
       .choices = algorithm_names()},
      {.name = "update",
       .kind = OptionKind::choice,
       .default_value = "auto",
       .help = "update rule; auto: that of the algorithm",
       .choices = names_of(update_rules()),
       .may_be_auto = true},
      {.name = "maintain",
       .shown = "budget-rule",
       .kind = OptionKind::choice,
       .default_value = "auto",
       .help = "budget rule; auto: that of the algorithm",
       .choices = names_of(budget_rules()),
       .may_be_auto = true},
      {.name = "task",
       .kind = OptionKind::choice,
       .default_value = "classify",
       .help = "what to learn",
       .choices = {"classify", "regress", "novelty"}},
      {.name = "output",
       .kind = OptionKind::choice,
       .default_value = "last",
       .help = "predict with the last iterate or with the average of all iterates so far",
       .choices = {"last", "average"}},
      {.name = "epsilon",
       .default_value = "0.1",
       .help = {"errors up to this size do not count as loss, in deviations of the target unless ",
                option("target-scale", "none")},
       .low = 0,
       .search = {.low = 0.01, .high = 1, .target_power = 1},
       .only_with = option("task", "regress"),
       .not_with = option("loss", "squared")},  // errors of any size count there
      {.name = "target-scale",
       .kind = OptionKind::choice,
       .default_value = "standard",
       .help = "target scaling along the stream: to mean 0 and deviation 1, or none",
       .choices = {"standard", "none"},
       .only_with = option("task", "regress")},
      {.name = "nu",
       .default_value = "0.05",
       .help = "expected share of novel examples",
       .low = 0,
       .high = 1,
       .only_with = option("task", "novelty")},
      {.name = "budget",
       .kind = OptionKind::integer,
       .default_value = "500",
       .help = {"largest number of support vectors; auto: as many as ", option("memory"), " allows"},
       .low = 1,
       .high = kMaxBudget,
       .may_be_auto = true},
      {.name = "memory",
       .kind = OptionKind::text,
       .default_value = "none",
       .help = "memory limit, such as 64K or 2M, instead of a budget"},
      {.name = "kernel",
       .kind = OptionKind::choice,
       .default_value = "rbf",
       .help = "kernel",
       .choices = names_of(kernels())},
      {.name = "scale",
       .kind = OptionKind::choice,
       .default_value = "standard",
       .help = "feature scaling along the stream: to mean 0 and deviation 1, to [-1, 1], to norm 1, or none",
       .choices = {"standard", "minmax", "unit", "none"}},
      {.name = "metric",
       .kind = OptionKind::choice,
       .default_value = "none",
       .help = "learned: weight each feature by how strongly the model depends on it, updated along the stream",
       .choices = {"none", "learned"}},
      {.name = "storage",
       .kind = OptionKind::choice,
       .default_value = "auto",
       .help =
           "dense; sparse: rows and support vectors as lists of nonzero values; mixed: only rows; auto: by dimension "
           "and density of the first examples",
       .choices = {"dense", "mixed", "sparse"},
       .may_be_auto = true},
      {.name = "class-weight",
       .kind = OptionKind::text,
       .default_value = "none",
       .help = "weights of classes, such as 1=10,-1=0.5 (the others have weight 1), or balanced: n / (K n_c) from the "
               "counts so far",
       .only_with = classes},
      {.name = "proba",
       .kind = OptionKind::flag,
       .default_value = "false",
       .help = "calibrate probabilities of the classes along the stream",
       .only_with = classes},
      {.name = "query",
       .kind = OptionKind::choice,
       .default_value = "all",
       .help =
           {"labels to ask for: all, those of uncertain examples (certainty at most 1, inside the ramp), or that of "
            "the least certain of every ",
            option("query-window"), " examples"},
       .choices = {"all", "ramp", "greedy"},
       .only_with = classes},
      {.name = "query-budget",
       .kind = OptionKind::integer,
       .default_value = "0",
       .help = "largest number of labels to ask for; 0: no limit",
       .low = 0,
       .high = kMostLabels,
       .only_with = classes},
      {.name = "query-window",
       .kind = OptionKind::integer,
       .default_value = "5",
       .help = "ask for the least certain of this many examples",
       .low = 1,
       .high = kMostLabels,
       .only_with = option("query", "greedy")},
      {.name = "seed",
       .kind = OptionKind::integer,
       .default_value = "1",
       .help = "random seed",
       .low = 0,
       .high = 9007199254740992},  // 2^53: a number in every language that reads the model's header
  };
}

}  // namespace

std::span<const OptionSpec> common_options() {
  static const auto list = make_common_options();
  return list;
}

}  // namespace kinglet

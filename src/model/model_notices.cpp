// Notices (notices.hpp) about what a run shows only after a while: the shared start leaves features out, labels are
// ever new, the budget is full. Those about memory are given where memory is decided: model_start.cpp, model_grow.cpp.
#include "core/compose.hpp"
#include "kinglet/registry.hpp"
#include "learn/registry_entries.hpp"
#include "model/model_state.hpp"
#include "simd/isa.hpp"

namespace kinglet {

void Model::State::notice_start(const Rows& rows) {
  if (!notices.is_said(Notices::beyond_start) && ignored_values(rows) > 0) {
    notices.add(Notices::beyond_start,
                compose("features beyond the {} of the shared start are ignored: its sample did not have them",
                        scaler->dimension()));
  }
  if (shared->isa == simd::current_isa()) return notices.never(Notices::other_isa);
  notices.add(
      Notices::other_isa,
      compose("the shared start was made with the instruction set {}, and this machine computes with {}: models "
              "of both go together, but differ in their last digits",
              shared->isa, simd::current_isa()));
}

// Labels that are ever new, such as numbers or names of examples, make a class of nearly every example, and learning
// slower and slower.
void Model::State::notice_new_labels() {
  constexpr std::uint64_t kEnough = 2048;  // examples
  if (progress.examples < kEnough || 2 * labels.size() < progress.examples) return;
  notices.add(
      Notices::new_labels,
      compose("more than {} different labels in {} examples, and each makes a class, which makes learning slower: "
              "to predict numbers give {}; if the label is in another column give {}",
              labels.size() - 1, progress.examples, option("task", "regress"), option("label_column")));
}

// Some algorithms keep as many support vectors as they need, and a budget that is full changes what they learn.
void Model::State::notice_full_budget() {
  if (notices.is_said(Notices::full_budget)) return;
  if (!budget_is_limit(options)) return notices.never(Notices::full_budget);
  const LearnerStats stats = learner->stats();
  if (stats.support_vectors < stats.budget) return;
  const OptionMention limit = option(options.text("memory") == "none" ? "budget" : "memory");
  notices.add(
      Notices::full_budget,
      compose("after {} examples the budget of {} support vectors is full, and {} would keep more: raise {}, or "
              "the model learns less from now on",
              progress.examples, stats.budget, algorithm_name(options), limit));
}

std::vector<Message> Model::take_notices() {
  if (state_->learner != nullptr) state_->notice_full_budget();
  return state_->notices.take();
}

}  // namespace kinglet

// Helpers for the tests of update rules: make a rule from its registry entry, ask it for a step, save and load it.
#pragma once

#include <memory>
#include <string>

#include "kinglet/registry.hpp"
#include "learn/registry_entries.hpp"
#include "rules/update_rule.hpp"

namespace kinglet {

inline std::unique_ptr<UpdateRule> make_update(const std::string& name, Options options) {
  options.set("algo", "bpegasos");
  options.set("update", name);
  return update_rule_entry(name).make(complete_options(options));
}

// The update that the rule returns for an example. Rules that draw random numbers get the same ones in each call.
inline Update ask(UpdateRule& rule, const Scored& example) {
  Random random(1);
  return rule.on(example, random);
}

// A copy made by saving and loading.
inline std::unique_ptr<UpdateRule> resumed(const UpdateRule& rule, const std::string& name, const Options& options) {
  StateWriter out;
  rule.save(out);
  auto copy = make_update(name, options);
  StateReader in(out.bytes());
  copy->load(in);
  return copy;
}

}  // namespace kinglet

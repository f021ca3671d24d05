// What the tests of update rules share: a rule made from its registry entry, and its numbers after saving and loading.
#pragma once

#include <memory>
#include <string>

#include "kinglet/registry.hpp"
#include "learn/registry_entries.hpp"
#include "rules/update_rule.hpp"

namespace kinglet {

inline std::unique_ptr<UpdateRule> make_update(const std::string& name, Options options) {
  options.set("update", name);
  return update_rule_entry(name).make(complete_options(options));
}

// What the rule answers. Rules that draw get the same numbers each time, unless given a source of their own.
inline Update ask(UpdateRule& rule, const Scored& example) {
  Random random(1);
  return rule.on(example, random);
}

// A copy that was saved and loaded.
inline std::unique_ptr<UpdateRule> resumed(const UpdateRule& rule, const std::string& name, const Options& options) {
  StateWriter out;
  rule.save(out);
  auto copy = make_update(name, options);
  StateReader in(out.bytes());
  copy->load(in);
  return copy;
}

}  // namespace kinglet

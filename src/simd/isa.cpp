#include "simd/isa.hpp"

#include <cstdlib>
#include <mutex>

#include "kinglet/error.hpp"
#include "simd/targets.hpp"
//
#include <hwy/highway.h>

namespace kinglet::simd {
namespace {

std::string name_of(std::int64_t target) {
  switch (target) {
#if HWY_ARCH_X86
    case HWY_AVX3:
      return "avx512";
    case HWY_AVX2:
      return "avx2";
    case HWY_SSE4:
      return "sse4";
#endif
    case HWY_EMU128:
    case HWY_SCALAR:
      return "scalar";
    default: {
      std::string name = hwy::TargetName(target);
      for (char& c : name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
      return name;
    }
  }
}

const std::vector<std::int64_t>& compiled_and_supported() {
  static const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  return targets;
}

std::string& chosen() {
  static std::string name = name_of(compiled_and_supported().front());
  return name;
}

}  // namespace

std::vector<std::string> available_isas() {
  std::vector<std::string> names;
  for (const auto target : compiled_and_supported()) names.push_back(name_of(target));
  return names;
}

std::string current_isa() {
  choose_isa();
  return chosen();
}

void use_isa(std::string_view name) {
  std::string known;
  for (const auto target : compiled_and_supported()) {
    if (name_of(target) == name) {
      hwy::GetChosenTarget().Update(target);
      chosen() = name;
      return;
    }
    known += (known.empty() ? "" : ", ") + name_of(target);
  }
  throw Error("KINGLET_ISA=" + std::string(name) + " is not available on this machine; available: " + known);
}

void choose_isa() {
  static std::once_flag once;
  std::call_once(once, [] {
    const char* wanted = std::getenv("KINGLET_ISA");
    if (wanted != nullptr && *wanted != '\0') use_isa(wanted);
  });
}

}  // namespace kinglet::simd

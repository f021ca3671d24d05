// Opens "gen:" followed by arbitrary bytes as a generator, and reads a few batches from it.
#include <cstdint>
#include <string>

#include "reading_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinglet;
  const std::string spec = "gen:" + std::string(reinterpret_cast<const char*>(data), size);
  try {
    check_source(*open_source(spec, {}), false, 3);
  } catch (const Error& error) {
    require(std::string(error.what()).find('\n') == std::string::npos);
  }
  return 0;
}

// Numbers as text for people: thousands separators, k and M, bytes, seconds. Files and JSON hold plain numbers instead.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kinglet::cli {

std::string count_text(std::uint64_t n);      // 1,234,567
std::string short_text(double value);         // three digits: 950, 12.3k, 1.24M
std::string rate_text(double per_second);     // 1.24M/s
std::string bytes_text(std::uint64_t bytes);  // 512 B, 1.3 MiB
std::string seconds_text(double seconds);     // 53 ms, 75.3 s, 5 min 12 s
std::string fraction_text(double fraction);   // 0.0213
std::string number_text(double value);        // five digits: 1.6203, 12345, 1.2346e+06
std::string plural(std::uint64_t n, std::string_view one, std::string_view many = {});  // 1 row, 2,000 rows

std::string capital(std::string words);  // with a capital first letter

}  // namespace kinglet::cli

// kinglet data: lists the public data sets that are known by name, and downloads them into the data folder.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <CLI/CLI.hpp>
#include <filesystem>

#include "catalogue/catalogue.hpp"
#include "catalogue/data_check.hpp"
#include "catalogue/download.hpp"
#include "catalogue/find_data.hpp"
#include "cli/command.hpp"
#include "cli/help.hpp"
#include "cli/json.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/progress_bar.hpp"
#include "cli/stop.hpp"
#include "cli/table.hpp"
#include "core/compose.hpp"
#include "core/suggestion.hpp"
#include "kinglet/error.hpp"

namespace kinglet::cli {
namespace {

constexpr const char* kDataExamples =
    "  kinglet data list\n"
    "  kinglet data get a9a\n"
    "  kinglet train data:a9a --test data:a9a.t -o adult.kinglet\n"
    "  kinglet data get usps pendigits.t --data ~/sets\n"
    "  kinglet data get ijcnn1 --from https://mirror.example.org/libsvm\n";

struct FetchFlags {
  std::string action;
  std::vector<std::string> names;
  std::string folder;
  std::string mirror;
  std::uint64_t patience = 60;
  bool unchecked = false;
  bool json = false;
};

void declare(CLI::App& app, FetchFlags& flags) {
  app.add_option("ACTION", flags.action, "list: show the known data sets; get: download some of them");
  app.add_option("NAME", flags.names, "get: data sets (a9a: all its files) or single files (a9a.t)")->expected(0, -1);
  const std::string group = kMainSection;
  app.add_option("--data", flags.folder,
                 "folder of the data sets [$KINGLET_DATA, or kinglet in $XDG_DATA_HOME or ~/.local/share]")
      ->type_name("DIR")
      ->group(group);
  app.add_option("--from", flags.mirror,
                 "get: download from a mirror, which has the same file names [original address]")
      ->type_name("URL")
      ->group(group);
  app.add_flag("--unchecked", flags.unchecked, "get: keep a file even if its content is not as expected")->group(group);
  add_count(app, "--patience", flags.patience, {1, 86400}, "get: give up after this many seconds without data [60]")
      ->group(group);
  app.add_flag("--json", flags.json, "list: print the list as JSON")->group(group);
  app.footer(kDataExamples);
}

// --- list ------------------------------------------------------------------------------------------------------------

std::string here_text(const KnownSet& set, const std::filesystem::path& folder) {
  const auto is_here = [&](const KnownFile& file) { return find_in_folder(file.name, folder).has_value(); };
  const auto here = std::count_if(set.files.begin(), set.files.end(), is_here);
  if (here == 0) return "-";
  return static_cast<std::size_t>(here) == set.files.size() ? "yes" : fmt::format("{} of {}", here, set.files.size());
}

std::string rows_text(const KnownSet& set) {
  std::string text;
  for (const KnownFile& file : set.files) text += (text.empty() ? "" : " + ") + count_text(file.rows);
  return text;
}

std::string data_sets_text(const std::filesystem::path& folder) {
  std::vector<Row> rows;
  for (const KnownSet& set : catalogue()) {
    rows.push_back({std::string(set.name), rows_text(set), count_text(set.features), count_text(set.classes),
                    here_text(set, folder), std::string(set.summary)});
  }
  return format_table({{"name", false}, {"examples"}, {"features"}, {"classes"}, {"downloaded", false}, {"", false}},
                      rows) +
         fmt::format("\nkinglet data get NAME downloads a set to {}; data:NAME then names its file.\n",
                     folder.string());
}

Json file_json(const KnownFile& file, const std::filesystem::path& folder) {
  const auto path = find_in_folder(file.name, folder);
  Json json;
  json["name"] = file.name;
  json["examples"] = file.rows;
  json["address"] = file.address;
  json["check"] = check_name(file.check);
  json["digest"] = file.digest.empty() ? Json(nullptr) : Json(file.digest);
  json["path"] = path ? Json(path->string()) : Json(nullptr);
  return json;
}

void list_json(const std::filesystem::path& folder) {
  Json sets = Json::array();
  for (const KnownSet& set : catalogue()) {
    Json json;
    json["name"] = set.name;
    json["summary"] = set.summary;
    json["features"] = set.features;
    json["classes"] = set.classes;
    for (const KnownFile& file : set.files) json["files"].push_back(file_json(file, folder));
    sets.push_back(json);
  }
  Json object;
  object["folder"] = folder.string();
  object["sets"] = sets;
  print_json(object);
}

int list(const FetchFlags& flags) {
  if (!flags.names.empty()) throw Error("kinglet data list takes no names");
  const auto folder = data_folder(flags.folder);
  if (flags.json) {
    list_json(folder);
  } else {
    print(data_sets_text(folder));
  }
  return kSuccess;
}

// --- get -------------------------------------------------------------------------------------------------------------

struct Wanted {
  const KnownSet* set;
  const KnownFile* file;
};

// The name of a set selects all its files, the name of a file only that one.
void add_wanted(const std::string& name, std::vector<Wanted>& wanted) {
  const CatalogueMatch known = find_in_catalogue(name);
  if (known.set == nullptr) {
    std::vector<std::string> names;
    for (const KnownSet& set : catalogue()) names.emplace_back(set.name);
    const std::string hint = suggestion(name, names);
    throw Error(fmt::format("unknown data set {}{}", name, hint.empty() ? " (see kinglet data list)" : hint));
  }
  for (const KnownFile& file : known.set->files) {
    if (name == known.set->name || name == file.name) wanted.push_back({known.set, &file});
  }
}

std::string address_of(const KnownFile& file, std::string mirror) {
  if (mirror.empty()) return file.address;
  if (!mirror.ends_with('/')) mirror += '/';
  return mirror + file.address.substr(file.address.rfind('/') + 1);
}

// Shows the progress of a download on the terminal.
class TransferDisplay {
 public:
  explicit TransferDisplay(std::string_view name) : name_(name), begin_(std::chrono::steady_clock::now()) {}

  void show(const TransferState& state) {
    if (!bar_.due()) return;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    const double speed = static_cast<double>(state.bytes - state.resumed_at) / std::max(seconds, 0.1);
    const bool known = state.total.value_or(0) > 0;
    const double total = static_cast<double>(state.total.value_or(1));
    const std::string done = known ? done_text(static_cast<double>(state.bytes) / total) + "  " : "";
    const std::string so_far =
        fmt::format("{}{}  {}/s", done, bytes_text(state.bytes), bytes_text(static_cast<std::uint64_t>(speed)));
    bar_.draw(fmt::format("{}  {}", name_, state.bytes == 0 ? "connecting" : so_far));
  }
  void clear() { bar_.erase(); }
  void show_checking() { bar_.draw(fmt::format("{}  checking", name_)); }

 private:
  std::string name_;
  std::chrono::steady_clock::time_point begin_;
  ProgressBar bar_{true};
};

std::string outcome_text(const KnownFile& file, bool unchecked) {
  if (unchecked) return "not checked";
  return file.check == Check::sha256 ? "SHA-256 matches" : fmt::format("{} as expected", check_name(file.check));
}

// Returns false if stopped; the partial file stays, and the next download continues it.
bool fetch(const Wanted& wanted, const std::filesystem::path& folder, const FetchFlags& flags,
           const StopOnSignal& stop) {
  const KnownFile& file = *wanted.file;
  const auto goal = folder / kept_name(file);
  const std::string address = address_of(file, flags.mirror);
  PartFile part(goal);
  TransferDisplay display(file.name);
  DownloadOptions options;
  options.patience = std::chrono::seconds(flags.patience);
  options.on_progress = [&](const TransferState& state) {
    display.show(state);
    return !stop.requested();
  };
  const DownloadResult result = download(address, part, options);
  if (result.stopped) return false;
  if (!flags.unchecked) {
    display.show_checking();
    const CheckResult check = check_file(*wanted.set, file, part.path(), [&] { return !stop.requested(); });
    if (check.verdict == FileVerdict::stopped) return false;
    if (check.verdict == FileVerdict::wrong) {
      part.discard();
      throw Error(compose("{}: {}; the file was not kept (--unchecked keeps it anyway)", address, check.fault));
    }
  }
  part.finish();
  display.clear();
  print(
      fmt::format("{}  {}, {}\n", goal.string(), bytes_text(result.state.bytes), outcome_text(file, flags.unchecked)));
  return true;
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault) throw Error(fmt::format("cannot create the folder {}: {}", folder.string(), fault.message()));
}

int get(const FetchFlags& flags) {
  if (flags.names.empty()) throw Error("kinglet data get needs the name of a set (see kinglet data list)");
  std::vector<Wanted> wanted;
  for (const std::string& name : flags.names) add_wanted(name, wanted);
  const auto folder = data_folder(flags.folder);
  make_folder(folder);
  const StopOnSignal stop;
  for (const Wanted& each : wanted) {
    if (const auto path = find_in_folder(each.file->name, folder)) {
      print(fmt::format("{}  already downloaded\n", path->string()));
    } else if (!fetch(each, folder, flags, stop)) {
      note("stopped; run the same command again to continue");
      return stopped_exit_code();
    }
  }
  return kSuccess;
}

}  // namespace

int data_command(const Arguments& arguments) {
  FetchFlags flags;
  CLI::App app(
      "Lists public data sets and downloads them. A downloaded set is then available to every command as data:NAME.",
      "kinglet data");
  declare(app, flags);
  if (!parse(app, arguments)) return kSuccess;
  require_argument(flags.action, app, "ACTION");
  if (flags.action == "list") {
    refuse_options(app, {"--from", "--unchecked", "--patience"}, "kinglet data list");
    return list(flags);
  }
  if (flags.action == "get") {
    refuse_options(app, {"--json"}, "kinglet data get");
    return get(flags);
  }
  throw Error(
      fmt::format("unknown action '{}'; give list or get{}", flags.action,
                  find_in_catalogue(flags.action).set != nullptr ? ", as in kinglet data get " + flags.action : ""));
}

}  // namespace kinglet::cli

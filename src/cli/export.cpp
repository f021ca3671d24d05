// kinglet export: writes a model in a format that other programs read.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/help.hpp"
#include "cli/json.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/stop.hpp"
#include "cli/table.hpp"
#include "export/c_source.hpp"
#include "export/libsvm_model.hpp"
#include "export/onnx_model.hpp"
#include "export/open_model.hpp"
#include "kinglet/error.hpp"

namespace kinglet::cli {
namespace {

constexpr const char* kExportExamples =
    "  kinglet export model.kinglet -o classifier.c\n"
    "  kinglet export model.kinglet -o classifier.c --type int8 --name birds\n"
    "  kinglet export model.kinglet -o model.onnx\n"
    "  kinglet export model.kinglet --to libsvm -o svm.model\n";

struct ExportFlags {
  std::string model;
  std::string to;
  std::string output;
  std::string type = "float";
  std::string name;
  bool json = false;
};

struct Form {
  const char* name;
  const char* extension;
};
constexpr Form kForms[] = {{"c", ".c"}, {"libsvm", ".model"}, {"onnx", ".onnx"}};

struct Part {
  std::string path;
  std::string content;
};

struct Exported {
  std::vector<Part> parts;
  std::string form;
  std::string type;             // c
  std::size_t table_bytes = 0;  // c
  std::size_t stack_bytes = 0;  // c
};

void declare(CLI::App& app, ExportFlags& flags) {
  app.add_option("MODEL", flags.model, "model file of kinglet or LIBSVM");
  const std::string group = kMainSection;
  app.add_option("-o,--output", flags.output, "file to write; the C header is written to the same folder")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--to", flags.to, "format: c, libsvm or onnx [by file name: .c, .model, .onnx]")
      ->type_name("FORMAT")
      ->group(group);
  add_choice(app, "--type", flags.type, {"float", "int8"}, "c: number type of the support vectors")->group(group);
  app.add_option("--name", flags.name, "c: prefix of the function names [name of the file]")
      ->type_name("NAME")
      ->group(group);
  app.add_flag("--json", flags.json, "print the result as JSON")->group(group);
  app.footer(kExportExamples);
}

// The format given by --to, or else by the extension of the file.
std::string form_of(const ExportFlags& flags) {
  const std::string extension = std::filesystem::path(flags.output).extension().string();
  const Form* named = nullptr;
  const Form* asked = nullptr;
  for (const Form& form : kForms) {
    if (extension == form.extension) named = &form;
    if (flags.to == form.name) asked = &form;
  }
  if (!flags.to.empty() && asked == nullptr)
    throw Error(fmt::format("--to {}: the format is c, libsvm or onnx", flags.to));
  if (asked == nullptr && named == nullptr) {
    throw Error(fmt::format("unknown file extension in {}; give --to c, libsvm or onnx", flags.output));
  }
  if (asked != nullptr && named != nullptr && asked != named) {
    throw Error(
        fmt::format("{} has the extension of --to {}, but --to {} was given", flags.output, named->name, asked->name));
  }
  std::string form = asked != nullptr ? asked->name : named->name;
  if (form == "c" && extension != ".c") {
    throw Error(fmt::format("{}: the name of a C source must end in .c; its header goes beside it", flags.output));
  }
  return form;
}

void check(const ExportFlags& flags, const CLI::App& app) {
  require_argument(flags.model, app, "MODEL");
  require_argument(flags.output, app, "-o FILE");
  if (flags.output == "-") throw Error("-o -: a model cannot go to standard output; give a file name");
  const std::string form = form_of(flags);
  for (const char* option : {"--type", "--name"}) {
    if (app.count(option) > 0 && form != "c") throw Error(fmt::format("{} is an option of --to c", option));
  }
  if (!flags.name.empty() && c_identifier(flags.name) != flags.name) {
    throw Error(
        fmt::format("--name {}: a C name consists of letters, digits and _, and begins with a letter", flags.name));
  }
}

Exported to_c(const ExportFlags& flags, const FlatModel& plain) {
  const std::filesystem::path path = flags.output;
  const std::string name = flags.name.empty() ? c_identifier(path.stem().string()) : flags.name;
  std::filesystem::path header = path;
  header.replace_extension(".h");
  const CType type = flags.type == "int8" ? CType::int8 : CType::float32;
  CSource made = c_source(plain, type, name, header.filename().string());
  return {.parts = {{path.string(), std::move(made.source)}, {header.string(), std::move(made.header)}},
          .form = "c",
          .type = flags.type,
          .table_bytes = made.table_bytes,
          .stack_bytes = made.stack_bytes};
}

Exported to_libsvm(const ExportFlags& flags, const FlatModel& plain) {
  Exported out{.parts = {{flags.output, libsvm_model_text(plain)}}, .form = "libsvm"};
  std::string range = libsvm_range_text(plain);
  if (!range.empty()) out.parts.push_back({flags.output + ".range", std::move(range)});
  return out;
}

Exported exported(const ExportFlags& flags, const FlatModel& plain) {
  const std::string form = form_of(flags);
  if (form == "c") return to_c(flags, plain);
  if (form == "libsvm") return to_libsvm(flags, plain);
  return {.parts = {{flags.output, onnx_model(plain)}}, .form = "onnx"};
}

// Writes all files completely before the first gets its final name. Returns false if stopped before that.
bool write(const Exported& out, const std::string& model) {
  const StopOnSignal stop;
  std::vector<std::unique_ptr<Output>> files;
  for (const Part& part : out.parts) {
    require_no_input(part.path, {model});
    files.push_back(std::make_unique<Output>(part.path));
    files.back()->write(part.content);
  }
  if (stop.requested()) return false;
  for (const auto& file : files) file->finish();
  return true;
}

std::string summary(const Exported& out, const FlatModel& plain) {
  Listing listing = {{"from", plain.origin}, {"format", out.form == "c" ? "c, " + out.type : out.form}};
  for (const Part& part : out.parts) {
    listing.emplace_back(&part == out.parts.data() ? "written" : "",
                         fmt::format("{}, {}", part.path, bytes_text(part.content.size())));
  }
  if (out.form == "c") {
    listing.emplace_back("tables", bytes_text(out.table_bytes));
    listing.emplace_back("stack", bytes_text(out.stack_bytes));
  }
  if (out.parts.size() > 1 && out.form == "libsvm") {
    listing.emplace_back("scale data with", fmt::format("svm-scale -r {} DATA > SCALED", out.parts[1].path));
  }
  return format_listing(listing);
}

Json exported_json(const Exported& out, const FlatModel& plain) {
  Json json;
  json["form"] = out.form;
  json["origin"] = plain.origin;
  json["support_vectors"] = plain.size();
  for (const Part& part : out.parts) {
    Json one;
    one["path"] = part.path;
    one["bytes"] = part.content.size();
    json["files"].push_back(one);
  }
  if (out.form == "c") {
    json["type"] = out.type;
    json["table_bytes"] = out.table_bytes;
    json["stack_bytes"] = out.stack_bytes;
  }
  return json;
}

}  // namespace

int export_command(const Arguments& arguments) {
  ExportFlags flags;
  CLI::App app(
      "Writes a model, including the scaling of its features, in a format that other programs read: C99 source, a "
      "LIBSVM "
      "model file, or ONNX.",
      "kinglet export");
  declare(app, flags);
  if (!parse(app, arguments)) return kSuccess;
  check(flags, app);
  const FlatModel plain = open_model(flags.model);
  require_writable(flags.output);
  const Exported out = exported(flags, plain);
  if (!write(out, flags.model)) return stopped_with_nothing_written();
  if (flags.json) {
    print_json(exported_json(out, plain));
  } else {
    print(summary(out, plain));
  }
  return kSuccess;
}

}  // namespace kinglet::cli

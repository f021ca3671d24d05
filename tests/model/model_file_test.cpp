// The model file: any damage is an Error, and a file is written completely or not at all.
#include "model/model_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "error_of.hpp"
#include "kinglet/error.hpp"
#include "kinglet/model.hpp"
#include "learn/stream.hpp"

namespace kinglet {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

std::string load_error(const std::string& bytes) {
  return error_of([&] { Model::deserialize(bytes, "a.kinglet"); });
}

Model small_model(const Options& options = {{"budget", "3"}}) {
  Model model(options);
  model.learn(for_task(one_batch(clouds(40, 2, {"a", "b"})), model.task()));
  return model;
}

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A temporary folder for each test, removed afterwards.
class ModelFileTest : public testing::Test {
 protected:
  ModelFileTest() {
    std::string name = (fs::temp_directory_path() / "kinglet-test-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~ModelFileTest() override { fs::remove_all(folder_); }

  std::size_t files_in_folder() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

  fs::path folder_;
};

TEST(ModelFile, ComesBackAsItWasPacked) {
  EXPECT_TRUE(rc::check([](std::string header, std::string section, std::string other) {
    const ModelFile file{.header = header, .sections = {{"one", section}, {"two", other}}};
    const ModelFile back = unpack_model(pack_model(file));
    RC_ASSERT(back.header == header);
    RC_ASSERT(back.sections.size() == 2u);
    RC_ASSERT(back.find("one")->bytes == section);
    RC_ASSERT(back.find("two")->bytes == other);
    RC_ASSERT(back.find("three") == nullptr);
  }));
}

TEST(ModelFile, HasTheLayoutThatTheDocumentationStates) {
  const std::string bytes = pack_model({.header = "{}", .sections = {{"s", "xyz"}}});
  const std::string expected(
      "\x89KINGLET"
      "\4\0\0\0"
      "\x42\0\0\0\0\0\0\0"
      "\2\0\0\0\0\0\0\0{}"
      "\1\0\0\0\0\0\0\0"
      "\1\0\0\0\0\0\0\0s"
      "\3\0\0\0\0\0\0\0xyz",
      58);
  EXPECT_EQ(bytes.substr(0, 58), expected);
  EXPECT_EQ(bytes.size(), 66u);
}

TEST(ModelFile, OfEqualModelsHasEqualBytes) { EXPECT_EQ(small_model().serialize(), small_model().serialize()); }

TEST(ModelFile, HasAHeaderThatAnyToolCanRead) {
  const auto header = nlohmann::json::parse(unpack_model(small_model().serialize()).header);
  EXPECT_EQ(header["labels"], nlohmann::json({"a", "b"}));
  EXPECT_EQ(header["dimension"], 2);
  EXPECT_EQ(header["examples"], 40);
  EXPECT_EQ(header["options"]["gamma"], "auto");
  EXPECT_TRUE(header["resolved"].contains("gamma"));
}

// The model file with one value of its header replaced.
std::string with_header(const Model& model, const char* key, const nlohmann::json& value) {
  ModelFile file = unpack_model(model.serialize());
  auto header = nlohmann::json::parse(file.header);
  header[key] = value;
  file.header = header.dump();
  return pack_model(file);
}

TEST(ModelFile, OfNumbersHasSumsOfErrorsInsteadOfMistakes) {
  const Model model = small_model({{"budget", "3"}, {"task", "regress"}});
  const auto header = nlohmann::json::parse(unpack_model(model.serialize()).header);
  EXPECT_TRUE(header["labels"].empty());
  EXPECT_FALSE(header.contains("mistakes"));
  EXPECT_EQ(header["squared_error"].get<double>(), model.progress().squared_error);
  EXPECT_EQ(header["absolute_error"].get<double>(), model.progress().absolute_error);
  for (const nlohmann::json& bad : {nlohmann::json(-1.5), nlohmann::json("1"), nlohmann::json()}) {
    EXPECT_THAT(load_error(with_header(model, "squared_error", bad)), HasSubstr("damaged"));
    EXPECT_THAT(load_error(with_header(model, "absolute_error", bad)), HasSubstr("damaged"));
  }
  EXPECT_THAT(load_error(with_header(model, "labels", {"a", "b"})), HasSubstr("damaged"));
}

TEST(ModelFile, OfNoveltiesHasTheirTwoLabels) {
  const Model model = small_model({{"budget", "3"}, {"task", "novelty"}});
  EXPECT_EQ(load_error(model.serialize()), "");
  EXPECT_THAT(load_error(with_header(model, "labels", {"a", "b"})), HasSubstr("damaged"));
  EXPECT_THAT(load_error(with_header(model, "labels", nlohmann::json::array())), HasSubstr("damaged"));
}

TEST(ModelFile, CutAtAnyLengthIsAnError) {
  const std::string bytes = small_model().serialize();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const std::string error = load_error(bytes.substr(0, length));
    EXPECT_THAT(error, StartsWith("a.kinglet: ")) << length;
    EXPECT_THAT(error, HasSubstr(length == 0 ? "not a kinglet model" : "truncated")) << length;
  }
  EXPECT_THAT(load_error(bytes + "x"), HasSubstr("damaged"));
}

TEST(ModelFile, WithAnyBitFlippedIsAnError) {
  const std::string bytes = small_model().serialize();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      ASSERT_NE(load_error(damaged), "") << i << " " << bit;
    }
  }
}

// The checksum is corrected after the damage. Loading then throws an Error or gives a model that can predict: many bits
// are digits of numbers, of which any value is possible. Of a long file, every few bytes are tried.
TEST(ModelFile, WithAnyBitFlippedAndSealedAgainLoadsOrIsAnError) {
  constexpr std::size_t kPlaces = 1000;
  const Batch batch = one_batch(clouds(5, 2, {"a", "b"}));
  for (const Options& options :
       {Options{{"budget", "3"}}, Options{{"budget", "3"}, {"algo", "bpegasos"}},
        Options{{"budget", "3"}, {"storage", "sparse"}, {"maintain", "project"}},
        Options{{"budget", "3"}, {"task", "regress"}, {"maintain", "stop"}, {"output", "average"}},
        Options{{"budget", "3"}, {"task", "novelty"}, {"lambda", "0.1"}}}) {
    const std::string bytes = small_model(options).serialize();
    const std::size_t step = bytes.size() / kPlaces | 1;  // odd, so that every bit of a byte is flipped somewhere
    std::size_t tried = 0;
    std::size_t refused = 0;
    for (std::size_t i = 0; i < bytes.size(); i += step) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
      seal_model(damaged);
      ++tried;
      try {
        Model::deserialize(damaged, "a.kinglet", 1 << 24).predict(batch);
      } catch (const Error&) {
        ++refused;
      }
    }
    EXPECT_GT(refused, tried / 2) << "of " << bytes.size() << " bytes";
  }
}

TEST(ModelFile, CutAnywhereAndSealedAgainIsAnError) {
  const std::string bytes = small_model().serialize();
  for (std::size_t length = 28; length + 1 < bytes.size(); ++length) {
    std::string damaged = bytes.substr(0, length);
    seal_model(damaged);
    EXPECT_NE(load_error(damaged), "") << length;
  }
}

TEST(ModelFile, OfGarbageIsAnError) {
  EXPECT_TRUE(rc::check([](std::string garbage) {
    RC_ASSERT(load_error(garbage) != "");
    garbage = std::string("\x89KINGLET\1\0\0\0", 12) + std::string(8, '\0') + garbage + std::string(8, '\0');
    seal_model(garbage);
    RC_ASSERT(load_error(garbage) != "");
  }));
}

TEST(ModelFile, SaysWhatIsWrongInOneLine) {
  std::string bytes = small_model().serialize();
  EXPECT_EQ(load_error("1 1:0.5 2:0.5\n"), "a.kinglet: not a kinglet model");
  EXPECT_EQ(load_error(bytes.substr(0, 100)),
            "a.kinglet: the model is truncated: it has only 100 of " + std::to_string(bytes.size()) + " bytes");
  bytes[50] ^= 1;
  EXPECT_EQ(load_error(bytes), "a.kinglet: the model is damaged: its checksum is wrong");
  bytes[8] = 9;
  EXPECT_EQ(
      load_error(bytes),
      "a.kinglet: the model has format version 9, but this kinglet reads only versions up to 4: use a newer kinglet");
}

// --- files -----------------------------------------------------------------------------------------------------------

TEST_F(ModelFileTest, IsSavedAndLoaded) {
  const Model model = small_model();
  const fs::path path = folder_ / "m.kinglet";
  model.save(path);
  EXPECT_EQ(content_of(path), model.serialize());
  EXPECT_EQ(Model::load(path).serialize(), model.serialize());
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(ModelFileTest, LoadingSaysWhichFileAndWhy) {
  const std::string missing = (folder_ / "none").string();
  EXPECT_EQ(error_of([&] { Model::load(missing); }), missing + ": no such file");
  EXPECT_EQ(error_of([&] { Model::load(folder_); }), folder_.string() + ": cannot read: Is a directory");
  const std::string foreign = (folder_ / "data.csv").string();
  std::ofstream(foreign) << "1,2,3\n";
  EXPECT_EQ(error_of([&] { Model::load(foreign); }), foreign + ": not a kinglet model");
  std::ofstream(foreign, std::ios::trunc);
  EXPECT_EQ(error_of([&] { Model::load(foreign); }), foreign + ": not a kinglet model");
  EXPECT_EQ(error_of([] { Model::load("/dev/zero"); }), "/dev/zero: not a kinglet model");
}

TEST_F(ModelFileTest, LoadingDoesNotBelieveAHugeLength) {
  const fs::path path = folder_ / "m.kinglet";
  std::string bytes = small_model().serialize();
  for (std::size_t i = 12; i < 20; ++i) bytes[i] = '\x7F';
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_THAT(error_of([&] { Model::load(path); }), HasSubstr("truncated"));
}

TEST_F(ModelFileTest, WhenThereIsNoRoomTheOldFileStaysAndNothingElse) {
  const fs::path path = folder_ / "m.kinglet";
  const Model old = small_model();
  old.save(path);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit tiny{.rlim_cur = 100, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &tiny);
  const std::string error = error_of([&] { small_model({{"budget", "30"}}).save(path); });
  const std::string first_error = error_of([&] { old.save(folder_ / "new.kinglet"); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(error, "cannot write to " + path.string() + ": File too large");
  EXPECT_NE(first_error, "");
  EXPECT_EQ(content_of(path), old.serialize());
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(ModelFileTest, WritingFailsWithAnErrorWhereNothingCanBeWritten) {
  const Model model = small_model();
  const std::string path = (folder_ / "no" / "m.kinglet").string();
  EXPECT_EQ(error_of([&] { model.save(path); }), "cannot write to " + path + ": No such file or directory");
  EXPECT_EQ(error_of([&] { model.save(folder_); }), "cannot write to " + folder_.string() + ": Is a directory");
  EXPECT_EQ(files_in_folder(), 0u);
}

TEST_F(ModelFileTest, WritingWithoutPermissionFailsAndLeavesNothing) {
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_exec);
  const fs::path path = folder_ / "m.kinglet";
  const Model model = small_model();
  const bool is_root = ::geteuid() == 0;  // root can write everywhere, so become another user for a moment
  if (is_root) {
    ASSERT_EQ(::seteuid(65534), 0);
  }
  const std::string error = error_of([&] { model.save(path); });
  if (is_root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  fs::permissions(folder_, fs::perms::owner_all);
  EXPECT_EQ(error, "cannot write to " + path.string() + ": Permission denied");
  EXPECT_EQ(files_in_folder(), 0u);
}

TEST_F(ModelFileTest, APipeIsWrittenToAndNotReplaced) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  const Model model = small_model();
  model.save(pipe);
  std::string received(model.serialize().size() + 1, 0);
  received.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(reader, received.data(), received.size()))));
  ::close(reader);
  EXPECT_EQ(received, model.serialize());
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(ModelFileTest, ALinkStaysALinkAndAModeStaysAMode) {
  const fs::path target = folder_ / "target.kinglet";
  const fs::path link = folder_ / "link.kinglet";
  small_model().save(target);
  fs::permissions(target, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  fs::create_symlink("target.kinglet", link);
  const Model other = small_model({{"budget", "5"}});
  other.save(link);
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(content_of(target), other.serialize());
  struct stat status {};
  ASSERT_EQ(::stat(target.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
  EXPECT_EQ(files_in_folder(), 2u);
}

TEST_F(ModelFileTest, AReaderSeesTheOldFileOrTheNewOneWhileItIsWritten) {
  const fs::path path = folder_ / "m.kinglet";
  const Model small = small_model();
  const Model large = small_model({{"algo", "pegasos"}});
  small.save(path);
  std::atomic<bool> done = false;
  std::atomic<int> bad = 0;
  std::jthread reader([&] {  // so the test is in THREADED_TESTS of tests/CMakeLists.txt
    while (!done) {
      if (!error_of([&] { Model::load(path); }).empty()) ++bad;
    }
  });
  for (int i = 0; i < 50; ++i) (i % 2 == 0 ? large : small).save(path);
  done = true;
  reader.join();
  EXPECT_EQ(bad, 0);
}

}  // namespace
}  // namespace kinglet

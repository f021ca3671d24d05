// Messages keep mentions of options as data until they are converted to text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/compose.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

std::string shouted(const OptionMention& mention) { return "<" + mention.name + ":" + mention.value + ">"; }

TEST(Message, SpellsOptionsAsTheCallerWants) {
  const Message message{"with ", option("kernel", "poly"), " give ", option("degree"), "."};
  EXPECT_EQ(message.text(), "with kernel=poly give degree.");
  EXPECT_EQ(message.text(shouted), "with <kernel:poly> give <degree:>.");
}

TEST(Message, SpellsFunctionsAsTheCallerWants) {
  const Message message = compose("{} makes {}", function("make_start"), option("x"));
  EXPECT_EQ(message.text(), "make_start() makes x");
  EXPECT_EQ(message.text(shouted, [](const FunctionMention& mention) { return "a " + mention.name; }),
            "a make_start makes <x:>");
  EXPECT_EQ(Error(message).message(), message);
}

TEST(Message, IsTheSameHoweverItsTextsWereJoined) {
  Message joined = "one ";
  joined += "two";
  joined += "";
  joined += option("x");
  EXPECT_EQ(joined, (Message{"one two", option("x")}));
  EXPECT_NE(joined, Message("one twox"));
  EXPECT_TRUE(Message("").empty());
}

TEST(Compose, PutsMentionsAndMessagesIntoTheirPlaces) {
  const Message inner{"lower ", option("budget")};
  const Message message = compose("{}: {} of {} {}", "file", 3, 4.5, inner);
  EXPECT_EQ(message.text(), "file: 3 of 4.5 lower budget");
  EXPECT_EQ(message.text(shouted), "file: 3 of 4.5 lower <budget:>");
}

TEST(Compose, LeavesBracesInsideOfArgumentsAlone) {
  EXPECT_EQ(compose("'{}' is not {}", "{}", "{1}").text(), "'{}' is not {1}");
}

TEST(Error, IsOneLineWithItsOptionsAsData) {
  const Error error(compose("{} is\nnot {}", "a\tb", option("kernel", "x\ny")));
  EXPECT_STREQ(error.what(), "a\\x09b is\\x0anot kernel=x\\x0ay");
  EXPECT_EQ(error.message().text(shouted), "a\\x09b is\\x0anot <kernel:x\\x0ay>");
  const Error copy = error;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_EQ(copy.message(), error.message());
}

}  // namespace
}  // namespace kinglet

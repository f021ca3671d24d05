// The wire format of Protocol Buffers: the bytes of the examples in its documentation.
#include "export/protobuf.hpp"

#include <gtest/gtest.h>

namespace kinglet {
namespace {

using namespace std::string_literals;

TEST(Protobuf, IntegersAreStoredSevenBitsAtATime) {
  ProtobufMessage message;
  message.integer(1, 150);
  EXPECT_EQ(message.str(), "\x08\x96\x01"s);
  ProtobufMessage negative;
  negative.integer(16, -1);
  EXPECT_EQ(negative.str(), "\x80\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s);
  ProtobufMessage zero;
  zero.integer(2, 0);
  EXPECT_EQ(zero.str(), "\x10\x00"s);
}

TEST(Protobuf, TextsAndMessagesHaveALength) {
  ProtobufMessage inner;
  inner.integer(1, 150);
  ProtobufMessage outer;
  outer.bytes(2, "testing");
  outer.message(3, inner);
  EXPECT_EQ(outer.str(), "\x12\x07testing\x1a\x03\x08\x96\x01"s);
}

}  // namespace
}  // namespace kinglet

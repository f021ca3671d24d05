// Learns to tell birds apart by mass and length, one example at a time; then saves the model, loads it and predicts.
#include <iostream>
#include <kinglet/model.hpp>
#include <random>
#include <vector>

int main() {
  kinglet::Model model({{"budget", "50"}, {"proba", "true"}});
  std::mt19937 random(1);
  std::normal_distribution<float> noise;
  for (int day = 0; day < 1000; ++day) {  // grams and centimetres
    model.learn(std::vector{6 + noise(random), 9 + noise(random)}, "kinglet");
    model.learn(std::vector{18 + 2 * noise(random), 13 + noise(random)}, "robin");
  }
  model.save("birds.kinglet");

  const auto birds = kinglet::Model::load("birds.kinglet");
  const kinglet::Answer bird = birds.predict(std::vector{17.5F, 12.8F});
  std::cout << bird.label << " with probability " << *bird.probability << '\n';
}

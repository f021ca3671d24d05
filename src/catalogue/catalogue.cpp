// The table of public data sets.
//
// Origin of the digests. SHA-256 of bytes: covtype from scikit-learn (sklearn/datasets/_covtype.py); PMLB files from
// the Git LFS pointers in its repository, at the commit in the address; other files on GitHub from the repository
// itself at that commit. Digests of content were computed from copies of the same files, with the same rows, order and
// values. For all other files no digest is known, so only their counts are checked.
#include "catalogue/catalogue.hpp"

#include <algorithm>
#include <array>

namespace kinglet {
namespace {

std::string libsvm_binary(std::string_view file) {
  return "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/" + std::string(file);
}

std::string libsvm_multiclass(std::string_view file) {
  return "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/multiclass/" + std::string(file);
}

std::string uci(std::string_view file) {
  return "https://archive.ics.uci.edu/ml/machine-learning-databases/" + std::string(file);
}

std::string pmlb(std::string_view set) {
  const std::string name(set);
  return "https://github.com/EpistasisLab/pmlb/raw/7c1f4bdc00136dc2e55c87fa6b8ba6e8af6d1a68/datasets/" + name + "/" +
         name + ".tsv.gz";
}

std::string github(std::string_view file) { return "https://raw.githubusercontent.com/" + std::string(file); }

KnownFile counted(std::string_view name, std::string address, std::uint64_t rows) {
  return {name, std::move(address), rows, Check::counts, {}};
}

KnownFile same_content(std::string_view name, std::string address, std::uint64_t rows, std::string_view digest) {
  return {name, std::move(address), rows, Check::content, digest};
}

KnownFile same_bytes(std::string_view name, std::string address, std::uint64_t rows, std::string_view digest) {
  return {name, std::move(address), rows, Check::sha256, digest};
}

using Files = std::vector<KnownFile>;

KnownSet libsvm_set(std::string_view name, std::string_view summary, std::uint32_t features, std::uint32_t classes,
                    Files files) {
  return {name, summary, features, classes, {}, std::move(files)};
}

KnownSet csv_labels_last(std::string_view name, std::string_view summary, std::uint32_t features, std::uint32_t classes,
                         Files files) {
  return {name, summary, features, classes, "last", std::move(files)};
}

KnownSet csv_labels_first(std::string_view name, std::string_view summary, std::uint32_t features,
                          std::uint32_t classes, Files files) {
  return {name, summary, features, classes, "first", std::move(files)};
}

// Name, summary, features, classes; then for each file its name, address, number of examples and digest.
std::vector<KnownSet> make_catalogue() {
  return {
      libsvm_set("a8a", "Adult: income over 50,000 dollars; binary features, a smaller training set", 123, 2,
                 {same_content("a8a", libsvm_binary("a8a"), 22'696,
                               "e70b2617c4554a8f6088b1d7b49405d73711a46f453e22fcf7d6a84f414cf294"),
                  same_content("a8a.t", libsvm_binary("a8a.t"), 9865,
                               "421b2757ab521c72a4dad7798b0543eb2a28834d2f7e166fb2169de2844faa45")}),
      libsvm_set("a9a", "Adult: income over 50,000 dollars; binary features", 123, 2,
                 {same_content("a9a", libsvm_binary("a9a"), 32'561,
                               "8dc003bf69ae796c9f75ca59c7f09ff69fbb030bb5a95e330faefcd6e10de05e"),
                  same_content("a9a.t", libsvm_binary("a9a.t"), 16'281,
                               "9be4fb2f154a0f0ce4b1ed2a66c2715fc764bf8e9ef1d694085be7838803b52e")}),
      csv_labels_last("banana", "two banana-shaped classes in the plane", 2, 2,
                      {same_bytes("banana", pmlb("banana"), 5300,
                                  "546c047502ad902c099a627f831f338bc77e824d2e7cadcc2733bd3d6a0a949e")}),
      libsvm_set("cod-rna", "non-coding RNA (cod-rna.r has the remaining rows); sorted by class in blocks", 8, 2,
                 {counted("cod-rna", libsvm_binary("cod-rna"), 59'535),
                  counted("cod-rna.t", libsvm_binary("cod-rna.t"), 271'617),
                  counted("cod-rna.r", libsvm_binary("cod-rna.r"), 157'413)}),
      libsvm_set("combined", "SensIT: vehicles by sound and vibration", 100, 3,
                 {counted("combined", libsvm_multiclass("vehicle/combined.bz2"), 78'823),
                  counted("combined.t", libsvm_multiclass("vehicle/combined.t.bz2"), 19'705)}),
      libsvm_set("connect-4", "positions of the game: won, lost or drawn", 126, 3,
                 {counted("connect-4", libsvm_multiclass("connect-4"), 67'557)}),
      csv_labels_last("covtype", "forest cover types, in the order of the UCI archive", 54, 7,
                      {same_bytes("covtype", uci("covtype/covtype.data.gz"), 581'012,
                                  "614360d0257557dd1792834a85a1cdebfadc3c4f30b011d56afee7ffb5b15771")}),
      libsvm_set("covtype.binary", "forest cover types: lodgepole pine against the rest", 54, 2,
                 {counted("covtype.binary", libsvm_binary("covtype.libsvm.binary.bz2"), 581'012)}),
      libsvm_set("diabetes", "Pima Indians diabetes", 8, 2, {counted("diabetes", libsvm_binary("diabetes"), 768)}),
      libsvm_set("dna", "splice junctions in DNA, three classes, binary features", 180, 3,
                 {counted("dna", libsvm_multiclass("dna.scale"), 2000),
                  counted("dna.t", libsvm_multiclass("dna.scale.t"), 1186)}),
      csv_labels_last(
          "elec", "electricity price up or down, in time order, without date and day", 6, 2,
          {same_bytes("elec",
                      github("scikit-multiflow/streaming-datasets/f1eb9f068c3450233721c3beac6fb0e880e9e7d7/elec.csv"),
                      45'312, "cdf901433885f29eca6911f70c0eeafb50d90596c879c30c5b99f5a2e8e734ff")}),
      libsvm_set("german.numer", "German credit, numeric features", 24, 2,
                 {same_content("german.numer", libsvm_binary("german.numer"), 1000,
                               "190f9681efc14ce622fc1c9595b0b6da9e3519d51db6c3b9a3d3db081138f4bf")}),
      libsvm_set(
          "heart_scale", "heart disease, scaled to [-1, 1]; the example of LIBSVM", 13, 2,
          {same_bytes("heart_scale", github("cjlin1/libsvm/6b907139084abf2da4d6d3cb10dc3b7eaffa2fbb/heart_scale"), 270,
                      "5defa0a4c4c5bdaf3f55ae3828310252e8565c13ee37ce279e0b86d82e7f4ce9")}),
      csv_labels_first("higgs", "simulated particle collisions with and without a Higgs boson; 2.8 GB", 28, 2,
                       {counted("higgs", uci("00280/HIGGS.csv.gz"), 11'000'000)}),
      libsvm_set("ijcnn1", "engine misfires, from the IJCNN 2001 challenge", 22, 2,
                 {same_content("ijcnn1", libsvm_binary("ijcnn1.bz2"), 49'990,
                               "9990e22c435fe31d3429f936d2a04b01a845cbe1ea350ec2462af515c4bdbd86"),
                  same_content("ijcnn1.t", libsvm_binary("ijcnn1.t.bz2"), 91'701,
                               "8e424fd02bfeecee6ed301e2274953769e218beaa12dab15d603f1e69b31fab9")}),
      csv_labels_last("ionosphere", "radar echoes from the ionosphere, good or bad", 34, 2,
                      {same_bytes("ionosphere", pmlb("ionosphere"), 351,
                                  "adb6fc877404f2b55f6d59fc7322265c733f5cf0ae6d7c2e52c3468733630023")}),
      csv_labels_last(
          "iris", "three species of iris by the size of their flowers", 4, 3,
          {same_bytes("iris", pmlb("iris"), 150, "ce4982cba30bd5aaa352e51d55e1cf56c56ae6d573d644f36257de1177717228")}),
      csv_labels_last("kddcup99.10pct", "network connections: intrusion type or normal; symbols as codes", 41, 23,
                      {same_bytes("kddcup99.10pct", pmlb("kddcup"), 494'020,
                                  "719efc2cb0f94f49721de58ec6c9dc58bdbb16b241d00c61eafe47f737fcbfc2")}),
      csv_labels_first("letter", "printed capital letters; the first 16,000 are for training", 16, 26,
                       {same_content("letter", uci("letter-recognition/letter-recognition.data"), 20'000,
                                     "14787867aa03c725b95e5b7005fcdb1e2e35272b7f1b146ea8d5ab80a03a4259")}),
      libsvm_set("letter.scale", "printed capital letters, scaled to [-1, 1], labels 1 to 26", 16, 26,
                 {same_content("letter.scale", libsvm_multiclass("letter.scale"), 15'000,
                               "29f961b8ab472494a28c26cab90fa1435874f04b7feebf75c987e1f9ecca7174"),
                  same_content("letter.scale.t", libsvm_multiclass("letter.scale.t"), 5000,
                               "820e70d4dd4ed073e67cbb79b1b50aeb7e2c2b95bc0550e93393f90f4a4c81c8")}),
      csv_labels_last("magic04", "gamma rays and hadrons in a telescope", 10, 2,
                      {same_bytes("magic04", pmlb("magic"), 19'020,
                                  "c823ea26d676538f9194d41f290798ff2f3fe59255c340418fd9439d8fc9c07f")}),
      libsvm_set("mnist", "handwritten digits, 28 x 28 pixels, values 0 to 255", 780, 10,
                 {same_content("mnist", libsvm_multiclass("mnist.bz2"), 60'000,
                               "e15a7a4e3e0fdb604433681586c0b04b6600d88e5d63375ce74de052aa8b3cce"),
                  same_content("mnist.t", libsvm_multiclass("mnist.t.bz2"), 10'000,
                               "9a0b7df969e7fe413f489d89325e54168a64a2bbf318e5d12118d9aa1959f711")}),
      libsvm_set("mushrooms", "edible or poisonous mushrooms, one-hot features", 112, 2,
                 {counted("mushrooms", libsvm_binary("mushrooms"), 8124)}),
      libsvm_set("pendigits", "digits written with a pen on a tablet", 16, 10,
                 {same_content("pendigits", libsvm_multiclass("pendigits"), 7494,
                               "ec124cfbf00b18563bdbddc17c38bbd1e095cd0be31e902eff41f64850953330"),
                  same_content("pendigits.t", libsvm_multiclass("pendigits.t"), 3498,
                               "195b206f7202d520856e691c49020f90764934bed35e208218c69fcbb02efbd5")}),
      libsvm_set("phishing", "phishing web sites", 68, 2, {counted("phishing", libsvm_binary("phishing"), 11'055)}),
      csv_labels_last("phoneme", "nasal and oral sounds (ELENA)", 5, 2,
                      {same_bytes("phoneme", pmlb("phoneme"), 5404,
                                  "2e1c31a2c560f3539be5bda1084939765c80ddd814bd6919fd8a3465f9b8aee6")}),
      libsvm_set("rcv1", "Reuters news, words as features", 47'236, 2,
                 {counted("rcv1", libsvm_binary("rcv1_train.binary.bz2"), 20'242),
                  counted("rcv1.t", libsvm_binary("rcv1_test.binary.bz2"), 677'399)}),
      libsvm_set("real-sim", "newsgroups: real or simulated things, words as features", 20'958, 2,
                 {counted("real-sim", libsvm_binary("real-sim.bz2"), 72'309)}),
      csv_labels_last("ringnorm", "a normal distribution inside a wider one", 20, 2,
                      {same_bytes("ringnorm", pmlb("ring"), 7400,
                                  "a5fff4a8241312d53818c146ca0b132dc760a6848e7b89ec2e3271fc6454e7da")}),
      libsvm_set("satimage", "soil seen from a satellite, scaled to [-1, 1]", 36, 6,
                 {counted("satimage", libsvm_multiclass("satimage.scale"), 4435),
                  counted("satimage.t", libsvm_multiclass("satimage.scale.t"), 2000)}),
      libsvm_set("shuttle", "states of the space shuttle by its sensors, scaled to [-1, 1]", 9, 7,
                 {counted("shuttle", libsvm_multiclass("shuttle.scale"), 43'500),
                  counted("shuttle.t", libsvm_multiclass("shuttle.scale.t"), 14'500)}),
      libsvm_set("skin_nonskin", "colours of skin and of other objects", 3, 2,
                 {counted("skin_nonskin", libsvm_binary("skin_nonskin"), 245'057)}),
      csv_labels_last("sonar", "sonar echoes from mines and rocks", 60, 2,
                      {same_bytes("sonar", pmlb("sonar"), 208,
                                  "64378cabaecdb50e2e1e644c1d6bc359f0627ebe313870ad09e1e41ed972529b")}),
      csv_labels_last("spambase", "e-mails, spam or not, by word frequencies", 57, 2,
                      {same_bytes("spambase", pmlb("spambase"), 4601,
                                  "735e8d43f7ee78ac54ca17404510e95f4c8b364a721e4d9532a1b3221ed70961")}),
      libsvm_set(
          "splice", "splice junctions in DNA", 60, 2,
          {counted("splice", libsvm_binary("splice"), 1000), counted("splice.t", libsvm_binary("splice.t"), 2175)}),
      csv_labels_first("susy", "simulated particle collisions with and without supersymmetric particles; 0.9 GB", 18, 2,
                       {counted("susy", uci("00279/SUSY.csv.gz"), 5'000'000)}),
      libsvm_set("svmguide1", "astroparticles, the first example in the LIBSVM guide", 4, 2,
                 {counted("svmguide1", libsvm_binary("svmguide1"), 3089),
                  counted("svmguide1.t", libsvm_binary("svmguide1.t"), 4000)}),
      csv_labels_last("twonorm", "two overlapping normal distributions", 20, 2,
                      {same_bytes("twonorm", pmlb("twonorm"), 7400,
                                  "00e254e3cc6879b3c08cfc5a96ad882a6b1b0a232afcff4934bc1555e05f7168")}),
      libsvm_set("usps", "handwritten digits from envelopes, 16 x 16 pixels", 256, 10,
                 {counted("usps", libsvm_multiclass("usps.bz2"), 7291),
                  counted("usps.t", libsvm_multiclass("usps.t.bz2"), 2007)}),
      libsvm_set("w7a", "web pages by keywords, a smaller training set", 300, 2,
                 {same_content("w7a", libsvm_binary("w7a"), 24'692,
                               "000deb23f0ccfb84915f7b55e2752b09dc7e034ab5a28c90d85f59c169a34344"),
                  same_content("w7a.t", libsvm_binary("w7a.t"), 25'057,
                               "cfeed9890589db925a1f16060d21346423ea204a6feadf83e0d954b24ffe578a")}),
      libsvm_set("w8a", "web pages by keywords; 3 % positive", 300, 2,
                 {same_content("w8a", libsvm_binary("w8a"), 49'749,
                               "acc42110a78d683a3989a3288d6b21800d9311c4d051aac9c91983d1eecaa1c0"),
                  same_content("w8a.t", libsvm_binary("w8a.t"), 14'951,
                               "af8f46051b3f1691b3364b48148d856f24b12eaf0191a14c8901f06063d05172")}),
      csv_labels_last("waveform21", "mixtures of three waves with noise", 21, 3,
                      {same_bytes("waveform21", pmlb("waveform_21"), 5000,
                                  "7c2cc6b218c3c4868ccc2edcf6a637c796f4e6bf4ad9f0994e95a260bfe3aabc")}),
      csv_labels_last("waveform40", "mixtures of three waves with noise, plus 19 features of pure noise", 40, 3,
                      {same_bytes("waveform40", pmlb("waveform_40"), 5000,
                                  "b095f9d384fbac256b5870d3ca01d687e776a81457351a8a6fa56e7f1d09c4b0")}),
      csv_labels_last(
          "weather", "rain or no rain, fifty years of daily data (NOAA), in time order", 8, 2,
          {same_bytes(
              "weather",
              github("scikit-multiflow/streaming-datasets/f1eb9f068c3450233721c3beac6fb0e880e9e7d7/weather.csv"),
              18'159, "3c38f05bdc5c4cb115f122414c66976e3662c875d96d7199d9e47fc46aff150e")}),
      csv_labels_last("wine", "wines of three growers by their chemical analysis", 13, 3,
                      {same_bytes("wine", pmlb("wine_recognition"), 178,
                                  "56f5ba3f3ba78f6e522a13e5a97e03ff28cf9fa4107021b22b932f6d4064c145")}),
  };
}

}  // namespace

std::string_view check_name(Check check) {
  switch (check) {
    case Check::sha256:
      return "sha256";
    case Check::content:
      return "content";
    case Check::counts:
      return "counts";
  }
  return "";
}

std::span<const KnownSet> catalogue() {
  static const std::vector<KnownSet> kSets = make_catalogue();
  return kSets;
}

CatalogueMatch find_in_catalogue(std::string_view name) {
  CatalogueMatch known;
  for (const KnownSet& set : catalogue()) {
    for (const KnownFile& file : set.files) {
      if (file.name == name) return {&set, &file};
    }
    if (set.name == name) known = {&set, nullptr};
  }
  return known;
}

std::span<const std::string_view> compression_endings() {
  static constexpr std::array<std::string_view, 5> kEndings = {"", ".gz", ".bz2", ".xz", ".zst"};
  return kEndings;
}

std::string kept_name(const KnownFile& file) {
  std::string name(file.name);
  for (const std::string_view ending : compression_endings()) {
    if (!ending.empty() && file.address.ends_with(ending)) name += ending;
  }
  return name;
}

}  // namespace kinglet

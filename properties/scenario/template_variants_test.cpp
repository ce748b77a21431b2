#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "properties/scenario/generate.h"

namespace ordeal::properties {
namespace {

using Json = nlohmann::json;

Shared<PodTemplate> base_with(const std::string& image) {
  return make_template({{"metadata", {{"labels", {{"app", "web"}}}}},
                        {"spec",
                         {{"containers", Json::array({{{"name", "web"}, {"image", image}},
                                                      {{"name", "side"}, {"image", "side:1"}}})}}}});
}

Json spec_of(const Shared<PodTemplate>& t) { return Json::parse(t->document)["spec"]; }

struct Image {
  const char *base, *expected;
  std::int32_t number;
  TemplateFlavour flavour;
};

TEST(TemplateVariants, NameTheirImageAfterTheBase) {
  using enum TemplateFlavour;
  const Image rows[] = {
      {"web:v0", "web:v0", 0, plain},
      {"web:v0", "web:v2", 2, plain},
      {"web", "web:v2", 2, plain},
      {"registry.example:5000/team/web", "registry.example:5000/team/web:v1", 1, plain},
      {"registry.example:5000/team/web:1.2", "registry.example:5000/team/web:v1", 1, plain},
      {"web:1.2@sha256:0123456789012345678901234567890123456789012345678901234567890123", "web:v3", 3, plain},
      {"web:1.2", "web:1.2", 0, with_env},
      {"web:1.2", "web:v1", 1, with_label},
      {"web:1.2", "web:v0-unready", 0, unready},
      {"web:1.2", "web:v1-crashing", 1, crashing},
      {"web:1.2", "web:v2-completing", 2, completing},
  };
  TemplateVariants variants;
  for (const Image& row : rows) {
    const Shared<PodTemplate> made = variants.of(base_with(row.base), row.number, row.flavour);
    EXPECT_EQ(made->image, row.expected) << row.base << " " << row.number;
    EXPECT_EQ(spec_of(made)["containers"][1]["image"], "side:1");
    EXPECT_TRUE(made->faults.empty());
  }
}

TEST(TemplateVariants, ImageZeroPlainIsTheBaseItself) {
  TemplateVariants variants;
  const auto base = base_with("web:v0");
  EXPECT_EQ(variants.of(base, 0, TemplateFlavour::plain), base);
}

TEST(TemplateVariants, EveryEditionDiffersFromEveryOther) {
  TemplateVariants variants;
  const auto base = base_with("web:1");
  std::set<std::string> documents, patches;
  for (std::int32_t image = 0; image < 4; ++image)
    for (std::int32_t flavour = 0; flavour < static_cast<std::int32_t>(template_flavour_count); ++flavour) {
      const auto made = variants.of(base, image, static_cast<TemplateFlavour>(flavour));
      EXPECT_TRUE(documents.insert(made->document).second) << image << " " << flavour;
      EXPECT_TRUE(patches.insert(*made->patch).second) << image << " " << flavour;
    }
}

TEST(TemplateVariants, AddWhatTheirFlavourSays) {
  TemplateVariants variants;
  const auto base = base_with("web:1");
  EXPECT_EQ(spec_of(variants.of(base, 2, TemplateFlavour::with_env))["containers"][0]["env"],
            Json::array({{{"name", "EDITION"}, {"value", "v2"}}}));
  EXPECT_EQ(spec_of(variants.of(base, 4, TemplateFlavour::with_node_selector))["nodeSelector"],
            (Json{{"disk", "fast"}}));
  const auto labelled = variants.of(base, 1, TemplateFlavour::with_label);
  EXPECT_TRUE(labelled->labels.has("edition", "v1"));
  EXPECT_TRUE(labelled->labels.has("app", "web"));
  const auto annotated = variants.of(base, 0, TemplateFlavour::with_annotation);
  EXPECT_TRUE(annotated->annotations.has("example.org/edition", "v0"));
  EXPECT_EQ(annotated->image, "web:1");
  const Json limited = spec_of(variants.of(base, 1, TemplateFlavour::with_resources))["containers"][0]["resources"],
             asking = spec_of(variants.of(base, 2, TemplateFlavour::with_resources))["containers"][0]["resources"];
  EXPECT_EQ(limited, (Json{{"limits", {{"cpu", "101m"}, {"memory", "64Mi"}}}}));
  EXPECT_EQ(asking, (Json{{"requests", {{"cpu", "102m"}, {"memory", "64Mi"}}}}));
  const auto restarted = variants.restarted(base, 5);
  EXPECT_TRUE(restarted->annotations.has("kubectl.kubernetes.io/restartedAt", time_text(Time::seconds(5))));
  EXPECT_EQ(restarted->image, "web:1");
}

TEST(TemplateVariants, OfOneImageMayDifferInASingleField) {
  TemplateVariants variants;
  const auto base = base_with("web:1");
  const auto differ_in = [&](std::int32_t image, TemplateFlavour flavour) {
    const Json plain = spec_of(variants.of(base, image, TemplateFlavour::plain)),
               edited = spec_of(variants.of(base, image, flavour));
    std::vector<std::string> paths;
    for (const Json& operation : Json::diff(plain, edited)) paths.push_back(operation["path"]);
    return paths;
  };
  using Paths = std::vector<std::string>;
  EXPECT_EQ(differ_in(1, TemplateFlavour::with_env), Paths{"/volumes"});
  EXPECT_EQ(differ_in(2, TemplateFlavour::with_env), Paths{"/containers/0/env"});
  EXPECT_EQ(differ_in(1, TemplateFlavour::with_node_selector), Paths{"/terminationGracePeriodSeconds"});
  EXPECT_EQ(differ_in(2, TemplateFlavour::with_node_selector), Paths{"/tolerations"});
  EXPECT_EQ(differ_in(3, TemplateFlavour::with_node_selector), Paths{"/priorityClassName"});
  EXPECT_EQ(differ_in(0, TemplateFlavour::with_extras), Paths{});
  EXPECT_EQ(variants.of(base, 4, TemplateFlavour::with_extras)->finalizers, std::vector<Text>{"example.org/in-use"});
  EXPECT_EQ(differ_in(1, TemplateFlavour::with_extras), Paths{"/initContainers"});
  EXPECT_THAT(differ_in(2, TemplateFlavour::with_extras), testing::UnorderedElementsAre("/hostname", "/subdomain"));
  EXPECT_EQ(differ_in(3, TemplateFlavour::with_extras), Paths{"/containers/-"});
  EXPECT_EQ(differ_in(1, TemplateFlavour::with_command), Paths{"/containers/0/args"});
  EXPECT_EQ(differ_in(2, TemplateFlavour::with_command), Paths{"/containers/0/command"});
  EXPECT_EQ(differ_in(0, TemplateFlavour::with_settings), Paths{"/containers/0/livenessProbe"});
  EXPECT_EQ(differ_in(1, TemplateFlavour::with_settings), Paths{"/containers/0/imagePullPolicy"});
  EXPECT_EQ(differ_in(2, TemplateFlavour::with_settings), Paths{"/containers/0/securityContext"});
  EXPECT_EQ(differ_in(3, TemplateFlavour::with_settings), Paths{"/containers/0/ports"});
}

TEST(TemplateVariants, AreMadeOncePerBaseAndEdit) {
  TemplateVariants variants;
  const auto a = base_with("web:1"), b = base_with("web:1");
  const auto edition = variants.of(a, 1, TemplateFlavour::plain);
  EXPECT_EQ(variants.of(a, 1, TemplateFlavour::plain), edition);
  EXPECT_EQ(variants.restarted(a, 1), variants.restarted(a, 1));
  EXPECT_NE(variants.of(b, 1, TemplateFlavour::plain), edition) << "another base, by address";
  EXPECT_EQ(*variants.of(b, 1, TemplateFlavour::plain), *edition) << "but equal";
}

TEST(TemplateVariants, KeepManyBasesApart) {
  TemplateVariants variants;
  std::vector<Shared<PodTemplate>> bases;
  for (int i = 0; i < 400; ++i) bases.push_back(base_with("web" + std::to_string(i) + ":1"));
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 400; ++i) {
      const auto made = variants.of(bases[static_cast<std::size_t>(i)], 1, TemplateFlavour::plain);
      EXPECT_EQ(made->image, std::string_view("web" + std::to_string(i) + ":v1"));
    }
}

TEST(TemplateVariants, ForgetRatherThanGrowForEver) {
  TemplateVariants variants;
  const auto base = base_with("web:1");
  const auto first = variants.of(base, 1, TemplateFlavour::plain);
  for (std::int32_t image = 2; image < 3000; ++image) {
    const std::string expected = "web:v" + std::to_string(image);
    ASSERT_EQ(variants.of(base, image, TemplateFlavour::plain)->image, expected);
  }
  EXPECT_EQ(*variants.of(base, 1, TemplateFlavour::plain), *first);
}

TEST(TemplateVariants, LeaveAnUnusualTemplateAsItIs) {
  TemplateVariants variants;
  for (const Json& odd :
       {Json::object(), Json{{"spec", {{"containers", Json::array()}}}},
        Json{{"spec", {{"containers", Json::array({{{"name", "web"}, {"image", "web"}, {"env", 5}}})}}}}}) {
    const auto base = make_template(odd);
    for (std::int32_t flavour = 0; flavour < 12; ++flavour)
      EXPECT_NE(variants.of(base, 1, static_cast<TemplateFlavour>(flavour)), nullptr) << odd.dump();
  }
  EXPECT_EQ(variants.of(nullptr, 1, TemplateFlavour::plain), nullptr);
}

TEST(BareTemplate, KeepsLabelsAndTheFirstContainer) {
  TemplateVariants variants;
  const auto full = variants.of(base_with("web:1"), 1, TemplateFlavour::with_node_selector);
  const auto bare = bare_template(*full);
  EXPECT_EQ(bare->labels, full->labels);
  EXPECT_EQ(bare->image, full->image);
  EXPECT_EQ(spec_of(bare)["containers"].size(), 1u);
  EXPECT_FALSE(spec_of(bare).contains("nodeSelector"));
  EXPECT_EQ(*bare_template(*bare), *bare);
}

}  // namespace
}  // namespace ordeal::properties

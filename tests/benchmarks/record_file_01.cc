// SPDX-License-Identifier: LGPL-2.1-or-later
// Records of benchmarks as JSON: values of all kinds, text that must be
// escaped, files that are replaced in one step.
#include <fstream>
#include <limits>
#include <sstream>

#include "check.h"
#include "record_file.h"

namespace
{
  std::string
  content(const std::string &name)
  {
    std::ifstream      file(name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  void
  check_values()
  {
    benchmark::Record record;
    CHECK_EQUAL(record.to_json(), "{}");
    record.set("text", "a \"b\" \\ c\n\x01 \xc3\xa9")
      .set("number", 0.1)
      .set("large", 1ull << 63)
      .set("negative", -3)
      .set("yes", true)
      .set_null("nothing")
      .set("nan", std::numeric_limits<double>::quiet_NaN())
      .set("inf", -std::numeric_limits<double>::infinity());
    CHECK_EQUAL(record.to_json(),
                "{\"text\": \"a \\\"b\\\" \\\\ c\\u000a\\u0001 ?\?\", "
                "\"number\": 0.10000000000000001, "
                "\"large\": 9223372036854775808, \"negative\": -3, "
                "\"yes\": true, \"nothing\": null, \"nan\": \"nan\", "
                "\"inf\": \"-inf\"}");

    record.set("text", "new");
    CHECK_EQUAL(record.to_json().substr(0, 14), "{\"text\": \"new\"");
  }

  void
  check_file()
  {
    const std::string     name = "record_file_01.json";
    benchmark::RecordFile file(name);
    file.run.set("device", "none");
    file.write();
    CHECK_EQUAL(content(name),
                "{\n\"run\": {\"device\": \"none\"},\n\"records\": [\n]\n}\n");
    file.add(benchmark::Record().set("n", 1));
    file.add(benchmark::Record().set("n", 2));
    file.write();
    CHECK_EQUAL(content(name),
                "{\n\"run\": {\"device\": \"none\"},\n\"records\": [\n"
                "{\"n\": 1},\n{\"n\": 2}\n]\n}\n");
    CHECK(!std::ifstream(name + ".new"));

    benchmark::RecordFile("").write();

    const benchmark::RecordFile impossible("no/such/folder/results.json");
    const std::string           message =
      CHECK_THROWS(tessera::InputError, impossible.write());
    CHECK(message.find("'no/such/folder/results.json'") != std::string::npos);
    CHECK(message.find("No such file") != std::string::npos);
  }
} // namespace

int
main()
{
  check_values();
  check_file();
  return check::result();
}

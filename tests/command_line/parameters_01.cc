// SPDX-License-Identifier: LGPL-2.1-or-later
// Names, scanner, patterns and the set of parameters, without MPI.
#include <map>
#include <random>
#include <sstream>

#include "check.h"
#include "common/command_line.h"
#include "common/nearest_name.h"
#include "common/parameter_file.h"
#include "common/parameter_set.h"
#include "common/results_directory.h"
#include "common/text_layout.h"

using namespace tessera;
using namespace tessera::apps;

namespace
{
  void
  test_names()
  {
    CHECK_EQUAL(edit_distance("", ""), 0u);
    CHECK_EQUAL(edit_distance("", "abc"), 3u);
    CHECK_EQUAL(edit_distance("kitten", "sitting"), 3u);
    CHECK_EQUAL(edit_distance("Tolerance", "tolerance"), 0u);
    CHECK_EQUAL(edit_distance("gmers", "gmres"), 1u);
    CHECK_EQUAL(edit_distance("ca", "abc"), 3u);

    // A metric but for the triangle, which swaps violate: compare with the
    // bounds that hold for random texts.
    std::mt19937 random(1);
    for (unsigned int i = 0; i < 200; ++i)
      {
        std::string a(random() % 8, ' '), b(random() % 8, ' ');
        for (char &c : a)
          c = static_cast<char>('a' + random() % 3);
        for (char &c : b)
          c = static_cast<char>('a' + random() % 3);
        const unsigned int d       = edit_distance(a, b);
        const unsigned int longer  = std::max(a.size(), b.size());
        const unsigned int shorter = std::min(a.size(), b.size());
        CHECK_EQUAL(d, edit_distance(b, a));
        CHECK(d >= longer - shorter && d <= longer);
        CHECK_EQUAL(d == 0, a == b);
        CHECK_EQUAL(edit_distance(a + b, b),
                    static_cast<unsigned int>(a.size()));
      }

    const std::vector<std::string> names = {"Degree", "Dimension", "Backend"};
    CHECK_EQUAL(nearest_name("degre", names), "Degree");
    CHECK_EQUAL(nearest_name("DIMENSION", names), "Dimension");
    CHECK_EQUAL(nearest_name("Tolerance", names), "");
    CHECK_EQUAL(nearest_name("x", {"y"}), "");
    CHECK_EQUAL(nearest_name("", {"y"}), "");
    CHECK_EQUAL(nearest_name("anything", {}), "");
    CHECK(same_name("Set", "sET") && !same_name("set", "sets"));
  }



  std::vector<Statement>
  scan(const std::string &text)
  {
    std::istringstream in(text);
    return scan_parameters(in, "f", "");
  }



  void
  test_scanner()
  {
    const auto statements = scan("# nothing\n"
                                 "set A = 1 # one\n"
                                 "  Subsection  Long name \t\n"
                                 "set  B c =  x = y \\\n"
                                 "            z\n"
                                 "set D =\n"
                                 "end # of it\n"
                                 "\tset E\t=\t2");
    CHECK_EQUAL(statements.size(), 5u);
    CHECK_EQUAL(statements[0].name, "A");
    CHECK_EQUAL(statements[0].value, "1");
    CHECK_EQUAL(statements[0].line, 2u);
    CHECK_EQUAL(statements[0].place(), "f:2");
    CHECK(statements[0].section.empty());
    CHECK(statements[1].enters_section());
    CHECK_EQUAL(statements[1].section.at(0), "Long name");
    CHECK_EQUAL(statements[2].name, "B c");
    CHECK_EQUAL(statements[2].value, "x = y z");
    CHECK_EQUAL(statements[2].line, 4u);
    CHECK_EQUAL(statements[2].section.at(0), "Long name");
    CHECK_EQUAL(statements[3].value, "");
    CHECK_EQUAL(statements[3].line, 6u); // behind the continued line
    CHECK_EQUAL(statements[4].name, "E");
    CHECK_EQUAL(statements[4].value, "2");
    CHECK(statements[4].section.empty());
    CHECK(scan("").empty() && scan("\n \n#\n").empty());

    // All errors of syntax are reported, each with its line.
    CHECK_EQUAL(CHECK_THROWS(InputError,
                             scan("set\n"
                                  "subsection\n"
                                  "end x\n"
                                  "end\n"
                                  "set = 3\n"
                                  "include\n"
                                  "subsection A\nsubsection B\nend")),
                "f:1: found 'set', expected 'set NAME = VALUE'\n"
                "f:2: found 'subsection' without a name\n"
                "f:3: found 'end x', expected 'end' alone on the line\n"
                "f:4: 'end' without a 'subsection' that it could close\n"
                "f:5: found 'set = 3', expected 'set NAME = VALUE'\n"
                "f:6: found 'include' without the name of a file\n"
                "f:7: subsection 'A' begins here and is not closed by 'end'");
    CHECK_EQUAL(CHECK_THROWS(InputError, scan("subsection A\nsubsection B\n")),
                "f:2: subsection 'B' begins here and is not closed by 'end'; "
                "still open are also 'A' of line 1");

    const Statement setting = parse_assignment(" A b/ C / D = 1=2/3 ");
    CHECK_EQUAL(setting.section.size(), 2u);
    CHECK_EQUAL(setting.section[0] + "|" + setting.section[1], "A b|C");
    CHECK_EQUAL(setting.name, "D");
    CHECK_EQUAL(setting.value, "1=2/3");
    CHECK_EQUAL(setting.place(), "--set");
    for (const char *text : {"", "A", "=1", "/A=1", "A/=1", "A//B=1", "A=1#2"})
      CHECK_THROWS(InputError, parse_assignment(text));
  }



  void
  test_patterns()
  {
    namespace P = dealii::Patterns;
    CHECK_EQUAL(describe_pattern(P::Integer()), "an integer");
    CHECK_EQUAL(describe_pattern(P::Integer(0)), "an integer >= 0");
    CHECK_EQUAL(describe_pattern(P::Integer(-3, 7)), "an integer from -3 to 7");
    CHECK_EQUAL(describe_pattern(P::Double()), "a number");
    CHECK_EQUAL(describe_pattern(P::Double(0.5, 2)), "a number from 0.5 to 2");
    CHECK_EQUAL(describe_pattern(P::Double(P::Double::min_double_value, 2)),
                "a number <= 2");
    CHECK_EQUAL(describe_pattern(positive_number()), "a number > 0");
    CHECK_EQUAL(describe_pattern(positive_number(1)), "a number > 0 and <= 1");
    CHECK(!positive_number().match("0") && !positive_number().match("-1"));
    CHECK(positive_number().match("1e-300"));
    CHECK_EQUAL(describe_pattern(P::Bool()), "true or false");
    CHECK_EQUAL(describe_pattern(P::Anything()), "any text");
    CHECK_EQUAL(describe_pattern(P::Selection("a|b c")), "one of: a, b c");
    CHECK_EQUAL(selection_values(P::Selection("a|b c")).size(), 2u);
    CHECK_EQUAL(describe_pattern(P::MultipleSelection("a|b")),
                "any of a, b, separated by ','");
    CHECK_EQUAL(describe_pattern(P::List(P::Double(0))),
                "a list of numbers >= 0, separated by ','");
    CHECK_EQUAL(describe_pattern(P::List(P::Integer(1, 4), 2, 2, ";")),
                "a list of 2 integers from 1 to 4, separated by ';'");
    CHECK_EQUAL(describe_pattern(P::List(P::Selection("a|b"), 1)),
                "a list of 1 or more entries (each: one of: a, b), separated "
                "by ','");
  }



  enum class Colour
  {
    red,
    green
  };



  /** Parameters of all types, and a family of sections. */
  struct Variables
  {
    int                      i = -3;
    unsigned int             u = 3;
    double                   d = 1. / 3;
    float                    f = 0.1f;
    bool                     b = false;
    std::string              s = "text of words";
    std::vector<double>      l = {1e-300, 2. / 3};
    std::vector<std::string> w = {"a", "b"};
    Colour                   c = Colour::green;
    std::map<int, double>    m;

    void
    declare(ParameterSet &set)
    {
      set.add("i", i, "An integer.");
      set.add("u", u, "A natural number.");
      set.enter_subsection("S");
      set.add("d", d, "A number.", positive_number(1.));
      set.add("f", f, "Another number.");
      set.enter_subsection("T");
      set.add("b", b, "A boolean.");
      set.add("s", s, "Text.");
      set.leave_subsection();
      set.leave_subsection();
      set.enter_subsection("L");
      set.add("l", l, "A list.");
      set.add("w", w, "A list of words.");
      set.add_selection("c",
                        c,
                        {{"red", Colour::red}, {"green", Colour::green}},
                        "A choice.");
      set.leave_subsection();
      set.add_section_family("M",
                             "<key>",
                             dealii::Patterns::Integer(0),
                             "5",
                             "A family.",
                             [this](ParameterSet &p, const std::string &key) {
                               p.add("v",
                                     m[std::stoi(key)],
                                     "A value.",
                                     dealii::Patterns::Double());
                             });
    }
  };



  void
  test_values()
  {
    Variables    v;
    ParameterSet set;
    v.declare(set);
    CHECK(v.m.empty());
    CHECK(!set.was_set("S/d"));
    CHECK_EQUAL(set.origin("S/d"), "default");
    CHECK_EQUAL(std::stod(set.value("S/d")), 1. / 3);

    auto statements = scan("set i = 7\n"
                           "subsection S\n"
                           " set d = 0.1\n set f = 1e-3\n"
                           " subsection T\n  set b = true\n  set s =\n end\n"
                           "end\n"
                           "subsection L\n"
                           " set l = 1, 2.5,3\n set w = x,y,z\n set c = red\n"
                           "end\n"
                           "subsection M\n"
                           " subsection 2\n end\n"
                           " subsection 03\n  set v = 4\n end\n"
                           "end\n");
    statements.push_back(parse_assignment("S/d=0.25"));
    set.apply(statements);
    CHECK_EQUAL(v.i, 7);
    CHECK_EQUAL(v.u, 3u);
    CHECK_EQUAL(v.d, 0.25);
    CHECK_EQUAL(v.f, 1e-3f);
    CHECK_EQUAL(v.b, true);
    CHECK_EQUAL(v.s, "");
    CHECK(v.l == std::vector<double>({1, 2.5, 3}));
    CHECK(v.w == std::vector<std::string>({"x", "y", "z"}));
    CHECK(v.c == Colour::red);
    CHECK(v.m == (std::map<int, double>{{2, 0.}, {3, 4.}}));
    CHECK(set.was_set("S/f") && set.was_set("M/3/v") && !set.was_set("u") &&
          !set.was_set("M/2/v"));
    CHECK_EQUAL(set.origin("S/f"), "f:4");
    CHECK_EQUAL(set.origin("S/d"), "--set");
    CHECK_EQUAL(std::string(set.error("S/f", "why").what()),
                "f:4: S/f = 1e-3: why");
    CHECK_EQUAL(std::string(set.error("u", "why").what()),
                "u = 3 (the default): why");

    const auto json = set.as_json();
    CHECK_EQUAL(json["i"].get<int>(), 7);
    CHECK_EQUAL(json["S"]["T"]["b"].get<bool>(), true);
    CHECK_EQUAL(json["L"]["l"].size(), 3u);
    CHECK_EQUAL(json["L"]["l"][1].get<double>(), 2.5);
    CHECK_EQUAL(json["L"]["w"][2].get<std::string>(), "z");
    CHECK_EQUAL(json["M"]["3"]["v"].get<double>(), 4.);

    // The example of a family is declared where it is printed.
    const std::map<int, double> m = v.m;

    // Both ways of printing are parameter files with the same values.
    for (const bool documentation : {false, true})
      {
        std::ostringstream text;
        if (documentation)
          set.print_documentation(text);
        else
          set.print_values(text);
        Variables    w;
        ParameterSet other;
        w.declare(other);
        other.apply(scan(text.str()));
        CHECK(w.i == v.i && w.u == v.u && w.d == v.d && w.f == v.f &&
              w.b == v.b && w.s == v.s && w.l == v.l && w.w == v.w &&
              w.c == v.c && w.m == m);
        CHECK_EQUAL(other.as_json(), set.as_json());
      }
  }



  void
  test_defaults_are_exact()
  {
    std::mt19937_64                        random(2);
    std::uniform_real_distribution<double> exponent(-300, 300);
    for (unsigned int i = 0; i < 50; ++i)
      {
        double              d  = std::pow(10., exponent(random));
        float               f  = static_cast<float>(d / (1. + d));
        std::vector<double> l  = {1. / d, -d};
        const auto          d0 = d;
        const auto          f0 = f;
        const auto          l0 = l;
        ParameterSet        set;
        set.add("d", d, "A number.");
        set.add("f", f, "A number.");
        set.add("l", l, "Numbers.");
        std::ostringstream text;
        set.print_values(text);
        d = f = 0;
        l.clear();
        set.apply(scan(text.str()));
        CHECK(d == d0 && f == f0 && l == l0);
      }
  }



  void
  test_errors()
  {
    const auto message = [](const std::string &text) {
      Variables    v;
      ParameterSet set;
      v.declare(set);
      const std::string result =
        CHECK_THROWS(InputError, set.apply(scan("set i = 8\n" + text)));
      CHECK_EQUAL(v.i, -3); // nothing is assigned where something is wrong
      return result;
    };
    const auto contains = [](const std::string &text, const std::string &part) {
      const bool found = text.find(part) != std::string::npos;
      if (!found)
        std::cerr << "'" << part << "' is not in '" << text << "'\n";
      return found;
    };
    CHECK(contains(message("set u = -1"),
                   "f:2: parameter 'u' outside of all "
                   "sections: found '-1', expected an "
                   "integer >= 0"));
    CHECK(contains(message("set i = 9"), "'8' in line 1"));
    CHECK(contains(message("set b = true"), "in section 'S/T'"));
    CHECK(contains(message("set v = 1"), "in section 'M/<key>'"));
    CHECK(contains(message("subsection S\nset v = 1\nend"), "'M/<key>'"));
    CHECK(contains(message("subsection M\nsubsection -1\nend\nend"),
                   "expected <key>: an integer >= 0"));
    CHECK(contains(message("subsection M\nsubsection 1\nset w = 1\nend\nend"),
                   "unknown parameter 'w' in section 'M/1'"));
    CHECK(contains(message("subsection T\nend"), "there is a section 'S/T'"));

    // More than twenty errors are counted.
    std::string many;
    for (unsigned int i = 0; i < 25; ++i)
      many += "set q" + std::to_string(i) + "xyz = 1\n";
    CHECK(contains(message(many), "and 5 more errors"));

    // Mistakes of an application are found, too.
    ParameterSet set;
    int          i = 0;
    using dealii::ExceptionBase;
    CHECK_THROWS(ExceptionBase, set.add("i", i, ""));
    CHECK_THROWS(ExceptionBase,
                 set.add("i", i, "Text.", dealii::Patterns::Integer(1)));
    CHECK_THROWS(ExceptionBase, set.add("a/b", i, "Text."));
    CHECK_THROWS(ExceptionBase, set.leave_subsection());
    CHECK_THROWS(ExceptionBase, set.value("i"));
    set.add("i", i, "Text.");
    CHECK_THROWS(ExceptionBase, set.add("i", i, "Text."));
  }



  void
  test_command_line()
  {
    using Action = CommandLine::Action;
    const auto parse =
      [](const std::vector<std::string> &arguments) -> CommandLine {
      return parse_command_line(arguments, "app");
    };
    CHECK(parse({}).action == Action::usage);
    CHECK(parse({"--help", "a", "--version"}).action == Action::help);
    CHECK(parse({"-h"}).action == Action::help);
    CHECK(parse({"--print-parameters"}).action == Action::print_parameters);
    CHECK(parse({"a.prm"}).action == Action::run);
    CHECK_EQUAL(parse({"-"}).file, "-");
    CHECK_EQUAL(parse({"--validate", "-"}).file, "-");
    CHECK_EQUAL(parse({"--validate=a"}).file, "a");
    CHECK_EQUAL(parse({"--", "-a"}).file, "-a");
    CHECK_EQUAL(parse({"--set", "A=-1", "f"}).settings.at(0), "A=-1");
    CHECK_EQUAL(parse({"f", "--set=A=1", "--set", "B=2"}).settings.at(1),
                "B=2");
    CHECK_EQUAL(parse({"f", "--results", "d"}).results_directory, "d");
    CHECK_THROWS(InputError, parse({"--results", "d"}));
    CHECK_THROWS(InputError, parse({"a", "b"}));
    CHECK_THROWS(InputError, parse({"a", "--validate", "b"}));
    CHECK_THROWS(InputError, parse({"--validate"}));
    CHECK_THROWS(InputError, parse({"a", "--set="}));
    CHECK_THROWS(InputError, parse({"-x"}));
    CHECK_THROWS(InputError, parse({"--help=a"}));

    CHECK_EQUAL(results_directory_name("o", "p", "f.prm"), "o");
    CHECK_EQUAL(results_directory_name("", "p", "f.prm"), "p");
    CHECK_EQUAL(results_directory_name("", "", "d/e.f/g.h.prm"), "results-g.h");
    CHECK_EQUAL(results_directory_name("", "", "-"), "results-stdin");
  }



  void
  test_layout()
  {
    const auto lines = wrap_text("one two three\n\nfour", 8);
    CHECK_EQUAL(lines.size(), 4u);
    CHECK_EQUAL(lines[0], "one two");
    CHECK_EQUAL(lines[1], "three");
    CHECK_EQUAL(lines[2], "");
    CHECK_EQUAL(indent_text("a\n\nb", "  "), "  a\n\n  b\n");
    CHECK_EQUAL(wrap_text("incomprehensible", 4).size(), 1u);
  }
} // namespace



int
main()
{
  test_names();
  test_scanner();
  test_patterns();
  test_values();
  test_defaults_are_exact();
  test_errors();
  test_command_line();
  test_layout();
  return check::result();
}

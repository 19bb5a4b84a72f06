// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/text_layout.h"

#include <algorithm>
#include <sstream>

namespace tessera::apps
{
  std::vector<std::string>
  wrap_text(const std::string &text, const std::size_t width)
  {
    std::vector<std::string> lines;
    std::istringstream       paragraphs(text);
    for (std::string paragraph; std::getline(paragraphs, paragraph);)
      {
        std::istringstream words(paragraph);
        std::string        line;
        for (std::string word; words >> word;)
          {
            if (!line.empty() && line.size() + 1 + word.size() > width)
              {
                lines.push_back(line);
                line.clear();
              }
            line += (line.empty() ? "" : " ") + word;
          }
        lines.push_back(line);
      }
    return lines;
  }



  std::string
  indent_text(const std::string &text, const std::string &margin)
  {
    const std::size_t width =
      text_width - std::min(margin.size(), text_width / 2);
    std::string result;
    for (const std::string &line : wrap_text(text, width))
      result += (line.empty() ? "" : margin + line) + "\n";
    return result;
  }
} // namespace tessera::apps

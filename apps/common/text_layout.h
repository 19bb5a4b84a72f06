// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_text_layout_h
#define tessera_apps_common_text_layout_h

#include <string>
#include <vector>

namespace tessera::apps
{
  /** Help and parameter files are written for terminals of 80 columns. */
  constexpr std::size_t text_width = 78;

  /**
   * Break text between words into lines of at most the given width; a longer
   * word gets a line of its own. Line breaks in the text are kept.
   */
  std::vector<std::string>
  wrap_text(const std::string &text, std::size_t width);

  /** The wrapped text with a margin before each line, as one string. */
  std::string
  indent_text(const std::string &text, const std::string &margin);
} // namespace tessera::apps

#endif

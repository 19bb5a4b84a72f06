// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_text_file_h
#define tessera_base_text_file_h

#include <string>

namespace tessera
{
  /**
   * Write a text to a file, which then has either the whole text or, on
   * failure, what it had before: the text goes to a new file in the same
   * directory, is brought to the disk, and that file is renamed. Symbolic links
   * stay, and what they point to is replaced; devices and pipes are written to.
   * Local.
   *
   * @return the reason of a failure, in the words of the system; empty if all
   * went well.
   */
  std::string
  replace_file(const std::string &file, const std::string &text);
} // namespace tessera

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_text_file_h
#define tessera_base_text_file_h

#include <string>
#include <string_view>
#include <vector>

namespace tessera
{
  /**
   * Write a text to a file, which then has either the whole text or, on
   * failure, what it had before: the text goes to a new file
   * `<file>.tmp.<process id>` in the same directory, is brought to the disk,
   * and that file is renamed, which is brought to the disk, too. (Only where
   * this last step fails, the file may have the new text already.) A process
   * that is killed may leave the new file behind. Symbolic links
   * stay, and what they point to is replaced; devices and pipes are written to.
   * Local.
   *
   * @return the reason of a failure, in the words of the system; empty if all
   * went well.
   */
  std::string
  replace_file(const std::string &file, const std::string &text);

  /** The same for the concatenation of pieces of any bytes. */
  std::string
  replace_file(const std::string                   &file,
               const std::vector<std::string_view> &pieces);
} // namespace tessera

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_matrix_market_parser_h
#define tessera_sparse_matrix_market_parser_h

#include <cstdint>
#include <string>
#include <vector>

namespace tessera
{
  namespace sparse
  {
    /** An entry of a file; counted from 0. */
    struct MarketEntry
    {
      std::uint64_t row;
      std::uint64_t column;
      double        value;
      std::uint64_t line;
    };

    /** What a file in coordinate format says, with both triangles of a
     * symmetric matrix. */
    struct MarketMatrix
    {
      std::uint64_t            n_rows    = 0;
      std::uint64_t            n_columns = 0;
      std::vector<MarketEntry> entries;
    };

    /** What a file in array format says, column after column, as files have it:
     * values[n_columns][n_rows]. */
    struct MarketArray
    {
      std::uint64_t       n_rows    = 0;
      std::uint64_t       n_columns = 0;
      std::vector<double> values;
    };

    /** Local.
     * @throws InputError with file and line; see matrix_market.h. Entries that
     * are there twice are not noticed. */
    MarketMatrix
    parse_market_matrix(const std::string &file);

    /** A file in array format that is general. Local.
     * @throws InputError with file and line; see matrix_market.h. */
    MarketArray
    parse_market_array(const std::string &file);

    /** The values of one with one column. Local.
     * @throws InputError with file and line; see matrix_market.h. */
    std::vector<double>
    parse_market_vector(const std::string &file);

    /** @throws InputError, of line `line` of a file unless that is 0. */
    [[noreturn]] void
    throw_market_error(const std::string &file,
                       std::uint64_t      line,
                       const std::string &message);
  } // namespace sparse
} // namespace tessera

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
// Cells of blocked fields in lanes: whole pieces, two pieces, and any others,
// are read, replaced and added to, and nothing beside them is touched.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "blocked_cells_kernels.h"
#include "check.h"
#include "fields.h"

using namespace tessera;
using namespace test;

namespace
{
  // The last block is incomplete.
  constexpr CellIndex n_cells = 4 * cells_per_block + 5;

  std::mt19937 generator(7);

  CellIndex
  random_index(const CellIndex n)
  {
    return CellIndex(generator() % n);
  }

  using Cells = std::vector<CellIndex>;

  /** W cells of every kind. */
  std::vector<Cells>
  lists_of_cells(const int W)
  {
    std::vector<Cells> lists;
    const auto         add = [&](const auto &cell_of_lane) {
      Cells cells(W);
      for (int l = 0; l < W; ++l)
        cells[l] = cell_of_lane(l);
      lists.push_back(cells);
    };

    // Rows, whole pieces or shifted, up to the last cell.
    for (CellIndex first = 0; first + W <= n_cells; ++first)
      add([&](const int l) { return first + l; });
    // Two short rows.
    for (CellIndex first : {0, W / 2, cells_per_block, 1, 3})
      for (CellIndex distance : {W, 2 * W, 3 * W + 1})
        for (int n = 1; n < W; ++n)
          if (first + distance + W <= n_cells)
            add(
              [&](const int l) { return first + l + (l < n ? 0 : distance); });
    // Every cell twice, as parents of children; the last ones repeated.
    for (CellIndex first = 0; first + W <= n_cells; first += 3)
      {
        add([&](const int l) { return first + l / 2; });
        add([&](const int l) { return first + std::min(l, W / 2); });
      }
    // Any order, in one piece, in two, anywhere.
    for (int repetition = 0; repetition < 200; ++repetition)
      {
        Cells pieces = {random_index(n_cells / W), random_index(n_cells / W)};
        if (repetition % 4 == 0)
          pieces[1] = pieces[0];
        add([&](int) { return pieces[generator() % 2] * W + random_index(W); });
        add([&](int) { return random_index(n_cells); });
      }
    return lists;
  }

  /** Bits of lanes; of cells that are there several times, one. */
  std::vector<unsigned int>
  masks(const Cells &cells)
  {
    const int                 n      = int(cells.size());
    const unsigned int        all    = ~0u >> (32 - n);
    std::vector<unsigned int> result = {all,
                                        all & 0x55555555u,
                                        all >> n / 2,
                                        all & (unsigned int)(generator())};
    for (unsigned int &mask : result)
      for (int l = 0; l < n; ++l)
        for (int m = 0; m < l; ++m)
          if (cells[m] == cells[l] && (mask & (1u << m)))
            mask &= ~(1u << l);
    return result;
  }

  /** The first cells that are of two pieces of W cells at most. */
  int
  n_in_two_pieces(const Cells &cells, const int W)
  {
    std::set<CellIndex> pieces;
    for (std::size_t l = 0; l < cells.size(); ++l)
      {
        pieces.insert(cells[l] / W);
        if (pieces.size() > 2)
          return int(l);
      }
    return int(cells.size());
  }

  /** Random values, among them zeros of both signs. */
  template <typename T>
  PrimalField<T>
  random_field_with_zeros()
  {
    PrimalField<T> field = random_field<PrimalField<T>>(n_cells, n_values);
    for (CellIndex c = 0; c < n_cells; ++c)
      for (int k = 0; k < n_values; ++k)
        if (random_index(4) == 0)
          field(c, k) = random_index(2) == 0 ? T(0.) : T(-0.);
    return field;
  }

  // Kernels of one instruction set.
  template <typename T>
  void
  check_cells(const InstructionSet set, const int W, Cells cells)
  {
    using Primal       = PrimalField<T>;
    const Primal field = random_field_with_zeros<T>();
    const int    n     = n_in_two_pieces(cells, W);
    CHECK(n >= std::min(2, int(cells.size())));
    std::vector<T> values(n_values * W + 1, T(poison));
    if (n < int(cells.size()))
      {
        CHECK_EQUAL(TESSERA_CALL_SIMD_FOR(set,
                                          load_cells(W,
                                                     field.data(),
                                                     cells.data(),
                                                     int(cells.size()),
                                                     values.data())),
                    n);
        cells.resize(n);
      }
    CHECK_EQUAL(TESSERA_CALL_SIMD_FOR(
                  set,
                  load_cells(W, field.data(), cells.data(), n, values.data())),
                n);
    for (int k = 0; k < n_values; ++k)
      for (int l = 0; l < n; ++l)
        CHECK_EQUAL(values[k * W + l], field(cells[l], k));
    CHECK(values.back() != values.back());

    for (const unsigned int stored : masks(cells))
      {
        // Lanes without a cell are not stored, whatever their bits.
        const unsigned int bits = stored | ~0u << n;
        for (T &value : values)
          value = T(random_number());
        // What is not stored may be anything.
        for (int k = 0; k < n_values; ++k)
          for (int l = 0; l < W; ++l)
            if (!(stored & (1u << l)))
              values[k * W + l] = T(poison);
        Primal replaced = test::copy(field), sum = test::copy(field);
        Primal expected_replaced = test::copy(field),
               expected_sum      = test::copy(field);
        for (int l = 0; l < n; ++l)
          if (stored & (1u << l))
            for (int k = 0; k < n_values; ++k)
              {
                expected_replaced(cells[l], k) = values[k * W + l];
                expected_sum(cells[l], k) += values[k * W + l];
              }
        TESSERA_CALL_SIMD_FOR(
          set,
          store_cells(
            W, replaced.data(), cells.data(), n, bits, values.data()));
        TESSERA_CALL_SIMD_FOR(
          set, add_cells(W, sum.data(), cells.data(), n, bits, values.data()));
        CHECK(same_bits(replaced, expected_replaced));
        CHECK(same_bits(sum, expected_sum));
      }
  }

  /** Blocks of cells that end where memory ends: what is beyond cannot be read
   * or written. */
  template <typename T>
  class LastBlocks
  {
  public:
    explicit LastBlocks(const CellIndex n_whole_cells)
      : n(std::size_t(n_whole_cells) * n_values)
    {
      const std::size_t page    = std::size_t(::sysconf(_SC_PAGESIZE));
      const std::size_t n_bytes = (n * sizeof(T) + page - 1) / page * page;
      n_mapped                  = n_bytes + page;
      mapped                    = ::mmap(nullptr,
                      n_mapped,
                      PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS,
                      -1,
                      0);
      CHECK(mapped != MAP_FAILED);
      char *const end = static_cast<char *>(mapped) + n_bytes;
      CHECK_EQUAL(::mprotect(end, page, PROT_NONE), 0);
      begin = reinterpret_cast<T *>(end) - n;
    }

    LastBlocks(const LastBlocks &) = delete;
    LastBlocks &
    operator=(const LastBlocks &) = delete;

    ~LastBlocks()
    {
      ::munmap(mapped, n_mapped);
    }

    T *
    data() const
    {
      return begin;
    }

  private:
    std::size_t n, n_mapped;
    void       *mapped;
    T          *begin;
  };

  /** Rows of any length up to the end of a field. */
  template <typename T>
  void
  check_last_cells(const InstructionSet set, const int W)
  {
    constexpr CellIndex n_whole = 2 * cells_per_block;
    const LastBlocks<T> field(n_whole);
    std::fill_n(field.data(), std::size_t(n_whole) * n_values, T(1.));
    const std::vector<T> ones(n_values * W, T(1.));
    std::vector<T>       values(n_values * W);
    for (int n = 1; n <= W; ++n)
      {
        Cells row(n), reversed(n);
        for (int l = 0; l < n; ++l)
          row[l] = reversed[n - 1 - l] = n_whole - n + l;
        for (const Cells &cells : {row, reversed})
          {
            const unsigned int all = ~0u >> (32 - n);
            TESSERA_CALL_SIMD_FOR(
              set, load_cells(W, field.data(), cells.data(), n, values.data()));
            for (int k = 0; k < n_values; ++k)
              for (int l = 0; l < n; ++l)
                CHECK_EQUAL(values[k * W + l], T(1.));
            TESSERA_CALL_SIMD_FOR(
              set,
              add_cells(W, field.data(), cells.data(), n, all, ones.data()));
            TESSERA_CALL_SIMD_FOR(
              set, load_cells(W, field.data(), cells.data(), n, values.data()));
            for (int k = 0; k < n_values; ++k)
              for (int l = 0; l < n; ++l)
                CHECK_EQUAL(values[k * W + l], T(2.));
            TESSERA_CALL_SIMD_FOR(
              set,
              store_cells(W, field.data(), cells.data(), n, all, ones.data()));
          }
      }
    for (std::size_t i = 0; i < std::size_t(n_whole) * n_values; ++i)
      CHECK_EQUAL(field.data()[i], T(1.));
  }

  template <typename T>
  void
  check_number(const InstructionSet set)
  {
    const int native = TESSERA_CALL_SIMD_FOR(set, register_width<T>());
    for (const int W : {native, 2})
      {
        for (Cells &cells : lists_of_cells(W))
          {
            check_cells<T>(set, W, cells);
            cells.resize(1 + random_index(W - 1));
            check_cells<T>(set, W, cells);
          }
        check_last_cells<T>(set, W);
      }
  }
} // namespace

int
main()
{
  for (const InstructionSet set : available_instruction_sets())
    {
      check_number<float>(set);
      check_number<double>(set);
    }
  return check::result();
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "amg_solve/solve.h"

#include <tessera/amg/block_amg.h>
#include <tessera/base/memory.h>
#include <tessera/base/timer.h>
#include <tessera/sparse/matrix_market.h>

#include <iomanip>
#include <sstream>

#include "amg_solve/files.h"

namespace tessera::amg_solve
{
  namespace
  {
    /** Seconds, bytes and the like: three digits. */
    std::string
    three_digits(const double value)
    {
      std::ostringstream text;
      text << std::setprecision(3) << value;
      return text.str();
    }

    void
    print_matrix(const sparse::BlockMatrix<double> &A,
                 const Nodes                       &nodes,
                 std::ostream                      &out)
    {
      const int           b = A.shape().rows;
      const std::uint64_t n = A.pattern().rows().n_global();
      out << "matrix: " << n * b << " unknowns";
      if (b > 1)
        out << ", " << n << " block rows of " << b;
      out << ", " << A.pattern().n_blocks() << " blocks\n"
          << "near-null space: " << nodes.description << "\n\n";
    }

    void
    print_updates(amg::BlockAMG                     &C,
                  const sparse::BlockMatrix<double> &A,
                  const unsigned int                 n_updates,
                  std::ostream                      &out)
    {
      for (unsigned int i = 0; i < n_updates; ++i)
        {
          C.update(A);
          const amg::SetupSeconds &seconds = C.record().seconds;
          out << "update " << i + 1 << ": " << three_digits(seconds.total)
              << " s (products " << three_digits(seconds.galerkin)
              << ", smoothers " << three_digits(seconds.smoother)
              << ", coarsest matrix " << three_digits(seconds.coarse) << ")\n";
        }
    }

    /** One that was not given has no part in the kernel. */
    sparse::BlockVector<double>
    right_hand_side(const CommandLine         &command_line,
                    const sparse::IndexLayout &layout,
                    const amg::BlockAMG       &C,
                    std::ostream              &out)
    {
      sparse::BlockVector<double> b =
        read_right_hand_side(command_line, layout);
      if (command_line.right_hand_side.empty())
        {
          if (C.part_in_kernel(b) > 1 - 1e-8)
            throw InputError("a right-hand side of ones, the default, is in "
                             "the kernel of the matrix: give another one by "
                             "--rhs");
          C.remove_kernel(b);
          out << "right-hand side: ones"
              << (C.record().kernel_dimension > 0 ?
                    ", without their part in the kernel" :
                    "")
              << '\n';
        }
      return b;
    }
  } // namespace



  ExitStatus
  solve(const CommandLine &command_line, std::ostream &out)
  {
    const sparse::BlockMatrix<double> A      = read_matrix(command_line);
    const sparse::IndexLayout        &layout = A.pattern().rows();
    const Nodes                       nodes  = read_nodes(command_line, layout);
    print_matrix(A, nodes, out);

    amg::BlockAMG C;
    C.initialize(A, nodes.modes, nodes.keys, command_line.options);
    out << amg::print_hierarchy(C.record());
    print_updates(C, A, command_line.n_updates, out);

    out << '\n';
    const sparse::BlockVector<double> b =
      right_hand_side(command_line, layout, C, out);
    sparse::BlockVector<double> x(layout, command_line.block_size);
    amg::SolveOptions           options = command_line.solve_options;
    out << "iteration  relative residual\n" << std::scientific;
    options.report = [&out](const unsigned int i, const double residual) {
      out << std::setw(9) << i << "  " << std::setprecision(3) << std::setw(17)
          << residual << '\n';
    };
    const double           start  = wall_clock();
    const amg::SolveResult result = amg::solve(A, C, b, x, options);
    out << (result.converged ? "converged" : "NOT CONVERGED") << " after "
        << result.n_iterations << " iterations, "
        << three_digits(wall_clock() - start) << " s; peak memory "
        << three_digits(1e-6 * peak_resident_bytes()) << " MB\n";

    if (!command_line.output.empty())
      {
        sparse::write_vector_market(x, command_line.output);
        out << "solution: " << command_line.output << '\n';
      }
    return result.converged ? ExitStatus::success : ExitStatus::not_converged;
  }
} // namespace tessera::amg_solve

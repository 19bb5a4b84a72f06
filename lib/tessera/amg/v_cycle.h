// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_v_cycle_h
#define tessera_amg_v_cycle_h

#include <tessera/amg/coarse_solver.h>
#include <tessera/amg/cycle_level.h>
#include <tessera/amg/hierarchy.h>

#include <memory>
#include <vector>

namespace tessera
{
  namespace amg
  {
    /** $z = C r$ by one V-cycle on the matrices of a hierarchy, in some
     * precision. */
    class VCycle
    {
    public:
      virtual ~VCycle() = default;

      /** New values of all matrices. @throws as CycleLevel::update() and
       * CoarseSolver::factorize(). */
      virtual void
      update(HierarchyRecord &record) = 0;

      /** r counts as zero in inactive components, where z is. */
      virtual void
      vmult(sparse::BlockVector<double>       &z,
            const sparse::BlockVector<double> &r) = 0;

      virtual std::size_t
      memory_consumption(unsigned int level) const = 0;
    };

    /**
     * @param[in] hierarchy Has to live as long as the cycle.
     * @param[in] coarse_kernel That of the coarsest matrix; the same.
     */
    std::unique_ptr<VCycle>
    make_v_cycle(const Hierarchy        &hierarchy,
                 const OrthonormalBasis &coarse_kernel,
                 const Options          &options,
                 HierarchyRecord        &record);
  } // namespace amg
} // namespace tessera

#endif

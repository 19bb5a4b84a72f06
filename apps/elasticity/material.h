// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_material_h
#define tessera_apps_elasticity_material_h

#include <tessera/base/exceptions.h>

#include <deal.II/base/point.h>
#include <deal.II/base/types.h>

#include <map>
#include <string>

namespace tessera::elasticity
{
  /** The law that gives stress from strain; one for all materials of a body. */
  enum class MaterialModel
  {
    /** $\sigma = \lambda\, \mathrm{tr}(\varepsilon) I + 2 \mu \varepsilon$,
     * $\varepsilon = (\nabla u + \nabla u^T)/2$. */
    linear,

    /** Compressible Neo-Hookean solid, see constitutive_law.h. */
    neo_hookean
  };



  /**
   * An isotropic material by its Lamé parameters, which have the unit of
   * stress. In 2D the state is plane strain, so these are those of 3D.
   */
  struct Material
  {
    double lambda = 0.;
    double mu     = 0.; ///< shear modulus

    /**
     * $\mu = E / (2 (1 + \nu))$,
     * $\lambda = E \nu / ((1 + \nu) (1 - 2 \nu))$.
     *
     * @param[in] place Where the numbers come from; messages begin with it.
     * @throws InputError unless E > 0 is finite and -1 < nu < 0.5.
     */
    static Material
    from_engineering_constants(const double       youngs_modulus,
                               const double       poissons_ratio,
                               const std::string &place = "");

    double
    youngs_modulus() const;

    double
    poissons_ratio() const;
  };



  /**
   * From here on standard displacement elements lock: errors of the
   * displacement grow like $1/(1 - 2\nu)$. A reason to warn.
   */
  constexpr double locking_poissons_ratio = 0.45;



  /** The materials of a body by material id of the mesh. */
  class MaterialTable
  {
  public:
    explicit MaterialTable(
      std::map<dealii::types::material_id, Material> materials);

    /** The body of one material, whatever the ids. */
    explicit MaterialTable(const Material &material);

    /** @throws InputError where there is no entry; the message has the ids
     * that have one. */
    const Material &
    operator[](const dealii::types::material_id id) const;

  private:
    std::map<dealii::types::material_id, Material> table;
    bool                                           one_for_all;
  };



  /**
   * What the moduli of all materials are multiplied by at a point:
   * $f(x) = 1 + a \sin(2 \pi x_0 / L)$, in [1-a, 1+a]. Changes the values of a
   * stiffness matrix, not its pattern.
   */
  struct ModulusFactor
  {
    double amplitude = 0.; ///< a < 1; 0: the factor is 1
    double length    = 1.; ///< L > 0, of the body in direction x

    bool
    is_one() const
    {
      return amplitude == 0.;
    }

    template <int dim>
    double
    operator()(const dealii::Point<dim> &point) const
    {
      return value(point[0]);
    }

    /** $df / dx_0$ */
    double
    derivative(const double x) const;

  private:
    double
    value(const double x) const;
  };



  /** How stress follows from strain, everywhere in a body. */
  struct Constitution
  {
    MaterialModel model = MaterialModel::linear;
    MaterialTable materials;
    ModulusFactor factor;
  };



  /**
   * The deformation gradient of a finite deformation has a determinant that is
   * not positive (or not finite): a cell is turned inside out. A load step or a
   * Newton step was too large; who makes steps may catch this and try a
   * smaller one.
   */
  class InvertedCell : public SolverBreakdown
  {
  public:
    using SolverBreakdown::SolverBreakdown;
  };
} // namespace tessera::elasticity

#endif

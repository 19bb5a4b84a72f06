// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/material.h"

#include <deal.II/base/numbers.h>

#include <cmath>
#include <sstream>
#include <utility>

namespace tessera::elasticity
{
  using namespace dealii;

  Material
  Material::from_engineering_constants(const double       youngs_modulus,
                                       const double       poissons_ratio,
                                       const std::string &place)
  {
    const std::string  prefix = place.empty() ? "" : place + ": ";
    std::ostringstream message;
    if (!(youngs_modulus > 0. && std::isfinite(youngs_modulus)))
      {
        message << prefix << "Young's modulus is " << youngs_modulus
                << ". It must be positive.";
        throw InputError(message.str());
      }
    if (!(poissons_ratio > -1. && poissons_ratio < 0.5))
      {
        message
          << prefix << "Poisson's ratio is " << poissons_ratio
          << ". It must be larger than -1 and smaller than 0.5: an "
             "incompressible material needs a formulation with pressures, "
             "which this program does not have.";
        throw InputError(message.str());
      }
    Material material;
    material.mu     = youngs_modulus / (2. * (1. + poissons_ratio));
    material.lambda = youngs_modulus * poissons_ratio /
                      ((1. + poissons_ratio) * (1. - 2. * poissons_ratio));
    return material;
  }



  double
  Material::youngs_modulus() const
  {
    return mu * (3. * lambda + 2. * mu) / (lambda + mu);
  }



  double
  Material::poissons_ratio() const
  {
    return lambda / (2. * (lambda + mu));
  }



  MaterialTable::MaterialTable(std::map<types::material_id, Material> materials)
    : table(std::move(materials))
    , one_for_all(false)
  {}



  MaterialTable::MaterialTable(const Material &material)
    : table{{0, material}}
    , one_for_all(true)
  {}



  const Material &
  MaterialTable::operator[](const types::material_id id) const
  {
    if (one_for_all)
      return table.begin()->second;
    const auto found = table.find(id);
    if (found != table.end())
      return found->second;

    std::ostringstream message;
    message << "The mesh has cells with material id " << id
            << ", for which there is no material. Ids with a material:";
    for (const auto &entry : table)
      message << ' ' << entry.first;
    if (table.empty())
      message << " none";
    message << ". Add a section Materials/" << id << '.';
    throw InputError(message.str());
  }



  double
  ModulusFactor::value(const double x) const
  {
    return 1. + amplitude * std::sin(2. * numbers::PI * x / length);
  }



  double
  ModulusFactor::derivative(const double x) const
  {
    const double wave_number = 2. * numbers::PI / length;
    return amplitude * wave_number * std::cos(wave_number * x);
  }
} // namespace tessera::elasticity

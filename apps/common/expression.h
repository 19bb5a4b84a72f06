// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_expression_h
#define tessera_apps_common_expression_h

#include <tessera/base/communication.h>

#include <deal.II/base/function_parser.h>

#include <optional>
#include <string>
#include <vector>

namespace tessera::apps
{
  /**
   * A scalar function of position given by a user as text, with errors that
   * name the parameter it came from.
   *
   * The syntax is that of dealii::FunctionParser: variables `x`, `y` (and `z`
   * in 3D), the constant `pi`, and muParser's functions and operators.
   *
   * The gradient is a fourth-order difference quotient with a step h of
   * $10^{-4}$ times length_scale, which evaluates the expression up to two
   * steps away from the point. Its error is about 1e-11 times the largest value
   * over length_scale, for a function whose waves are not much shorter than
   * length_scale, near the origin. It grows with derivatives, as
   * $h^4 u^{(5)}/30$ (1e-9 for sin(50 x) and a scale of 1), and far away, where
   * coordinates are rounded (3e-9 for sin(pi x) about x = 1000).
   *
   * A value that is NaN or infinite does not stop the evaluation, which
   * usually happens in a loop that other ranks take part in. It is remembered
   * and turned into an exception by check_finite(), to be called by all ranks
   * after the loop.
   *
   * Cost: 50 to 100 ns a value and 4 dim values a gradient for expressions of
   * the length of a product of sines.
   */
  template <int dim>
  class Expression : public dealii::FunctionParser<dim>
  {
  public:
    /**
     * Parse @p text. @p parameter is the path of the parameter the text was
     * given by, such as `Problem/Right hand side`, with the place of the
     * setting in front where it is known.
     *
     * @throws InputError (on every rank that constructs the object) where the
     * text does not parse.
     */
    Expression(const std::string &parameter,
               const std::string &text,
               const double       length_scale = 1.);

    double
    value(const dealii::Point<dim> &point,
          const unsigned int        component = 0) const override;

    /**
     * Collective. Throw on all ranks if any rank has met a value, or a
     * component of a gradient, that was not finite since construction.
     */
    void
    check_finite(const Communicator &communicator) const;

    /** The text as given. */
    const std::string &
    text() const
    {
      return text_given;
    }

  private:
    std::string parameter;
    std::string text_given;

    /** The first point and value that was not finite. One thread a rank. */
    mutable std::optional<std::pair<dealii::Point<dim>, double>> not_finite;
  };

  /** The expressions of a vector, which are separated by ';', without blanks
   * around them. Nothing if there is nothing but blanks. */
  std::vector<std::string>
  split_expressions(const std::string &text);
} // namespace tessera::apps

#endif

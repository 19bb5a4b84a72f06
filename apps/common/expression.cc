// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/expression.h"

#include <tessera/base/exceptions.h>

#include <deal.II/base/utilities.h>

#include <cmath>
#include <iostream>
#include <map>
#include <sstream>

#include "common/error_protocol.h"

namespace tessera::apps
{
  namespace
  {
    /**
     * Holds back what is written to std::cerr while it lives: deal.II prints
     * muParser's report there, on every rank, before it throws.
     */
    class SilentErrorStream
    {
    public:
      SilentErrorStream()
        : stream_buffer(std::cerr.rdbuf(report.rdbuf()))
      {}

      ~SilentErrorStream()
      {
        std::cerr.rdbuf(stream_buffer);
      }

      SilentErrorStream(const SilentErrorStream &) = delete;
      SilentErrorStream &
      operator=(const SilentErrorStream &) = delete;

    private:
      std::ostringstream report;
      std::streambuf    *stream_buffer;
    };



    /**
     * What muParser says in deal.II's exception, the rest of which is of no
     * use: its "column" is the number of the kind of error.
     */
    std::string
    parser_message()
    {
      std::string       text  = describe_current_exception().message;
      const std::string start = "The parser said: ";
      if (const auto position = text.find(start); position != std::string::npos)
        text.erase(0, position + start.size());
      return text.substr(0, text.rfind(" (Exc"));
    }



    template <int dim>
    std::string
    variable_names()
    {
      return dim == 1 ? "x" : (dim == 2 ? "x,y" : "x,y,z");
    }
  } // namespace



  template <int dim>
  Expression<dim>::Expression(const std::string &parameter_path,
                              const std::string &text,
                              const double       length_scale)
    : dealii::FunctionParser<dim>(1)
    , parameter(parameter_path)
    , text_given(text)
  {
    const std::map<std::string, double> named_constants = {
      {"pi", dealii::numbers::PI}};
    try
      {
        const SilentErrorStream silence;
        this->initialize(variable_names<dim>(), text, named_constants);
        // muParser compiles an expression at its first evaluation only.
        dealii::FunctionParser<dim>::value(dealii::Point<dim>());
      }
    catch (const dealii::ExceptionBase &)
      {
        throw InputError(
          parameter + " = \"" + text + "\" is not an expression in " +
          (dim == 2 ? "x, y" : "x, y, z") + " and pi: " + parser_message());
      }
    this->set_formula(dealii::AutoDerivativeFunction<dim>::FourthOrder);
    this->set_h(1e-4 * length_scale);
  }



  template <int dim>
  double
  Expression<dim>::value(const dealii::Point<dim> &point,
                         const unsigned int        component) const
  {
    const double v = dealii::FunctionParser<dim>::value(point, component);
    if (!std::isfinite(v) && !not_finite)
      not_finite = std::make_pair(point, v);
    return v;
  }



  template <int dim>
  void
  Expression<dim>::check_finite(const Communicator &communicator) const
  {
    std::string message;
    if (not_finite)
      {
        std::ostringstream text;
        // The sign of a NaN depends on the processor.
        text << parameter << " = \"" << text_given << "\" evaluates to "
             << (std::isnan(not_finite->second) ? std::abs(not_finite->second) :
                                                  not_finite->second)
             << " at (";
        for (unsigned int d = 0; d < dim; ++d)
          text << (d > 0 ? ", " : "") << not_finite->first[d];
        text << "). It must be finite on the whole domain and its boundary; "
                "change the expression or the domain.";
        message = text.str();
      }
    communicator.throw_collectively(message);
  }



  std::vector<std::string>
  split_expressions(const std::string &text)
  {
    if (dealii::Utilities::trim(text).empty())
      return {};
    // Not split_string_list(), which drops an empty last entry.
    std::vector<std::string> pieces(1);
    for (const char c : text)
      if (c == ';')
        pieces.emplace_back();
      else
        pieces.back() += c;
    for (std::string &piece : pieces)
      piece = dealii::Utilities::trim(piece);
    return pieces;
  }



  template class Expression<2>;
  template class Expression<3>;
} // namespace tessera::apps

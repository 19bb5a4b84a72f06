// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/counters.h>
#include <tessera/base/exceptions.h>

#include <algorithm>

namespace tessera
{
  void
  CounterValue::add(const CounterValue &other)
  {
    total += other.total;
    n_events += other.n_events;
    largest = std::max(largest, other.largest);
  }

  CounterValue
  CounterSnapshot::value(const std::string &counter) const
  {
    CounterValue result;
    for (const auto &[phase, counts] : entries)
      {
        const auto found = counts.find(counter);
        if (found != counts.end())
          result.add(found->second);
      }
    return result;
  }

  CounterValue
  CounterSnapshot::value(const std::string &counter,
                         const std::string &phase) const
  {
    CounterValue      result;
    const std::string inside = phase + '/';
    for (const auto &[path, counts] : entries)
      if (path == phase || path.compare(0, inside.size(), inside) == 0)
        {
          const auto found = counts.find(counter);
          if (found != counts.end())
            result.add(found->second);
        }
    return result;
  }

  CounterSnapshot
  CounterSnapshot::since(const CounterSnapshot &earlier) const
  {
    CounterSnapshot result;
    for (const auto &[phase, counts] : entries)
      for (const auto &[counter, value] : counts)
        {
          CounterValue before;
          const auto   same_phase = earlier.entries.find(phase);
          if (same_phase != earlier.entries.end())
            {
              const auto same = same_phase->second.find(counter);
              if (same != same_phase->second.end())
                before = same->second;
            }
          CounterValue difference = value;
          difference.total -= before.total;
          difference.n_events -= before.n_events;
          if (difference.n_events > 0)
            result.entries[phase][counter] = difference;
        }
    return result;
  }

  Counters &
  Counters::process()
  {
    static Counters counters;
    return counters;
  }

  Counters::Counters()
    : phases(1, Phase{"", 0, {}})
  {}

  Counters::Id
  Counters::id(const std::string &counter)
  {
    const auto found = std::find(names.begin(), names.end(), counter);
    if (found != names.end())
      return static_cast<Id>(found - names.begin());
    names.push_back(counter);
    return names.size() - 1;
  }

  CounterSnapshot
  Counters::snapshot() const
  {
    CounterSnapshot result;
    for (const Phase &phase : phases)
      for (Id i = 0; i < phase.values.size(); ++i)
        if (phase.values[i].n_events > 0)
          result.entries[phase.path][names[i]] = phase.values[i];
    return result;
  }

  void
  Counters::reset()
  {
    for (Phase &phase : phases)
      std::fill(phase.values.begin(), phase.values.end(), CounterValue());
  }

  void
  Counters::enter(const std::string &name)
  {
    if (name.empty() || name.find('/') != std::string::npos)
      throw InputError("A phase of counters is named \"" + name +
                       "\"; names are not empty and have no '/', which "
                       "separates the names of nested phases.");
    const std::string path =
      current == 0 ? name : phases[current].path + '/' + name;
    for (std::size_t i = 1; i < phases.size(); ++i)
      if (phases[i].path == path)
        {
          current = i;
          return;
        }
    phases.push_back(
      Phase{path, current, std::vector<CounterValue>(names.size())});
    current = phases.size() - 1;
  }

  void
  Counters::leave()
  {
    current = phases[current].parent;
  }

  CounterPhase::CounterPhase(const std::string &name, Counters &counters)
    : counters_of_phase(counters)
  {
    counters_of_phase.enter(name);
  }

  CounterPhase::~CounterPhase()
  {
    counters_of_phase.leave();
  }
} // namespace tessera

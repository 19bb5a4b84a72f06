// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/base/timer.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>

namespace tessera
{
  double
  wall_clock()
  {
    return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
  }

  namespace
  {
    std::string
    last_part(const std::string &path)
    {
      const std::size_t slash = path.rfind('/');
      return slash == std::string::npos ? path : path.substr(slash + 1);
    }

    std::string
    enclosing(const std::string &path)
    {
      const std::size_t slash = path.rfind('/');
      return slash == std::string::npos ? "" : path.substr(0, slash);
    }
  } // namespace

  std::string
  TimerEntry::name() const
  {
    return last_part(path);
  }

  std::string
  ReducedTimerEntry::name() const
  {
    return last_part(path);
  }

  Timers &
  Timers::process()
  {
    static Timers timers;
    return timers;
  }

  Timers::Timers(Clock time)
    : clock(std::move(time))
    , nodes(1)
  {}

  void
  Timers::set_synchronization(std::function<void()> function)
  {
    synchronize = std::move(function);
  }

  double
  Timers::now() const
  {
    if (synchronize)
      synchronize();
    return clock();
  }

  std::size_t
  Timers::enter(const std::string &name)
  {
    if (name.empty() || name.find('/') != std::string::npos)
      throw InputError("A timer is named \"" + name +
                       "\"; names are not empty and have no '/', which "
                       "separates the names of nested timers.");
    for (const std::size_t child : nodes[current].children)
      if (nodes[child].name == name)
        return current = child;

    Node node;
    node.name   = name;
    node.parent = current;
    nodes.push_back(std::move(node));
    nodes[current].children.push_back(nodes.size() - 1);
    return current = nodes.size() - 1;
  }

  void
  Timers::collect(const std::size_t        node,
                  const std::string       &prefix,
                  const unsigned int       depth,
                  std::vector<TimerEntry> &result) const
  {
    for (const std::size_t child : nodes[node].children)
      {
        const std::string path = prefix + nodes[child].name;
        result.push_back(
          {path, depth, nodes[child].count, nodes[child].seconds});
        collect(child, path + '/', depth + 1, result);
      }
  }

  std::vector<TimerEntry>
  Timers::entries() const
  {
    std::vector<TimerEntry> result;
    collect(0, "", 0, result);
    return result;
  }

  double
  Timers::seconds(const std::string &path) const
  {
    for (const TimerEntry &entry : entries())
      if (entry.path == path)
        return entry.seconds;
    return 0.;
  }

  namespace
  {
    /** The union of the paths of all ranks, in the order of Timers::reduced().
     * On all ranks. */
    std::vector<std::string>
    agreed_paths(const std::vector<TimerEntry> &entries,
                 const Communicator            &communicator)
    {
      std::string mine;
      for (const TimerEntry &entry : entries)
        mine += entry.path + '\n';
      const std::string of_rank_0 = communicator.broadcast(mine, 0);
      // Most often ranks do the same; then nothing needs to be gathered.
      std::vector<std::string> lists{of_rank_0};
      if (!communicator.all_ok(mine == of_rank_0))
        lists = communicator.all_gather(mine);

      std::map<std::string, std::vector<std::string>> children;
      for (const std::string &list : lists)
        for (std::size_t begin = 0; begin < list.size();)
          {
            const std::size_t         end  = list.find('\n', begin);
            const std::string         path = list.substr(begin, end - begin);
            std::vector<std::string> &siblings = children[enclosing(path)];
            if (std::find(siblings.begin(), siblings.end(), path) ==
                siblings.end())
              siblings.push_back(path);
            begin = end + 1;
          }

      std::vector<std::string>                       result;
      const std::function<void(const std::string &)> visit =
        [&](const std::string &path) {
          for (const std::string &child : children[path])
            {
              result.push_back(child);
              visit(child);
            }
        };
      visit("");
      return result;
    }
  } // namespace

  std::vector<ReducedTimerEntry>
  Timers::reduced(const Communicator &communicator) const
  {
    const std::vector<TimerEntry>  mine  = entries();
    const std::vector<std::string> paths = agreed_paths(mine, communicator);
    std::vector<ReducedTimerEntry> result(paths.size());
    std::vector<double>            times(paths.size(), 0.);
    std::vector<std::uint64_t>     counts(paths.size(), 0);
    for (std::size_t i = 0; i < paths.size(); ++i)
      for (const TimerEntry &entry : mine)
        if (entry.path == paths[i])
          {
            times[i]  = entry.seconds;
            counts[i] = entry.count;
          }
    communicator.max(counts.data(), counts.size());
    const std::vector<MinMaxAverage> extremes =
      communicator.min_max_average(times);
    for (std::size_t i = 0; i < paths.size(); ++i)
      {
        result[i].path  = paths[i];
        result[i].depth = static_cast<unsigned int>(
          std::count(paths[i].begin(), paths[i].end(), '/'));
        result[i].count   = counts[i];
        result[i].seconds = extremes[i];
      }
    return result;
  }

  void
  Timers::print(std::ostream &out, const Communicator &communicator) const
  {
    const std::vector<ReducedTimerEntry> all = reduced(communicator);
    if (communicator.rank() != 0 || all.empty())
      return;

    std::size_t width = 7;
    for (const ReducedTimerEntry &entry : all)
      width =
        std::max(width, std::size_t(2) * entry.depth + entry.name().size());

    const bool parallel = communicator.n_ranks() > 1;
    const auto row      = [&](const std::string &name) {
      out << name << std::string(width - name.size(), ' ');
    };
    const auto cell = [&](const char *format, const auto... values) {
      char text[64];
      std::snprintf(text, sizeof(text), format, values...);
      out << text;
    };

    row("seconds");
    cell("%9s%12s%8s", "count", parallel ? "average" : "total", "share");
    if (parallel)
      cell("%12s%12s%8s", "min", "max", "rank");
    out << '\n';

    double total = 0.;
    for (const ReducedTimerEntry &entry : all)
      if (entry.depth == 0)
        total += entry.seconds.average;
    std::vector<double> enclosing_seconds{total};
    for (const ReducedTimerEntry &entry : all)
      {
        enclosing_seconds.resize(entry.depth + 1);
        const double whole = enclosing_seconds.back();
        enclosing_seconds.push_back(entry.seconds.average);

        row(std::string(std::size_t(2) * entry.depth, ' ') + entry.name());
        cell("%9llu%12.4g",
             static_cast<unsigned long long>(entry.count),
             entry.seconds.average);
        if (whole > 0.)
          cell("%6.1f %%", 100. * entry.seconds.average / whole);
        else
          cell("%8s", "-");
        if (parallel)
          cell("%12.4g%12.4g%8u",
               entry.seconds.min,
               entry.seconds.max,
               entry.seconds.max_rank);
        out << '\n';
      }
  }

  void
  Timers::reset()
  {
    if (current != 0)
      throw InputError("The timers are reset while \"" + nodes[current].name +
                       "\" is running; end its scope first.");
    nodes.assign(1, Node());
  }

  TimerScope::TimerScope(const std::string &name, Timers &timers)
    : timers_of_scope(timers)
    , node(timers.enter(name))
    , is_running(true)
  {
    try
      {
        start_time = timers.now();
      }
    catch (...)
      {
        timers.current = timers.nodes[node].parent;
        throw;
      }
  }

  TimerScope::~TimerScope()
  {
    if (!is_running)
      return;
    double end_time = start_time;
    try
      {
        end_time = timers_of_scope.now();
      }
    catch (...)
      {
        end_time = timers_of_scope.clock();
      }
    finish(end_time);
  }

  double
  TimerScope::stop()
  {
    if (!is_running)
      return 0.;
    if (timers_of_scope.current != node)
      throw InputError(
        "Timer \"" + timers_of_scope.nodes[node].name +
        "\" is stopped while \"" +
        timers_of_scope.nodes[timers_of_scope.current].name +
        "\" is running inside it; end the scopes from the inside out.");
    const double end_time = timers_of_scope.now();
    finish(end_time);
    return end_time - start_time;
  }

  double
  TimerScope::elapsed() const
  {
    return timers_of_scope.now() - start_time;
  }

  void
  TimerScope::finish(const double end_time)
  {
    Timers::Node &timer = timers_of_scope.nodes[node];
    timer.seconds += end_time - start_time;
    ++timer.count;
    timers_of_scope.current = timer.parent;
    is_running              = false;
  }
} // namespace tessera

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_counters_h
#define tessera_base_counters_h

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tessera
{
  /** What a counter has seen: the sum of the amounts, their number, and the
   * largest single one. */
  struct CounterValue
  {
    std::uint64_t total    = 0;
    std::uint64_t n_events = 0;
    std::uint64_t largest  = 0;

    void
    add(const CounterValue &other);
  };

  /**
   * The state of all counters at a time, or the difference of two such states.
   * Phases are paths as described in Counters; "" is outside of all phases.
   */
  class CounterSnapshot
  {
  public:
    /** The sum over all phases; zeros if the counter was never used. */
    CounterValue
    value(const std::string &counter) const;

    /** The sum over a phase and the phases inside it. A phase is meant by its
     * whole path. */
    CounterValue
    value(const std::string &counter, const std::string &phase) const;

    /**
     * What was counted after an earlier snapshot. The largest amount since then
     * is not known from two snapshots; the difference has an upper bound of
     * it, that of this snapshot, and 0 where nothing was counted.
     */
    CounterSnapshot
    since(const CounterSnapshot &earlier) const;

    /** All values that are not zero: [phase][counter]. */
    const std::map<std::string, std::map<std::string, CounterValue>> &
    values() const
    {
      return entries;
    }

  private:
    friend class Counters;
    std::map<std::string, std::map<std::string, CounterValue>> entries;
  };

  /**
   * Named counters of things that should be few: bytes moved between host and
   * device, messages, conversions of precision; by phase of the program. Tests
   * read them to see, for instance, that no array of the size of the operator
   * crosses to the device in a recurring phase.
   *
   * A phase is a scope, see CounterPhase; phases nest, and the phase "smooth"
   * within "solve" has the path "solve/smooth". An amount counts for the
   * innermost phase. Counting costs a few additions and no allocation once the
   * name has been turned into an Id. Counts are local to the process and to be
   * made by one thread.
   */
  class Counters
  {
  public:
    /** A counter that has been looked up. Ids belong to one Counters object. */
    using Id = std::size_t;

    /**
     * @name Names in use
     * @{
     */
    static constexpr const char *host_to_device_bytes = "host_to_device_bytes";
    static constexpr const char *device_to_host_bytes = "device_to_host_bytes";
    static constexpr const char *exchange_bytes       = "exchange_bytes";
    static constexpr const char *exchange_messages    = "exchange_messages";
    static constexpr const char *converted_values     = "converted_values";
    static constexpr const char *scalar_block_conversions =
      "scalar_block_conversions";
    /** @} */

    /** The counters of this process, which the library counts into. */
    static Counters &
    process();

    Counters();

    /** Look up a counter, and create it if it does not exist. Not for inner
     * loops. */
    Id
    id(const std::string &counter);

    /** Count an amount, in units of the counter. */
    void
    add(const Id counter, const std::uint64_t amount)
    {
      std::vector<CounterValue> &values = phases[current].values;
      if (counter >= values.size())
        values.resize(names.size());
      CounterValue &value = values[counter];
      value.total += amount;
      ++value.n_events;
      if (amount > value.largest)
        value.largest = amount;
    }

    CounterSnapshot
    snapshot() const;

    /** The path of the innermost open phase. */
    const std::string &
    current_phase() const
    {
      return phases[current].path;
    }

    /** Set all counts to zero; ids and open phases stay. */
    void
    reset();

  private:
    friend class CounterPhase;

    struct Phase
    {
      std::string               path;
      std::size_t               parent;
      std::vector<CounterValue> values;
    };

    void
    enter(const std::string &name);

    void
    leave();

    std::vector<std::string> names;
    std::vector<Phase>       phases;
    std::size_t              current = 0;
  };

  /**
   * A phase of the program: what is counted while the object lives counts for
   * it. Objects are destroyed in the reverse order of their construction, as
   * scopes do.
   *
   * @throws InputError if the name is empty or contains '/'.
   */
  class CounterPhase
  {
  public:
    explicit CounterPhase(const std::string &name,
                          Counters          &counters = Counters::process());
    ~CounterPhase();

    CounterPhase(const CounterPhase &) = delete;
    CounterPhase &
    operator=(const CounterPhase &) = delete;

  private:
    Counters &counters_of_phase;
  };
} // namespace tessera

#endif

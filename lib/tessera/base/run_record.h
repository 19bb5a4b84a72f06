// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_run_record_h
#define tessera_base_run_record_h

// Exists where the library was built with nlohmann/json (TESSERA_WITH_JSON).

#include <tessera/base/communication.h>

#include <nlohmann/json.hpp>

#include <deque>
#include <string>

namespace tessera
{
  /**
   * The machine-readable record of a run, `run.json`:
   * ```
   * { application, version, git_revision,
   *   status: "success" | "not converged" | "error", message,
   *   backend: {name, simd_bits, device}, mpi_ranks,
   *   parameters: {...}, log: [...], cycles: [{cycle, ...}, ...] }
   * ```
   * All entries exist from the start, in this order; the status is "error" with
   * the message "the run ended before its status was known" until set_status()
   * is called, so that a record written on the way out of a failed run says
   * so. The back end is `{"host", null, "none"}` until the application says
   * better.
   *
   * Every rank has an object, but only what rank 0 enters is written.
   *
   * Units are those of the names: `seconds`, `..._bytes`, `..._per_second`.
   * Numbers that are not finite, for which JSON has no notation, are written as
   * the strings "nan", "inf" and "-inf", which Python's `float()` and C's
   * `strtod()` read back. Text that is not UTF-8 has its wrong bytes replaced
   * by U+FFFD. The file is always valid JSON.
   */
  class RunRecord
  {
  public:
    /** An object that keeps its keys in the order of insertion. */
    using json = nlohmann::ordered_json;

    /** Local. Keeps the communicator for write(). */
    RunRecord(const std::string &application, const Communicator &comm);

    /**
     * The document, to be filled at will, except for `cycles`: those are kept
     * elsewhere so that references to them stay valid, and join the document
     * in document() and write(), behind any that are entered here by hand.
     *
     * As always with this JSON library, a reference to an entry of an object
     * or array is invalidated when that same object or array gets another
     * entry: `json &b = data()["backend"]; data()["new"] = 1; b["name"]...` is
     * wrong. Fetch entries where they are used.
     */
    json &
    data();

    /**
     * Append `{"cycle": n}`, n = 0, 1, ..., to the cycles and return it. The
     * reference stays valid as long as the record, whatever is added to it or
     * to the record, and whatever cycles follow. (References to entries
     * inside the cycle are subject to the rule of data().)
     */
    json &
    new_cycle();

    /** Number of calls of new_cycle() so far. */
    unsigned int
    n_cycles() const;

    /** What the n-th call of new_cycle() returned.
     * @throws InputError if there is no such cycle. */
    json &
    cycle(unsigned int n);

    /** Append a line to the `log`. */
    void
    log(const std::string &line);

    /**
     * Set how the run ended, and for people, why.
     * @throws InputError if the status is none of "success", "not converged",
     * "error".
     */
    void
    set_status(const std::string &status, const std::string &message);

    /** The complete document as it would be written on rank 0: with the cycles,
     * and with strings for numbers that are not finite. Local. */
    json
    document() const;

    /**
     * Write the document of rank 0, indented, in one step: to a temporary file
     * in the same directory that is then renamed, so that a reader finds the
     * old file or the new one, never a part. May be called repeatedly, e.g.
     * after each cycle. Collective.
     *
     * @throws InputError on all ranks if the file cannot be written; an older
     * file of that name is then as it was.
     */
    void
    write(const std::string &file) const;

  private:
    Communicator     communicator;
    json             head;
    std::deque<json> cycles; // growth at the end moves no element
  };
} // namespace tessera

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_communication_session_h
#define tessera_base_communication_session_h

namespace tessera
{
  /**
   * Starts and ends MPI for an executable without deal.II; create one at the
   * beginning of main() and keep it to its end.
   *
   * Where MPI is already initialized, or the library was built without it, the
   * object does nothing. Otherwise it initializes MPI (one thread of the
   * program calls it) and finalizes it on destruction. Catch exceptions while
   * the object lives: if it is destroyed by an exception, other ranks may be
   * waiting for this one, and so it aborts them all where there are any.
   */
  class CommunicationSession
  {
  public:
    CommunicationSession(int &argc, char **&argv);
    ~CommunicationSession();

    CommunicationSession(const CommunicationSession &) = delete;
    CommunicationSession &
    operator=(const CommunicationSession &) = delete;

  private:
    bool initialized_here;
    int  n_exceptions_in_flight;
  };
} // namespace tessera

#endif

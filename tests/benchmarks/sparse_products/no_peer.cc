// SPDX-License-Identifier: LGPL-2.1-or-later
#include "peer.h"

namespace benchmark
{
  Peer::Peer() = default;

  Peer::~Peer() = default;

  std::string
  Peer::name()
  {
    return "";
  }

  std::unique_ptr<PeerMatrixVector>
  Peer::matrix_vector(const tessera::sparse::BlockMatrix<double> &,
                      const std::vector<double> &) const
  {
    return nullptr;
  }

  std::unique_ptr<PeerProduct>
  Peer::product(const tessera::sparse::BlockMatrix<double> &,
                const tessera::sparse::BlockMatrix<double> &) const
  {
    return nullptr;
  }
} // namespace benchmark

/* pieces.h - the mass matrix M of a tree that is cut into pieces (bodies.h), and the patterns of dPhi/dp and dPhi/dv. M
 * is block diagonal, with a block for each piece.
 *
 *     M_ij = S_i . X_i..X_j I_j^c S_j     i on the path from j to the root of its piece, I_j^c of j and its descendants
 *
 * (composite rigid bodies, Featherstone 2008, section 6.2). For a long chain in joint coordinates J is full: O(n^2)
 * numbers, O(n) residual calls, O(n^3) operations. In pieces of m joints this is O(m n), O(m) and O(m^2 n). */
#ifndef URD_PIECES_H
#define URD_PIECES_H

#include <vector>

#include <resida/mechanism.h>

#include "bodies.h"

/** The pattern of a matrix, with the positions of its entries. Entries at the same position are added. */
struct urd_places {
    std::vector<int> rows, cols; /**< in the order of add() */
    std::vector<int> row, col;   /**< sorted; a resida_pattern */
    std::vector<size_t> slot;    /**< [rows.size()] index of each entry in col */

    void add(int i, int j)
    {
        rows.push_back(i), cols.push_back(j);
    }
    void sort(int n_rows);
    resida_pattern pattern() const
    {
        return {row.data(), col.data()};
    }
};

struct urd_pieces {
    urd_bodies bodies;
    urd_places M, Phi_p;
    std::vector<KDL::RigidBodyInertia> composite; /**< [bodies] */

    explicit urd_pieces(const urd_bodies &cut);

    void mass(const double *p, double *out);

  private:
    template <class Take> void each_mass(const double *p, const Take &take) const;
};

#endif

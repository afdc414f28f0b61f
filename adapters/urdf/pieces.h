/* pieces.h - matrices of a tree that was cut (bodies.h): M, which is that of each piece for itself, where dPhi/dp and
 * dPhi/dv have entries.
 *
 *     M_ij = S_i . X_i..X_j I_j^c S_j     i on the way from j to the root of its piece, I_j^c with all that hangs on j
 *
 * (composite rigid bodies, Featherstone 2008, section 6.2). J of a long chain in joints alone is full: O(n^2) numbers,
 * O(n) residual calls, O(n^3) operations. In pieces of m joints it is O(m n), O(m) and O(m^2 n). */
#ifndef URD_PIECES_H
#define URD_PIECES_H

#include <vector>

#include <resida/mechanism.h>

#include "bodies.h"

/** Places of the entries of a matrix, and how they are filled: an entry that comes up more than once is a sum. */
struct urd_places {
    std::vector<int> rows, cols; /**< as they came up */
    std::vector<int> row, col;   /**< sorted, a resida_pattern */
    std::vector<size_t> slot;    /**< [rows.size()] in col */

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

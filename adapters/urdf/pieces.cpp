/* pieces.cpp - see pieces.h. */
#include "pieces.h"

#include <algorithm>
#include <numeric>

void urd_places::sort(int n_rows)
{
    std::vector<size_t> order(rows.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return rows[a] != rows[b] ? rows[a] < rows[b] : cols[a] < cols[b]; });
    slot.resize(order.size());
    row.assign(static_cast<size_t>(n_rows) + 1, 0);
    col.clear();
    for (size_t k = 0; k < order.size(); k++) {
        const size_t e = order[k];
        const bool is_new = k == 0 || rows[e] != rows[order[k - 1]] || cols[e] != cols[order[k - 1]];
        if (is_new) col.push_back(cols[e]), row[static_cast<size_t>(rows[e]) + 1]++;
        slot[e] = col.size() - 1;
    }
    std::partial_sum(row.begin(), row.end(), row.begin());
}

/* Call take(i, j, M_ij) for the entries of both triangles. */
template <class Take> void urd_pieces::each_mass(const double *p, const Take &take) const
{
    for (size_t i = 1; i < bodies.list.size(); i++) {
        const urd_bodies::body &b = bodies.list[i];
        const int own = b.half < 0 ? b.q : bodies.first(b.half);
        const int n = b.half >= 0 ? int{URD_HALF} : b.q >= 0 ? 1 : 0;
        for (int k = 0; k < n; k++) {
            double unit[URD_HALF] = {0};
            unit[k] = 1;
            const KDL::Twist along = b.half < 0
                                         ? bodies.axis[i]
                                         : KDL::Twist(bodies.at[i].M.Inverse(KDL::Vector(unit[0], unit[1], unit[2])),
                                                      urd_bodies::turn(p + own + URD_PLACE, unit + URD_PLACE));
            bodies.climb(p, i, composite[i] * along, [&](int j, double work) {
                take(own + k, j, work);
                if (j < own || j >= own + n) take(j, own + k, work);
            });
        }
    }
}

urd_pieces::urd_pieces(const urd_bodies &cut) : bodies(cut), composite(cut.list.size())
{
    const std::vector<double> p(static_cast<size_t>(bodies.n()), 1);
    each_mass(p.data(), [&](int i, int j, double) { M.add(i, j); });
    M.sort(bodies.n());
    const int n = bodies.n_joints;
    for (size_t e = 0; e < M.rows.size(); e++) /* forces of a piece depend on its rotation, not on its position */
        if (M.cols[e] < n || (M.cols[e] - n) % URD_HALF >= URD_PLACE) Phi_p.add(M.rows[e], M.cols[e]);
    Phi_p.sort(bodies.n());
}

void urd_pieces::mass(const double *p, double *out)
{
    bodies.place(p);
    bodies.compose(composite);
    size_t e = 0;
    each_mass(p, [&](int, int, double x) { out[M.slot[e++]] = x; });
}

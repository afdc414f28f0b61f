/* drives.cpp - see drives.h. */
#include "drives.h"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>

#include "constraints.h"

namespace {

using vector = Eigen::VectorXd;

/* Add the forces of joints that mimic others to those of the mimicked joints. */
void add_mimic_forces(const urd_robot &r, Eigen::Ref<vector> f)
{
    for (auto k = r.arm.mimics.rbegin(); k != r.arm.mimics.rend(); ++k) {
        const urd_joint &j = r.arm.joints[*k];
        f[static_cast<Eigen::Index>(j.of)] += j.multiplier * f[static_cast<Eigen::Index>(*k)];
    }
}

/* Compute f += G' lam with lam such that the forces of the free joints vanish. */
void add_loop_forces(const urd_robot &r, const double *p, vector &f)
{
    size_t n = 0;
    for (const urd_loop &loop : r.loops) n += loop.n_rows();
    if (n == 0) return;
    const auto columns = static_cast<Eigen::Index>(n);
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(f.size(), columns); /* G' */
    urd_each_loop_entry(r, p, [&](int row, int column, double x) { all(column, row) += x; });
    for (Eigen::Index i = 0; i < columns; i++) add_mimic_forces(r, all.col(i));
    vector left = -f;
    Eigen::MatrixXd free = all;
    const auto drop = [&](Eigen::Index i) { free.row(i).setZero(), left[i] = 0; };
    for (const int q : r.moved) drop(q);
    for (const size_t k : r.arm.mimics) drop(static_cast<Eigen::Index>(k));
    f += all * free.completeOrthogonalDecomposition().solve(left);
}

} // namespace

void urd_compute_drives(urd_robot &r, const resida_model_point &at, double *out)
{
    vector f = Eigen::Map<const vector>(r.forces.data(), static_cast<Eigen::Index>(r.forces.size()));
    for (size_t i = 0; i < r.forces.size(); i++)
        f[static_cast<Eigen::Index>(i)] += r.resistance(r.arm.joints[i], at.p[i], at.v[i]);
    const size_t n_pushed = r.pushed.size();
    std::vector<double> u(n_pushed), ud(n_pushed);
    if (n_pushed > 0) r.torques.at(at.t, u.data(), ud.data());
    for (size_t k = 0; k < n_pushed; k++) f[r.pushed[k]] -= at.u ? at.u[r.moved.size() + k] : u[k];
    const double *held = at.lam ? at.lam + r.moved.size() + r.arm.mimics.size() : nullptr;
    for (const urd_limit &limit : r.held()) f[limit.q] += limit.side * (held ? *held++ : NAN);
    add_mimic_forces(r, f);
    if (at.a) add_loop_forces(r, at.p, f);
    for (const int q : r.moved) *out++ = at.a ? f[q] : NAN;
}

/* motion.cpp - see motion.h. */
#include "motion.h"

#include <algorithm>
#include <cmath>

namespace {

/* Compute the second derivatives m of a natural spline: m_0 = m_n = 0, and u' continuous at t_i,
 *
 *     h_{i-1} m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_i m_{i+1} = 6 (s_i - s_{i-1}),     s_i = (u_{i+1} - u_i)/h_i,
 *
 * a tridiagonal, diagonally dominant system. */
std::vector<double> compute_second_derivatives(const std::vector<double> &t, const std::vector<double> &u)
{
    const size_t n = t.size();
    std::vector<double> m(n, 0), diagonal(n, 1), right(n, 0);
    for (size_t i = 1; i + 1 < n; i++) {
        const double before = t[i] - t[i - 1], after = t[i + 1] - t[i];
        diagonal[i] = 2 * (before + after);
        right[i] = 6 * ((u[i + 1] - u[i]) / after - (u[i] - u[i - 1]) / before);
        if (i == 1) continue;
        const double factor = before / diagonal[i - 1];
        diagonal[i] -= factor * before;
        right[i] -= factor * right[i - 1];
    }
    for (size_t i = n - 1; i-- > 1;) m[i] = (right[i] - (t[i + 1] - t[i]) * m[i + 1]) / diagonal[i];
    return m;
}

/* A jump of d3u/dt3 is significant if it changes d2u/dt2 within an interval by more than this part of the largest
 * |d2u/dt2|. The relative error of forces in steps across smaller jumps is about a thirtieth of it. */
constexpr double much = 1e-2;

/* Return 1 if d3u/dt3 = (m_{i+1} - m_i)/h_i has a significant jump at row i. */
bool is_kink(const std::vector<double> &t, const std::vector<double> &m, size_t i, double most)
{
    const double before = (m[i] - m[i - 1]) / (t[i] - t[i - 1]);
    const double after = i + 1 < t.size() ? (m[i + 1] - m[i]) / (t[i + 1] - t[i]) : 0;
    return std::fabs(after - before) * (t[i] - t[i - 1]) > much * most;
}

void find_kinks(urd_motion &motion)
{
    std::vector<bool> is_one(motion.t.size(), false);
    for (const std::vector<double> &m : motion.bending) {
        double most = 0;
        for (const double x : m) most = std::max(most, std::fabs(x));
        for (size_t i = 1; i < m.size(); i++) is_one[i] = is_one[i] || is_kink(motion.t, m, i, most);
    }
    for (size_t i = 1; i < is_one.size(); i++)
        if (is_one[i]) motion.kinks.push_back(motion.t[i]);
}

} // namespace

void urd_motion::at(double time, double *value, double *rate, double *second) const
{
    const size_t last = t.size() - 2;
    const size_t above = static_cast<size_t>(std::upper_bound(t.begin(), t.end(), time) - t.begin());
    const size_t i = std::min(above > 0 ? above - 1 : 0, last);
    const double inside = std::min(std::max(time, t.front()), t.back()), h = t[i + 1] - t[i];
    const double since = inside - t[i], until = t[i + 1] - inside;
    for (size_t k = 0; k < joints.size(); k++) {
        const double m0 = bending[k][i], m1 = bending[k][i + 1], u0 = x[k][i], u1 = x[k][i + 1];
        rate[k] = (u1 - u0) / h + (m1 * (3 * since * since - h * h) - m0 * (3 * until * until - h * h)) / (6 * h);
        value[k] = (m0 * until * until * until + m1 * since * since * since) / (6 * h) + (u0 / h - m0 * h / 6) * until +
                   (u1 / h - m1 * h / 6) * since + (time - inside) * rate[k];
        second[k] = (m0 * until + m1 * since) / h;
    }
}

urd_motion urd_read_motion(const std::string &path)
{
    urd_motion motion;
    static_cast<urd_series &>(motion) = urd_read_series(urd_read_table(path), 2, false);
    for (const std::vector<double> &u : motion.x) motion.bending.push_back(compute_second_derivatives(motion.t, u));
    find_kinks(motion);
    return motion;
}

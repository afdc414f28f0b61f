/* torques.cpp - see torques.h. */
#include "torques.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

void urd_torques::enter(double time)
{
    size_t piece = 0;
    while (piece + 1 < first.size() && t[first[piece + 1]] <= time) piece++;
    state.back() = static_cast<double>(piece);
}

double urd_torques::next(double time) const
{
    for (const size_t row : first)
        if (row > 0 && t[row] > time) return t[row];
    return INFINITY;
}

void urd_torques::at(double time, double *value, double *rate) const
{
    const auto piece = static_cast<size_t>(state.back());
    const auto from = t.begin() + static_cast<std::ptrdiff_t>(first[piece]);
    const auto end = piece + 1 < first.size() ? t.begin() + static_cast<std::ptrdiff_t>(first[piece + 1]) : t.end();
    const auto above = std::upper_bound(from, end, time);
    const size_t i = static_cast<size_t>((above == from ? above : above - 1) - t.begin());
    const bool is_between = above != from && above != end;
    for (size_t k = 0; k < joints.size(); k++) {
        rate[k] = is_between ? (x[k][i + 1] - x[k][i]) / (t[i + 1] - t[i]) : 0;
        value[k] = x[k][i] + (is_between ? rate[k] * (time - t[i]) : 0);
        if (!std::isnan(state[k])) value[k] = state[k], rate[k] = 0;
    }
}

urd_torques urd_read_torques(const std::string &path)
{
    const urd_table table = urd_read_table(path);
    urd_torques out;
    static_cast<urd_series &>(out) = urd_read_series(table, 1, true);
    out.first = {0};
    out.state.assign(out.joints.size() + 1, NAN);
    out.state.back() = 0;
    for (size_t r = 1; r < out.t.size(); r++) {
        if (out.t[r] > out.t[r - 1]) continue;
        if (r > 1 && out.first.back() == r - 1)
            throw std::runtime_error(table.rows[r].where + ": more than two rows have the same time");
        out.first.push_back(r);
    }
    return out;
}

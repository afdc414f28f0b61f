/* torques.cpp - see torques.h. */
#include "torques.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "table.h"

void urd_torques::enter(double time)
{
    piece = 0;
    while (piece + 1 < first.size() && t[first[piece + 1]] <= time) piece++;
}

double urd_torques::next(double time) const
{
    for (const size_t row : first)
        if (row > 0 && t[row] > time) return t[row];
    return INFINITY;
}

void urd_torques::at(double time, double *value, double *rate) const
{
    const auto from = t.begin() + static_cast<std::ptrdiff_t>(first[piece]);
    const auto end = piece + 1 < first.size() ? t.begin() + static_cast<std::ptrdiff_t>(first[piece + 1]) : t.end();
    const auto above = std::upper_bound(from, end, time);
    const size_t i = static_cast<size_t>((above == from ? above : above - 1) - t.begin());
    const bool is_between = above != from && above != end;
    for (size_t k = 0; k < joints.size(); k++) {
        rate[k] = is_between ? (x[k][i + 1] - x[k][i]) / (t[i + 1] - t[i]) : 0;
        value[k] = x[k][i] + (is_between ? rate[k] * (time - t[i]) : 0);
    }
}

urd_torques urd_read_torques(const std::string &path)
{
    const urd_table table = urd_read_table(path);
    if (table.columns.size() < 2 || table.columns[0] != "t")
        throw std::runtime_error(path + ": the first line must be t and names of joints");
    if (table.rows.empty()) throw std::runtime_error(path + " has no row");
    urd_torques out;
    out.joints.assign(table.columns.begin() + 1, table.columns.end());
    out.x.resize(out.joints.size());
    out.first = {0};
    out.piece = 0;
    for (const urd_table::row &row : table.rows) {
        const double t = urd_number(table, row, 0);
        if (!out.t.empty() && t < out.t.back()) throw std::runtime_error(row.where + ": t falls");
        if (!out.t.empty() && !(t > out.t.back())) {
            if (out.first.back() == out.t.size() - 1 && out.t.size() > 1)
                throw std::runtime_error(row.where + ": more than two rows have the same time");
            out.first.push_back(out.t.size());
        }
        out.t.push_back(t);
        for (size_t k = 0; k < out.x.size(); k++) out.x[k].push_back(urd_number(table, row, k + 1));
    }
    return out;
}

/* table.cpp - see table.h. */
#include "table.h"

#include "adapters/base/csv.h"

#include <cmath>
#include <locale>
#include <sstream>
#include <stdexcept>

urd_table urd_read_table(const std::string &path)
{
    urd_table table;
    table.path = path;
    adapter_csv csv;
    resida_message why;
    int got = adapter_csv_open(&csv, path.c_str(), &why) < 0 ? -1 : 1;
    while (got > 0 && (got = adapter_csv_next(&csv, &why)) > 0) {
        const std::vector<std::string> fields(csv.fields, csv.fields + csv.n);
        if (table.columns.empty())
            table.columns = fields;
        else
            table.rows.push_back({path + ", line " + std::to_string(csv.line), fields});
    }
    adapter_csv_close(&csv);
    if (got < 0) throw std::runtime_error(why.text);
    if (table.columns.empty()) throw std::runtime_error(path + " has no line with names of columns");
    for (const urd_table::row &row : table.rows)
        if (row.fields.size() != table.columns.size())
            throw std::runtime_error(row.where + ": " + std::to_string(row.fields.size()) + " fields, not " +
                                     std::to_string(table.columns.size()));
    return table;
}

double urd_number(const urd_table &table, const urd_table::row &row, size_t column)
{
    std::istringstream text(row.fields[column]);
    text.imbue(std::locale::classic());
    double value = NAN;
    if (!(text >> value) || !text.eof() || !std::isfinite(value))
        throw std::runtime_error(row.where + ": " + table.columns[column] + " = \"" + row.fields[column] +
                                 "\" is not a finite number");
    return value;
}

urd_series urd_read_series(const urd_table &table, size_t min_rows, bool has_jumps)
{
    if (table.columns.size() < 2 || table.columns[0] != "t")
        throw std::runtime_error(table.path + ": the first line must be t and names of joints");
    if (table.rows.size() < min_rows)
        throw std::runtime_error(table.path + (min_rows > 1 ? " has fewer than two rows" : " has no row"));
    urd_series out;
    out.joints.assign(table.columns.begin() + 1, table.columns.end());
    out.x.resize(out.joints.size());
    for (const urd_table::row &row : table.rows) {
        const double t = urd_number(table, row, 0);
        if (!out.t.empty() && !(has_jumps ? t >= out.t.back() : t > out.t.back()))
            throw std::runtime_error(row.where + (has_jumps ? ": t falls" : ": t does not rise"));
        out.t.push_back(t);
        for (size_t k = 0; k < out.x.size(); k++) out.x[k].push_back(urd_number(table, row, k + 1));
    }
    return out;
}

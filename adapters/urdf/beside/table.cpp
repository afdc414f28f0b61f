/* table.cpp - see table.h. */
#include "table.h"

#include <cmath>
#include <fstream>
#include <locale>
#include <sstream>
#include <stdexcept>

namespace {

const std::string utf8_mark = "\xef\xbb\xbf"; /* written by spreadsheets at the start of a file */

std::string trim_blanks(const std::string &text)
{
    const char *blanks = " \t\r";
    const size_t from = text.find_first_not_of(blanks), to = text.find_last_not_of(blanks);
    return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

std::vector<std::string> split_fields(const std::string &line)
{
    std::vector<std::string> out;
    std::string field;
    std::istringstream rest(line);
    while (std::getline(rest, field, ',')) out.push_back(trim_blanks(field));
    if (line.back() == ',') out.emplace_back();
    return out;
}

} // namespace

urd_table urd_read_table(const std::string &path)
{
    urd_table table;
    table.path = path;
    std::ifstream file(path);
    if (!file) throw std::runtime_error(path + " cannot be read");
    std::string line;
    for (int number = 1; std::getline(file, line); number++) {
        if (number == 1 && line.compare(0, utf8_mark.size(), utf8_mark) == 0) line.erase(0, utf8_mark.size());
        line = trim_blanks(line);
        if (line.empty() || line[0] == '#') continue;
        const std::vector<std::string> fields = split_fields(line);
        const std::string where = path + ", line " + std::to_string(number);
        if (table.columns.empty()) {
            table.columns = fields;
            continue;
        }
        if (fields.size() != table.columns.size())
            throw std::runtime_error(where + ": " + std::to_string(fields.size()) + " fields, not " +
                                     std::to_string(table.columns.size()));
        table.rows.push_back({where, fields});
    }
    if (table.columns.empty()) throw std::runtime_error(path + " has no line with names of columns");
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

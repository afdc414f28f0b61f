/* table.h - a small CSV file: a line with the names of the columns, then rows with the same number of fields. Empty
 * lines and lines that begin with # are ignored. */
#ifndef URD_TABLE_H
#define URD_TABLE_H

#include <string>
#include <vector>

struct urd_table {
    struct row {
        std::string where; /**< "FILE, line 3" */
        std::vector<std::string> fields;
    };
    std::string path;
    std::vector<std::string> columns;
    std::vector<row> rows;
};

/** Read a file. @throws std::runtime_error, one line with the reason and the line number */
urd_table urd_read_table(const std::string &path);

/** Columns over time. */
struct urd_series {
    std::vector<std::string> joints;    /**< their names */
    std::vector<double> t;              /**< [rows] */
    std::vector<std::vector<double>> x; /**< [joints][rows] */
};

/** Read the series of a table with the columns t and names of joints. has_jumps: two rows may have the same time.
 *  @throws std::runtime_error as above: other columns, fewer rows than min_rows, t that does not rise, or falls */
urd_series urd_read_series(const urd_table &table, size_t min_rows, bool has_jumps);

/** Convert a field to a finite number. @throws std::runtime_error if it is not one, with the line number */
double urd_number(const urd_table &table, const urd_table::row &row, size_t column);

#endif

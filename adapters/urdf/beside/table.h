/* table.h - a small CSV file: names of columns, then rows of as many fields. Lines that are empty or begin with # are
 * left out. */
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

/** @throws std::runtime_error, one line: what is wrong, and in which line */
urd_table urd_read_table(const std::string &path);

/** A field as a finite number. @throws std::runtime_error, where it is none */
double urd_number(const urd_table &table, const urd_table::row &row, size_t column);

#endif

/* published.c - writes a measured row as JSON together with the numbers that the paper printed. Machine, compiler and
 * integrator differ, therefore published numbers are shown next to the measured ones but not compared. */
#include "reproduce.h"

#include "program/output/json_line.h"
#include "program/output/row_json.h"

/** Return a time or a percentage as JSON; null if it was not printed. */
static json_t *printed(double value)
{
    return value < 0 ? json_null() : cmd_json_real(value);
}

static json_t *published_json(const cmd_paper_table *table, const cmd_published *p)
{
    if (!p) return json_null();
    return CMD_OBJECT({"source", cmd_json_text(table->source)}, {"cpu_s", printed(p->cpu_s)},
                      {"residual_calls", cmd_json_count(p->calls)},
                      {"residual_calls_without_jacobian", cmd_json_count(p->other_calls)},
                      {"jacobian_evaluations", cmd_json_count(p->evaluations)},
                      {"jacobian_updates", cmd_json_count(p->updates)}, {"percent", printed(p->percent)},
                      {"percent_of", cmd_json_text(cmd_percent_of(table))});
}

json_t *cmd_reproduced_json(const cmd_row *row, double percent, const cmd_paper_table *table, const cmd_published *p)
{
    return CMD_EXTENDED(cmd_row_json(row), {"percent", cmd_json_real(percent)},
                        {"published", published_json(table, p)});
}

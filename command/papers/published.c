/* published.c - a measured row as JSON, with what the paper printed in the same place. Machine, compiler and integrator
 * of the paper are not ours: its numbers are set beside the measured ones, they are not compared. */
#include "reproduce.h"

#include "command/output/json_line.h"
#include "command/output/row_json.h"

/** A time or a percentage; null when it was not printed. */
static json_t *printed(double value)
{
    return value < 0 ? json_null() : bench_json_real(value);
}

static json_t *published_json(const char *source, const bench_published *p)
{
    if (!p) return json_null();
    return BENCH_OBJECT({"source", bench_json_text(source)}, {"cpu_s", printed(p->cpu_s)},
                        {"residual_calls", bench_json_count(p->calls)},
                        {"residual_calls_without_jacobian", bench_json_count(p->other_calls)},
                        {"jacobian_evaluations", bench_json_count(p->evaluations)},
                        {"jacobian_updates", bench_json_count(p->updates)}, {"percent", printed(p->percent)});
}

json_t *bench_reproduced_json(const bench_row *row, double percent, const char *source, const bench_published *p)
{
    return BENCH_EXTENDED(bench_row_json(row), {"percent", bench_json_real(percent)},
                          {"published", published_json(source, p)});
}

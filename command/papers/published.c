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
    json_t *paper = json_object();
    int failed = bench_json_put(paper, "source", bench_json_text(source)) |
                 bench_json_put(paper, "cpu_s", printed(p->cpu_s)) |
                 bench_json_put(paper, "residual_calls", bench_json_count(p->calls)) |
                 bench_json_put(paper, "residual_calls_without_jacobian", bench_json_count(p->other_calls)) |
                 bench_json_put(paper, "jacobian_evaluations", bench_json_count(p->evaluations)) |
                 bench_json_put(paper, "jacobian_updates", bench_json_count(p->updates)) |
                 bench_json_put(paper, "percent", printed(p->percent));
    if (!failed) return paper;
    json_decref(paper);
    return NULL;
}

json_t *bench_reproduced_json(const bench_row *row, double percent, const char *source, const bench_published *p)
{
    json_t *object = bench_row_json(row);
    int failed = bench_json_put(object, "percent", bench_json_real(percent)) |
                 bench_json_put(object, "published", published_json(source, p));
    if (!failed) return object;
    json_decref(object);
    return NULL;
}

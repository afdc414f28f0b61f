/* study_runs.c - studies whose rows are single runs: the cost of each run, its largest error |p - ref| against the
 * model's reference, and -log10 of the error as correct digits. The runs of a study are listed in its data file. */
#include "studies.h"

#include "program/output/row_text.h"
#include "program/run/run_peer.h"
#include "run_line.h"

#include <math.h>

/** A run. */
typedef struct line {
    const char *name, *words, *peer; /**< peer: NULL: resida */
} line;

#define NONE                   NULL
#define ROW(name, words, peer) {name, words, peer},
#define N(lines)               ((int)(sizeof lines / sizeof *lines))

static const line errors[] = {
#include "errors.csv.inc"
};
static const line low_order[] = {
#include "low-order.csv.inc"
};
static const line falling_chain[] = {
#include "falling-chain.csv.inc"
};
static const line slow_chain[] = {
#include "slow-chain.csv.inc"
};
static const line formalisms[] = {
#include "formalisms.csv.inc"
};
static const line index3[] = {
#include "index3.csv.inc"
};
static const line rough_car[] = {
#include "rough-car.csv.inc"
};

static void add(cmd_table *table, const char *name, const cmd_row *row)
{
    const resida_stats *stats = &row->stats;
    const long without_j = stats->residual_calls.total - stats->residual_calls.jacobian - stats->residual_calls.pattern;
    cmd_table_cells(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s", name, cmd_count(stats->steps),
                    cmd_count(stats->residual_calls.total), cmd_count(without_j), cmd_format_error(row->error.p),
                    cmd_format_or_dash("%.1f", -log10(row->error.p)), row->outcome == CMD_OK ? "" : row->message);
}

/** Add a row for a peer that is not built. Its values are unknown, which is not a failure. */
static void add_unknown(cmd_table *table, const char *name)
{
    cmd_table_cells(table, "%s\t?\t?\t?\t?\t?\tnot built", name);
}

static int fill(cmd_table *table, const line *lines, int n)
{
    int code = 0;
    cmd_table_begin(table, "<run\tsteps\tresidual calls\tcalls without J\terror of p\tcorrect digits of p\t<");
    for (int i = 0; i < n && code == 0; i++) {
        cmd_row row;
        if (lines[i].peer && !rsd_peer_find(lines[i].peer)) {
            add_unknown(table, lines[i].name);
            continue;
        }
        code = bench_run_line(lines[i].words, NULL, lines[i].peer, &row);
        add(table, lines[i].name, &row);
    }
    return code;
}

#define STUDY(name)                                                                                                    \
    int bench_fill_##name(const cmd_settings *s, cmd_table *table)                                                     \
    {                                                                                                                  \
        (void)s;                                                                                                       \
        return fill(table, name, N(name));                                                                             \
    }

STUDY(errors)
STUDY(low_order)
STUDY(falling_chain)
STUDY(slow_chain)
STUDY(formalisms)
STUDY(index3)
STUDY(rough_car)

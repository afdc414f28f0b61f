/* cmd_equilibrium.c - where a model stays, said as text or JSON. */
#include "command/cli/commands.h"

#include "command/base/complain.h"
#include "rest_find.h"

#include <math.h>

static int tell(const bench_rest *r, const bench_settings *s)
{
    int code = 0;
    if (s->format == BENCH_JSON)
        code = bench_rest_json(r, stdout);
    else if (r->status == RESIDA_OK)
        code = bench_rest_text(r, stdout);
    return code != 0 || r->status == RESIDA_OK ? code : bench_rest_complain(r);
}

static int find(bench_model *model, const bench_settings *s)
{
    bench_rest r;
    int code = bench_rest_find(&r, model, s);
    if (code == 0) code = tell(&r, s);
    bench_rest_free(&r);
    return code;
}

int bench_cmd_equilibrium(const bench_settings *s)
{
    if (s->n_words != 1)
        return bench_complain(BENCH_EXIT_USAGE, "equilibrium: which model? One only; 'resida models' lists them");
    if (s->via > 0 && isnan(s->at))
        return bench_complain(BENCH_EXIT_USAGE, "--via: only with --at, the time that it leads to");
    return bench_on_model(s, find);
}

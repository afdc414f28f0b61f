/* equal_error.c - the study `equal-error`, which shares functions with `targets`: processor time of `auto` at each
 * error, divided by that of the fastest peer. */
#include "equal_error.h"

#include "program/base/complain.h"
#include "program/cli/model_arg.h"
#include "studies.h"

static const double run_limit_s = 20;

int bench_equal_error(cmd_report_work *r, const char *name)
{
    cmd_model model;
    cmd_study study;
    cmd_settings s = cmd_report_settings(r, run_limit_s);
    s.n_words = 0;
    int code = cmd_models_open(&model, 1, &name, &s);
    if (code != 0) return code;
    /* Bricard's mechanism has a redundant constraint. */
    if (model.model.mechanism.n_g > 0) s.start.redundant = RESIDA_REDUNDANT_DROP;
    code = cmd_study_open(&study, &s);
    if (code == 0)
        code = cmd_summary_take(&r->work, &study, &model, cmd_study_run(&study, &model, cmd_report_count_failure, r));
    cmd_study_close(&study);
    cmd_models_close(&model, 1);
    return code;
}

/** Models of doc/results.md; expensive models have fewer runs. */
static const struct {
    const char *name;
    double from, to;
    long repeat;
} models[] = {
    {"andrews", 1e-2, 1e-9, 3},  {"car", 1e-3, 1e-7, 1},          {"train", 1e-3, 1e-7, 1},
    {"car-axis", 1e-2, 1e-9, 3}, {"slider-crank", 1e-2, 1e-9, 3}, {"pendulum", 1e-2, 1e-9, 3},
};

/** Merge both tables of ratios side by side. */
static void fill(const cmd_summary *s, cmd_table *table)
{
    cmd_table times, calls;
    cmd_summary_fill_cpu(s, &times);
    cmd_summary_fill_calls(s, &calls);
    cmd_table_begin(table, "<model\t<1e-3@time\t<1e-4@time\t<1e-5@time\t<1e-6@time\t<1e-7@time\tmean@time\t"
                           "<1e-3@calls\t<1e-4@calls\t<1e-5@calls\t<1e-6@calls\t<1e-7@calls\tmean@calls");
    for (int row = 0; row < cmd_table_rows(&times); row++) {
        for (int i = 0; i < times.n_columns; i++) cmd_table_cell(table, "%s", cmd_table_at(&times, row, i));
        for (int i = 1; i < calls.n_columns; i++) cmd_table_cell(table, "%s", cmd_table_at(&calls, row, i));
    }
    cmd_table_free(&times);
    cmd_table_free(&calls);
}

int bench_fill_equal_error(const cmd_settings *s, cmd_table *table)
{
    cmd_settings own = *s;
    cmd_report_work r = {.settings = &own};
    int code = 0;
    own.peers = 1;
    own.is_silent_on_events = 1;
    for (size_t i = 0; i < sizeof models / sizeof *models && code == 0; i++) {
        own.from = models[i].from, own.to = models[i].to, own.repeat = models[i].repeat;
        code = bench_equal_error(&r, models[i].name);
    }
    fill(&r.work, table);
    cmd_report_free(&r);
    return code;
}

/* report_times.c - estimates the time of each section. The time of a section about models is recorded for its list of
 * models and is not used for other lists. Without a record, a built-in table has the seconds on an idle machine with
 * two cores. For a named model, the estimate is the time of one run times the number of runs. */
#include "report_times.h"

#include "benchmarks/util/kept_file.h"
#include "benchmarks/util/kept_run.h"
#include "program/base/complain.h"
#include "program/cli/list.h"
#include "program/output/json_line.h"
#include "program/process/stopwatch.h"
#include "program/run/run_peer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 400, WORD = 4096 };
static const double run_limit_s = 20;

int report_times_open(report_times *times, const char *folder)
{
    char *text;
    size_t n;
    *times = (report_times){.path = folder ? bench_kept_path(folder, "times", ".json") : NULL};
    if (folder && !times->path) return cmd_no_memory();
    if (folder) bench_kept_read(times->path, &text, &n);
    if (folder && text) {
        times->seconds = json_loadb(text, n, 0, NULL);
        free(text);
    }
    if (!json_is_object(times->seconds)) {
        json_decref(times->seconds);
        times->seconds = json_object();
    }
    return times->seconds ? 0 : cmd_no_memory();
}

void report_times_close(report_times *times)
{
    json_decref(times->seconds);
    free(times->path);
}

/** Return the name of the record: "models andrews,akzo". */
static const char *name_of(const cmd_report_work *r, const cmd_section *section, char text[NAME])
{
    const char *models = section->is_of_models && r->settings->model_names ? r->settings->model_names : "";
    snprintf(text, NAME, "%s%s%s", section->name, models[0] ? " " : "", models);
    return text;
}

/** Run a model once with `auto`. Return the seconds; NaN: the run failed. */
static double probe(const cmd_report_work *r, const char *word)
{
    cmd_model model;
    cmd_job job;
    cmd_row row;
    double seconds = NAN;
    cmd_settings s = cmd_report_settings(r, run_limit_s);
    s.quiet = 1;
    if (cmd_models_open(&model, 1, &word, &s) != 0) return NAN;
    const double began = bench_wall_s();
    if (cmd_job_make(&job, &model, &s, 1) == 0) {
        job.repeats = 1;
        if (cmd_run(&job, &row) == 0) seconds = bench_wall_s() - began;
    }
    cmd_models_close(&model, 1);
    return seconds;
}

double report_times_of(const report_times *times, const cmd_report_work *r, const cmd_section *section,
                       int *is_recorded)
{
    char name[NAME], word[WORD];
    const char *rest = r->settings->model_names;
    const json_t *recorded = json_object_get(times->seconds, name_of(r, section, name));
    *is_recorded = json_is_number(recorded);
    if (*is_recorded) return json_number_value(recorded);
    if (!section->is_of_models || !rest) return section->seconds;
    double runs = 0;
    while (cmd_list_next(&rest, word, WORD)) runs += probe(r, word);
    return runs * (section->runs + section->runs_of_peer * cmd_peers_count(r->settings));
}

void report_times_note(report_times *times, const cmd_report_work *r, const cmd_section *section, double seconds)
{
    char name[NAME];
    if (!times->path) return;
    json_object_set_new(times->seconds, name_of(r, section, name), json_real(seconds));
    char *text = json_dumps(times->seconds, JSON_INDENT(1));
    if (text) (void)bench_kept_write(times->path, text, strlen(text));
    free(text);
}

/* run_line.c - splits a line at blanks, parses the words as options of `solve`, and makes the run. */
#include "run_line.h"

#include "program/base/complain.h"
#include "program/process/signals.h"
#include "program/run/run_peer.h"

#include <stdio.h>
#include <string.h>

enum { LINE = 300, WORDS = 40 };

/** Split the line. @return the number of words, including the command before them */
static int split(char *line, char *words[WORDS])
{
    static char command[] = "solve";
    int n = 0;
    words[n++] = command;
    for (char *word = strtok(line, " "); word && n < WORDS; word = strtok(NULL, " ")) words[n++] = word;
    return n;
}

static int run(const cmd_settings *s, const char *jacobian, const char *peer, cmd_row *row)
{
    cmd_model model;
    cmd_job job;
    const char *name = s->n_words > 0 ? s->words[0] : "";
    int code = cmd_models_open(&model, 1, &name, s);
    if (code != 0) return code;
    code = cmd_job_make(&job, &model, s, 1);
    if (code == 0 && jacobian) job.jacobian = jacobian;
    if (code == 0 && peer) code = cmd_job_find_peer(&job, peer);
    if (code == 0) (void)cmd_run(&job, row);
    cmd_models_close(&model, 1);
    row->model = NULL;
    return code == 0 && cmd_signal_caught() ? 128 + cmd_signal_caught() : code;
}

int bench_run_line(const char *words, const char *jacobian, const char *peer, cmd_row *row)
{
    char line[LINE], *argv[WORDS];
    cmd_settings s;
    cmd_row_init(row, "resida", NULL);
    snprintf(line, sizeof line, "%s", words);
    const int argc = split(line, argv);
    int code = cmd_settings_parse(&s, "solve", CMD_SOLVE, argc, argv);
    s.quiet = s.is_silent_on_events = 1;
    if (code == 0) code = run(&s, jacobian, peer, row);
    cmd_settings_free(&s);
    return code;
}

/* cmd_study.c - finds the study. */
#include "benchmarks/cli/commands.h"

#include "program/base/complain.h"
#include "program/base/suggest.h"
#include "studies.h"

#include <string.h>

static const struct {
    const char *name;
    int (*run)(const cmd_settings *s);
    const char *text;
} studies[] = {
    {"targets", bench_study_targets,
     "what the project asks of itself, beside what is measured; of it table1, table2, table3, extended, equal-error"},
    {"train-scaling", bench_study_train_scaling,
     "what a train of 1 .. 32 carriages costs, or of up to so many as a number says"},
};
enum { N_STUDIES = sizeof studies / sizeof studies[0] };

void cmd_study_items(FILE *stream)
{
    for (int i = 0; i < N_STUDIES; i++) fprintf(stream, "  %-16s  %s\n", studies[i].name, studies[i].text);
}

int cmd_cmd_study(const cmd_settings *s)
{
    const char *names[N_STUDIES];
    cmd_settings own = *s;
    if (s->n_words == 0) return cmd_complain(CMD_EXIT_USAGE, "study: which one? 'resida-bench help study' lists them");
    own.words++, own.n_words--;
    own.is_silent_on_events = 1;
    for (int i = 0; i < N_STUDIES; i++) {
        names[i] = studies[i].name;
        if (strcmp(s->words[0], names[i]) == 0) return studies[i].run(&own);
    }
    const char *near = cmd_nearest(s->words[0], names, N_STUDIES);
    if (near) return cmd_complain(CMD_EXIT_USAGE, "no study '%s'; did you mean '%s'?", s->words[0], near);
    return cmd_complain(CMD_EXIT_USAGE, "no study '%s'; 'resida-bench help study' lists them", s->words[0]);
}

/* cmd_resume.c - go on with a run of `solve --checkpoint FILE`: with the words of its command line, in the folder where
 * they were said, from the state in the file, which goes on to be written. */
#define _XOPEN_SOURCE 700 /* realpath() */

#include "command/cli/commands.h"

#include "command/base/complain.h"
#include "command/cli/inputs.h"
#include "command/run/checkpoint.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int go_on(const bench_saved *saved, char *file)
{
    bench_settings s;
    int code = bench_settings_parse(&s, saved->argv[0], BENCH_SOLVE, saved->argc, saved->argv);
    if (code == 0 && !s.checkpoint) code = bench_complain(BENCH_EXIT_USAGE, "%s: its run has no --checkpoint", file);
    if (code == 0) {
        s.checkpoint = file; /* wherever it lies now */
        s.saved = saved;
        code = bench_inputs_are_spared(&s);
    }
    if (code == 0) code = bench_cmd_solve(&s);
    bench_settings_free(&s);
    return code;
}

int bench_cmd_resume(const bench_settings *s)
{
    if (s->n_words != 1)
        return bench_complain(BENCH_EXIT_USAGE,
                              "resume: one FILE, of 'resida solve --checkpoint FILE'; nothing else is said "
                              "anew");
    bench_saved saved;
    char *file = NULL;
    int code = bench_saved_read(&saved, s->words[0]);
    if (code == 0 && !(file = realpath(s->words[0], NULL))) code = bench_complain_io("read", s->words[0]);
    if (code == 0 && (saved.argc < 1 || strcmp(saved.argv[0], "solve") != 0))
        code = bench_complain(BENCH_EXIT_USAGE, "%s: no checkpoint of 'resida solve'", s->words[0]);
    if (code == 0 && chdir(saved.folder) != 0) code = bench_complain_io("go to", saved.folder);
    if (code == 0) code = go_on(&saved, file);
    free(file);
    bench_saved_free(&saved);
    return code;
}

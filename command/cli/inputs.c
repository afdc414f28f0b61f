/* inputs.c - files are the same when they are on the same device with the same number, whatever they are called: links
 * too. */
#define _XOPEN_SOURCE 700 /* realpath() */

#include "inputs.h"

#include "command/base/complain.h"
#include "list.h"
#include "model_arg.h"
#include "command/base/out_file.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { WORD_SIZE = 4096 };

int bench_is_same_file(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/** One model against both names of the result. */
static int check(const char *model, const char *option, const char *out, const char *partial)
{
    const char *file = resida_plugin_file(model);
    if (!file || !(bench_is_same_file(file, out) || bench_is_same_file(file, partial))) return 0;
    return bench_complain(BENCH_EXIT_USAGE, "--%s %s: would overwrite the model's file %s", option, out, file);
}

static int are_spared(const bench_settings *s, const char *option, const char *out)
{
    char word[WORD_SIZE];
    const char *rest = s->model_names;
    int code = 0;
    if (!out) return 0;
    char *real = realpath(out, NULL); /* NULL: it does not exist yet */
    char *partial = bench_partial_name(real ? real : out);
    free(real);
    if (!partial) return bench_complain(BENCH_EXIT_FAILED, "out of memory");
    for (int i = 0; i < s->n_words && code == 0; i++) code = check(s->words[i], option, out, partial);
    while (code == 0 && rest && bench_list_next(&rest, word, sizeof word)) code = check(word, option, out, partial);
    free(partial);
    return code;
}

int bench_inputs_are_spared(const bench_settings *s)
{
    int code = are_spared(s, "out", s->out);
    if (code == 0) code = are_spared(s, "animate", s->animate);
    return code == 0 ? are_spared(s, "events", s->events) : code;
}

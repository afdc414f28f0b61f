/* plan.c - functions for both formats of a plan: the values of case k, and its command line. */
#include "plan.h"

#include "random.h"

#include "program/base/complain.h"
#include "program/base/grow.h"
#include "program/files/out_file.h"
#include "program/cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16 };

cmd_axis *cmd_plan_add(cmd_axis **axes, int *n, const char *name)
{
    cmd_axis *more = realloc(*axes, ((size_t)*n + 1) * sizeof **axes);
    if (!more) return NULL;
    *axes = more;
    more[*n] = (cmd_axis){.name = strdup(name)};
    return more[*n].name ? &more[(*n)++] : NULL;
}

int cmd_axis_add(cmd_axis *axis, const char *word)
{
    char **more = cmd_grow_array(axis->words, axis->n, sizeof *more);
    if (!more) return -1;
    axis->words = more;
    if (!(more[axis->n] = strdup(word))) return -1;
    axis->n++;
    return 0;
}

static void free_axes(cmd_axis *axes, int n)
{
    for (int i = 0; i < n; i++) {
        for (long k = 0; k < axes[i].n; k++) free(axes[i].words[k]);
        free(axes[i].words);
        free(axes[i].name);
    }
    free(axes);
}

void cmd_plan_free(cmd_plan *plan)
{
    free_axes(plan->fixed, plan->n_fixed);
    free_axes(plan->axes, plan->n_axes);
    for (int i = 0; i < plan->n_outputs; i++) free(plan->outputs[i]);
    free(plan->outputs);
    free(plan->lines);
    free(plan->model);
    free(plan->text);
    *plan = (cmd_plan){0};
}

/** Check that each name occurs only once in all axes. */
static int check_names(const cmd_plan *plan)
{
    const int n = plan->n_fixed + plan->n_axes;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) {
            const char *a = (i < plan->n_fixed ? plan->fixed + i : plan->axes + i - plan->n_fixed)->name;
            const char *b = (k < plan->n_fixed ? plan->fixed + k : plan->axes + k - plan->n_fixed)->name;
            if (strcmp(a, b) == 0) return cmd_complain(CMD_EXIT_USAGE, "%s: '%s' is given twice", plan->path, a);
        }
    return 0;
}

/** Compute the number of cases if it follows from the axes. */
static int count_cases(cmd_plan *plan)
{
    double n = plan->design == CMD_GRID ? 1 : (double)plan->n_cases;
    for (int i = 0; i < plan->n_axes && plan->design == CMD_GRID; i++) n *= (double)plan->axes[i].n;
    if (n < 1) return cmd_complain(CMD_EXIT_USAGE, "%s: the plan has no cases", plan->path);
    if (n > CMD_PLAN_CASES)
        return cmd_complain(CMD_EXIT_USAGE, "%s: the plan has %.3g cases; the maximum is %d", plan->path, n,
                            CMD_PLAN_CASES);
    plan->n_cases = (long)n;
    return 0;
}

static int choose_model(cmd_plan *plan, const char *model)
{
    if (plan->model && model)
        return cmd_complain(CMD_EXIT_USAGE, "--model %s: %s names its model, '%s'", model, plan->path, plan->model);
    if (!plan->model && !model)
        return cmd_complain(CMD_EXIT_USAGE, "%s: the plan does not name a model; give --model", plan->path);
    if (model && !(plan->model = strdup(model))) return cmd_no_memory();
    return 0;
}

const char *cmd_plan_text(const cmd_plan *plan)
{
    static const char mark[] = "\xEF\xBB\xBF";
    return plan->text + (strncmp(plan->text, mark, strlen(mark)) == 0 ? strlen(mark) : 0);
}

int cmd_plan_read(cmd_plan *plan, const char *path, char *text, size_t size, const char *model)
{
    *plan = (cmd_plan){.path = path, .text = text, .size = size};
    plan->is_csv = cmd_ends_in(path, ".csv");
    int code = plan->is_csv ? cmd_plan_csv(plan) : cmd_plan_json(plan);
    if (code == 0) code = choose_model(plan, model);
    if (code == 0) code = check_names(plan);
    return code == 0 ? count_cases(plan) : code;
}

/** Read a stream to its end, and append 0. @return NULL with errno */
static char *read_all(FILE *f, size_t *size)
{
    char *text = NULL;
    size_t n = 0, got = 0;
    do {
        char *more = realloc(text, n + BLOCK + 1);
        if (!more) break;
        text = more;
        got = fread(text + n, 1, BLOCK, f);
        n += got;
        text[n] = 0;
    } while (got > 0);
    if (text && !ferror(f) && feof(f)) {
        *size = n;
        return text;
    }
    free(text);
    return NULL;
}

int cmd_plan_load(cmd_plan *plan, const char *path, const char *model)
{
    const int is_stdin = strcmp(path, "-") == 0;
    size_t size = 0;
    *plan = (cmd_plan){.path = path};
    FILE *f = is_stdin ? stdin : fopen(path, "r");
    char *text = f ? read_all(f, &size) : NULL;
    const int why = errno;
    if (f && !is_stdin) fclose(f);
    if (!text) return cmd_complain(CMD_EXIT_USAGE, "cannot read %s: %s", path, strerror(why));
    return cmd_plan_read(plan, path, text, size, model);
}

const char *cmd_plan_word(const cmd_plan *plan, int axis, long k)
{
    const cmd_axis *a = &plan->axes[axis];
    if (plan->design == CMD_GRID) {
        for (int i = plan->n_axes - 1; i > axis; i--) k /= plan->axes[i].n;
        return a->words[k % a->n];
    }
    if (plan->design == CMD_LISTED) return a->words[k];
    const double u = plan->design == CMD_MONTE_CARLO
                         ? cmd_random_uniform(plan->seed, axis, (uint64_t)k)
                         : cmd_random_stratum(plan->seed, axis, (uint64_t)k, (uint64_t)plan->n_cases);
    if (a->n > 0) return a->words[(long)(u * (double)a->n)];
    return cmd_format_shortest(a->distribution->quantile(a->numbers, u));
}

/** Append the word of one value to a command line. Its memory is `room`. @return argc */
static int add_words(const char *name, const char *value, char **argv, int argc, char room[CMD_WORD_SIZE])
{
    const int is_option = name[0] == '-';
    const int is_flag = strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
    if (value[0] == 0 || (is_option && strcmp(value, "false") == 0)) return argc;
    if (is_option)
        snprintf(room, CMD_WORD_SIZE, "%s%s%s", name, is_flag ? "" : "=", is_flag ? "" : value);
    else
        snprintf(room, CMD_WORD_SIZE, "--param=%s=%s", name, value);
    argv[argc] = room;
    return argc + 1;
}

int cmd_plan_settings(const cmd_plan *plan, long k, int argc, char **argv, cmd_settings *s)
{
    const size_t room = (size_t)argc + (size_t)plan->n_fixed + (size_t)plan->n_axes + 1;
    char **all = calloc(room, sizeof *all);
    char(*words)[CMD_WORD_SIZE] = calloc(room, sizeof *words);
    *s = (cmd_settings){0};
    int code = all && words ? 0 : cmd_no_memory();
    int n = argc;
    if (code == 0) {
        memcpy(all, argv, (size_t)argc * sizeof *all);
        for (int i = 0; i < plan->n_fixed; i++)
            n = add_words(plan->fixed[i].name, plan->fixed[i].words[0], all, n, words[n]);
        for (int i = 0; i < plan->n_axes; i++)
            n = add_words(plan->axes[i].name, cmd_plan_word(plan, i, k), all, n, words[n]);
        code = cmd_settings_parse(s, "sweep", CMD_SWEEP, n, all);
    }
    free(words);
    free(all);
    return code;
}

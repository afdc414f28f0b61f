/* inputs.c - compares files. Two existing paths refer to the same file if device and inode number are equal. Two paths
 * that do not exist are equal if folder and name are equal after all links are resolved. */
#define _XOPEN_SOURCE 700 /* realpath() */

#include "inputs.h"

#include "program/base/complain.h"
#include "list.h"
#include "model_arg.h"
#include "program/files/out_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORD_SIZE = 4096, LINKS_MAX = 40 };

/** Resolve a path without a file to its real folder and name, in place [PATH_MAX]. @return 1; 0 on failure */
static int resolve_missing_path(const char *path, char *place)
{
    char here[PATH_MAX], link[PATH_MAX], folder[PATH_MAX];
    if ((size_t)snprintf(here, sizeof here, "%s", path) >= sizeof here) return 0;
    for (int k = 0; k < LINKS_MAX; k++) {
        char *slash = strrchr(here, '/');
        const char *name = slash ? slash + 1 : here;
        char parent[PATH_MAX] = ".";
        if (slash) snprintf(parent, sizeof parent, "%.*s", slash == here ? 1 : (int)(slash - here), here);
        if (!realpath(parent, folder)) return 0;
        const ssize_t n = readlink(here, link, sizeof link - 1);
        if (n < 0) return (size_t)snprintf(place, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
        link[n] = 0;
        if ((size_t)snprintf(here, sizeof here, "%s%s%s", link[0] == '/' ? "" : folder, link[0] == '/' ? "" : "/",
                             link) >= sizeof here)
            return 0;
    }
    return 0;
}

static int is_same_file(const char *a, const char *b)
{
    struct stat one, other;
    char here[PATH_MAX], there[PATH_MAX];
    const int has_one = stat(a, &one) == 0, has_other = stat(b, &other) == 0;
    if (has_one && has_other) return S_ISREG(one.st_mode) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
    return !has_one && !has_other && resolve_missing_path(a, here) && resolve_missing_path(b, there) &&
           strcmp(here, there) == 0;
}

static int check_file_pair(const cmd_file *a, const cmd_file *b)
{
    if (!a->path || !b->path || (a->is_read && b->is_read)) return 0;
    const int n_streams = (strcmp(a->path, "-") == 0) + (strcmp(b->path, "-") == 0);
    if (n_streams == 2 && !a->is_read && !b->is_read)
        return cmd_complain(CMD_EXIT_USAGE, "%s and %s cannot both be standard output", a->option, b->option);
    if (n_streams > 0 || !is_same_file(a->path, b->path)) return 0;
    const int is_named = strncmp(a->option, "--", 2) == 0, is_derived = strncmp(b->option, "--", 2) != 0;
    const cmd_file *out = b->is_read || (is_named && is_derived) ? a : b, *other = out == a ? b : a;
    if (other->is_read)
        return cmd_complain(CMD_EXIT_USAGE, "%s %s: would overwrite %s%s%s", out->option, out->path, other->option,
                            strcmp(out->path, other->path) != 0 ? " " : "",
                            strcmp(out->path, other->path) != 0 ? other->path : "");
    return cmd_complain(CMD_EXIT_USAGE, "%s %s: %s has the same file", out->option, out->path, other->option);
}

int cmd_check_files_differ(const cmd_file *files, int n)
{
    int code = 0;
    for (int k = 1; k < n; k++)
        for (int i = 0; i < k && code == 0; i++) code = check_file_pair(&files[i], &files[k]);
    return code;
}

/** Check files of models and parameters against written files [n], one by one because their number is not limited. */
static int check_models(const cmd_settings *s, cmd_file *files, int n)
{
    char word[WORD_SIZE];
    const char *rest = s->model_names;
    int code = 0;
    for (int i = 0; i < s->n_words && code == 0; i++) {
        files[n] = (cmd_file){"the model's file", resida_plugin_file(s->words[i]), 1};
        code = cmd_check_files_differ(files, n + 1);
    }
    while (code == 0 && rest && cmd_list_next(&rest, word, sizeof word)) {
        files[n] = (cmd_file){"the model's file", resida_plugin_file(word), 1};
        code = cmd_check_files_differ(files, n + 1);
    }
    for (int i = 0; i < s->n_parameters && code == 0; i++) {
        files[n] = (cmd_file){"a file of the model,", s->parameter_words[i], 1};
        code = cmd_check_files_differ(files, n + 1);
    }
    return code;
}

/** Return the path of a partial result, to be freed; NULL for "-". *made = 0 if memory is exhausted. */
static char *make_partial_path(const char *path, int *made)
{
    if (!path || strcmp(path, "-") == 0) return NULL;
    char *real = realpath(path, NULL); /* NULL if it does not exist yet */
    char *partial = cmd_partial_name(real ? real : path);
    free(real);
    *made &= partial != NULL;
    return partial;
}

int cmd_check_no_overwrite(const cmd_settings *s)
{
    cmd_file files[] = {{"--out", s->out, 0},
                        {"--animate", s->animate, 0},
                        {"--events", s->events, 0},
                        {"a partial result of --out", NULL, 0},
                        {"a partial result of --animate", NULL, 0},
                        {"a partial result of --events", NULL, 0},
                        {"--emit-patterns", s->emit_patterns, 0},
                        {"--checkpoint", s->checkpoint, 0},
                        {"--csv", s->csv, 0},
                        {"--report", s->report, 0},
                        {NULL, NULL, 1}};
    enum { N = sizeof files / sizeof *files - 1, PARTIAL = 3 };
    char *partial[PARTIAL];
    int made = 1;
    for (int i = 0; i < PARTIAL; i++) files[PARTIAL + i].path = partial[i] = make_partial_path(files[i].path, &made);
    int code = made ? cmd_check_files_differ(files, N) : cmd_no_memory();
    if (code == 0) code = check_models(s, files, N);
    for (int i = 0; i < PARTIAL; i++) free(partial[i]);
    return code;
}

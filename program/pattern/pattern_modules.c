/* pattern_modules.c - finds the modules of a mechanism (car body, bogies, wheelsets) by prefixes of names: "bogieF.x",
 * "bogieF.y" ... belong to "bogieF". The columns of a module are those of its p and v. */
#include "pattern.h"

#include <string.h>

enum { WORDS = 256 };

static int has_prefix(const cmd_module *m, const char *name, size_t n)
{
    return strlen(m->name) == n && memcmp(m->name, name, n) == 0;
}

int cmd_pattern_modules(const cmd_pattern_work *pattern, cmd_module modules[CMD_MODULES_MAX + 1])
{
    const resida_model *m = &pattern->job->model->model;
    const char *const *names = m->is_dae ? NULL : m->mechanism.p_names;
    int n = 0;
    for (int i = 0; names && i < m->mechanism.n_p; i++) {
        const char *dot = strchr(names[i], '.');
        size_t length = dot ? (size_t)(dot - names[i]) : 0;
        if (length == 0 || length >= sizeof modules[0].name) return 0;
        if (n > 0 && has_prefix(&modules[n - 1], names[i], length)) continue;
        if (n == CMD_MODULES_MAX) return 0;
        snprintf(modules[n].name, sizeof modules[n].name, "%.*s", (int)length, names[i]);
        modules[n++].first = i;
    }
    modules[n].first = n > 0 ? m->mechanism.n_p : 0;
    return n > 1 && m->mechanism.n_p == m->mechanism.n_v - m->mechanism.n_z ? n : 0;
}

/** Append "1-5", counted from 1. */
static void add_range(cmd_table *table, int first, int end)
{
    cmd_table_cell(table, "%d-%d", first + 1, end);
}

/** Return 1 if one of the columns first .. end - 1 is in the group. */
static int has_group(const cmd_pattern_work *pattern, int group, int first, int end)
{
    for (int c = first; c < end; c++)
        if (pattern->group[c] == group) return 1;
    return 0;
}

/** Append "1-6, 8": the groups of the columns of p and v, counted from 1. */
static void add_groups(cmd_table *table, const cmd_pattern_work *pattern, const cmd_module *m)
{
    char text[WORDS] = "-";
    int end = m[1].first, from = -1, at = 0, v = pattern->layout.v;
    for (int g = 0; g <= pattern->n_groups && at < WORDS && pattern->group; g++) {
        int has = g < pattern->n_groups &&
                  (has_group(pattern, g, m->first, end) || has_group(pattern, g, v + m->first, v + end));
        if (has && from < 0) from = g;
        if (has || from < 0) continue;
        at += snprintf(text + at, (size_t)(WORDS - at), from + 1 < g ? "%s%d-%d" : "%s%d", at > 0 ? ", " : "", from + 1,
                       g);
        from = -1;
    }
    cmd_table_cell(table, "%s", text);
}

void cmd_pattern_modules_fill(cmd_table *table, const cmd_pattern_work *pattern)
{
    cmd_module modules[CMD_MODULES_MAX + 1];
    int n = cmd_pattern_modules(pattern, modules), v = pattern->layout.v;
    cmd_table_begin(table, "<module\t<p=columns of p\t<v=columns of v\t<groups");
    for (int k = 0; k < n; k++) {
        cmd_table_cell(table, "%s", modules[k].name);
        add_range(table, modules[k].first, modules[k + 1].first);
        add_range(table, v + modules[k].first, v + modules[k + 1].first);
        add_groups(table, pattern, &modules[k]);
    }
}

int cmd_pattern_blocks(const cmd_pattern_work *pattern, cmd_block blocks[CMD_BLOCKS_MAX + 1])
{
    const resida_layout *l = &pattern->layout;
    const cmd_block all[CMD_BLOCKS_MAX] = {{"p", "p", "kinematic", l->p},
                                           {"v", "v", "dynamic", l->v},
                                           {"lam", "λ", "velocity", l->lam},
                                           {"eta", "η", "position", l->eta}};
    int n = 0;
    for (int i = 0; i < CMD_BLOCKS_MAX; i++)
        if (all[i].first >= 0) blocks[n++] = all[i];
    blocks[n] = (cmd_block){"", "", "", l->n};
    return n;
}

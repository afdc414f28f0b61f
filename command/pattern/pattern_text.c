/* pattern_text.c - writes a pattern as text. Each entry is a letter; all columns of a group have the same letter. '*'
 * marks a column that needs no residual call. Lines separate the blocks of p, v, lam, eta. If there are more groups
 * than letters, the other groups share '#'. */
#include "pattern_text.h"

#include <stdlib.h>
#include <string.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
enum { N_LETTERS = sizeof letters - 1 };

static char get_entry_letter(const cmd_pattern_work *pattern, int column)
{
    if (!pattern->group) return 'x';
    int g = pattern->group[column];
    return g < 0 ? '*' : g < N_LETTERS ? letters[g] : '#';
}

/** Return the block that begins at unknown i, or NULL. */
static const cmd_block *find_block_start(const cmd_block *blocks, int n_blocks, int i)
{
    for (int b = 0; b < n_blocks; b++)
        if (blocks[b].first == i) return &blocks[b];
    return NULL;
}

static void write_border(const cmd_block *blocks, int n_blocks, int n, FILE *f)
{
    fputs("       ", f);
    for (int c = 0; c < n; c++) fputs(c > 0 && find_block_start(blocks, n_blocks, c) ? "+-" : "-", f);
    fputc('\n', f);
}

static void write_headings(const cmd_block *blocks, int n_blocks, FILE *f)
{
    fputs("       ", f);
    for (int b = 0; b < n_blocks; b++) {
        int width = blocks[b + 1].first - blocks[b].first;
        fprintf(f, "%-*.*s%s", width, width, blocks[b].name, b + 1 < n_blocks ? "|" : "\n");
    }
}

static void write_entries(const cmd_pattern_work *pattern, FILE *f)
{
    cmd_block blocks[CMD_BLOCKS_MAX + 1];
    const resida_jacobian_matrix *J = &pattern->J;
    int n = J->n, n_blocks = cmd_pattern_blocks(pattern, blocks);
    char *cells = malloc((size_t)n * (size_t)n);
    if (!cells) return;
    memset(cells, '.', (size_t)n * (size_t)n);
    for (int c = 0; c < n; c++)
        for (int e = J->start[c]; e < J->start[c + 1]; e++) cells[J->row[e] * n + c] = get_entry_letter(pattern, c);
    fputc('\n', f);
    if (n_blocks > 0) write_headings(blocks, n_blocks, f);
    for (int r = 0; r < n; r++) {
        const cmd_block *block = find_block_start(blocks, n_blocks, r);
        if (r > 0 && block) write_border(blocks, n_blocks, n, f);
        fprintf(f, "  %-3s  ", block ? block->name : "");
        for (int c = 0; c < n; c++) {
            if (c > 0 && find_block_start(blocks, n_blocks, c)) fputc('|', f);
            fputc(cells[r * n + c], f);
        }
        fputc('\n', f);
    }
    free(cells);
    fprintf(f, "\n  %s\n",
            pattern->group ? "a letter: the group of the column, one residual call for all columns of a group;\n"
                             "  *: a column that costs no residual call; .: zero"
                           : "x: an entry; .: zero");
}

void cmd_pattern_text(const cmd_pattern_work *pattern, FILE *f)
{
    const resida_jacobian_matrix *J = &pattern->J;
    const cmd_model *m = pattern->job->model;
    int differenced = 0;
    for (int c = 0; c < J->n && pattern->group; c++) differenced += pattern->group[c] >= 0;
    fprintf(f, "%s: %s\n", m->cls->name, m->cls->text);
    fprintf(f, "  Jacobian     %s", pattern->strategy);
    if (!m->model.is_dae) fprintf(f, ", %s formalism, form %s", pattern->formalism, pattern->form);
    fprintf(f, ", after %ld steps at t = %.6g\n", pattern->steps, pattern->t);
    fprintf(f, "  size         n = %d, nnz = %d, %.1f %% of all entries\n", J->n, J->nnz,
            100.0 * J->nnz / ((double)J->n * J->n));
    if (!pattern->group)
        fputs("  groups       none, each column needs a residual call\n", f);
    else if (pattern->n_groups == 0)
        fputs("  groups       none, no column needs a residual call\n", f);
    else
        fprintf(f, "  groups       %d for %d columns, bound %d, method %s\n", pattern->n_groups, differenced,
                pattern->counts.groups_bound, pattern->method);
    if (J->n <= CMD_PATTERN_TEXT_MAX) write_entries(pattern, f);
}

/* colouring.c - consistent partitionings of columns (Arnold, Fuchs, Fuehrer, section 3.1) by distance-2 colouring.
 *
 * Only columns that need a group are coloured: skipped columns are known, and columns without entries fit into any
 * group. The methods are tried in a fixed order. Each result is verified before it is used, and the first one with the
 * fewest groups is kept. The first method puts each column into a group of its own. If a row is full, this result is
 * optimal, and no other method is tried. The next methods are those of ColPack, if it is available, then the greedy
 * colouring, which needs no library.
 *
 * A result that fails the verification is discarded. Only lack of memory ends the search with an error, so that the
 * result never depends on the available memory. */
#include "colouring.h"

#include <string.h>

#include "colouring_colpack.h"
#include "colouring_greedy.h"
#include "entries.h"
#include "base/linear/csr.h"

enum { NO_GROUP = -1 };

/* Columns of a pattern to be coloured, and work space. */
typedef struct work {
    rsd_sparsity s;       /* pattern of the columns that need a group; columns without entries are left out */
    int *columns;         /* [n] index of each column in the whole pattern */
    int *colour, *groups; /* [n] result of the last method; result of the best method so far */
    int *mark;            /* [cols] group number of each colour; work space of the verification */
} work;

typedef resida_status colour_fn(int order, const rsd_sparsity *s, int *colour, const resida_allocator *alloc);

static resida_status colour_column_by_column(int order, const rsd_sparsity *s, int *colour,
                                             const resida_allocator *alloc)
{
    (void)order, (void)alloc;
    for (int c = 0; c < s->cols; c++) colour[c] = c;
    return RESIDA_OK;
}

static resida_status colour_greedily(int order, const rsd_sparsity *s, int *colour, const resida_allocator *alloc)
{
    (void)order;
    return rsd_colour_greedily(s, colour, alloc);
}

#ifdef RSD_HAVE_COLPACK
static resida_status colour_by_colpack(int order, const rsd_sparsity *s, int *colour, const resida_allocator *alloc)
{
    (void)alloc;
    return rsd_colpack_colour((rsd_colpack_order)order, s->rows, s->cols, s->row_start, s->col, colour);
}
#endif

static const struct {
    const char *name;
    colour_fn *colour;
    int order;
} methods[] = {
    {"column by column", colour_column_by_column, 0},
#ifdef RSD_HAVE_COLPACK
    {"colpack natural", colour_by_colpack, RSD_COLPACK_NATURAL},
    {"colpack smallest last", colour_by_colpack, RSD_COLPACK_SMALLEST_LAST},
    {"colpack incidence degree", colour_by_colpack, RSD_COLPACK_INCIDENCE_DEGREE},
    {"colpack dynamic largest first", colour_by_colpack, RSD_COLPACK_DYNAMIC_LARGEST_FIRST},
#endif
    {"greedy smallest last", colour_greedily, 0},
};
enum { N_COLOURINGS = sizeof methods / sizeof methods[0] };

const char *rsd_colouring_get_method(int i)
{
    return i >= 0 && i < N_COLOURINGS ? methods[i].name : NULL;
}

static void free_work(work *w, const resida_allocator *alloc)
{
    RSD_FREE(alloc, w->columns, w->colour, w->groups, w->mark);
    rsd_sparsity_free(&w->s, alloc);
}

static resida_status create_work(work *w, const rsd_sparsity *s, const unsigned char *skip,
                                 const resida_allocator *alloc, resida_message *why)
{
    rsd_entries list = {.n = 0};
    int n = 0, status = RESIDA_ERR_MEMORY;
    if (RSD_INTS(alloc, s->cols, &w->columns, &w->colour, &w->groups, &w->mark)) {
        for (int c = 0; c < s->cols; c++) {
            if ((skip && skip[c]) || s->col_start[c + 1] == s->col_start[c]) continue;
            for (int k = s->col_start[c]; k < s->col_start[c + 1]; k++)
                rsd_entries_add(&list, alloc, s->nnz, s->row[k], n, 0);
            w->columns[n++] = c;
        }
        status = rsd_build_pattern(&list, s->rows, n, &w->s, alloc);
    }
    rsd_entries_free(&list, alloc);
    return status < 0 ? rsd_fail(why, RESIDA_ERR_MEMORY, "no memory to group %d columns", s->cols) : RESIDA_OK;
}

static resida_status create_colouring(rsd_colouring *c, int cols, const resida_allocator *alloc, resida_message *why)
{
    *c = (rsd_colouring){.cols = cols, .method = ""};
    if (RSD_INTS(alloc, cols, &c->group, &c->columns) && RSD_INTS(alloc, cols + 1L, &c->start)) return RESIDA_OK;
    rsd_colouring_free(c, alloc);
    return rsd_fail(why, RESIDA_ERR_MEMORY, "no memory for the groups of %d columns", cols);
}

void rsd_colouring_free(rsd_colouring *c, const resida_allocator *alloc)
{
    RSD_FREE(alloc, c->group, c->start, c->columns);
    *c = (rsd_colouring){.method = ""};
}

/* Number the groups of columns in the order of their first columns. @return the number of groups, or NO_GROUP if the
 * colours are not a consistent partitioning */
static int renumber_groups(work *w)
{
    const int n = w->s.cols;
    int n_groups = 0;
    for (int c = 0; c < n; c++) w->mark[c] = NO_GROUP;
    for (int c = 0; c < n; c++) {
        if (w->colour[c] < 0 || w->colour[c] >= n) return NO_GROUP;
        int *name = &w->mark[w->colour[c]];
        if (*name == NO_GROUP) *name = n_groups++;
        w->colour[c] = *name;
    }
    return rsd_are_groups_orthogonal(&w->s, w->colour, n_groups, w->mark) ? n_groups : NO_GROUP;
}

/* Try all methods, or only the method `only`. The groups of the best method are stored in w->groups. */
static resida_status try_methods(rsd_colouring *c, work *w, const char *only, const resida_allocator *alloc)
{
    const int enough = c->bound > 1 ? c->bound : 1;
    for (int m = 0; m < N_COLOURINGS && !(*c->method && c->n_groups <= enough); m++) {
        if (only && strcmp(only, methods[m].name) != 0) continue;
        const resida_status status = methods[m].colour(methods[m].order, &w->s, w->colour, alloc);
        if (status == RESIDA_ERR_MEMORY) return status;
        const int n_groups = status == RESIDA_OK ? renumber_groups(w) : NO_GROUP;
        if (n_groups == NO_GROUP || (*c->method && n_groups >= c->n_groups)) continue;
        int *best = w->colour;
        w->colour = w->groups, w->groups = best;
        c->n_groups = n_groups;
        c->method = methods[m].name;
    }
    return *c->method ? RESIDA_OK : RESIDA_ERR_INTERNAL;
}

/* Fill the lists of groups. Columns without entries are put into group 0. Skipped columns are in no group. */
static void fill_group_lists(rsd_colouring *c, const work *w, const unsigned char *skip)
{
    for (int i = 0; i < c->cols; i++) {
        c->group[i] = skip && skip[i] ? NO_GROUP : 0;
        if (c->n_groups == 0 && c->group[i] == 0) c->n_groups = 1;
    }
    for (int i = 0; i < w->s.cols; i++) c->group[w->columns[i]] = w->groups[i];
    rsd_transpose_pattern(c->cols, c->n_groups, NULL, c->group, c->start, c->columns, NULL);
}

/* Compute the partitioning c of the columns of s, without skipped columns, by all methods or by the method `only`. */
static resida_status colour_columns(rsd_colouring *c, const rsd_sparsity *s, const unsigned char *skip,
                                    const char *only, const resida_allocator *alloc, resida_message *why)
{
    work w = {.columns = NULL};
    resida_status status = create_colouring(c, s->cols, alloc, why);
    if (status == RESIDA_OK) status = create_work(&w, s, skip, alloc, why);
    if (status == RESIDA_OK) {
        for (int i = 0; i < s->rows; i++)
            if (w.s.row_start[i + 1] - w.s.row_start[i] > c->bound) c->bound = w.s.row_start[i + 1] - w.s.row_start[i];
        status = try_methods(c, &w, only, alloc);
        if (status == RESIDA_OK) fill_group_lists(c, &w, skip);
        if (status == RESIDA_ERR_MEMORY) rsd_fail(why, status, "no memory to group %d columns", s->cols);
        if (status == RESIDA_ERR_INTERNAL)
            rsd_fail(why, status, "%s returned invalid groups", only ? only : "every method");
    }
    free_work(&w, alloc);
    if (status != RESIDA_OK) rsd_colouring_free(c, alloc);
    return status;
}

resida_status rsd_colour_columns(rsd_colouring *c, const rsd_sparsity *s, const unsigned char *skip,
                                 const resida_allocator *alloc, resida_message *why)
{
    return colour_columns(c, s, skip, NULL, alloc, why);
}

resida_status rsd_colour_by_method(rsd_colouring *c, const rsd_sparsity *s, const unsigned char *skip,
                                   const char *method, const resida_allocator *alloc, resida_message *why)
{
    *c = (rsd_colouring){.method = ""};
    for (int m = 0; m < N_COLOURINGS; m++)
        if (strcmp(method, methods[m].name) == 0) return colour_columns(c, s, skip, method, alloc, why);
    return rsd_fail(why, RESIDA_ERR_OPTION, "unknown grouping '%s'", method);
}

int rsd_are_groups_orthogonal(const rsd_sparsity *s, const int *group, int n_groups, int *mark)
{
    for (int g = 0; g < n_groups; g++) mark[g] = NO_GROUP;
    for (int i = 0; i < s->rows; i++)
        for (int k = s->row_start[i]; k < s->row_start[i + 1]; k++) {
            const int g = group[s->col[k]];
            if (g == NO_GROUP) continue;
            if (mark[g] == i) return 0;
            mark[g] = i;
        }
    return 1;
}

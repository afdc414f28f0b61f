/* pattern_subject.c - see pattern_subject.h. */
#include "pattern_subject.h"
#include "test/fixtures/bench_fixture.h"

enum { WORDS = (SUBJECT_MAX + 63) / 64 };

int subject_between(uint64_t *seed, int least, int most)
{
    int i = least + (int)((bench_random(seed) + 1) / 2 * (most - least + 1));
    return i > most ? most : i;
}

static void fill_anywhere(pattern_subject *p, uint64_t *seed)
{
    double density = 0.002 * pow(100, (bench_random(seed) + 1) / 2);
    for (int k = 0; k < p->rows * p->cols; k++) p->has[k] = (bench_random(seed) + 1) / 2 < density;
}

static void fill_band(pattern_subject *p, uint64_t *seed)
{
    int width = subject_between(seed, 0, 12);
    for (int i = 0; i < p->rows; i++)
        for (int c = 0; c < p->cols; c++)
            p->has[i * p->cols + c] = abs(i - c) <= width && subject_between(seed, 0, 4) > 0;
}

/* The rows of a body have entries at itself, at the body it hangs on, and at those that hang on it. */
static void fill_tree(pattern_subject *p, uint64_t *seed)
{
    int size = subject_between(seed, 1, 9), parent[SUBJECT_MAX];
    for (int b = 0; b < SUBJECT_MAX; b++) parent[b] = b ? subject_between(seed, b > 4 ? b - 4 : 0, b - 1) : 0;
    for (int i = 0; i < p->rows; i++)
        for (int c = 0; c < p->cols; c++) {
            int a = i / size, b = c / size;
            p->has[i * p->cols + c] = a == b || parent[a] == b || parent[b] == a;
        }
}

/* A diagonal and a few entries more; some columns full; in one of six, from some row on, half of each row almost. */
static void fill_arrow(pattern_subject *p, uint64_t *seed)
{
    for (int i = 0; i < p->rows; i++)
        for (int c = 0; c < p->cols; c++) p->has[i * p->cols + c] = i == c || subject_between(seed, 0, 99) == 0;
    for (int c = 0; c < p->cols; c++)
        if (subject_between(seed, 0, 49) == 0)
            for (int i = 0; i < p->rows; i++) p->has[i * p->cols + c] = 1;
    for (int i = subject_between(seed, 0, 6 * p->rows); i < p->rows; i++)
        for (int c = 0; c < p->cols / 2; c++) p->has[i * p->cols + c] = subject_between(seed, 0, 9) > 0;
}

void subject_make(pattern_subject *p, int trial, uint64_t *seed)
{
    static void (*const fill[])(pattern_subject *, uint64_t *) = {fill_anywhere, fill_band, fill_tree, fill_arrow};
    *p = (pattern_subject){.rows = subject_between(seed, 1, SUBJECT_MAX)};
    p->cols = subject_between(seed, 1, SUBJECT_MAX);
    fill[trial % 4](p, seed);
    for (int c = 0; c < p->cols; c++) p->skip[c] = trial % 3 == 0 && subject_between(seed, 0, 3) == 0;
}

/* Bit i of word i / 64 of a column: it has an entry in row i. */
static void pack_columns(const pattern_subject *p, uint64_t rows_of[][WORDS])
{
    memset(rows_of, 0, SUBJECT_MAX * sizeof *rows_of);
    for (int i = 0; i < p->rows; i++)
        for (int c = 0; c < p->cols; c++)
            if (p->has[i * p->cols + c]) rows_of[c][i / 64] |= UINT64_C(1) << i % 64;
}

static int share_a_row(const uint64_t *a, const uint64_t *b)
{
    uint64_t shared = 0;
    for (int w = 0; w < WORDS; w++) shared |= a[w] & b[w];
    return shared != 0;
}

int subject_is_apart(const pattern_subject *p, const int *group)
{
    uint64_t rows_of[SUBJECT_MAX][WORDS];
    pack_columns(p, rows_of);
    for (int a = 0; a < p->cols; a++)
        for (int b = 0; b < a; b++)
            if (group[a] >= 0 && group[a] == group[b] && share_a_row(rows_of[a], rows_of[b])) return 0;
    return 1;
}

/* Neighbours of each column that is not skipped; -1 for the others. */
static void count_neighbours(const pattern_subject *p, uint64_t rows_of[][WORDS], int *neighbours)
{
    pack_columns(p, rows_of);
    for (int a = 0; a < p->cols; a++) {
        neighbours[a] = p->skip[a] ? -1 : 0;
        for (int b = 0; b < p->cols && !p->skip[a]; b++)
            neighbours[a] += a != b && !p->skip[b] && share_a_row(rows_of[a], rows_of[b]);
    }
}

static int falling(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

int subject_largest_first_bound(const pattern_subject *p)
{
    uint64_t rows_of[SUBJECT_MAX][WORDS];
    int neighbours[SUBJECT_MAX], most = 0;
    count_neighbours(p, rows_of, neighbours);
    qsort(neighbours, (size_t)p->cols, sizeof *neighbours, falling);
    for (int place = 0; place < p->cols && neighbours[place] >= 0; place++) {
        int groups = (neighbours[place] < place ? neighbours[place] : place) + 1;
        if (groups > most) most = groups;
    }
    return most;
}

int subject_smallest_last_bound(const pattern_subject *p)
{
    uint64_t rows_of[SUBJECT_MAX][WORDS];
    int neighbours[SUBJECT_MAX], most = -1;
    count_neighbours(p, rows_of, neighbours);
    for (int taken = 0; taken < p->cols; taken++) {
        int fewest = -1;
        for (int c = 0; c < p->cols; c++)
            if (neighbours[c] >= 0 && (fewest < 0 || neighbours[c] < neighbours[fewest])) fewest = c;
        if (fewest < 0) break;
        if (neighbours[fewest] > most) most = neighbours[fewest];
        neighbours[fewest] = -1;
        for (int c = 0; c < p->cols; c++)
            neighbours[c] -= neighbours[c] >= 0 && share_a_row(rows_of[c], rows_of[fewest]);
    }
    return most + 1;
}

int subject_is_empty(const pattern_subject *p, int c)
{
    for (int i = 0; i < p->rows; i++)
        if (p->has[i * p->cols + c]) return 0;
    return 1;
}

int subject_fullest_row(const pattern_subject *p)
{
    int most = 0;
    for (int i = 0; i < p->rows; i++) {
        int count = 0;
        for (int c = 0; c < p->cols; c++) count += p->has[i * p->cols + c] && !p->skip[c];
        if (count > most) most = count;
    }
    return most;
}

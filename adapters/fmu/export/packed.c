/* packed.c - writes and reads resources/resida.bin: the head as a block, then the values of numbers, then each text with
 * its length, which is 0 for a number. */
#include "packed.h"

#include "adapters/fmu/base/fail.h"

#include <stdlib.h>
#include <string.h>

static const char format[] = "resida component %zu";

fmu_packed_sizes fmu_packed_sizes_of(const resida_model *m)
{
    const resida_mechanism *d = &m->mechanism;
    if (m->is_dae)
        return (fmu_packed_sizes){.is_dae = 1, .n_y = m->dae.n, .n_u = m->dae.n_u, .n_outputs = m->n_outputs};
    return (fmu_packed_sizes){
        .n_y = d->n_p, .n_v = d->n_v, .n_lam = d->n_g + d->n_h, .n_u = d->n_u, .n_outputs = m->n_outputs};
}

/* The members of the options that are texts. */
static void list_words(fmu_packed_head *h, const char **list[FMU_PACKED_WORDS])
{
    const char **const all[FMU_PACKED_WORDS] = {&h->problem.form,    &h->problem.projection, &h->solver.method,
                                                &h->solver.jacobian, &h->solver.scaling,     &h->solver.linear_solver,
                                                &h->solver.call_cost};
    for (int i = 0; i < FMU_PACKED_WORDS; i++) list[i] = all[i];
}

static int write_texts(const fmu_packed *p, FILE *to)
{
    for (int i = 0; i < p->head.n_parameters; i++) {
        const uint64_t n = p->words[i] ? strlen(p->words[i]) + 1 : 0;
        if (fwrite(&n, sizeof n, 1, to) != 1 || fwrite(p->words[i] ? p->words[i] : "", 1, (size_t)n, to) != n)
            return -1;
    }
    return 0;
}

int fmu_packed_write(const fmu_packed *p, FILE *to)
{
    fmu_packed_head h = p->head;
    const char **list[FMU_PACKED_WORDS];
    list_words(&h, list);
    for (int i = 0; i < FMU_PACKED_WORDS; i++) {
        const int n = snprintf(h.words[i], FMU_PACKED_WORD, "%s", *list[i] ? *list[i] : "");
        if (n >= FMU_PACKED_WORD) return -1;
        *list[i] = NULL;
    }
    snprintf(h.format, FMU_PACKED_WORD, format, sizeof h);
    if (fwrite(&h, sizeof h, 1, to) != 1) return -1;
    const size_t n = (size_t)h.n_parameters;
    if (fwrite(p->values, sizeof *p->values, n, to) != n) return -1;
    return write_texts(p, to);
}

static int read_head(fmu_packed_head *h, FILE *from)
{
    char expected[FMU_PACKED_WORD];
    const char **list[FMU_PACKED_WORDS];
    snprintf(expected, sizeof expected, format, sizeof *h);
    if (fread(h, sizeof *h, 1, from) != 1 || strncmp(h->format, expected, FMU_PACKED_WORD) != 0) return -1;
    list_words(h, list);
    for (int i = 0; i < FMU_PACKED_WORDS; i++)
        if (h->words[i][0]) *list[i] = h->words[i];
    return h->n_parameters >= 0 ? 0 : -1;
}

static int read_texts(fmu_packed *p, FILE *from)
{
    enum { MAX_TEXT = 65536 };
    for (int i = 0; i < p->head.n_parameters; i++) {
        uint64_t n = 0;
        if (fread(&n, sizeof n, 1, from) != 1 || n > MAX_TEXT) return -1;
        if (n == 0) continue;
        p->words[i] = calloc((size_t)n + 1, 1);
        if (!p->words[i] || fread(p->words[i], 1, (size_t)n, from) != n) return -1;
    }
    return 0;
}

static int read_all(fmu_packed *p, FILE *from)
{
    if (read_head(&p->head, from) < 0) return -1;
    const size_t n = (size_t)p->head.n_parameters;
    p->values = calloc(n + 1, sizeof *p->values);
    p->words = calloc(n + 1, sizeof *p->words);
    if (!p->values || !p->words || fread(p->values, sizeof *p->values, n, from) != n) return -1;
    return read_texts(p, from);
}

int fmu_packed_read(fmu_packed *p, const char *path, resida_message *why)
{
    *p = (fmu_packed){.values = NULL};
    FILE *from = fopen(path, "rb");
    if (!from) return fmu_fail(why, "%.200s cannot be opened", path);
    const int is_read = read_all(p, from) == 0;
    fclose(from);
    return is_read ? 0 : fmu_fail(why, "%.200s is damaged, or of another version of resida", path);
}

void fmu_packed_free(fmu_packed *p)
{
    for (int i = 0; p->words && i < p->head.n_parameters; i++) free(p->words[i]);
    free(p->words);
    free(p->values);
    *p = (fmu_packed){.values = NULL};
}

/* packed.c - writes and reads resources/resida.bin: the head, the numbers and the texts of the parameters. */
#include "packed.h"

#include "adapters/fmu/base/fail.h"

#include <stdlib.h>
#include <string.h>

static const char format[] = "resida component %zu";

fmu_packed_sizes fmu_packed_sizes_of(const resida_model *m)
{
    const resida_mechanism *d = &m->mechanism;
    if (m->is_dae) return (fmu_packed_sizes){.n_y = m->dae.n, .n_u = m->dae.n_u, .n_outputs = m->n_outputs};
    return (fmu_packed_sizes){d->n_p, d->n_v, d->n_g + d->n_h, 0, d->n_u, m->n_outputs};
}

/* The members of the options that are texts. */
static void list_words(fmu_packed_head *h, const char **list[FMU_PACKED_WORDS])
{
    const char **const all[FMU_PACKED_WORDS] = {&h->problem.form,    &h->problem.projection, &h->solver.method,
                                                &h->solver.jacobian, &h->solver.scaling,     &h->solver.linear_solver,
                                                &h->solver.call_cost};
    for (int i = 0; i < FMU_PACKED_WORDS; i++) list[i] = all[i];
}

int fmu_packed_write(const fmu_packed *p, FILE *to)
{
    fmu_packed_head h = p->head;
    const char **list[FMU_PACKED_WORDS];
    const size_t n = (size_t)h.n_parameters;
    list_words(&h, list);
    for (int i = 0; i < FMU_PACKED_WORDS; i++) {
        snprintf(h.words[i], FMU_PACKED_WORD, "%s", *list[i]);
        *list[i] = NULL;
    }
    snprintf(h.format, FMU_PACKED_WORD, format, sizeof h);
    return fwrite(&h, sizeof h, 1, to) == 1 && fwrite(p->values, sizeof *p->values, n, to) == n &&
                   fwrite(p->texts, sizeof *p->texts, n, to) == n
               ? 0
               : -1;
}

static int read_all(fmu_packed *p, FILE *from)
{
    char expected[FMU_PACKED_WORD];
    const char **list[FMU_PACKED_WORDS];
    fmu_packed_head *h = &p->head;
    snprintf(expected, sizeof expected, format, sizeof *h);
    if (fread(h, sizeof *h, 1, from) != 1 || strncmp(h->format, expected, FMU_PACKED_WORD) != 0) return -1;
    list_words(h, list);
    for (int i = 0; i < FMU_PACKED_WORDS; i++) *list[i] = h->words[i];
    const size_t n = (size_t)h->n_parameters;
    p->values = calloc(n + 1, sizeof *p->values);
    p->texts = calloc(n + 1, sizeof *p->texts);
    return p->values && p->texts && fread(p->values, sizeof *p->values, n, from) == n &&
                   fread(p->texts, sizeof *p->texts, n, from) == n
               ? 0
               : -1;
}

int fmu_packed_read(fmu_packed *p, const char *path, resida_message *why)
{
    FILE *from = fopen(path, "rb");
    if (!from) return fmu_fail(why, "%.200s cannot be opened", path);
    const int is_read = read_all(p, from) == 0;
    fclose(from);
    return is_read ? 0 : fmu_fail(why, "%.200s is damaged, or of another version of resida", path);
}

void fmu_packed_free(fmu_packed *p)
{
    free(p->values);
    free(p->texts);
}

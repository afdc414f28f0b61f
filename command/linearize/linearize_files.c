/* linearize_files.c - writes modes as CSV and matrices in the Matrix Market format (R. Boisvert, R. Pozo, K. Remington,
 * NISTIR 5935, 1996). Numbers have 17 digits, so that a reader recovers the same bits. */
#include "linearize.h"

#include "program/base/complain.h"
#include "command/trajectory/csv.h"

#include <stdlib.h>
#include <string.h>

static int commit_file(cmd_out *out)
{
    int code = ferror(out->stream) ? cmd_out_fail(out) : cmd_out_commit(out);
    cmd_out_abort(out);
    return code;
}

int cmd_linear_csv(const cmd_linear *l, const char *path)
{
    cmd_out out;
    int code = cmd_out_open(&out, path);
    if (code != 0) return code;
    FILE *f = out.stream;
    const int n = l->model.n_outputs;
    fputs("mode,re,im,frequency_hz,damping,breaks_constraints", f);
    for (int i = 0; i < n; i++) {
        fputc(',', f);
        cmd_csv_text(f, l->model.outputs[i], ".re");
        fputc(',', f);
        cmd_csv_text(f, l->model.outputs[i], ".im");
    }
    fputc('\n', f);
    for (int k = 0; k < l->modes.n; k++) {
        fprintf(f, "%d,%.17g,%.17g,%.17g,%.17g,%d", k + 1, l->modes.re[k], l->modes.im[k], cmd_mode_frequency(l, k),
                cmd_mode_damping(l, k), l->modes.breaks[k]);
        for (int i = 0; i < n; i++)
            fprintf(f, ",%.17g,%.17g", l->modes.shape_re[(long)k * n + i], l->modes.shape_im[(long)k * n + i]);
        fputc('\n', f);
    }
    return commit_file(&out);
}

/** A matrix with the names of its rows and columns. */
typedef struct named {
    const char *what;
    const resida_matrix *A;
    const char *const *rows, *const *columns;
} named;

static void put_names(FILE *f, const char *what, int n, const char *const *names)
{
    for (int i = 0; i < n; i++) fprintf(f, "%% %s %d: %s\n", what, i + 1, names[i]);
}

static int write_matrix(const named *m, const cmd_linear *l, const char *path)
{
    cmd_out out;
    const resida_matrix *A = m->A;
    int code = cmd_out_open(&out, path);
    if (code != 0) return code;
    fprintf(out.stream, "%%%%MatrixMarket matrix coordinate real general\n%% %s of %s at t = %.17g, form %s\n", m->what,
            l->job->model->cls->name, l->model.t, l->form);
    if (m->rows) put_names(out.stream, "row", A->rows, m->rows);
    put_names(out.stream, "column", A->columns, m->columns);
    fprintf(out.stream, "%d %d %d\n", A->rows, A->columns, A->start[A->columns]);
    for (int j = 0; j < A->columns; j++)
        for (int e = A->start[j]; e < A->start[j + 1]; e++)
            fprintf(out.stream, "%d %d %.17g\n", A->row[e] + 1, j + 1, A->values[e]);
    return commit_file(&out);
}

int cmd_linear_matrices(const cmd_linear *l, const char *prefix)
{
    const resida_linear_model *m = &l->model;
    const named all[] = {{"E", &m->E, NULL, m->states},
                         {"A", &m->A, NULL, m->states},
                         {"B", &m->B, NULL, m->inputs},
                         {"C", &m->C, m->outputs, m->states},
                         {"D", &m->D, m->outputs, m->inputs}};
    int code = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all && code == 0; i++) {
        const size_t size = strlen(prefix) + sizeof "-E.mtx";
        char *path = malloc(size);
        if (!path) return cmd_no_memory();
        snprintf(path, size, "%s-%s.mtx", prefix, all[i].what);
        code = write_matrix(&all[i], l, path);
        free(path);
    }
    return code;
}

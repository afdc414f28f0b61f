/* adapter_urdf.c - an adapter for the tests, in the place of that for robots: the first letter of a file decides. */
#include <resida/adapter.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double start[] = {1};

static int decay(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    (void)t, (void)e, (void)user;
    r[0] = yp[0] + y[0];
    return 0;
}

static int create(const double *values, resida_model *model, resida_message *why)
{
    (void)values, (void)why;
    model->is_dae = 1;
    model->dae.n = 1;
    model->dae.residual = decay;
    model->y0 = start;
    model->t_end = 1;
    model->rtol = 1e-6;
    return 0;
}

static int open_file(const char *path, const resida_model_class **cls, resida_message *why)
{
    FILE *f = fopen(path, "r");
    if (!f) {
        snprintf(why->text, sizeof why->text, "cannot be opened");
        return 1;
    }
    const int letter = fgetc(f);
    fclose(f);
    if (letter == 'r') {
        snprintf(why->text, sizeof why->text, "is refused");
        return 1;
    }
    if (letter == 's') return 1;
    if (letter == 'n') return 0;
    resida_model_class *made = calloc(1, sizeof *made); /* so that a forgotten close() shows as a leak */
    if (!made) return 1;
    *made = (resida_model_class){RESIDA_MODEL_HEAD, .name = "robot", .text = "of a test", .create = create};
    if (letter == 'b') made->name = NULL;
    if (letter == 'm') made->magic = 0;
    *cls = made;
    return 0;
}

static void close_file(const resida_model_class *cls)
{
    free((void *)cls);
}

extern const resida_adapter resida_adapter_object;
RESIDA_ADAPTER const resida_adapter resida_adapter_object = {RESIDA_ADAPTER_HEAD, .name = "urdf", .text = "for tests",
                                                             .open = open_file, .close = close_file};

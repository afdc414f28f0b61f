/* plugin_faults.c - for sweeps: y' = -k y, y(0) = 1, whose end is known, and a parameter that says what goes wrong in
 * the middle of it:
 *
 *     0  nothing             1  a crash              2  a callback that never returns     3  exit(3)
 *     4  it writes until the disk is full, and fails   5  somebody kills the process       6  a file that is too large
 *     7  it cannot be made   8  it takes a while
 *     9  the start is not consistent, a warning
 *
 * RESIDA_TEST_CASES names a file, to which `id` is added when a case begins. */
#include <resida/model.h>

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { NOTHING, CRASH, HANG, EXIT, FULL, KILLED, TOO_LARGE, REFUSED, SLOW, INCONSISTENT };
enum { FILE_LIMIT = 4096, BLOCK = 1024, WHILE_NS = 3000000, FIRST_PAGE = 64 };

typedef struct faults {
    double k, y0, yp0;
    int what, is_slow;
} faults;

/** Until it fails. */
static int fill(const char *path)
{
    char block[BLOCK] = "";
    const int fd = open(path, O_WRONLY | O_CREAT, 0600);
    while (write(fd, block, sizeof block) > 0) continue;
    close(fd);
    return -1;
}

static int do_wrong(int what)
{
    const struct rlimit limit = {FILE_LIMIT, FILE_LIMIT};
    volatile int *volatile nowhere = (int *)(size_t)FIRST_PAGE; /* a sanitizer would tell NULL */
    switch (what) {
    case CRASH:
        *nowhere = 1;
        return 0;
    case HANG:
        for (;;) pause();
    case EXIT:
        exit(3);
    case FULL:
        return fill("/dev/full");
    case KILLED:
        raise(SIGKILL);
        return 0;
    case TOO_LARGE:
        setrlimit(RLIMIT_FSIZE, &limit);
        return fill("too_large");
    default:
        return 0;
    }
}

static int residual(double t, const double *y, const double *yp, const resida_excitation *e, double *r, void *user)
{
    faults *of = user;
    const struct timespec a_while = {.tv_nsec = WHILE_NS};
    (void)e;
    if (of->what == SLOW && !of->is_slow) of->is_slow = 1, nanosleep(&a_while, NULL);
    if (t > 0.5 && do_wrong(of->what) != 0) return -1;
    r[0] = yp[0] + of->k * y[0];
    return 0;
}

static void note(double id)
{
    char text[40];
    const char *path = getenv("RESIDA_TEST_CASES");
    const int fd = path ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0600) : -1;
    const int n = snprintf(text, sizeof text, "%.0f\n", id);
    if (fd >= 0 && write(fd, text, (size_t)n) != n) abort();
    if (fd >= 0) close(fd);
}

/* Named as its component is, and as an extreme would be. */
static const char *const outputs[] = {"y[0]", "max.rate"};

static int output(const resida_model *model, const resida_model_point *at, double *out)
{
    const faults *of = model->user;
    (void)at;
    out[0] = 100 + of->k;
    out[1] = of->k;
    return 0;
}

static int create(const double *values, resida_model *model, resida_message *why)
{
    faults *of = calloc(1, sizeof *of);
    if (!of || (int)values[1] == REFUSED) {
        snprintf(why->text, sizeof why->text, "this one cannot be made");
        free(of);
        return -1;
    }
    *of = (faults){.k = values[0],
                   .y0 = 1,
                   .yp0 = (int)values[1] == INCONSISTENT ? values[0] : -values[0],
                   .what = (int)values[1]};
    note(values[2]);
    model->is_dae = 1;
    model->dae.n = 1;
    model->dae.residual = residual;
    model->dae.user = model->user = of;
    model->y0 = &of->y0;
    model->yp0 = &of->yp0;
    model->t_end = 1;
    model->n_outputs = 2;
    model->output_names = outputs;
    model->output = output;
    model->rtol = model->atol = 1e-6;
    return 0;
}

static void destroy(resida_model *model)
{
    free(model->user);
}

static const resida_parameter parameters[] = {
    {"k", 1, 0, 1000, 0, "1/s", "decay", NULL},
    {"what", NOTHING, NOTHING, INCONSISTENT, 1, "-", "goes wrong", NULL},
    {"id", 0, 0, 1e9, 1, "-", "of the case", NULL},
};

RESIDA_PLUGIN const resida_model_class resida_plugin = {
    RESIDA_MODEL_HEAD, "faults", "decay with faults", 3, parameters, create, destroy, NULL};

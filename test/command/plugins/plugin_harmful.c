/* plugin_harmful.c - a plugin that does harm when and where it is told to: a pendulum in Cartesian coordinates whose
 * callback number `where` does the harm number `harm` from t = `when` on, in the run number `run`. Before a model is
 * made, RESIDA_TEST_HARM (a name of the table `early`) says what its constructor, its class or create() do. */
#define _POSIX_C_SOURCE 200809L

#include <resida/model.h>

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum harm { NONE, LOOP, WILD_POINTER, ABORT, DIVISION, NO_STACK, EXIT, BAD_HEAP, BUS_ERROR, N_HARMS };
enum where { RESIDUAL, CONSTRAINT, CONSTRAINT_MATRIX, MASS_MATRIX, EXCITATION, ROOT, REFERENCE, ROOT_LAM };

typedef struct settings {
    enum harm harm;
    enum where where;
    double when;
    int run, runs;   /* in which of the runs of this model; how many have come halfway */
    int is_at_start; /* a run has, which has not */
} settings;

static volatile int zero;

static int overflow(volatile const char *above)
{
    volatile char room[4096];
    room[0] = above ? above[0] : 0;
    return zero == 0 ? overflow(room) + room[0] : 0; /* not at the end, lest it becomes a loop */
}

static void spoil_heap(void)
{
    char *block = malloc(24), *behind = malloc(24);
    if (!block || !behind) abort();
    memset(block - 16, 0x5a, 64);
    free(behind);
    free(block);
    for (volatile int i = 1; i < 100; i++) free(malloc((size_t)i * 64)); /* should nobody have noticed yet */
    abort();
}

/* The loop in a residual takes a processor; the others sleep in theirs, so that many may run. */
static void do_harm(enum harm harm, enum where where)
{
    if (harm == LOOP) {
        static const char words[] = "looping\n"; /* whoever waits for it knows that it has begun */
        if (write(STDERR_FILENO, words, sizeof words - 1) < 0) abort();
        while (zero == 0)
            if (where != RESIDUAL) nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    if (harm == WILD_POINTER) *(volatile int *)(size_t)(8 + zero) = 1;
    if (harm == ABORT) abort();
    if (harm == DIVISION) raise(SIGFPE);
    if (harm == NO_STACK) zero = overflow(NULL);
    if (harm == EXIT) exit(0);
    if (harm == BAD_HEAP) spoil_heap();
    if (harm == BUS_ERROR) raise(SIGBUS);
}

static void count_runs(double t, settings *s)
{
    if (t <= 0) s->is_at_start = 1;
    if (!s->is_at_start || t < s->when / 2) return;
    s->is_at_start = 0;
    s->runs++;
}

static void at(double t, enum where where, void *user)
{
    settings *s = user;
    count_runs(t, s);
    if (s->where == where && t >= s->when && s->runs >= s->run) do_harm(s->harm, where);
}

static int residual(double t, const double *p, const double *v, const double *a, const resida_excitation *e, double *r,
                    void *user)
{
    (void)p, (void)v, (void)e;
    at(t, RESIDUAL, user);
    r[0] = a[0];
    r[1] = a[1] + 9.81;
    return 0;
}

static int constraint(double t, const double *p, const resida_excitation *e, double *g, void *user)
{
    (void)e;
    at(t, CONSTRAINT, user);
    g[0] = (p[0] * p[0] + p[1] * p[1] - 1) / 2;
    return 0;
}

static int constraint_matrix(double t, const double *p, const resida_excitation *e, double *G, void *user)
{
    (void)e;
    at(t, CONSTRAINT_MATRIX, user);
    G[0] = p[0];
    G[1] = p[1];
    return 0;
}

static int mass_matrix(double t, const double *p, const resida_excitation *e, double *M, void *user)
{
    (void)p, (void)e;
    at(t, MASS_MATRIX, user);
    M[0] = M[3] = 1;
    M[1] = M[2] = 0;
    return 0;
}

static int excitation(double t, double *u, double *ud, double *udd, void *user)
{
    at(t, EXCITATION, user);
    u[0] = ud[0] = udd[0] = 0;
    return 0;
}

static int root(double t, const double *p, const double *v, const resida_excitation *e, double *out, void *user)
{
    (void)p, (void)v, (void)e;
    at(t, ROOT, user);
    out[0] = 1;
    return 0;
}

static int root_lam(double t, const double *p, const double *v, const double *lam, const resida_excitation *e,
                    double *out, void *user)
{
    (void)p, (void)v, (void)e;
    at(t, ROOT_LAM, user);
    out[0] = 1000 + lam[0];
    return 0;
}

static int reference(const resida_model *model, double t, double *p, double *v, double *lam)
{
    (void)p, (void)v, (void)lam;
    at(t, REFERENCE, model->user);
    return 1;
}

/** 1: RESIDA_TEST_HARM is this word. */
static int told(const char *word)
{
    const char *said = getenv("RESIDA_TEST_HARM");
    return said && strcmp(said, word) == 0;
}

static void do_early_harm(const char *stage)
{
    static const char *const names[N_HARMS] = {"", "loop", "crash", "abort", "", "", "exit", "", ""};
    for (int harm = 0; harm < N_HARMS; harm++) {
        char word[32] = "";
        strcat(strcat(strcat(word, stage), "-"), names[harm]);
        if (names[harm][0] && told(word)) do_harm((enum harm)harm, REFERENCE);
    }
    static const char exits_quickly[] = "load-quick-exit";
    if (strcmp(stage, "load") == 0 && told(exits_quickly)) _exit(0);
}

static const char *const odd_names[] = {"x\033[2J", "y"}, *const plain_names[] = {"x", "y"};

static int create(const double *values, resida_model *model, resida_message *why)
{
    static const double p0[] = {1, 0}, v0[] = {0, 0};
    do_early_harm("create");
    if (told("message")) {
        strcpy(why->text, "no\033]0;owned\a\r\n\xc2\x9bmodel");
        return 1;
    }
    settings *s = malloc(sizeof *s);
    if (!s) return 1;
    *s = (settings){(enum harm)(int)values[0], (enum where)(int)values[1], values[2], (int)values[3], 0, 0};
    resida_mechanism *m = &model->mechanism;
    m->user = model->user = s;
    m->n_p = m->n_v = 2;
    m->n_g = m->n_u = m->n_root = 1;
    m->residual = residual;
    m->constraint = constraint;
    m->constraint_matrix = constraint_matrix;
    m->mass_matrix = mass_matrix;
    m->excitation = excitation;
    if (s->where == ROOT_LAM)
        model->root_lam = root_lam;
    else
        m->root = root;
    m->p_names = told("component") ? odd_names : plain_names;
    model->reference = reference;
    model->reference_source = told("source") ? "a\tb" : "nobody";
    model->p0 = p0;
    model->v0 = v0;
    model->t_end = 10;
    model->rtol = 1e-5;
    model->atol = 1e-7;
    return 0;
}

static void destroy(resida_model *model)
{
    do_early_harm("destroy");
    free(model->user);
}

static resida_parameter parameters[] = {
    {"harm", 0, 0, N_HARMS - 1, 1, "-", "what", NULL},
    {"where", 0, 0, ROOT_LAM, 1, "-", "in which callback", NULL},
    {"when", 0.5, -1, 100, 0, "s", "from when on", NULL},
    {"run", 1, 1, 9, 1, "-", "in which run", NULL},
};

extern resida_model_class resida_plugin;
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
resida_model_class resida_plugin = {
    RESIDA_MODEL_HEAD,  .name = "harmful",        .text = "a pendulum that does harm",
    .n_parameters = 4,  .parameters = parameters, .create = create,
    .destroy = destroy,
};

/** What the class says wrongly. */
static void spoil_class(void)
{
    static const struct {
        const char *word, *text;
    } texts[] = {{"escape", "red \033[31m"},
                 {"line", "one\nother"},
                 {"c1", "\xc2\x9b"
                        "2J"},
                 {"latin", "caf\xe9"},
                 {"cut", "\xe2\x82"},
                 {"long", "\xc0\xaf"},
                 {"delete", "a\x7f"
                            "b"},
                 {"surrogate", "\xed\xa0\x80"}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char word[32] = "";
        strcat(strcat(word, "name-"), texts[i].word);
        if (told(word)) resida_plugin.name = texts[i].text;
        memcpy(word, "text", 4);
        if (told(word)) resida_plugin.text = texts[i].text;
        memcpy(word, "para", 4);
        if (told(word)) parameters[1].name = texts[i].text;
        memcpy(word, "unit", 4);
        if (told(word)) parameters[1].unit = texts[i].text;
        memcpy(word, "word", 4);
        if (told(word)) parameters[1].text = texts[i].text;
    }
    if (told("nan-value")) parameters[2].value = (double)NAN;
    if (told("nan-min")) parameters[2].min = (double)NAN;
    if (told("nan-max")) parameters[2].max = (double)NAN;
    if (told("infinite-value")) parameters[2].value = parameters[2].max = (double)INFINITY;
    if (told("wild-name")) resida_plugin.name = (const char *)(size_t)8;
    if (told("wild-parameters")) resida_plugin.parameters = (const resida_parameter *)(size_t)8;
    if (told("many-parameters")) resida_plugin.n_parameters = 2147483647;
}

#if defined(__GNUC__)
__attribute__((constructor)) static void load(void)
{
    do_early_harm("load");
    spoil_class();
}

__attribute__((destructor)) static void unload(void)
{
    do_early_harm("unload");
}
#endif

/* test_train_recall.c - contacts that are recalled: the same bits as computed ones, in any order of states and by
 * several threads at once; each contact is found once for a state, whoever asks. */
#include <pthread.h>

#include "benchmarks/models/vehicles/train/train_model.h"
#include "test/fixtures/bench_fixture.h"

enum { CARRIAGES = 2, N = CARRIAGES * TRAIN_COORDINATES, N_G = CARRIAGES * TRAIN_WHEELS, STATES = 40, THREADS = 12 };

static void open_train(bench *b)
{
    const bench_setting settings[] = {{"carriages", CARRIAGES}, {"case", 2}, {NULL, 0}};
    bench_open(b, "train", settings);
    bench_at(b, 2.5);
}

/** All that looks at contacts. */
typedef struct answers {
    double g[N_G], G[MB_SIX * N_G], gI[N_G], r[N];
} answers;

typedef struct question {
    double p[N], v[N], a[N], lam[N_G];
} question;

/* State i: some coordinates of the one before are moved, as differences do; each fourth state is the first one. */
static void ask_for(const bench *b, int i, uint64_t *seed, question *q, const question *first)
{
    if (i % 4 == 0 && i > 0) *q = *first;
    for (int k = 0; k < N; k++) {
        if (i == 0) q->p[k] = b->model.p0[k] + 3e-4 * bench_random(seed), q->v[k] = 1e-2 * bench_random(seed);
        if (i == 0) q->a[k] = bench_random(seed);
        if (i % 4 > 0 && k % 7 == i % 7) q->p[k] += 1e-6 * bench_random(seed);
    }
    for (int k = 0; k < N_G && i == 0; k++) q->lam[k] = 5e4 + 1e4 * bench_random(seed);
}

static int answer(const bench *b, train *c, const question *q, answers *x)
{
    return train_constraint(b->t, q->p, &b->e, x->g, c) || train_constraint_matrix(b->t, q->p, &b->e, x->G, c) ||
           train_velocity_bias(b->t, q->p, &b->e, x->gI, c) ||
           train_residual(b->t, q->p, q->v, q->a, q->lam, &b->e, x->r, c);
}

/** Questions, and what a train answers that keeps nothing. */
typedef struct exam {
    bench b;
    question q[STATES];
    answers x[STATES];
} exam;

static exam *open_exam(void)
{
    exam *k = claims_zeros(1, sizeof *k);
    uint64_t seed = 3;
    assert_non_null(k);
    open_train(&k->b);
    train plain = *(train *)k->b.model.user;
    plain.recall = NULL;
    for (int i = 0; i < STATES; i++) {
        if (i > 0) k->q[i] = k->q[i - 1];
        ask_for(&k->b, i, &seed, &k->q[i], &k->q[0]);
        assert_int_equal(answer(&k->b, &plain, &k->q[i], &k->x[i]), 0);
    }
    return k;
}

CLAIM(recalled_contacts_are_the_same_bits_as_computed_ones)
{
    exam *k = open_exam();
    for (int i = 0; i < 5 * STATES; i++) {
        const int which = i * 7 % STATES;
        answers now;
        assert_int_equal(answer(&k->b, k->b.model.user, &k->q[which], &now), 0);
        assert_memory_equal(&now, &k->x[which], sizeof now);
    }
    assert_true(memcmp(&k->x[0], &k->x[1], sizeof k->x[0]) != 0); /* states differ */
}

static void *sit(void *context)
{
    exam *k = context;
    long wrong = 0;
    for (int i = 0; i < 20 * STATES; i++) {
        const int which = i * 3 % STATES;
        answers now;
        wrong += answer(&k->b, k->b.model.user, &k->q[which], &now) != 0 || memcmp(&now, &k->x[which], sizeof now) != 0;
    }
    return (void *)wrong;
}

/* More threads than books. */
CLAIM(threads_do_not_disturb_each_other)
{
    exam *k = open_exam();
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&thread[i], NULL, sit, k), 0);
    for (int i = 0; i < THREADS; i++) {
        void *wrong = &wrong;
        assert_int_equal(pthread_join(thread[i], &wrong), 0);
        assert_null(wrong);
    }
}

/* What is kept is found by all it depends on, for its own wheelset alone, until newer ones take its place. */
CLAIM(a_book_holds_the_last_poses_of_each_wheelset)
{
    enum { LASTING = 5 }; /* the state itself, and each of four coordinates moved */
    train_recall *all = train_recall_make(3, NULL);
    train_book *book = train_book_take(all);
    assert_non_null(book);
    train_pose pose = {1, 2, 3, 4, {5, 6}};
    train_pair pair = {{{.g = 1}, {.g = 2}}};
    train_book_keep(book, 1, &pose, &pair);
    assert_memory_equal(train_book_find(book, 1, &pose), &pair, sizeof pair);
    assert_null(train_book_find(book, 0, &pose));
    assert_null(train_book_find(book, 2, &pose));
    for (size_t i = 0; i < sizeof pose / sizeof(double); i++) {
        train_pose other = pose;
        ((double *)&other)[i] += 1e-15 * ((double *)&other)[i];
        assert_null(train_book_find(book, 1, &other));
    }
    for (int i = 1; i < LASTING; i++) {
        const train_pose next = {.x = i};
        train_book_keep(book, 1, &next, &(train_pair){{{.g = 10.0 * i}}});
        assert_non_null(train_book_find(book, 1, &pose));
        assert_true(train_book_find(book, 1, &next)->wheel[0].g == 10.0 * i);
    }
    for (int i = 0; i < 100; i++) train_book_keep(book, 1, &(train_pose){.y = i}, &pair);
    assert_null(train_book_find(book, 1, &pose));
    train_book_put(book);
    train_recall_free(all);
}

int main(void)
{
    train_recall_free(NULL);
    return claims_run(NULL, NULL);
}

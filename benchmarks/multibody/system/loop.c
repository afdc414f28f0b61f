/* loop.c - see loop.h. */
#include "loop.h"

#include <string.h>

#include "benchmarks/util/model_util.h"
#include "benchmarks/multibody/tree/newton_euler.h"

static const mb_vec axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

int mb_loops_rows(int n, const mb_loop *loop)
{
    int rows = 0;
    for (int i = 0; i < n; i++) rows += loop[i].kind;
    return rows;
}

/** The two end points of a loop. */
typedef struct ends {
    mb_point a, b;
    mb_vec d, rate;
} ends;

static ends ends_of(const mb_loop *loop, const mb_state *state)
{
    ends x = {mb_point_of(&state[loop->a.body], loop->a.at), mb_point_of(&state[loop->b.body], loop->b.at),
              .d = {0, 0, 0}};
    x.d = mb_sub(x.b.r, x.a.r);
    x.rate = mb_sub(x.b.v, x.a.v);
    return x;
}

/* Return the direction n of row i. */
static mb_vec direction(const mb_loop *loop, const ends *x, int i)
{
    return loop->kind == MB_LOOP_DISTANCE ? mb_scale(1 / loop->length, x->d) : axis[i];
}

void mb_loops_position(int n, const mb_loop *loop, const mb_state *state, double *g)
{
    for (int k = 0; k < n; g += loop[k++].kind) {
        const ends x = ends_of(&loop[k], state);
        const double L = loop[k].length;
        if (loop[k].kind == MB_LOOP_DISTANCE)
            g[0] = (mb_norm(x.d) - L) * (mb_norm(x.d) + L) / (2 * L);
        else
            for (int i = 0; i < loop[k].kind; i++) g[i] = mb_dot(axis[i], x.d);
    }
}

void mb_loops_rate(int n, const mb_loop *loop, const mb_state *state, double *rate)
{
    for (int k = 0; k < n; rate += loop[k++].kind) {
        const ends x = ends_of(&loop[k], state);
        for (int i = 0; i < loop[k].kind; i++) rate[i] = mb_dot(direction(&loop[k], &x, i), x.rate);
    }
}

/* Return 1 if coordinate i of a body is the angle of a rotor, which does not move points of the body. */
static int spins(const mb_tree *tree, int body, int i)
{
    return tree->body[body].joint.rotor && tree->body[body].first + i == mb_coordinate(tree, body, MB_THETA);
}

static int is_above(const mb_tree *tree, int body, int of)
{
    while (of > body) of = tree->body[of].parent;
    return of == body;
}

/* Add sign times the row n'dr of a point to `row` [n_q], for the joints on the path to its body. */
static void add_path(const mb_tree *tree, const mb_state *state, int body, mb_vec at, mb_vec n, double sign,
                     double *row)
{
    for (; body >= 0; body = tree->body[body].parent) {
        const mb_state *s = &state[body];
        const mb_vec turn = mb_cross(mb_sub(at, s->r), n);
        for (int i = 0; i < s->n; i++)
            if (!spins(tree, body, i))
                row[tree->body[body].first + i] += sign * (mb_dot(n, s->lin[i]) + mb_dot(turn, s->ang[i]));
    }
}

void mb_loops_matrix(const mb_tree *tree, int n, const mb_loop *loop, const mb_state *state, const mb_pattern *pattern,
                     double *G)
{
    double row[tree->n_q + 1];
    for (int k = 0, r = 0; k < n; k++) {
        const ends x = ends_of(&loop[k], state);
        for (int i = 0; i < loop[k].kind; i++, r++) {
            memset(row, 0, sizeof row);
            add_path(tree, state, loop[k].b.body, x.b.r, direction(&loop[k], &x, i), 1, row);
            add_path(tree, state, loop[k].a.body, x.a.r, direction(&loop[k], &x, i), -1, row);
            for (int e = pattern->row[r]; e < pattern->row[r + 1]; e++) G[e] = row[pattern->col[e]];
        }
    }
}

/* Return the acceleration of a point at v' = 0, relative to its root; for a rotor, of a point that does not spin. */
static mb_vec acceleration_of(const mb_state *s, const mb_wrench *acceleration, mb_vec arm)
{
    const mb_vec turn = mb_sub(acceleration->m, mb_cross(s->w, s->spin));
    return mb_add(acceleration->f, mb_add(mb_cross(turn, arm), mb_cross(s->w, mb_cross(s->w, arm))));
}

void mb_loops_bias(const mb_tree *tree, int n, const mb_loop *loop, const mb_state *state, double *bias)
{
    mb_wrench a[tree->n_body];
    mb_accelerations(tree, state, NULL, a);
    for (int k = 0; k < n; bias += loop[k++].kind) {
        const ends x = ends_of(&loop[k], state);
        const int on_a = loop[k].a.body, on_b = loop[k].b.body;
        const mb_vec dd =
            mb_sub(acceleration_of(&state[on_b], &a[on_b], x.b.arm), acceleration_of(&state[on_a], &a[on_a], x.a.arm));
        for (int i = 0; i < loop[k].kind; i++) bias[i] = mb_dot(direction(&loop[k], &x, i), dd);
        if (loop[k].kind == MB_LOOP_DISTANCE) bias[0] += mb_dot(x.rate, x.rate) / loop[k].length;
    }
}

/* Return 1 if joint `body` contributes to the rows of a loop. */
static int moves(const mb_tree *tree, const mb_loop *loop, int body)
{
    const int a = is_above(tree, body, loop->a.body), b = is_above(tree, body, loop->b.body);
    return loop->kind == MB_LOOP_DISTANCE ? a != b : a || b;
}

/* Put the columns of a loop. @return number of columns */
static int columns_of(const mb_tree *tree, const mb_loop *loop, int *col)
{
    int n = 0;
    for (int body = 0; body < tree->n_body; body++)
        for (int i = 0; i < tree->body[body].n && moves(tree, loop, body); i++)
            if (!spins(tree, body, i)) col[n++] = tree->body[body].first + i;
    return n;
}

int mb_loops_pattern(const mb_tree *tree, int n, const mb_loop *loop, mb_pattern *pattern, resida_message *why)
{
    const int rows = mb_loops_rows(n, loop);
    *pattern = (mb_pattern){bench_alloc(rows + 1, sizeof(int), why), bench_alloc(rows * tree->n_q, sizeof(int), why)};
    if (!pattern->row || !pattern->col) return 1;
    for (int k = 0, r = 0; k < n; k++)
        for (int i = 0; i < loop[k].kind; i++, r++)
            pattern->row[r + 1] = pattern->row[r] + columns_of(tree, &loop[k], pattern->col + pattern->row[r]);
    return 0;
}

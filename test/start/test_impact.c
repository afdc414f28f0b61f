/* test_impact.c - velocities behind an impact against closed forms of a ball and of a pendulum, and against the
 * equations of the header for random contacts. All are mechanisms with constant M and G, which is all that an impact
 * sees of them; residual and explicit formalism have the same answers. Numbers below are of order one, sums short:
 * 1e-12 is far above rounding. */
#include "impact_fixture.h"
#include "test/fixtures/bench_fixture.h"

#define NEAR  1e-12
#define ROUGH 1e-8 /* of random matrices, some of which are near to dependent */

static void nearly(double x, double y, double tolerance, int line)
{
    if (!(fabs(x - y) <= tolerance)) fail_msg("line %d: %.17g, not %.17g", line, x, y);
}

#define NEARLY(x, y) nearly(x, y, NEAR, __LINE__)

CLAIM(a_ball_leaves_with_e_times_its_speed_and_loses_as_much_energy)
{
    for (int f = 0; f < 2; f++) {
        hit h = one(1, 0, (double[]){2}, NULL);
        touch(&h, 1, (double[]){1}, (double[]){0.7});
        h.v[0] = -3;
        strike(&h, formalisms[f]);
        assert_int_equal(h.status, RESIDA_OK);
        NEARLY(h.after[0], 2.1);
        NEARLY(h.push[0], 2 * 1.7 * 3);
        NEARLY(h.report.energy_change, -(1 - 0.49) / 2 * 9 * 2);
        assert_int_equal(h.report.n_pushing, 1);
        assert_int_equal(h.report.residual_calls, 2);
    }
}

CLAIM(a_wall_that_moves_counts_with_its_speed)
{
    hit h = one(1, 0, (double[]){2}, NULL); /* phi = z - 0.5 t */
    touch(&h, 1, (double[]){1}, (double[]){0.6});
    h.contacts.rates = (double[]){-0.5};
    h.v[0] = -3;
    strike(&h, formalisms[0]);
    assert_int_equal(h.status, RESIDA_OK);
    NEARLY(h.after[0] - 0.5, 0.6 * 3.5);
    NEARLY(h.report.energy_change, h.after[0] * h.after[0] - 9);
}

CLAIM(the_row_is_multiplied_by_the_kinematic_matrix)
{
    hit h = one(2, 0, (double[]){2, 0, 0, 1}, NULL); /* p = 4 z, phi = p / 4 */
    h.b.T[0] = 4, h.b.T[1] = 1;
    touch(&h, 1, (double[]){0.25, 0}, (double[]){0.7});
    h.v[0] = -3, h.v[1] = 5;
    strike(&h, formalisms[0]);
    assert_int_equal(h.status, RESIDA_OK);
    NEARLY(h.after[0], 2.1);
    NEARLY(h.after[1], 5);
    NEARLY(h.push[0], 2 * 1.7 * 3);
}

CLAIM(states_stay)
{
    for (int f = 0; f < 2; f++) {
        hit h = one(2, 0, (double[]){2, 0, 0, 1}, NULL);
        h.b.n_z = 1;
        touch(&h, 1, (double[]){1}, (double[]){0.5});
        h.v[0] = -3, h.v[1] = 7;
        strike(&h, formalisms[f]);
        assert_int_equal(h.status, RESIDA_OK);
        NEARLY(h.after[0], 1.5);
        assert_true(h.after[1] == 7);
    }
}

/* A rod of mass m, length L and inertia J hangs in a pin at its upper end; (x, y, angle) are those of its centre, the
 * angle is 0 when it hangs. Its lower end meets a wall in x. I_O = J + m L^2 / 4, P L = I_O (1 + e) omega. */
static const double m = 3, L = 2, J = 0.7, e_wall = 0.4, omega = -1.3;
#define ROD_M                                                                                                          \
    (double[])                                                                                                         \
    {                                                                                                                  \
        m, 0, 0, 0, m, 0, 0, 0, J                                                                                      \
    }

/* Hanging: centre at L/2 below the pin, x_c = L/2 angle; the tip moves by x_c + L/2 angle. */
static void hang(hit *h, int copies)
{
    const double pin[] = {1, 0, -L / 2, 0, 1, 0, 1, 0, -L / 2};
    static double row[3];
    static const double e[] = {0.4};
    *h = one(3, 2 + copies, ROD_M, pin);
    row[0] = 1, row[2] = L / 2;
    touch(h, 1, row, e);
    h->v[0] = L / 2 * omega, h->v[2] = omega;
}

CLAIM(a_pendulum_rebounds_from_a_wall_and_its_pin_takes_the_rest)
{
    for (int f = 0; f < 2; f++) {
        hit h;
        hang(&h, 0);
        strike(&h, formalisms[f]);
        const double I = J + m * L * L / 4, P = -I * (1 + e_wall) * omega / L;
        assert_int_equal(h.status, RESIDA_OK);
        NEARLY(h.after[2], -e_wall * omega);
        NEARLY(h.after[0], -e_wall * omega * L / 2);
        NEARLY(h.push[0], P);
        NEARLY(m * (h.after[0] - h.v[0]), P - h.lam[0]);
        NEARLY(h.lam[1], 0);
        NEARLY(h.report.energy_change, -(1 - e_wall * e_wall) / 2 * I * omega * omega);
        assert_true(h.report.gv_after < NEAR);
        assert_int_equal(h.report.rank, 2);
    }
}

CLAIM(a_copy_of_a_joint_is_named_and_refused_or_dropped)
{
    for (int f = 0; f < 2; f++) {
        hit h;
        hang(&h, 1);
        h.b.names[0] = "pin x", h.b.names[1] = "pin y", h.b.names[2] = "pin twice";
        strike(&h, formalisms[f]);
        assert_int_equal(h.status, RESIDA_ERR_REDUNDANT);
        assert_non_null(strstr(h.why.text, "pin "));
        h.o.redundant = RESIDA_REDUNDANT_DROP;
        strike(&h, formalisms[f]);
        assert_int_equal(h.status, RESIDA_OK);
        NEARLY(h.after[2], -e_wall * omega);
        assert_int_equal(h.report.n_redundant, 1);
        assert_true(h.lam[h.report.rank == 2 ? 2 : 0] == 0 || h.lam[0] == 0);
        NEARLY(h.lam[0] + h.lam[2], h.push[0] - m * (h.after[0] - h.v[0]));
    }
}

CLAIM(joints_that_contradict_each_other_are_refused)
{
    hit h;
    hang(&h, 1);
    h.b.gI[2] = 1; /* the copy moves */
    h.o.redundant = RESIDA_REDUNDANT_DROP;
    strike(&h, formalisms[0]);
    assert_int_equal(h.status, RESIDA_ERR_REDUNDANT);
    assert_non_null(strstr(h.why.text, "contradicts"));
}

CLAIM(a_velocity_off_its_joints_is_brought_back_and_bounded)
{
    hit h;
    hang(&h, 0);
    h.v[1] = 1e-3;
    strike(&h, formalisms[0]);
    assert_int_equal(h.status, RESIDA_OK);
    NEARLY(h.after[1], 0);
    NEARLY(h.after[2], -e_wall * omega);
    NEARLY(h.report.gv_before, 1e-3);
    h.o.max_change = 1e-4;
    strike(&h, formalisms[0]);
    assert_int_equal(h.status, RESIDA_ERR_INCONSISTENT);
    assert_non_null(strstr(h.why.text, "max_change"));
}

CLAIM(the_contact_with_the_larger_restitution_pushes_at_one_place)
{
    hit h = one(1, 0, (double[]){2}, NULL);
    touch(&h, 2, (double[]){1, 1}, (double[]){0.3, 0.6});
    h.v[0] = -1;
    strike(&h, formalisms[0]);
    assert_int_equal(h.status, RESIDA_OK);
    NEARLY(h.after[0], 0.6);
    assert_true(h.push[0] == 0);
}

CLAIM(a_contact_that_the_joints_hold_is_refused_by_name)
{
    const char *const names[] = {"stop"};
    for (int f = 0; f < 2; f++) {
        hit h = one(2, 1, (double[]){1, 0, 0, 1}, (double[]){1, 0});
        touch(&h, 1, (double[]){-2, 0}, (double[]){0.3});
        h.b.gI[0] = -1; /* driven towards it */
        h.v[0] = 1, h.v[1] = 3;
        h.contacts.names = names;
        strike(&h, formalisms[f]);
        assert_int_equal(h.status, RESIDA_ERR_REDUNDANT);
        assert_non_null(strstr(h.why.text, "stop"));
        h.b.gI[0] = h.v[0] = 0; /* at rest there it does no harm */
        strike(&h, formalisms[f]);
        assert_int_equal(h.status, RESIDA_OK);
        NEARLY(h.after[1], 3);
        assert_true(h.push[0] == 0);
    }
}

CLAIM(contacts_that_leave_no_velocity_are_refused)
{
    hit h = one(1, 0, (double[]){1}, NULL); /* between two walls */
    touch(&h, 2, (double[]){1, -1}, (double[]){0.5, 0.5});
    h.v[0] = -1;
    strike(&h, formalisms[0]);
    assert_int_equal(h.status, RESIDA_ERR_INCONSISTENT);
    assert_non_null(strstr(h.why.text, "contact 1"));
    h.contacts.restitution = (double[]){0, 0};
    strike(&h, formalisms[0]); /* it stays */
    assert_int_equal(h.status, RESIDA_OK);
    NEARLY(h.after[0], 0);
}

CLAIM(what_has_no_mass_is_refused)
{
    hit h = one(2, 0, (double[]){1, 0, 0, -1}, NULL);
    touch(&h, 1, (double[]){0, 1}, (double[]){0.5});
    h.v[1] = -1;
    strike(&h, formalisms[0]);
    assert_int_equal(h.status, RESIDA_ERR_SINGULAR);
    h.b.M[3] = 0;
    strike(&h, RESIDA_FORMALISM_RESIDUAL);
    assert_int_equal(h.status, RESIDA_ERR_SINGULAR);
}

CLAIM(failing_callbacks_are_reported)
{
    for (int f = 0; f < 2; f++)
        for (int fails = 1; fails <= 2; fails++) {
            hit h = one(1, 0, (double[]){2}, NULL);
            touch(&h, 1, (double[]){1}, (double[]){0.7});
            h.v[0] = -3;
            h.b.fails = fails;
            strike(&h, formalisms[f]);
            assert_int_equal(h.status, fails == 1 ? RESIDA_ERR_USER : RESIDA_ERR_NONFINITE);
            assert_non_null(strstr(h.why.text, f ? "acceleration" : "residual"));
            assert_non_null(strstr(h.why.text, "impact"));
        }
}

/* What holds of every answer, and of one alone: the equations of the header. */
static void check_equations(const hit *h)
{
    const int n = h->b.n_v, n_c = h->contacts.n;
    double energy = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) energy += h->b.M[i * n + j] * (h->after[i] * h->after[j] - h->v[i] * h->v[j]) / 2;
    nearly(h->report.energy_change, energy, ROUGH, __LINE__);
    for (int i = 0; i < n; i++) {
        double off = 0;
        for (int j = 0; j < n; j++) off += h->b.M[i * n + j] * (h->after[j] - h->v[j]);
        for (int j = 0; j < h->b.n_g; j++) off += h->b.G[j * n + i] * h->lam[j];
        for (int j = 0; j < n_c; j++) off -= h->contacts.rows[j * n + i] * h->push[j];
        nearly(off, 0, ROUGH, __LINE__);
    }
    for (int j = 0; j < h->b.n_g; j++) {
        double w = h->b.gI[j];
        for (int i = 0; i < n; i++) w += h->b.G[j * n + i] * h->after[i];
        nearly(w, 0, ROUGH, __LINE__);
    }
    for (int j = 0; j < n_c; j++) {
        double before = 0, after = 0;
        for (int i = 0; i < n; i++) {
            before += h->contacts.rows[j * n + i] * h->v[i];
            after += h->contacts.rows[j * n + i] * h->after[i];
        }
        const double room = after + h->contacts.restitution[j] * fmin(before, 0);
        assert_true(h->push[j] >= 0);
        assert_true(room > -ROUGH);
        assert_true(h->push[j] == 0 || room < ROUGH);
    }
}

CLAIM(the_equations_hold_for_any_contacts)
{
    enum { N = 6, N_G = 2, N_C = 7 };
    uint64_t seed = 1;
    int pushing = 0, most = 0;
    for (int trial = 0; trial < 300; trial++) {
        double A[N * N], M[N * N], G[N_G * N], rows[N_C * N], e[N_C];
        for (int i = 0; i < N * N; i++) A[i] = bench_random(&seed);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                M[i * N + j] = i == j ? 0.5 : 0;
                for (int k = 0; k < N; k++) M[i * N + j] += A[i * N + k] * A[j * N + k];
            }
        for (int i = 0; i < N_G * N; i++) G[i] = bench_random(&seed);
        for (int i = 0; i < N_C * N; i++) rows[i] = bench_random(&seed) + (i % N == N - 1 ? 1.5 : 0); /* all one way */
        if (trial % 3 == 0) memcpy(rows + N, rows, N * sizeof *rows);
        for (int i = 0; i < N_C; i++) e[i] = trial % 2 ? 0.5 : (1 + bench_random(&seed)) / 2;
        hit h = one(N, N_G, M, G), still;
        touch(&h, 1 + trial % N_C, rows, e);
        for (int i = 0; i < N_G && trial % 4 > 1; i++) h.b.gI[i] = bench_random(&seed); /* joints that are driven */
        for (int i = 0; i < N; i++) h.v[i] = bench_random(&seed);
        still = h; /* a v that the joints allow: an impact with a contact that opens */
        still.contacts.n = 1, still.contacts.rows = (double[N]){0}, still.contacts.restitution = e;
        strike(&still, formalisms[0]);
        assert_int_equal(still.status, RESIDA_OK);
        memcpy(h.v, still.after, sizeof h.v);
        for (int f = 0; f < 2; f++) {
            strike(&h, formalisms[f]);
            if (h.status == RESIDA_ERR_INCONSISTENT) break; /* contacts that face each other */
            if (h.status < 0) fail_msg("trial %d: %s", trial, h.why.text);
            check_equations(&h);
            if (trial % 4 == 1) assert_true(h.report.energy_change <= NEAR);
        }
        pushing += h.report.n_pushing;
        if (h.report.n_pushing > most) most = h.report.n_pushing;
    }
    assert_true(pushing > 300 && most >= 3);
}

/* --- Memory --- */

static int left;

static void *ration(size_t bytes, void *context)
{
    return left-- > 0 ? test_malloc(bytes) : NULL;
}

static void give_back(void *block, void *context)
{
    if (block) test_free(block);
}

CLAIM(lack_of_memory_is_reported_without_leaks)
{
    const resida_allocator allocator = {ration, give_back, NULL};
    int refused = 0;
    for (int k = 0;; k++) {
        hit h;
        hang(&h, 0);
        left = 1 << 20;
        open_hit(&h, formalisms[0], &allocator);
        left = k;
        strike_open(&h);
        const resida_status status = h.status;
        left = 1 << 20;
        strike_open(&h); /* the problem is as good as before */
        assert_int_equal(h.status, RESIDA_OK);
        NEARLY(h.after[2], -e_wall * omega);
        resida_problem_free(h.problem);
        if (status == RESIDA_OK) break;
        assert_int_equal(status, RESIDA_ERR_MEMORY);
        refused++;
    }
    assert_true(refused > 20);
}

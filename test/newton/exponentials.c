/* exponentials.c - see exponentials.h. */
#include "exponentials.h"

#include <math.h>

#define PI 3.14159265358979323846

typedef struct dice {
    unsigned long long state;
} dice;

/* In [0, 1): a linear congruence, Knuth's MMIX. */
static double roll(dice *d)
{
    d->state = d->state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(d->state >> 11) / 9007199254740992.0;
}

static int roll_below(dice *d, int n)
{
    return (int)(n * roll(d));
}

/* Between least and greatest, uniform in its logarithm. */
static double roll_size(dice *d, double least, double greatest)
{
    return least * pow(greatest / least, roll(d));
}

static dice dice_of(unsigned seed)
{
    dice d = {seed * 2654435761ULL + 12345};
    for (int i = 0; i < 8; i++) roll(&d);
    return d;
}

/* --- Circuits --- */

static double voltage(const double *y, int node)
{
    return node > 0 ? y[node - 1] : 0;
}

static void add_current(double *r, int node, double current)
{
    if (node > 0) r[node - 1] += current;
}

/* Node k: C u_k' + currents out of it = 0; a diode with its own unknown: i - I_s (exp(u/V) - 1) = 0. */
static int residual_of_circuit(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                               void *user)
{
    const exponentials *m = user;
    for (int k = 0; k < m->n; k++) r[k] = k < m->nodes ? m->C[k] * yp[k] : y[k];
    add_current(r, 1, (y[0] - m->amplitude * sin(m->omega * t)) / m->inner);
    for (int i = 0; i < m->n_resistors; i++) {
        const exponentials_part *p = &m->resistors[i];
        const double current = (voltage(y, p->from) - voltage(y, p->to)) / p->value;
        add_current(r, p->from, current);
        add_current(r, p->to, -current);
    }
    for (int i = 0; i < m->n_diodes; i++) {
        const exponentials_part *p = &m->diodes[i];
        const double law = p->value * expm1((voltage(y, p->from) - voltage(y, p->to)) / p->thermal);
        const double current = p->current < 0 ? law : y[p->current];
        if (p->current >= 0) r[p->current] -= law;
        add_current(r, p->from, current);
        add_current(r, p->to, -current);
    }
    for (int i = 0; i < m->n_transistors; i++) {
        const exponentials_part *p = &m->transistors[i];
        const double base = voltage(y, p->base), forward = 0.99, reverse = 0.5;
        const double f = p->value * expm1((base - voltage(y, p->to)) / p->thermal);
        const double b = p->value * expm1((base - voltage(y, p->from)) / p->thermal);
        add_current(r, p->from, forward * f - b);
        add_current(r, p->to, reverse * b - f);
        add_current(r, p->base, (1 - forward) * f + (1 - reverse) * b);
    }
    for (int k = 0; k < m->n; k++)
        if (!isfinite(r[k])) return 1;
    return 0;
}

static void add_resistor(exponentials *m, int from, int to, double ohm)
{
    m->resistors[m->n_resistors++] = (exponentials_part){.from = from, .to = to, .value = ohm};
}

static void add_diode(exponentials *m, dice *d, int from, int to)
{
    exponentials_part p = {.from = from, .to = to, .current = -1};
    p.value = roll_size(d, 1e-15, 1e-9);
    p.thermal = 0.0258 * (1 + roll(d));
    if (roll(d) < 0.5) m->kinds[p.current = m->n++] = RESIDA_ALGEBRAIC;
    m->diodes[m->n_diodes++] = p;
}

static void add_transistor(exponentials *m, dice *d, int collector, int base, int emitter)
{
    m->transistors[m->n_transistors++] = (exponentials_part){
        .from = collector, .to = emitter, .base = base, .value = roll_size(d, 1e-15, 1e-12), .thermal = 0.0258};
}

/* Each node but the first has a resistor to one before it, and some to ground; half of them a capacitor. */
static void add_nodes(exponentials *m, dice *d, int nodes)
{
    m->n = m->nodes = nodes;
    for (int k = 1; k <= nodes; k++) {
        if (k > 1) add_resistor(m, roll_below(d, k - 1) + 1, k, roll_size(d, 1e2, 1e5));
        add_resistor(m, k, 0, roll_size(d, 1e3, 1e6));
        if (roll(d) < 0.5) m->C[k - 1] = roll_size(d, 0.01, 3) / (m->omega * roll_size(d, 1e3, 1e5));
        m->kinds[k - 1] = m->C[k - 1] > 0 ? RESIDA_DIFFERENTIAL : RESIDA_ALGEBRAIC;
    }
}

static void add_net(exponentials *m, dice *d)
{
    add_nodes(m, d, 2 + roll_below(d, 7));
    for (int i = 1 + roll_below(d, 4); i > 0; i--) {
        const int from = roll_below(d, m->nodes + 1), to = (from + 1 + roll_below(d, m->nodes)) % (m->nodes + 1);
        add_diode(m, d, from, to);
    }
    for (int i = m->nodes > 2 ? roll_below(d, 3) : 0; i > 0; i--) {
        const int collector = 1 + roll_below(d, m->nodes), base = 1 + collector % m->nodes;
        add_transistor(m, d, collector, base, (base + 1) % (m->nodes + 1));
    }
}

/* One diode, or a bridge, in front of a capacitor with a load. */
static void add_rectifier(exponentials *m, dice *d)
{
    const int is_bridge = roll(d) < 0.5;
    m->n = m->nodes = is_bridge ? 3 : 2;
    for (int k = 0; k < m->nodes; k++) m->kinds[k] = RESIDA_ALGEBRAIC;
    const int plus = 2, minus = is_bridge ? 3 : 0;
    const double load = roll_size(d, 1e2, 1e4);
    m->kinds[1] = RESIDA_DIFFERENTIAL;
    m->C[1] = roll_size(d, 0.3, 30) / (m->omega * load);
    add_resistor(m, plus, minus, load);
    add_diode(m, d, 1, plus);
    if (!is_bridge) return;
    add_resistor(m, 1, 0, 1e6);
    add_resistor(m, minus, 0, 1e5);
    add_diode(m, d, 0, plus);
    add_diode(m, d, minus, 1);
    add_diode(m, d, minus, 0);
}

exponentials exponentials_circuit(unsigned seed)
{
    dice d = dice_of(seed);
    exponentials m = {.residual = residual_of_circuit};
    m.amplitude = roll_size(&d, 0.5, 20);
    m.omega = 2 * PI * roll_size(&d, 50, 1e4);
    m.inner = roll_size(&d, 10, 1e4);
    m.t_end = 2 * PI / m.omega * (2 + 4 * roll(&d));
    if (roll(&d) < 0.4)
        add_rectifier(&m, &d);
    else
        add_net(&m, &d);
    return m;
}

/* --- Kinetics --- */

static double saturate(double x, double at)
{
    return at * tanh(x / at);
}

/* A stirred reactor, A -> B -> C, with c_A, c_B and enthalpy H as states, and temperature and both rates as algebraic
 * unknowns:
 *
 *     c_A' = (1 - c_A)/tau - r1,  c_B' = -c_B/tau + r1 - r2,  H' = (1 - H)/tau - U sat(T - T_c),
 *     H = T - q (1 - c_A),  r1 = k1 exp(E1 (1 - 1/T)) c_A,  r2 = k2 exp(E2 (1 - 1/T)) c_B */
static int residual_of_reactor(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                               void *user)
{
    const exponentials *m = user;
    const double *k = m->k, T = y[3];
    r[0] = yp[0] - (1 - y[0]) * k[0] + y[4];
    r[1] = yp[1] + y[1] * k[0] - y[4] + y[5];
    r[2] = yp[2] - (1 - y[2]) * k[0] + k[7] * saturate(T - 1 - 0.1 * sin(m->omega * t), 0.2);
    r[3] = y[2] - T + k[6] * (1 - y[0]);
    r[4] = y[4] - k[1] * exp(k[2] * (1 - 1 / T)) * y[0];
    r[5] = y[5] - k[3] * exp(k[4] * (1 - 1 / T)) * y[1];
    if (!(T > 0.01)) return 1;
    for (int i = 0; i < m->n; i++)
        if (!isfinite(r[i])) return 1;
    return 0;
}

/* An electrode: the surface concentration c, the potential of its double layer or, without one, its overpotential eta
 * from an algebraic balance of currents, and the current i as an algebraic unknown:
 *
 *     c' = D (1 - c) - i,  C eta' = (V(t) - eta)/R - i,  i = i_0 (c exp(a eta/v) - exp(-(1 - a) eta/v)) */
static int residual_of_electrode(double t, const double *y, const double *yp, const resida_excitation *e, double *r,
                                 void *user)
{
    const exponentials *m = user;
    const double *k = m->k, drive = m->amplitude * sin(m->omega * t);
    r[0] = yp[0] - k[0] * (1 - y[0]) + k[6] * y[2];
    r[1] = m->C[1] * yp[1] - (drive - y[1]) / k[1] + y[2];
    r[2] = y[2] - k[2] * (y[0] * exp(k[3] * y[1] / k[4]) - exp(-(1 - k[3]) * y[1] / k[4]));
    for (int i = 0; i < m->n; i++)
        if (!isfinite(r[i])) return 1;
    return 0;
}

static void make_reactor(exponentials *m, dice *d)
{
    m->n = 6;
    m->residual = residual_of_reactor;
    m->k[0] = roll_size(d, 0.1, 1);     /* 1/tau */
    m->k[1] = roll_size(d, 1e-3, 0.1);  /* k1 */
    m->k[2] = 5 + 10 * roll(d);         /* E1 */
    m->k[3] = roll_size(d, 1e-4, 1e-2); /* k2 */
    m->k[4] = 5 + 15 * roll(d);         /* E2 */
    m->k[6] = 0.2 + 0.8 * roll(d);      /* q */
    m->k[7] = roll_size(d, 0.05, 2);    /* U */
    for (int i = 3; i < 6; i++) m->kinds[i] = RESIDA_ALGEBRAIC;
    m->y0[0] = m->y0[2] = m->y0[3] = 1;
    m->y0[4] = m->k[1];
    m->omega = 2 * PI * roll_size(d, 0.02, 0.5);
    m->t_end = 20;
}

static void make_electrode(exponentials *m, dice *d)
{
    m->n = 3;
    m->residual = residual_of_electrode;
    m->k[0] = roll_size(d, 0.1, 10);    /* D */
    m->k[1] = roll_size(d, 0.1, 10);    /* R */
    m->k[2] = roll_size(d, 1e-6, 1e-2); /* i_0 */
    m->k[3] = 0.3 + 0.4 * roll(d);      /* a */
    m->k[4] = 0.0257;                   /* v */
    m->k[6] = roll_size(d, 1e-3, 0.1);
    m->amplitude = roll_size(d, 0.3, 3);
    m->omega = 2 * PI * roll_size(d, 0.1, 10);
    m->C[1] = roll(d) < 0.5 ? 0 : roll_size(d, 1e-4, 1e-1);
    m->kinds[1] = m->C[1] > 0 ? RESIDA_DIFFERENTIAL : RESIDA_ALGEBRAIC;
    m->kinds[2] = RESIDA_ALGEBRAIC;
    m->y0[0] = 1;
    m->t_end = 2 * PI / m->omega * 3;
}

exponentials exponentials_kinetics(unsigned seed)
{
    dice d = dice_of(seed + 100000);
    exponentials m = {.n = 0};
    if (roll(&d) < 0.5)
        make_reactor(&m, &d);
    else
        make_electrode(&m, &d);
    return m;
}

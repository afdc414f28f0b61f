/* force.c - points, force laws and force elements, see force.h. */
#include "force.h"

#include <stddef.h>

#include "smooth.h"

mb_point mb_point_of(const mb_state *b, mb_vec at)
{
    const mb_vec arm = mb_turn(&b->R, at);
    return (mb_point){arm, mb_add(b->r, arm), mb_add(b->v, mb_cross(b->w, arm))};
}

static mb_point seen(const mb_relation *relation, mb_point in_B)
{
    if (!relation) return in_B;
    const mb_vec x = mb_turn(&relation->R, in_B.r), v = mb_turn(&relation->R, in_B.v);
    return (mb_point){mb_turn(&relation->R, in_B.arm), mb_add(relation->d, x),
                      mb_add(relation->dd, mb_add(mb_cross(relation->w, x), v))};
}

void mb_push(mb_wrench *w, mb_vec arm, mb_vec f)
{
    w->f = mb_add(w->f, f);
    w->m = mb_add(w->m, mb_cross(arm, f));
}

/* Transform a force from the axes of root A to those of root B. */
static mb_vec to_root_of_b(const mb_relation *relation, mb_vec f)
{
    return relation ? mb_back(&relation->R, f) : f;
}

double mb_link_tension(const mb_axial *x, double e, double ed)
{
    return x->k * e + x->c * ed;
}

double mb_strut_tension(const mb_axial *x, double e, double ed)
{
    const double stop = 4e7, onset = 5e-3; /* [N/m], [m] */
    const double damper = mb_blow_off(ed, x->c, x->v0, x->r) * (1 + x->rebound * tanh(ed / 0.05));
    return x->k * e - x->preload + damper - mb_stop(-e - x->bump, stop, onset) + mb_stop(e - x->droop, stop, onset);
}

double mb_sticking_strut_tension(const mb_axial *x, double e, double ed)
{
    return mb_strut_tension(x, e, ed) + x->friction * tanh(ed / x->sticking);
}

static void axial(const mb_axial *x, const mb_state *state, mb_wrench *wrench)
{
    const mb_point a = mb_point_of(&state[x->a.body], x->a.at), b = mb_point_of(&state[x->b.body], x->b.at);
    const mb_vec way = mb_sub(b.r, a.r);
    const double length = mb_norm(way);
    const mb_vec n = mb_scale(1 / length, way);
    const mb_vec f = mb_scale(x->tension(x, length - x->L0, mb_dot(n, mb_sub(b.v, a.v))), n);
    mb_push(&wrench[x->a.body], a.arm, f);
    mb_push(&wrench[x->b.body], b.arm, mb_scale(-1, f));
}

double mb_lateral_damper(const mb_bushing *x, double y, double yd)
{
    return mb_blow_off(yd, x->c, x->v0, x->r);
}

double mb_lateral_stop(const mb_bushing *x, double y, double yd)
{
    return copysign(mb_stop(fabs(y) - x->gap, x->k, x->e0), y);
}

static void bushing(const mb_bushing *x, const mb_relation *relation, const mb_state *state, mb_wrench *wrench)
{
    const mb_state *A = &state[x->a.body];
    const mb_point a = mb_point_of(A, x->a.at), in_B = mb_point_of(&state[x->b.body], x->b.at);
    const mb_point b = seen(relation, in_B);
    const mb_vec way = mb_sub(b.r, a.r);
    const mb_vec dx = mb_back(&A->R, way), dv = mb_back(&A->R, mb_sub(mb_sub(b.v, a.v), mb_cross(A->w, way)));
    mb_vec F = mb_add(x->F0, mb_add(mb_each(x->K, dx), mb_each(x->C, dv)));
    if (x->lateral) F.y += x->lateral(x, dx.y, dv.y);
    const mb_vec f = mb_turn(&A->R, F);
    mb_push(&wrench[x->a.body], x->at_b ? mb_add(a.arm, way) : a.arm, f);
    mb_push(&wrench[x->b.body], in_B.arm, mb_scale(-1, to_root_of_b(relation, f)));
}

static void torsion(const mb_torsion *x, const mb_relation *relation, const mb_state *state, mb_wrench *wrench)
{
    const mb_mat *A = &state[x->a].R, *in_B = &state[x->b].R;
    const mb_mat B = relation ? mb_mul(&relation->R, in_B) : *in_B, R = mb_back_mul(A, &B);
    const mb_vec th = mb_scale(0.5, (mb_vec){R.y.z - R.z.y, R.z.x - R.x.z, R.x.y - R.y.x});
    const mb_vec m = mb_turn(A, mb_each(x->K, th));
    wrench[x->a].m = mb_add(wrench[x->a].m, m);
    wrench[x->b].m = mb_sub(wrench[x->b].m, to_root_of_b(relation, m));
}

static void stabiliser(const mb_stabiliser *x, const mb_state *state, mb_wrench *wrench)
{
    const mb_state *base = &state[x->base];
    const mb_place_on *place[2] = {&x->left, &x->right};
    mb_point point[2];
    for (int i = 0; i < 2; i++) point[i] = mb_point_of(&state[place[i]->body], place[i]->at);
    const mb_vec f = mb_scale(x->k * mb_dot(base->R.z, mb_sub(point[0].r, point[1].r)), base->R.z);
    for (int i = 0; i < 2; i++) {
        const mb_vec down = mb_scale(i == 0 ? -1 : 1, f);
        mb_push(&wrench[place[i]->body], point[i].arm, down);
        mb_push(&wrench[x->base], mb_sub(point[i].r, base->r), mb_scale(-1, down));
    }
}

void mb_forces_add(const mb_forces *forces, const mb_relation *relation, const mb_state *state, mb_wrench *wrench)
{
    for (int i = 0; i < forces->n_axial; i++) axial(&forces->axial[i], state, wrench);
    for (int i = 0; i < forces->n_bushing; i++) {
        const mb_bushing *x = &forces->bushing[i];
        bushing(x, x->relation < 0 ? NULL : &relation[x->relation], state, wrench);
    }
    for (int i = 0; i < forces->n_torsion; i++) {
        const mb_torsion *x = &forces->torsion[i];
        torsion(x, x->relation < 0 ? NULL : &relation[x->relation], state, wrench);
    }
    for (int i = 0; i < forces->n_stabiliser; i++) stabiliser(&forces->stabiliser[i], state, wrench);
}

static int couple(mb_coupling *coupling, int n, int a, int b)
{
    if (coupling) coupling[n] = (mb_coupling){a, b};
    return n + 1;
}

int mb_forces_couplings(const mb_forces *forces, mb_coupling *coupling)
{
    int n = 0;
    for (int i = 0; i < forces->n_axial; i++) n = couple(coupling, n, forces->axial[i].a.body, forces->axial[i].b.body);
    for (int i = 0; i < forces->n_bushing; i++)
        n = couple(coupling, n, forces->bushing[i].a.body, forces->bushing[i].b.body);
    for (int i = 0; i < forces->n_torsion; i++) n = couple(coupling, n, forces->torsion[i].a, forces->torsion[i].b);
    for (int i = 0; i < forces->n_stabiliser; i++) {
        const mb_stabiliser *x = &forces->stabiliser[i];
        n = couple(coupling, n, x->base, x->left.body);
        n = couple(coupling, n, x->base, x->right.body);
        n = couple(coupling, n, x->left.body, x->right.body);
    }
    return n;
}

/* tree.c - see tree.h. With c the centre of mass of a body, j its joint point, P the parent:
 *
 *     r_c = r_j + e,   v_c = v_P + w_P x (r_j - r_P) + slide + w x e,   e = -R to
 *     a_c = a_P + al_P x (r_c - r_P) + sum lin_i q_i'' + lin_bias,   al = al_P + sum ang_i q_i'' + ang_bias
 *     lin_bias = w_P x (w_P x (r_j - r_P)) + 2 w_P x slide + ang_bias x e + w x (w x e) + driven
 *     ang_bias = w_P x w_rel + drift + driven
 *
 * w includes the spin of a rotor, except in w x e, where the spin has no effect because e is parallel to its axis. */
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/util/model_util.h"

int mb_tree_open(mb_tree *tree, int capacity, resida_message *why)
{
    *tree = (mb_tree){.capacity = capacity};
    if (capacity > MB_MAX_BODIES) {
        if (why) snprintf(why->text, sizeof why->text, "%d bodies, at most %d", capacity, MB_MAX_BODIES);
        return 1;
    }
    tree->body = bench_alloc(capacity, sizeof(mb_body), why);
    return !tree->body;
}

void mb_tree_close(mb_tree *tree)
{
    free(tree->body);
    *tree = (mb_tree){0};
}

int mb_tree_add(mb_tree *tree, int parent, double mass, mb_vec inertia, mb_joint joint)
{
    mb_body *b = &tree->body[tree->n_body];
    *b = (mb_body){.parent = parent, .mass = mass, .inertia = inertia, .joint = joint, .first = tree->n_q};
    b->root = parent < 0 ? -1 - parent : tree->body[parent].root;
    for (int i = 0; i < MB_SIX; i++) b->n += joint.mode[i] == MB_FREE;
    tree->n_q += b->n;
    if (b->root >= tree->n_root) tree->n_root = b->root + 1;
    return tree->n_body++;
}

int mb_coordinate(const mb_tree *tree, int body, int which)
{
    const mb_body *b = &tree->body[body];
    if (b->joint.mode[which] != MB_FREE) return -1;
    int at = b->first;
    for (int i = 0; i < which; i++) at += b->joint.mode[i] == MB_FREE;
    return at;
}

/* Compute the six coordinates of a joint, their rates, and accelerations of the driven coordinates. */
static void coordinates(const mb_body *b, const double *p, const double *v, const mb_motion *motion, double *q,
                        double *qd, double *qdd)
{
    int free = b->first, driven = b->joint.drive;
    for (int i = 0; i < MB_SIX; i++) {
        q[i] = qd[i] = qdd[i] = 0;
        if (b->joint.mode[i] == MB_FREE) {
            q[i] = p[free];
            qd[i] = v ? v[free] : 0;
            free++;
        } else if (b->joint.mode[i] == MB_DRIVEN) {
            q[i] = motion->s[driven];
            qd[i] = motion->sd[driven];
            qdd[i] = motion->sdd[driven];
            driven++;
        }
    }
}

/* Set the columns of the free coordinates; accelerations of driven coordinates are added to the bias. */
static void columns(const mb_joint *joint, const mb_joint_state *at, const double *qdd, mb_vec e, mb_state *s)
{
    const mb_vec move[3] = {at->move.x, at->move.y, at->move.z}, turn[3] = {at->phi, at->theta, at->psi};
    s->n = 0;
    for (int i = 0; i < MB_SIX; i++) {
        if (joint->mode[i] == MB_LOCKED) continue;
        const mb_vec ang = i < 3 ? (mb_vec){0, 0, 0} : turn[i - 3];
        const mb_vec lin = i < 3 ? move[i] : mb_cross(ang, e);
        if (joint->mode[i] == MB_FREE) {
            s->lin[s->n] = lin, s->ang[s->n] = ang;
            s->n++;
        } else {
            s->lin_bias = mb_along(s->lin_bias, qdd[i], lin);
            s->ang_bias = mb_along(s->ang_bias, qdd[i], ang);
        }
    }
}

static void place(const mb_body *b, const mb_state *parent, const double *q, const double *qd, const double *qdd,
                  mb_state *s)
{
    mb_joint_state at;
    mb_joint_place(&b->joint, &parent->R, q, qd, &at);
    const mb_vec e = mb_scale(-1, mb_turn(&at.R, b->joint.to)), w_P = parent->w;
    s->R = at.R;
    s->arm = mb_add(at.shift, e);
    s->r = mb_add(parent->r, s->arm);
    s->w = mb_add(w_P, at.w);
    s->spin = at.spin;
    s->angle = q[MB_THETA];
    const mb_vec swing = mb_cross(w_P, at.shift), turning = mb_cross(s->w, e);
    s->v = mb_add(mb_add(parent->v, swing), mb_add(at.slide, turning));
    s->ang_bias = mb_add(mb_cross(w_P, mb_add(at.w, at.spin)), at.drift);
    s->lin_bias = mb_add(mb_cross(w_P, mb_along(swing, 2, at.slide)),
                         mb_add(mb_cross(s->ang_bias, e), mb_cross(mb_add(s->w, s->spin), turning)));
    columns(&b->joint, &at, qdd, e, s);
}

void mb_place_body(const mb_tree *tree, int i, const mb_state *parent, const double *p, const double *v,
                   const mb_motion *motion, mb_state *state)
{
    const mb_body *b = &tree->body[i];
    double q[MB_SIX], qd[MB_SIX], qdd[MB_SIX];
    coordinates(b, p, v, motion, q, qd, qdd);
    place(b, parent, q, qd, qdd, state);
}

mb_state mb_root_state(void)
{
    mb_state root;
    memset(&root, 0, sizeof root);
    root.R = mb_identity();
    return root;
}

void mb_place(const mb_tree *tree, const double *p, const double *v, const mb_motion *motion, mb_state *state)
{
    const mb_state root = mb_root_state();
    for (int i = 0; i < tree->n_body; i++) {
        const int parent = tree->body[i].parent;
        mb_place_body(tree, i, parent < 0 ? &root : &state[parent], p, v, motion, &state[i]);
    }
}

void mb_inertial(const mb_root *root, const mb_state *b, mb_vec *lin, mb_vec *ang)
{
    const mb_vec w = root->w, around = mb_along(mb_cross(w, b->r), 2, b->v);
    *lin = mb_add(root->a, mb_add(mb_cross(root->al, b->r), mb_cross(w, around)));
    *ang = mb_add(root->al, mb_cross(w, mb_add(b->w, b->spin)));
}

mb_vec mb_turning(const mb_root *root, const mb_state *b)
{
    return mb_add(root->w, mb_add(b->w, b->spin));
}

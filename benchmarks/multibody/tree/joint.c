/* joint.c - see joint.h. */
#include "joint.h"

static const mb_vec origin = {0, 0, 0};

mb_joint mb_joint_fixed(mb_vec from)
{
    return (mb_joint){.from = from, .to = origin, .mount = mb_identity()};
}

/* Return orthonormal axes, the second of which is `axis`. */
static mb_mat axes_about(mb_vec axis)
{
    const mb_vec other = fabs(axis.x) < 0.9 ? (mb_vec){1, 0, 0} : (mb_vec){0, 0, 1};
    mb_vec x = mb_along(other, -mb_dot(other, axis), axis);
    x = mb_scale(1 / mb_norm(x), x);
    return (mb_mat){x, axis, mb_cross(x, axis)};
}

mb_joint mb_joint_revolute(mb_vec from, mb_vec axis)
{
    mb_joint j = mb_joint_fixed(from);
    j.mount = axes_about(axis);
    j.mode[MB_THETA] = MB_FREE;
    return j;
}

mb_joint mb_joint_prismatic(mb_vec from, mb_vec axis)
{
    mb_joint j = mb_joint_fixed(from);
    j.mount = axes_about(axis);
    j.mode[MB_Y] = MB_FREE;
    return j;
}

mb_joint mb_joint_universal(mb_vec from)
{
    mb_joint j = mb_joint_fixed(from);
    j.mode[MB_PHI] = j.mode[MB_THETA] = MB_FREE;
    return j;
}

mb_joint mb_joint_spherical(mb_vec from)
{
    mb_joint j = mb_joint_universal(from);
    j.mode[MB_PSI] = MB_FREE;
    return j;
}

mb_joint mb_joint_free(mb_vec from)
{
    mb_joint j = mb_joint_spherical(from);
    j.mode[MB_X] = j.mode[MB_Y] = j.mode[MB_Z] = MB_FREE;
    return j;
}

mb_joint mb_joint_rotor(mb_vec from, double spin)
{
    mb_joint j = mb_joint_fixed(from);
    j.mode[MB_THETA] = MB_FREE;
    j.rotor = 1, j.spin = spin;
    return j;
}

mb_joint mb_joint_driven(mb_joint joint, int drive)
{
    for (int i = 0; i < MB_SIX; i++)
        if (joint.mode[i] == MB_FREE) joint.mode[i] = MB_DRIVEN;
    joint.drive = drive;
    return joint;
}

void mb_joint_place(const mb_joint *joint, const mb_mat *parent, const double *q, const double *qd, mb_joint_state *s)
{
    const int *mode = joint->mode;
    s->move = mb_mul(parent, &joint->mount);
    s->shift = mb_add(mb_turn(parent, joint->from), mb_turn(&s->move, (mb_vec){q[MB_X], q[MB_Y], q[MB_Z]}));
    s->slide = mb_turn(&s->move, (mb_vec){qd[MB_X], qd[MB_Y], qd[MB_Z]});
    s->R = s->move;
    s->psi = s->R.z;
    if (mode[MB_PSI]) mb_yaw(&s->R, q[MB_PSI]);
    s->phi = s->R.x;
    if (mode[MB_PHI]) mb_roll(&s->R, q[MB_PHI]);
    s->theta = s->R.y;
    if (mode[MB_THETA] && !joint->rotor) mb_pitch(&s->R, q[MB_THETA]);
    const mb_vec turn = mb_along(mb_scale(qd[MB_PSI], s->psi), qd[MB_PHI], s->phi); /* of e_theta */
    const double pitch = joint->rotor ? joint->spin + qd[MB_THETA] : qd[MB_THETA];
    s->w = joint->rotor ? turn : mb_along(turn, pitch, s->theta);
    s->spin = joint->rotor ? mb_scale(pitch, s->theta) : origin;
    s->drift = mb_along(mb_scale(qd[MB_PHI] * qd[MB_PSI], mb_cross(s->psi, s->phi)), pitch, mb_cross(turn, s->theta));
}

/* free_mechanism.c - see free_mechanism.h. */
#include "free_mechanism.h"
#include "test/fixtures/bench_fixture.h"

#define GRAVITY 9.81

static const mb_vec arm = {0, 1, 0}, ez = {0, 0, 1};

void heavy_top_open(heavy_top *top)
{
    static const fb_body body = {15, {0.234375, 0.46875, 0.234375}};
    static const fb_link link = {FB_MEET, FB_SPACE, 0, .point_j = {0, -1, 0}};
    const double p0[FB_P] = {0, 1, 0, 1}, v0[FB_V] = {4.61538, 0, 0, 0, 150, -4.61538};
    memset(top, 0, sizeof *top);
    memcpy(top->p0, p0, sizeof p0), memcpy(top->v0, v0, sizeof v0);
    top->system = (fb_system){.n_body = 1, .body = &body, .n_link = 1, .link = &link};
    top->system.gravity = mb_scale(-GRAVITY, ez);
    resida_message why = {""};
    resida_mechanism_init(&top->mechanism);
    if (fb_open(&top->system, &top->mechanism, &why)) fail_msg("%s", why.text);
}

void heavy_top_close(heavy_top *top)
{
    fb_close(&top->system);
}

double heavy_top_energy(const heavy_top *top, const double *p, const double *v)
{
    const fb_body *b = top->system.body;
    fb_pose x;
    fb_place(&top->system, p, v, &x);
    return b->mass * (mb_dot(x.v, x.v) / 2 + GRAVITY * x.r.z) + mb_dot(x.w, mb_each(b->inertia, x.w)) / 2;
}

double heavy_top_momentum(const heavy_top *top, const double *p, const double *v)
{
    const fb_body *b = top->system.body;
    fb_pose x;
    fb_place(&top->system, p, v, &x);
    const mb_vec own = mb_turn(&x.R, mb_each(b->inertia, x.w));
    return mb_dot(ez, mb_along(own, b->mass, mb_cross(mb_turn(&x.R, arm), x.v)));
}

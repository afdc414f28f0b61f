/* impact_scene.h - mechanisms whose forces begin within a step: walls, ground, a stiff stop behind a soft spring,
 * friction on a belt. What a scene leads to is known in closed form, or found by runs at much tighter tolerances. */
#ifndef RESIDA_TEST_IMPACT_SCENE_H
#define RESIDA_TEST_IMPACT_SCENE_H

#include <resida/all.h>

#include <stdint.h>

enum { IMPACT_MAX = 4 }; /**< coordinates */

typedef enum impact_kind {
    IMPACT_WALL,                     /**< a body meets an elastic wall */
    IMPACT_HUNT,                     /**< one whose force is k d (1 + c d'), Hunt and Crossley */
    IMPACT_VISCOUS,                  /**< one with spring and damper that pushes only */
    IMPACT_CARTS,                    /**< two bodies meet */
    IMPACT_LINKED,                   /**< two bodies with a rigid link between them (a constraint) meet a wall */
    IMPACT_N_REBOUNDS,               /**< the kinds above are random, and their speeds afterwards known */
    IMPACT_STOP = IMPACT_N_REBOUNDS, /**< a body swings on a soft spring above hard ground */
    IMPACT_BELT,     /**< stick-slip: a body on a spring and a belt, friction regularised over 1e-4 m/s */
    IMPACT_DUMBBELL, /**< two bodies with a rigid rod fall on ground, in the plane */
    IMPACT_N_KINDS
} impact_kind;

typedef struct impact_scene {
    impact_kind kind;
    int n, n_g, n_root;
    int hides_mass; /**< 1: the residual formalism has no mass matrix */
    double m[IMPACT_MAX], p0[IMPACT_MAX], v0[IMPACT_MAX];
    double k, c;                   /**< of the contact [N/m, its damping] */
    double at, length, soft, belt; /**< place of the wall; of link or rod; soft spring [N/m]; speed [m/s] */
    double t_end;
    double exact[2 * IMPACT_MAX]; /**< p, v at t_end; NAN: not judged */
    double scale;                 /**< of errors in v [m/s] */
} impact_scene;

/** What a run led to. */
typedef struct impact_run {
    resida_status status;
    double error; /**< largest, in v as part of the scale */
    resida_stats stats;
    char message[256];
} impact_run;

extern const char *const impact_names[IMPACT_N_KINDS];

/** Scene number `number` of a kind: stiffness 1e2 .. 1e13 N/m, speed 0.05 .. 5 m/s, 0.1 .. 30 s of flight. */
void impact_make(impact_scene *s, impact_kind kind, uint64_t number);

/** Its problem. Free with resida_problem_free(). */
resida_problem *impact_open(impact_scene *s, resida_formalism formalism);

/** From the start to t_end, through events if there are any. */
impact_run impact_solve(impact_scene *s, const char *strategy, resida_formalism formalism, double tolerance);

#endif

/* resida/model.h - models by name: built in, from a plugin, or from a file of another tool (resida/adapter.h).
 *
 * A plugin is a shared object that exports one object:
 *
 *     RESIDA_PLUGIN const resida_model_class resida_plugin = { RESIDA_MODEL_HEAD, .name = "bead", ... };
 *
 * Texts are UTF-8 without control characters. doc/plugins.md is a guide. */
#ifndef RESIDA_MODEL_H
#define RESIDA_MODEL_H

#include <stdint.h>

#include <resida/contact.h>
#include <resida/dae.h>
#include <resida/mechanism.h>
#include <resida/products.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RESIDA_PLUGIN_MAGIC  UINT32_C(0x41534452) /**< identification of a plugin: "RDSA" in the file, little endian */
#define RESIDA_PLUGIN_ABI    1                    /**< version of the layout of these structs */
#define RESIDA_PLUGIN_SYMBOL "resida_plugin"      /**< name of the object that a plugin exports */

/** Declaration of the exported object of a plugin. */
#if defined(__cplusplus)
#define RESIDA_PLUGIN extern "C" RESIDA_API
#else
#define RESIDA_PLUGIN RESIDA_API
#endif

/** Parameter of a model class: a number or a text. */
typedef struct resida_parameter {
    const char *name; /**< name on the command line */
    double value;     /**< default of a number, finite */
    double min;       /**< minimum, or -INFINITY; an integer if `whole` */
    double max;       /**< maximum, or INFINITY; an integer if `whole` */
    int whole;        /**< 1: the number is an integer */
    const char *unit; /**< physical unit: "kg", "rad/s", "-" */
    const char *text; /**< description, one line */
    const char *word; /**< default of a text, without value, min, max, whole; NULL: a number */
} resida_parameter;

/** Value of a parameter. */
typedef struct resida_setting {
    const char *name; /**< name of the parameter */
    double value;     /**< value of a number */
    const char *word; /**< value of a text; NULL: a number */
} resida_setting;

/** Model with values of its parameters. */
typedef struct resida_model resida_model;

/** Shape of a drawn part, and its points. */
typedef enum resida_part_kind {
    RESIDA_PART_LINE = 0,     /**< polyline through the points */
    RESIDA_PART_BOX = 1,      /**< box: eight corners, numbered by the bits of their sides along x, y, z */
    RESIDA_PART_BALLS = 2,    /**< a ball at each point */
    RESIDA_PART_CYLINDER = 3, /**< cylinder: ends of the axis, and a point of the rim */
    RESIDA_PART_SPRING = 4,   /**< spring between two points */
    RESIDA_PART_BEAM = 5,     /**< beam: four corners of each cross section */
    RESIDA_PART_ARROW = 6,    /**< arrow: origin, and a point in its direction; length: the output of its name */
    RESIDA_PART_MESH = 7      /**< surface of `meshes`: origin of its axes, and ends of their unit vectors */
} resida_part_kind;

/** Triangulated surface of a rigid body, in its own axes. */
typedef struct resida_mesh {
    int n_vertices;         /**< number of vertices, > 0 */
    const double *vertices; /**< [3 n_vertices] coordinates x, y, z of each vertex [m] */
    int n_triangles;        /**< number of triangles, > 0 */
    const int *triangles;   /**< [3 n_triangles] numbers of the vertices of each triangle, base 0 */
} resida_mesh;

/** A drawn part of a model. */
typedef struct resida_part {
    const char *name;      /**< name; parts of one name have one colour; NULL: ground, pale */
    resida_part_kind kind; /**< shape */
    int n_points;          /**< number of points, > 0; box 8, cylinder 3, spring and arrow 2, mesh 4, beam 4 for each
                                section */
} resida_part;

/** Reason of a call of event(). */
typedef enum resida_event_kind {
    RESIDA_AT_START = 0, /**< a run begins: reset the model to its state after create(); y, yp are its start */
    RESIDA_AT_ROOT = 1,  /**< root functions crossed zero */
    RESIDA_AT_TIME = 2,  /**< the time t_next is reached */
    RESIDA_AT_STEP = 3   /**< end of an accepted step, only with asks_steps */
} resida_event_kind;

/** Argument of event(). resida_run (resida/run.h) sets the inputs, and sets the outputs to 0. */
typedef struct resida_model_event {
    resida_event_kind kind; /**< in: reason of the call */
    double t;               /**< in: time [s], after the crossing of a root function */
    const int *direction;   /**< in: [n_root] direction of each crossing, +1 rising, -1 falling, 0 not crossed; NULL
                                 except at a root */
    double *y;              /**< in and out: state y [n]; of a mechanism p [n_p] */
    double *yp;             /**< in and out: y' [n]; of a mechanism v [n_v] */
    int changed;            /**< out: 1: restart from y, yp, made consistent for a mechanism */
    int find_yp;            /**< out: 1: compute yp of a general DAE after the change */
    int ends;               /**< out: 1: end the run, with success */
    double t_next;          /**< in and out: time of the next event [s]; INFINITY: none. A root function that crosses at
                                 this time comes first. Outputs there are those after the event */
    int silent;             /**< out: 1: do not report the event at t_next; unused with `ends` */
    double t_stop;          /**< in: end of the run [s]; INFINITY: unknown */
    double rtol;            /**< in: relative tolerance of the run */
    int exact_signs;        /**< out, with `changed`: 1: the signs of root functions at y are exact */
} resida_model_event;

/** Argument of output(). Parts of the other kind of model are NULL. */
typedef struct resida_model_point {
    double t;          /**< time [s] */
    const double *y;   /**< [n] unknowns of a general DAE */
    const double *yp;  /**< [n] derivatives y' of a general DAE */
    const double *p;   /**< [n_p] positions of a mechanism */
    const double *v;   /**< [n_v] velocities, then states z */
    const double *a;   /**< [n_v] accelerations, then z' */
    const double *lam; /**< [n_g + n_h] multipliers */
    const double *u;   /**< [n_u] excitations to use; NULL: those at t */
} resida_model_point;

/** A model with values of its parameters. create() of the class receives the struct initialised. The model owns its
 *  arrays until destroy(). */
struct resida_model {
    size_t size;                /**< struct size */
    int is_dae;                 /**< 1: a general DAE, `dae`; 0: a mechanism, `mechanism` */
    resida_mechanism mechanism; /**< the mechanism, unless is_dae */
    resida_dae dae;             /**< the general DAE, if is_dae */

    /* Defaults of a run. Required: p0, v0 of a mechanism, y0 of a general DAE. */
    double t0;         /**< start time [s] */
    double t_end;      /**< end time [s] */
    const double *p0;  /**< [n_p] initial positions */
    const double *v0;  /**< [n_v] initial velocities and states */
    const double *y0;  /**< [n] initial values of a general DAE */
    const double *yp0; /**< [n] initial derivatives of a general DAE; NULL: computed */
    double rtol;       /**< default relative tolerance */
    double atol;       /**< default absolute tolerance */

    /** Evaluate a reference solution at t: p [n_p], v [n_v], lam [n_g + n_h] (general DAE: y [n] in p) if not NULL;
     *  unknown components are NaN. @return 0; 1: none. */
    int (*reference)(const resida_model *model, double t, double *p, double *v, double *lam);
    const char *reference_source; /**< source of the reference solution, one line */
    int n_parts;                  /**< number of drawn parts */
    const resida_part *parts;     /**< [n_parts] drawn parts */
    /** Evaluate the points of all parts at t: xyz [3 n] [m], z up; p [n_p], of a general DAE y [n]. Required if n_parts
     *  > 0. @return 0; else they are unknown. */
    int (*shape)(const resida_model *model, double t, const double *p, double *xyz);
    void *user;                           /**< memory of the class, usually also mechanism.user */
    const char *const *words;             /**< [n_parameters] values of texts, NULL for numbers; set by the caller of
                                               create() during the call */
    const struct resida_model_class *cls; /**< class of the model, set by the caller of create() */
    const double *atol_each;              /**< [n] or [n_p + n_v] absolute tolerances for the default atol, scaled with
                                               it; NULL: atol */

    /* Events and outputs. */
    /** Apply impacts, switches and discrete states. Speeds below the tolerances are noise. @return 0; else failure. */
    int (*event)(const resida_model *model, resida_model_event *event);
    int asks_steps;                  /**< 1: event() is also called after each step */
    int n_outputs;                   /**< number of outputs, such as forces, strokes, energies */
    const char *const *output_names; /**< [n_outputs] names of outputs, different, not empty */
    const char *const *output_units; /**< [n_outputs] units of outputs, such as "N"; NULL, also of an entry: unknown */
    /** Evaluate the outputs out [n_outputs] at a point; NaN: unknown. Required if n_outputs > 0. Unused parts of the
     *  point may be NaN. @return 0; > 0: all unknown; < 0: end the run. */
    int (*output)(const resida_model *model, const resida_model_point *at, double *out);

    /* Members of later versions. */
    const resida_products *products;       /**< directional derivatives of the model */
    int state_is_all;                      /**< 1: event() changes only `state`, and what save() writes; required to
                                                save a run with event() without save() */
    size_t state_size;                     /**< size of `state` in bytes */
    void *state;                           /**< [state_size] memory of event(), without pointers */
    const resida_model_contacts *contacts; /**< contacts of a mechanism */
    const char *said;                      /**< message of the last failure of a callback, one line; may be "" */
    const char *warning;                   /**< reason to doubt the state of the last output(), one line; may be "" */
    const char *const *output_words;       /**< [n_outputs] text values of the last output(); NULL, also of an entry: a
                                                number */
    const char *const *excitation_names;   /**< [n_u] names of excitations, different; NULL: u[0], u[1] ... */
    const resida_mesh *meshes;             /**< surfaces of the parts RESIDA_PART_MESH, in their order */
    const char *const *root_names;         /**< [n_root] names of root functions; NULL: numbers */
    const double *reference_doubt;         /**< [3] errors of the reference in p (or y), v, lam */
    int n_breakpoints;                     /**< number of breakpoints */
    const double *breakpoints;             /**< [n_breakpoints] ascending times [s] at which steps of a run end */
    int y_is_time;              /**< 1: y [1] is the time; the model consists of events and outputs (co-simulation) */
    const double *part_colours; /**< [3 n_parts] colours of parts: red, green, blue, 0 to 1; NaN, or NULL: by name */
    const char *counted;        /**< counters of the last run as text, shown in place of steps */

    /* Units; NULL, also of an entry: unknown. */
    const char *const *y_units;          /**< [n] units of y */
    const char *const *p_units;          /**< [n_p] units of positions. If p' = v, those of v and v' follow */
    const char *const *v_units;          /**< [n_v] units of velocities and states; NULL, also of an entry: from
                                              p_units */
    const char *const *lam_units;        /**< [n_g + n_h] units of multipliers */
    const char *const *excitation_units; /**< [n_u] units of excitations */

    resida_root_lam_fn *root_lam; /**< root functions that depend on lam, in place of mechanism.root
                                       (resida_problem_options) */

    int n_tunable;                    /**< number of tunable parameters: last values of `state`, for the next event */
    const char *const *tunable_names; /**< [n_tunable] names of tunable parameters; a value NaN: unchanged */
    /** Evaluate any variable at a point of a run, by name; NULL: only outputs are known. @return 0; 1: there is no such
     *  number; < 0: failure, see `said` */
    int (*value)(const resida_model *model, const resida_model_point *at, const char *name, double *value);
    /** Write the memory that event() changes beside `state` to bytes [*size]; NULL: only its size. If state_is_all = 0,
     *  only this model can load it. NULL: there is none. @return 0; else failure, see `said` */
    int (*save)(const resida_model *model, void *bytes, size_t *size);
    /** Read this memory, after event() at the start. @return 0; else failure, see `said` */
    int (*load)(const resida_model *model, const void *bytes, size_t size);
};

#define RESIDA_MODEL_OPTION_SIZE 32 /**< size of the name of a command option, with its terminating 0 */

/** Class of models: parameters and a function that creates a model. */
typedef struct resida_model_class {
    /* RESIDA_MODEL_HEAD. */
    uint32_t magic;        /**< RESIDA_PLUGIN_MAGIC */
    uint32_t abi;          /**< RESIDA_PLUGIN_ABI */
    size_t class_size;     /**< sizeof(resida_model_class) */
    size_t model_size;     /**< sizeof(resida_model) */
    size_t parameter_size; /**< sizeof(resida_parameter) */
    /* The class. */
    const char *name;                   /**< name on the command line */
    const char *text;                   /**< description, one line */
    int n_parameters;                   /**< number of parameters, >= 0 */
    const resida_parameter *parameters; /**< [n_parameters] parameters */
    /** Create a model from values [n_parameters] within their ranges; texts are in model->words.
     *  @return 0; else failure, with a line in `why` and nothing allocated */
    int (*create)(const double *values, resida_model *model, resida_message *why);
    void (*destroy)(resida_model *model); /**< free the memory of create(); may be NULL */
    const char *const *options;           /**< [n_parameters] command options that set parameters, of a..z, digits and
                                               '-'; NULL, also of an entry: none */
} resida_model_class;

/** First members of a resida_model_class. */
#define RESIDA_MODEL_HEAD                                                                                              \
    RESIDA_PLUGIN_MAGIC, RESIDA_PLUGIN_ABI, sizeof(resida_model_class), sizeof(resida_model), sizeof(resida_parameter)

/** Set `size`, initialise `mechanism` and `dae`, and set other members to 0. */
RESIDA_API void resida_model_init(resida_model *model);

/** Create a model from numbers.
 *  @param[in]  names, values  [n]; other parameters keep their defaults
 *  @param[out] model          free with resida_model_destroy()
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT also: unknown parameter (`why` lists the known ones) or wrong value;
 *          RESIDA_ERR_MODEL: create() failed, with its message */
RESIDA_API resida_status resida_model_create(const resida_model_class *cls, int n, const char *const *names,
                                             const double *values, resida_model *model, resida_message *why);

/** Create a model from numbers and texts.
 *  @param[in] settings  [n]
 *  @return as resida_model_create(); RESIDA_ERR_ARGUMENT also: a wrong type */
RESIDA_API resida_status resida_model_create_with(const resida_model_class *cls, int n, const resida_setting *settings,
                                                  resida_model *model, resida_message *why);

/** Free a model; a zeroed model or NULL is ignored. */
RESIDA_API void resida_model_destroy(const resida_model_class *cls, resida_model *model);

/** Call model->reference() and catch C++ exceptions.
 *  @return its value; 1: NULL; RESIDA_ERR_USER: an exception; RESIDA_ERR_ARGUMENT */
RESIDA_API int resida_model_reference(const resida_model *model, double t, double *p, double *v, double *lam);

/** Call model->shape(). @return as resida_model_reference() */
RESIDA_API int resida_model_shape(const resida_model *model, double t, const double *p, double *xyz);

/** Call model->event(). @return as resida_model_reference(), but 0: NULL */
RESIDA_API int resida_model_happens(const resida_model *model, resida_model_event *event);

/** Call model->output(). @return as resida_model_reference() */
RESIDA_API int resida_model_output(const resida_model *model, const resida_model_point *at, double *out);

/** A loaded plugin. */
typedef struct resida_plugin_handle resida_plugin_handle;

/** Check whether a word is a file for resida_plugin_open(), by '/', its ending, or "casadi:". @return the path within
 *  the word; NULL: the name of a model */
RESIDA_API const char *resida_plugin_file(const char *word);

/** Load a plugin, or a file of another tool by its adapter (resida/adapter.h). A damaged file, or code that runs when
 *  it is loaded, can end the process.
 *  @param[in]  path  as in resida_plugin_file(); without '/' a file of the current folder
 *  @param[out] cls   class, owned by the handle
 *  @return RESIDA_OK; RESIDA_ERR_PLUGIN */
RESIDA_API resida_status resida_plugin_open(resida_plugin_handle **plugin, const char *path,
                                            const resida_model_class **cls, resida_message *why);

/** Unload a plugin or NULL, after its models are destroyed. */
RESIDA_API void resida_plugin_close(resida_plugin_handle *plugin);

#ifdef __cplusplus
}
#endif
#endif

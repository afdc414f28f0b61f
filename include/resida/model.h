/* resida/model.h - models by name: what the command `resida` integrates, built in, from a plugin, or from a file of
 * another tool that an adapter reads (resida/adapter.h).
 *
 * A plugin is a shared object that exports one object
 *
 *     RESIDA_PLUGIN const resida_model_class resida_plugin = { RESIDA_MODEL_HEAD, .name = "bead", ... };
 *
 * in C++ (from C++11 on) the same with the fields in their order, without names: { RESIDA_MODEL_HEAD, "bead", ... }.
 *
 * The models built into the command are objects of the same type. */
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

#define RESIDA_PLUGIN_MAGIC  UINT32_C(0x41534452) /**< "RDSA" in the file, little endian */
#define RESIDA_PLUGIN_ABI    1                    /**< another number: another layout of these structs */
#define RESIDA_PLUGIN_SYMBOL "resida_plugin"      /**< the object that a plugin exports */

/** Before the one exported object of a plugin. */
#if defined(__cplusplus)
#define RESIDA_PLUGIN extern "C" RESIDA_API
#else
#define RESIDA_PLUGIN RESIDA_API
#endif

/** A parameter that is settable by name. Texts here and below are UTF-8 without control characters. */
typedef struct resida_parameter {
    const char *name; /**< as typed on the command line */
    double value;     /**< default, finite */
    double min;       /**< least value allowed, -INFINITY: none; a whole number when `whole` */
    double max;       /**< largest value allowed, INFINITY: none; a whole number when `whole` */
    int whole;        /**< 1: a whole number such as a count of rods */
    const char *unit; /**< "kg", "rad/s", "-" */
    const char *text; /**< one line: what it is */
    const char *word; /**< not NULL: the parameter is a text, this is its default, and value, min, max, whole are not
                           looked at; NULL: a number */
} resida_parameter;

/** A parameter that is set. */
typedef struct resida_setting {
    const char *name; /**< of the parameter */
    double value;     /**< of a number */
    const char *word; /**< of a text; NULL for a number */
} resida_setting;

/** One model; below. */
typedef struct resida_model resida_model;

/** How the points of a part are drawn. */
typedef enum resida_part_kind {
    RESIDA_PART_LINE = 0,  /**< from point to point */
    RESIDA_PART_BOX = 1,   /**< eight corners; bits 1, 2, 4 of a corner's number are its side along the box's x, y, z */
    RESIDA_PART_BALLS = 2, /**< a mark on each point */
    RESIDA_PART_CYLINDER = 3, /**< such as a wheel: the ends of its axis, and a point of the rim, which turns with it */
    RESIDA_PART_SPRING = 4,   /**< from end to end */
    RESIDA_PART_BEAM = 5,     /**< the four corners of a cross section in turn, section after section along the beam */
    RESIDA_PART_ARROW = 6, /**< a force: where it acts, and a point in its direction. It is as long as the output of the
                               part's name is large; a negative one points the other way */
    RESIDA_PART_MESH = 7 /**< a rigid body with a surface of the model's `meshes`: the origin of its axes, and the ends
                               of their unit vectors */
} resida_part_kind;

/** The surface of a rigid body, in its own axes. */
typedef struct resida_mesh {
    int n_vertices;         /**< > 0 */
    const double *vertices; /**< [3 n_vertices] [m] x, y, z of each */
    int n_triangles;        /**< > 0 */
    const int *triangles;   /**< [3 n_triangles] the vertices of each, from 0 on */
} resida_mesh;

/** A part of what a model looks like. */
typedef struct resida_part {
    const char *name;      /**< such as "rod"; parts of one name have one colour. NULL: ground, drawn pale */
    resida_part_kind kind; /**< how */
    int n_points;          /**< > 0; box 8, cylinder 3, spring and arrow 2, mesh 4, beam 4 of each section */
} resida_part;

/** Why a model is asked what happens. */
typedef enum resida_event_kind {
    RESIDA_AT_START = 0, /**< a run begins: back to the state after create(); y, yp are those of the model */
    RESIDA_AT_ROOT = 1,  /**< root functions crossed zero */
    RESIDA_AT_TIME = 2,  /**< the time is t_next */
    RESIDA_AT_STEP = 3   /**< a step was accepted, and this is its end; only with asks_steps */
} resida_event_kind;

/** What happens at a time: asked by resida_run (resida/run.h), answered by the model. */
typedef struct resida_model_event {
    resida_event_kind kind; /**< in: why */
    double t;               /**< in: [s], behind the crossing of a root function */
    const int *direction;   /**< in, at a root: [n_root] +1 rising, -1 falling, 0 not crossed; else NULL */
    double *y;              /**< in: the state, [n]; of a mechanism p [n_p]. Out, with `changed`: from where to go on */
    double *yp;             /**< the same of y', [n]; of a mechanism v [n_v] */
    int changed;            /**< out, 0 before: 1: a start from y, yp follows, of a mechanism a consistent one */
    int find_yp;   /**< out, 0 before: 1: yp of a general DAE is not known after the change and has to be found */
    int ends;      /**< out, 0 before: 1: the run ends here, which is no failure */
    double t_next; /**< in and out: [s] an event that is known by its time; INFINITY (at a start): none. Where a root
                        function crosses at that very time, it is asked about first, and t_next comes after it. An
                        output that rounding puts before t_next is of behind the event */
    int silent;    /**< out, 0 before: 1: nothing has happened at t_next that a run should tell, as at the points where
                        a co-simulation exchanges values, or, with `changed`, where an excitation bends and steps
                        begin anew; not looked at with `ends` */
    double t_stop; /**< in: [s] the run does not go beyond; INFINITY: not known */
    double rtol;   /**< in: of the run */
    int exact_signs; /**< out, 0 before: 1, with `changed`: signs of root functions at y are certain, as relations of an
                        FMU have them; else one that has just crossed may be on either side by rounding */
} resida_model_event;

/** A state at which a model is asked for its outputs. Parts that do not exist are NULL: of a general DAE p, v, a, lam;
 *  of a mechanism y, yp. */
typedef struct resida_model_point {
    double t;          /**< [s] */
    const double *y;   /**< general DAE: [n] */
    const double *yp;  /**< general DAE: [n] y' */
    const double *p;   /**< mechanism: [n_p] */
    const double *v;   /**< mechanism: [n_v] */
    const double *a;   /**< mechanism: [n_v] v' */
    const double *lam; /**< mechanism: [n_g + n_h]; NULL without constraints */
    const double *u;   /**< [n_u] excitations in the place of those at t; NULL: those at t */
} resida_model_point;

/** One model with its parameters set: what to integrate, from where, to when, and how well it is known. Made by
 *  resida_model_class.create(), which sets every field it uses (the struct comes zeroed, with `mechanism` and `dae`
 *  initialised). Arrays belong to the model and live until its destroy(). */
struct resida_model {
    size_t size;                /**< sizeof(resida_model), set by resida_model_init() */
    int is_dae;                 /**< 0: `mechanism` counts; 1: `dae` */
    resida_mechanism mechanism; /**< with is_dae = 0 */
    resida_dae dae;             /**< with is_dae = 1 */
    double t0;                  /**< [s] start of the default interval */
    double t_end;               /**< [s] end of it */
    const double *p0;           /**< mechanism: [n_p] start */
    const double *v0;           /**< mechanism: [n_v] start */
    const double *y0;           /**< general DAE: [n] start */
    const double *yp0;          /**< general DAE: [n]; NULL: to be found */
    double rtol;                /**< relative tolerance usual for the model */
    double atol;                /**< absolute tolerance usual for the model */
    /** A trusted solution at t. Fills what is not NULL and returns 0; returns 1 when there is none for this t and
     *  these parameters. Mechanism: p [n_p], v [n_v], lam [n_g + n_h]; general DAE: p is y [n], v and lam are NULL.
     *  A component that is not known is NaN. NULL: never a reference. */
    int (*reference)(const resida_model *model, double t, double *p, double *v, double *lam);
    const char *reference_source; /**< who made it, one line; NULL if none */
    int n_parts;                  /**< of what it looks like, >= 0 */
    const resida_part *parts;     /**< [n_parts]; NULL: nothing is said of it */
    /** Where the parts are at t. p [n_p], of a general DAE y [n]; out: xyz [3 n] [m], the points of all parts in their
     *  order, three coordinates each, z is up. @return 0; else they are not known there. Needed with n_parts > 0.
     *  Called once for each output of a run that is drawn, never by a solver. */
    int (*shape)(const resida_model *model, double t, const double *p, double *xyz);
    void *user;               /**< the class's own memory; usually also mechanism.user */
    const char *const *words; /**< [n_parameters] values of parameters that are texts, NULL for numbers; set by the
                                   caller of create(), for the time of it */
    const struct resida_model_class *cls; /**< that makes the model; set by the caller of create() */
    const double *atol_each; /**< general DAE: [n], mechanism: [n_p + n_v] of p and v; absolute tolerances by component,
                                   which go with atol: another atol scales them. NULL: atol for all */
    /** What events do: impacts, switches, discrete states. The state is behind the crossing, where the root function
     *  may have its new sign, and a speed below the tolerances has any: a rebound is e |v| from a gap of 0. A body that
     *  begins at its floor without a speed falls through it, and no root function tells: `contacts` do. @return 0; else
     *  it failed. NULL: events change nothing */
    int (*event)(const resida_model *model, resida_model_event *event);
    int asks_steps; /**< 1: event() is called after each step, too */
    int n_outputs;  /**< quantities that follow from the state, such as forces, strokes, energies; >= 0 */
    const char *const *output_names; /**< [n_outputs] each once, not empty; needed with n_outputs > 0 */
    const char *const *output_units; /**< [n_outputs] "N", "J", "-"; NULL, and one that is NULL: not said */
    /** out [n_outputs] at a point. One that is not known there is NaN. @return 0; > 0: none is known there; < 0: it
     *  failed, which ends a run. Needed with n_outputs > 0. Called once for each output of a run that is kept, never by
     *  a solver; resida_linearization_add_outputs() asks beside the state, and with NaN in it. */
    int (*output)(const resida_model *model, const resida_model_point *at, double *out);
    const resida_products *products; /**< of derivatives with directions, for resida_problem_options; NULL: none */
    int state_is_all;  /**< 1: what event() changes in memory of the model is `state`, or nothing: a run can be saved
                           (resida/checkpoint.h). 0: it is not known, and a run with event() cannot */
    size_t state_size; /**< bytes of it, >= 0 */
    void *state;       /**< [state_size] what event() changes, without pointers: saved and put back as it is; or NULL */
    const resida_model_contacts *contacts; /**< of a mechanism, that rebound by themselves; NULL: none */
    const char *said; /**< why a callback of it failed last, in its own words, one line that it writes then; "" or NULL:
                           nothing. Runs of the command and of Python put it behind the message of RESIDA_ERR_USER */
    const char
        *warning; /**< why the state of the last output() is doubtful, one line that output() writes, UTF-8; "" or
                              NULL: it is not. Runs of the command add the first one to their warnings;
                              `equilibrium` and `linearize` print that of their state. With n_outputs
                              = 0 output() is called for it alone, with an array that it leaves as it is */
    const char *const *output_words; /**< [n_outputs] texts that output() found last, UTF-8 without control characters,
                                          until it is called again; such an output is a number that stands for its
                                          text. NULL, and one that is NULL: the output is the number itself */
    const char *const *excitation_names; /**< [n_u] of the mechanism or DAE, each once; NULL: u[0], u[1] ... */
    const resida_mesh *meshes;     /**< of the parts of kind RESIDA_PART_MESH, one each, in their order; or NULL */
    const char *const *root_names; /**< [n_root] of the mechanism or DAE, for messages and files; NULL: their numbers */
    const double *reference_doubt; /**< [3] how far p (or y), v and lam of the reference may be from the solution, as
                                        those of a limit are: less than ten times that is no error. NULL: not at all */
    int n_breakpoints;             /**< >= 0 */
    const double *breakpoints; /**< [n_breakpoints] [s] rising: times at which excitations are not smooth, such as the
                                    rows of a table. Runs end a step at each; steps go on from there */
    int y_is_time; /**< 1, of a general DAE with n = 1: y is the time, and what the model is are its events and outputs,
                        as in co-simulation. The command writes outputs by default, and refuses options of steps */
    const double *part_colours; /**< [3 n_parts] red, green and blue of each part, from 0 to 1; NaN: the colour of its
                                     name. NULL: colours of names for all */
    const char *counted; /**< what the model counted in its last run, in words, such as communication steps: `solve`
                              shows it in the place of the counters of steps; NULL: nothing */
    const char *const *y_units; /**< [n] of y of a general DAE: "m", "m/s"; NULL, and one that is NULL: not said */
};

#define RESIDA_MODEL_OPTION_SIZE 32 /**< bytes of the name of an option, with the 0 at its end */

/** A kind of model: its names, its parameters, how to make one. */
typedef struct resida_model_class {
    uint32_t magic;                     /**< RESIDA_PLUGIN_MAGIC */
    uint32_t abi;                       /**< RESIDA_PLUGIN_ABI */
    size_t class_size;                  /**< sizeof(resida_model_class) */
    size_t model_size;                  /**< sizeof(resida_model) */
    size_t parameter_size;              /**< sizeof(resida_parameter) */
    const char *name;                   /**< as typed on the command line */
    const char *text;                   /**< one line: what it is, who made it */
    int n_parameters;                   /**< >= 0 */
    const resida_parameter *parameters; /**< [n_parameters] */
    /** Make a model. @param[in] values [n_parameters], all within their ranges; texts are in model->words
     *  @return 0; else a message was written to `why` (one line) and nothing is left allocated */
    int (*create)(const double *values, resida_model *model, resida_message *why);
    void (*destroy)(resida_model *model); /**< free what create() made; NULL: nothing to free */
    const char *const *options; /**< [n_parameters] names of options of the command that set parameters, such as
                                     "communication-step": letters a..z, digits and '-', with the 0 at its end at
                                     most RESIDA_MODEL_OPTION_SIZE bytes; NULL: none. An
                                     option of a whole number within 0 .. 1 stands for 1 and takes no value. Options of
                                     the command itself come first. NULL: no parameter has one */
} resida_model_class;

/** The first five fields of a resida_model_class. */
#define RESIDA_MODEL_HEAD                                                                                              \
    RESIDA_PLUGIN_MAGIC, RESIDA_PLUGIN_ABI, sizeof(resida_model_class), sizeof(resida_model), sizeof(resida_parameter)

/** No model: zeros, the size, `mechanism` and `dae` initialised. A program that fills a model of its own for resida_run
 *  begins with it, so that members which come later are zero. create() gets a model that was initialised. */
RESIDA_API void resida_model_init(resida_model *model);

/** Set parameters and make a model.
 *  @param[in]  cls    class
 *  @param[in]  n      settings
 *  @param[in]  names, values  [n] parameters to set; the others keep their defaults
 *  @param[out] model  filled; give it back to resida_model_destroy()
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT (no such parameter: the message lists them; out of its range; not whole);
 *          RESIDA_ERR_MODEL (the class refused, its message is passed on); RESIDA_ERR_MEMORY */
RESIDA_API resida_status resida_model_create(const resida_model_class *cls, int n, const char *const *names,
                                             const double *values, resida_model *model, resida_message *why);

/** The same with parameters that may be texts.
 *  @param[in] settings  [n] parameters to set; those of texts have a word, those of numbers none
 *  @return as resida_model_create(); RESIDA_ERR_ARGUMENT also for a number where a text is wanted, and the reverse */
RESIDA_API resida_status resida_model_create_with(const resida_model_class *cls, int n, const resida_setting *settings,
                                                  resida_model *model, resida_message *why);

/** Free what resida_model_create() made; a zeroed model or NULL is fine. */
RESIDA_API void resida_model_destroy(const resida_model_class *cls, resida_model *model);

/** model->reference(), with what it throws caught. The arguments are those of the callback.
 *  @return what it returned; 1: there is none; RESIDA_ERR_USER: it threw; RESIDA_ERR_ARGUMENT: model is NULL */
RESIDA_API int resida_model_reference(const resida_model *model, double t, double *p, double *v, double *lam);

/** model->shape(), with what it throws caught. The arguments are those of the callback.
 *  @return what it returned; 1: there is none; RESIDA_ERR_USER: it threw; RESIDA_ERR_ARGUMENT: model, p or xyz is
 *          NULL */
RESIDA_API int resida_model_shape(const resida_model *model, double t, const double *p, double *xyz);

/** model->event(), with what it throws caught. The arguments are those of the callback.
 *  @return what it returned; 0: there is none; RESIDA_ERR_USER: it threw; RESIDA_ERR_ARGUMENT: an argument is NULL */
RESIDA_API int resida_model_happens(const resida_model *model, resida_model_event *event);

/** model->output(), with what it throws caught. The arguments are those of the callback.
 *  @return what it returned; 1: there is none; RESIDA_ERR_USER: it threw; RESIDA_ERR_ARGUMENT: an argument is NULL */
RESIDA_API int resida_model_output(const resida_model *model, const resida_model_point *at, double *out);

/** A loaded plugin. */
typedef struct resida_plugin_handle resida_plugin_handle;

/** Does a word name a file that resida_plugin_open() takes? It does with '/' in it, with ".so", ".fmu", ".ssp" or
 *  ".urdf" at its end, or "casadi:" in front.
 *  @return the file's path within the word; NULL: it is the name of a model */
RESIDA_API const char *resida_plugin_file(const char *word);

/** Load a plugin, or a file of another tool by its adapter (resida/adapter.h). Before it is loaded a plugin has to be
 *  an ELF shared object, whole, for this machine; before the class that it exports is used, its magic, ABI number and
 *  struct sizes have to be right (structs grow at their ends: those of plugins that were compiled before are shorter),
 *  its texts UTF-8 without control characters. What the file runs while it is loaded can end the process, and so can a
 *  file that is damaged in its code or tables: a program that has to survive that loads it in a process of its own
 *  first, as the command `resida` does.
 *  @param[in]  path   file, as resida_plugin_file() says; a name without '/' is looked for in the current folder only
 *  @param[out] cls    the class, owned by the handle
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT; RESIDA_ERR_PLUGIN (what is wrong is in `why`); RESIDA_ERR_MEMORY */
RESIDA_API resida_status resida_plugin_open(resida_plugin_handle **plugin, const char *path,
                                            const resida_model_class **cls, resida_message *why);

/** Unload; models of the plugin must be destroyed before. NULL is fine. */
RESIDA_API void resida_plugin_close(resida_plugin_handle *plugin);

#ifdef __cplusplus
}
#endif
#endif

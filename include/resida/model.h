/* resida/model.h - models by name: what the command `resida` integrates, built in or from a plugin.
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

#include <resida/dae.h>
#include <resida/mechanism.h>

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
} resida_parameter;

/** One model; below. */
typedef struct resida_model resida_model;

/** One model with its parameters set: what to integrate, from where, to when, and how well it is known. Made by
 *  resida_model_class.create(), which sets every field it uses (the struct comes zeroed, with `mechanism` and `dae`
 *  initialised). Arrays belong to the model and live until its destroy(). */
struct resida_model {
    size_t size;                /**< sizeof(resida_model), set by the caller of create() */
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
    void *user;                   /**< the class's own memory; usually also mechanism.user */
};

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
    /** Make a model. @param[in] values [n_parameters], all within their ranges
     *  @return 0; else a message was written to `why` (one line) and nothing is left allocated */
    int (*create)(const double *values, resida_model *model, resida_message *why);
    void (*destroy)(resida_model *model); /**< free what create() made; NULL: nothing to free */
} resida_model_class;

/** The first five fields of a resida_model_class. */
#define RESIDA_MODEL_HEAD                                                                                              \
    RESIDA_PLUGIN_MAGIC, RESIDA_PLUGIN_ABI, sizeof(resida_model_class), sizeof(resida_model), sizeof(resida_parameter)

/** Set parameters and make a model.
 *  @param[in]  cls    class
 *  @param[in]  n      settings
 *  @param[in]  names, values  [n] parameters to set; the others keep their defaults
 *  @param[out] model  filled; give it back to resida_model_destroy()
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT (no such parameter: the message lists them; out of its range; not whole);
 *          RESIDA_ERR_MODEL (the class refused, its message is passed on); RESIDA_ERR_MEMORY */
RESIDA_API resida_status resida_model_create(const resida_model_class *cls, int n, const char *const *names,
                                             const double *values, resida_model *model, resida_message *why);

/** Free what resida_model_create() made; a zeroed model or NULL is fine. */
RESIDA_API void resida_model_destroy(const resida_model_class *cls, resida_model *model);

/** model->reference(), with what it throws caught. The arguments are those of the callback.
 *  @return what it returned; 1: there is none; RESIDA_ERR_USER: it threw; RESIDA_ERR_ARGUMENT: model is NULL */
RESIDA_API int resida_model_reference(const resida_model *model, double t, double *p, double *v, double *lam);

/** A loaded plugin. */
typedef struct resida_plugin_handle resida_plugin_handle;

/** Load a plugin. Before it is loaded the file has to be an ELF shared object, whole, for this machine; before the
 *  class that it exports is used, its magic, ABI number and struct sizes have to be right, its texts UTF-8 without
 *  control characters. What the file runs while it is loaded can end the process, and so can a file that is damaged in
 *  its code or tables: whoever has to survive that loads it in a process of its own first, as the command `resida`
 *  does.
 *  @param[in]  path   file; a name without '/' is looked for in the current folder only
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

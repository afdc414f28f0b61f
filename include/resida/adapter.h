/* resida/adapter.h - models that were written for other tools.
 *
 *     file           adapter        what it is
 *     X.fmu          resida-fmu     FMI 2.0 and 3.0: Model Exchange, DAE, Co-Simulation
 *     X.ssp          resida-fmu     several of them, connected (SSP 1.0)
 *     X.urdf         resida-urdf    a robot's description
 *     casadi:X       resida-casadi  C that CasADi generated, or a shared object made of it
 *
 * An adapter is a shared object resida-NAME.so that exports one object. It lies in $RESIDA_ADAPTERS, or in the folder
 * "resida" beside the library, or beside the library itself:
 *
 *     RESIDA_ADAPTER const resida_adapter resida_adapter_object = { RESIDA_ADAPTER_HEAD, "fmu", "what", open, close };
 *
 * It makes a class of models of a file, with the parameters that the file has. resida_plugin_open() finds and uses
 * it. */
#ifndef RESIDA_ADAPTER_H
#define RESIDA_ADAPTER_H

#include <resida/model.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RESIDA_ADAPTER_SYMBOL "resida_adapter_object" /**< the object that an adapter exports */

/** Before the one exported object of an adapter. */
#define RESIDA_ADAPTER RESIDA_PLUGIN

/** What makes classes of models of files. */
typedef struct resida_adapter {
    uint32_t magic;      /**< RESIDA_PLUGIN_MAGIC */
    uint32_t abi;        /**< RESIDA_PLUGIN_ABI */
    size_t adapter_size; /**< sizeof(resida_adapter) */
    size_t class_size;   /**< sizeof(resida_model_class) */
    size_t model_size;   /**< sizeof(resida_model) */
    const char *name;    /**< "fmu" */
    const char *text;    /**< one line: what it reads */
    /** Read a file.
     *  @param[out] cls  owned by the adapter until close()
     *  @return 0; else a message was written to `why` (one line, without the file's name) and nothing is left behind */
    int (*open)(const char *path, const resida_model_class **cls, resida_message *why);
    void (*close)(const resida_model_class *cls); /**< free what open() made */
} resida_adapter;

/** The first five fields of a resida_adapter. */
#define RESIDA_ADAPTER_HEAD                                                                                            \
    RESIDA_PLUGIN_MAGIC, RESIDA_PLUGIN_ABI, sizeof(resida_adapter), sizeof(resida_model_class), sizeof(resida_model)

#ifdef __cplusplus
}
#endif
#endif

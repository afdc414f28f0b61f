/* ssd.h - the content of SystemStructure.ssd (System Structure and Parameterization, SSP 1.0 and 2.0,
 * ssp-standard.org): systems, FMUs, connections, values of parameters.
 *
 * Elements of nested systems have hierarchical names, "SYSTEM.COMPONENT"; the name of the system at the top is "". */
#ifndef SSP_SSD_H
#define SSP_SSD_H

#include "adapters/fmu/base/archive.h"
#include "adapters/fmu/base/pool.h"
#include "adapters/fmu/base/unit.h"

/** The interface by which a component is integrated. */
typedef enum ssd_kind {
    SSD_ANY,
    SSD_EXCHANGE, /**< Model Exchange */
    SSD_STEPS     /**< Co-Simulation */
} ssd_kind;

/** An FMU of the system. */
typedef struct ssd_component {
    const char *name;
    const char *source; /**< path in the archive */
    ssd_kind kind;
} ssd_component;

/** Conversion of a value: factor x + offset. */
typedef struct ssd_scale {
    double factor, offset;
    int is_scaled;   /**< 1: by a LinearTransformation */
    int keeps_value; /**< 1: units are not converted */
} ssd_scale;

/** A connection of two connectors, of components or of systems. */
typedef struct ssd_connection {
    const char *system;                     /**< system that contains it */
    const char *from, *output, *to, *input; /**< elements and connectors */
    ssd_scale scale;
} ssd_connection;

/** A connector of a system, or the unit of a connector of a component. */
typedef struct ssd_connector {
    const char *element, *name;
    const char *unit; /**< NULL: not given */
    const char *type; /**< "a real number", "an integer", "a Boolean", "a text"; NULL: another one, or not given */
    int is_of_system;
    int is_input; /**< 1: an input or a parameter; 0: an output or a calculated parameter; -1: another kind */
} ssd_connector;

/** A value of a parameter or a connector. */
typedef struct ssd_value {
    const char *name;  /**< "COMPONENT.PARAMETER", or a name in the binding */
    const char *value; /**< as a text */
    const char *type;  /**< as of a connector */
    const char *unit;  /**< of the value; NULL: not given */
    ssd_scale scale;
    int binding;
} ssd_value;

/** An entry of a mapping: the value `source` of a binding is that of the parameter `target`. */
typedef struct ssd_entry {
    const char *source, *target;
    ssd_scale scale;
    int binding;
} ssd_entry;

/** A binding of values to parameters. */
typedef struct ssd_binding {
    const char *element, *prefix; /**< element that is parameterised; prefix of the names in the source */
    const char *values, *mapping; /**< files in the archive; NULL: none */
    int is_mapped;                /**< 1: names are those of a mapping */
    int level;                    /**< number of systems around its element */
} ssd_binding;

/** A system. The memory belongs to the pool. */
typedef struct ssd_structure {
    const char *name, *version;
    double t0, t_end; /**< [s] NAN: not given */
    int n_systems, n_components, n_connections, n_bindings, n_entries, n_values, n_connectors;
    const char **systems; /**< names, the first is "" */
    ssd_connector *connectors;
    fmu_units units; /**< of the structure, and of parameter files */
    ssd_component *components;
    ssd_connection *connections;
    ssd_binding *bindings;
    ssd_entry *entries;
    ssd_value *values; /**< in the order in which they apply: later ones replace earlier ones */
} ssd_structure;

/** Read a system, with its files of parameters (SSV) and mappings (SSM). @return 0, or -1 with the reason in `why` */
int ssd_read(ssd_structure *s, fmu_archive *a, fmu_pool *pool, resida_message *why);

/** Replace the names in bindings by those of parameters, and sort the values: values of a system have precedence over
 *  those of its elements, and later ones over earlier ones. @return 0, or -1 with the reason in `why` */
int ssd_resolve_values(ssd_structure *s, fmu_pool *pool, resida_message *why);

/** Return "ELEMENT.NAME", or "NAME" in the system at the top; NULL without memory. */
const char *ssd_join_names(fmu_pool *pool, const char *element, const char *name);

#endif

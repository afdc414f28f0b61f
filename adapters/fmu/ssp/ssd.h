/* ssd.h - the content of SystemStructure.ssd (System Structure and Parameterization, SSP 1.0, ssp-standard.org):
 * FMUs, connections, values of parameters. Nested systems are not supported. */
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

/** A connection: input = factor output + offset. */
typedef struct ssd_connection {
    const char *from, *output, *to, *input; /**< components and connectors */
    double factor, offset;
    int is_scaled;   /**< 1: by a LinearTransformation */
    int keeps_value; /**< 1: units are not converted */
} ssd_connection;

/** The unit of a connector. */
typedef struct ssd_connector {
    const char *component, *name, *unit;
} ssd_connector;

/** A value of a parameter; or a file with values, and the prefix of their names. */
typedef struct ssd_binding {
    const char *name;  /**< "COMPONENT.PARAMETER"; of a file: the prefix, "COMPONENT." or "" */
    const char *value; /**< value as a text; of a file: its path in the archive */
    const char *unit;  /**< of the value; NULL: not given */
} ssd_binding;

/** A system. The memory belongs to the pool. */
typedef struct ssd_structure {
    const char *name;
    double t0, t_end; /**< [s] NAN: not given */
    int n_components, n_connections, n_values, n_files, n_connectors;
    ssd_connector *connectors;
    fmu_units units; /**< of the structure, and of parameter files */
    ssd_component *components;
    ssd_connection *connections;
    ssd_binding *values, *files;
} ssd_structure;

/** Read a system, with its parameter files (SSV). @return 0, or -1 with the reason in `why` */
int ssd_read(ssd_structure *s, fmu_archive *a, fmu_pool *pool, resida_message *why);

#endif

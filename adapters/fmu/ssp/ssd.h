/* ssd.h - what SystemStructure.ssd says (System Structure and Parameterization, SSP 1.0, ssp-standard.org): FMUs by
 * name, which outputs are which inputs, values of parameters. Systems within systems are not read. */
#ifndef SSP_SSD_H
#define SSP_SSD_H

#include "adapters/fmu/base/archive.h"
#include "adapters/fmu/base/pool.h"
#include "adapters/fmu/base/unit.h"

/** How a component is to be integrated. */
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

/** An output that is an input: input = factor output + offset. */
typedef struct ssd_connection {
    const char *from, *output, *to, *input; /**< components and their connectors */
    double factor, offset;
    int is_scaled;   /**< 1: by a linear transformation */
    int keeps_value; /**< 1: units need not agree */
} ssd_connection;

/** The unit of a connector. */
typedef struct ssd_connector {
    const char *component, *name, *unit;
} ssd_connector;

/** A value of a parameter; or a file of them, whose names have a prefix. */
typedef struct ssd_binding {
    const char *name;  /**< "COMPONENT.PARAMETER"; of a file the prefix, "COMPONENT." or "" */
    const char *value; /**< in words; of a file its path in the archive */
    const char *unit;  /**< of the value; NULL: not said */
} ssd_binding;

/** A system. All memory is of the pool. */
typedef struct ssd_structure {
    const char *name;
    double t0, t_end; /**< [s] NAN: not given */
    int n_components, n_connections, n_values, n_files, n_connectors;
    ssd_connector *connectors;
    fmu_units units; /**< of the structure, and of files of values */
    ssd_component *components;
    ssd_connection *connections;
    ssd_binding *values, *files;
} ssd_structure;

/** Read it, with the files of parameters (SSV). @return 0; -1, the reason in `why` */
int ssd_read(ssd_structure *s, fmu_archive *a, fmu_pool *pool, resida_message *why);

#endif

/* model_impl.h - checks whether this library can use a resida_model_class, and checks shared objects. */
#ifndef RSD_MODEL_IMPL_H
#define RSD_MODEL_IMPL_H

#include <resida/model.h>

#include <math.h>

/** Check magic number, ABI number and struct sizes. Only the first five fields (RESIDA_MODEL_HEAD) are read, because
 *  the class may be compiled against other headers.
 *  @return RESIDA_OK; RESIDA_ERR_MODEL with the difference in `why` */
resida_status rsd_model_check_head(const resida_model_class *cls, resida_message *why);

/** Check the fields of a class after the head: names, create(), parameters and the ranges of their defaults. Call
 *  rsd_model_check_head() before.
 *  @return RESIDA_OK; RESIDA_ERR_MODEL with the field in `why` */
resida_status rsd_model_class_check(const resida_model_class *cls, resida_message *why);

static inline int rsd_is_integer(double value)
{
    return isfinite(value) && floor(value) == value;
}

/** Return the first error in the contacts that a model declares, or NULL. */
const char *rsd_model_find_contact_error(const resida_model *m);

/** Return the first error in the parts and meshes that a model declares, or NULL. The outputs must be valid. */
const char *rsd_model_find_shape_error(const resida_model *m);

/** Path for messages, made by rsd_shorten_path(). Of a long path it contains the end only. */
typedef struct rsd_shown_path {
    char text[112]; /* the path, or "..." and its end */
} rsd_shown_path;

rsd_shown_path rsd_shorten_path(const char *path);

/** Check that the file is a complete shared object for this machine. The file is neither executed nor mapped.
 *  @return RESIDA_OK; RESIDA_ERR_PLUGIN with the reason in `why` */
resida_status rsd_check_elf_file(const char *path, resida_message *why);

#endif

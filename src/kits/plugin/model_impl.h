/* model_impl.h - checks whether this library can use a resida_model_class, and load a shared object. */
#ifndef RSD_MODEL_IMPL_H
#define RSD_MODEL_IMPL_H

#include <resida/model.h>

/** Check magic number, ABI number and struct sizes. Only these first five fields (RESIDA_MODEL_HEAD) are read, so a
 *  class compiled against other headers can be checked.
 *  @param of_before 1: structs may have the smaller sizes of earlier headers
 *  @return RESIDA_OK; RESIDA_ERR_MODEL with the difference in `why` */
resida_status rsd_model_head_check(const resida_model_class *cls, int of_before, resida_message *why);

/** Check the other fields of a class: names, create(), and parameters with defaults inside their ranges. Call
 *  rsd_model_head_check() before.
 *  @return RESIDA_OK; RESIDA_ERR_MODEL with the field in `why` */
resida_status rsd_model_class_check(const resida_model_class *cls, resida_message *why);

/** Return the first defect of the contacts that a model declares, or NULL if there is none. */
const char *rsd_model_odd_contacts(const resida_model *m);

/** Return the first defect of the parts and meshes that a model declares, or NULL. The outputs must be valid. */
const char *rsd_model_odd_shape(const resida_model *m);

/** A path as shown in messages, where only the end of a long path is kept. */
typedef struct rsd_shown_path {
    char text[112];
} rsd_shown_path;

rsd_shown_path rsd_path_shown(const char *path);

/** Check that the file is a complete shared object for this machine, without executing or mapping it.
 *  @return RESIDA_OK; RESIDA_ERR_PLUGIN with the reason in `why` Cost: some reads of a few bytes, no memory. */
resida_status rsd_elf_check(const char *path, resida_message *why);

#endif

/* model_impl.h - is a resida_model_class one that this library can use? And a shared object one to be loaded? */
#ifndef RSD_MODEL_IMPL_H
#define RSD_MODEL_IMPL_H

#include <resida/model.h>

/** Magic, ABI number and struct sizes. Reads nothing but these first five fields (RESIDA_MODEL_HEAD), so that a class
 *  compiled against other headers can be asked.
 *  @param of_before  1: its structs may be those of earlier headers, which are shorter
 *  @return RESIDA_OK; RESIDA_ERR_MODEL with the difference in `why` */
resida_status rsd_model_head_check(const resida_model_class *cls, int of_before, resida_message *why);

/** The rest of a class whose head is right: names, create(), and parameters with defaults inside their ranges.
 *  @return RESIDA_OK; RESIDA_ERR_MODEL with the field in `why` */
resida_status rsd_model_class_check(const resida_model_class *cls, resida_message *why);

/** What is wrong with what a model says of its contacts; NULL: nothing, or it has none. */
const char *rsd_model_odd_contacts(const resida_model *m);

/** What is wrong with what a model says of its parts and their meshes, its outputs being right; NULL: nothing. */
const char *rsd_model_odd_shape(const resida_model *m);

/** A path as it stands in messages: its end, when it is long. */
typedef struct rsd_shown_path {
    char text[112];
} rsd_shown_path;

rsd_shown_path rsd_path_shown(const char *path);

/** Is the file a whole shared object for this machine? Nothing of it is run or mapped.
 *  @return RESIDA_OK; RESIDA_ERR_PLUGIN with the reason in `why`
 *  Cost: some reads of a few bytes, no memory. */
resida_status rsd_elf_check(const char *path, resida_message *why);

#endif

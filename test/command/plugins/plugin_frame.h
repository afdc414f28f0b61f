/* plugin_frame.h - the end of a plugin whose models have one block as their user. Before it: parameters, create(). */
#ifndef RESIDA_TEST_PLUGIN_FRAME_H
#define RESIDA_TEST_PLUGIN_FRAME_H

#include <resida/model.h>

#include <stdlib.h>

static void destroy(resida_model *model)
{
    free(model->user);
}

/** The class of the plugin. */
#define PLUGIN(plugin_name, plugin_text)                                                                               \
    extern const resida_model_class resida_plugin;                                                                     \
    RESIDA_PLUGIN const resida_model_class resida_plugin = {                                                           \
        RESIDA_MODEL_HEAD,        .name = plugin_name,                                                                 \
        .text = plugin_text,      .n_parameters = sizeof parameters / sizeof *parameters,                              \
        .parameters = parameters, .create = create,                                                                    \
        .destroy = destroy}

#endif

/* plugin_without.c - plugins that lack something; the build sets NAME and CREATE. */
#include <resida/model.h>

int refuse(const double *values, resida_model *model, resida_message *why);

int refuse(const double *values, resida_model *model, resida_message *why)
{
    (void)values, (void)model;
    *why = (resida_message){"never made"};
    return 1;
}

RESIDA_PLUGIN const resida_model_class resida_plugin = {
    RESIDA_MODEL_HEAD,
    .name = NAME,
    .text = "a plugin for the tests",
    .create = CREATE,
};

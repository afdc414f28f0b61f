/* descriptions.c - the FMUs of the tests in words. */
#include "fmu_fixture.h"

#include <stdio.h>

const char fmu_oscillator_3[] =
    "<?xml version='1.0' encoding='UTF-8'?>\n"
    "<fmiModelDescription fmiVersion='3.0' modelName='an oscillator' description='x&apos;&apos; = -omega^2 x'\n"
    "  generationTool='the tests' instantiationToken='{oscillator}'>\n"
    "<ModelExchange modelIdentifier='oscillator' providesDirectionalDerivatives='true'/>\n"
    "<TypeDefinitions><Float64Type name='Rate' unit='rad/s' min='0'/></TypeDefinitions>\n"
    "<DefaultExperiment startTime='0' stopTime='2' tolerance='1e-8'/>\n"
    "<ModelVariables>\n"
    "<Float64 name='time' valueReference='0' causality='independent'/>\n"
    "<Float64 name='x' valueReference='1' start='1' initial='exact' unit='m'/>\n"
    "<Float64 name='v' valueReference='2' start='0' initial='exact'/>\n"
    "<Float64 name='der(x)' valueReference='3' derivative='1'/>\n"
    "<Float64 name='der(v)' valueReference='4' derivative='2'/>\n"
    "<Float64 name='omega' valueReference='5' causality='parameter' start='1' declaredType='Rate' max='100'\n"
    "  description='how fast&#10;it is'/>\n"
    "<Float64 name='force' valueReference='6' causality='input' start='0'/>\n"
    "<Int32 name='whole' valueReference='100' causality='parameter' start='0' min='-5' max='5'/>\n"
    "<UInt8 name='byte' valueReference='101' causality='parameter' start='7'/>\n"
    "<Boolean name='truth' valueReference='200' causality='parameter' start='false'/>\n"
    "<String name='word' valueReference='300' causality='parameter'><Start value='0'/></String>\n"
    "<Float64 name='fixed' valueReference='7' variability='constant' start='3'/>\n"
    "<Float64 name='energy' valueReference='8' causality='output' unit='J'/>\n"
    "</ModelVariables>\n"
    "<ModelStructure>\n"
    "<ContinuousStateDerivative valueReference='3' dependencies='2'/>\n"
    "<ContinuousStateDerivative valueReference='4' dependencies='1 5 6'/>\n"
    "</ModelStructure>\n"
    "</fmiModelDescription>\n";

const char fmu_oscillator_2[] =
    "<?xml version='1.0' encoding='UTF-8'?>\n"
    "<fmiModelDescription fmiVersion='2.0' modelName='an oscillator' guid='{oscillator}'>\n"
    "<ModelExchange modelIdentifier='oscillator' completedIntegratorStepNotNeeded='true'/>\n"
    "<TypeDefinitions><SimpleType name='Rate'><Real unit='rad/s' min='0'/></SimpleType></TypeDefinitions>\n"
    "<DefaultExperiment stopTime='2'/>\n"
    "<ModelVariables>\n"
    "<ScalarVariable name='whole' valueReference='0' causality='parameter'><Integer start='0'/></ScalarVariable>\n"
    "<ScalarVariable name='x' valueReference='1' initial='exact'><Real start='1'/></ScalarVariable>\n"
    "<ScalarVariable name='v' valueReference='2' initial='exact'><Real start='0'/></ScalarVariable>\n"
    "<ScalarVariable name='der(x)' valueReference='3'><Real derivative='2'/></ScalarVariable>\n"
    "<ScalarVariable name='der(v)' valueReference='4'><Real derivative='3'/></ScalarVariable>\n"
    "<ScalarVariable name='omega' valueReference='5' causality='parameter'><Real start='1' declaredType='Rate'/>"
    "</ScalarVariable>\n"
    "<ScalarVariable name='truth' valueReference='0' causality='parameter'><Boolean start='false'/></ScalarVariable>\n"
    "<ScalarVariable name='energy' valueReference='8' causality='output'><Real/></ScalarVariable>\n"
    "</ModelVariables>\n"
    "<ModelStructure><Derivatives>\n"
    "<Unknown index='4' dependencies='3'/><Unknown index='5' dependencies='1 2 6 7'/>\n"
    "</Derivatives></ModelStructure>\n"
    "</fmiModelDescription>\n";

const char fmu_ball_3[] = "<fmiModelDescription fmiVersion='3.0' modelName='ball' instantiationToken='{ball}'>\n"
                          "<ModelExchange modelIdentifier='ball' needsCompletedIntegratorStep='true'/>\n"
                          "<DefaultExperiment stopTime='3' tolerance='1e-10'/>\n"
                          "<ModelVariables>\n"
                          "<Float64 name='h' valueReference='1' start='1' initial='exact' unit='m'/>\n"
                          "<Float64 name='v' valueReference='2' start='0' initial='exact' derivative='1'/>\n"
                          "<Float64 name='der(v)' valueReference='3' derivative='2'/>\n"
                          "<Float64 name='g' valueReference='4' causality='parameter' start='9.81'/>\n"
                          "<Float64 name='e' valueReference='5' causality='parameter' start='0.8' min='0' max='1'/>\n"
                          "<Float64 name='kick_time' valueReference='6' causality='parameter' start='1e9'/>\n"
                          "<Float64 name='v_end' valueReference='7' causality='parameter' start='0'/>\n"
                          "<Float64 name='alarm' valueReference='8' causality='parameter' start='1e9'/>\n"
                          "<Float64 name='late' valueReference='9'/>\n"
                          "</ModelVariables>\n"
                          "<ModelStructure>\n"
                          "<ContinuousStateDerivative valueReference='2' dependencies='2'/>\n"
                          "<ContinuousStateDerivative valueReference='3' dependencies='4'/>\n"
                          "<EventIndicator valueReference='1'/><EventIndicator valueReference='9'/>\n"
                          "</ModelStructure>\n"
                          "</fmiModelDescription>\n";

const char fmu_ball_2[] =
    "<fmiModelDescription fmiVersion='2.0' modelName='ball' guid='{ball}' numberOfEventIndicators='2'>\n"
    "<ModelExchange modelIdentifier='ball'/>\n"
    "<DefaultExperiment stopTime='3' tolerance='1e-10'/>\n"
    "<ModelVariables>\n"
    "<ScalarVariable name='h' valueReference='1' initial='exact'><Real start='1'/></ScalarVariable>\n"
    "<ScalarVariable name='v' valueReference='2' initial='exact'><Real start='0' derivative='1'/></ScalarVariable>\n"
    "<ScalarVariable name='der(v)' valueReference='3'><Real derivative='2'/></ScalarVariable>\n"
    "<ScalarVariable name='e' valueReference='5' causality='parameter'><Real start='0.8'/></ScalarVariable>\n"
    "</ModelVariables>\n"
    "<ModelStructure><Derivatives><Unknown index='2'/><Unknown index='3' dependencies=''/></Derivatives>\n"
    "</ModelStructure>\n"
    "</fmiModelDescription>\n";

/* Model Exchange and Co-Simulation. */
const char fmu_levels_3[] =
    "<fmiModelDescription fmiVersion='3.0' modelName='levels' instantiationToken='{levels}'>\n"
    "<ModelExchange modelIdentifier='levels' needsCompletedIntegratorStep='true'/>\n"
    "<CoSimulation modelIdentifier='levels' hasEventMode='true' canHandleVariableCommunicationStepSize='true'/>\n"
    "<TypeDefinitions><EnumerationType name='Kind'><Item name='low' value='1'/><Item name='high' value='2'/>"
    "</EnumerationType></TypeDefinitions>\n"
    "<DefaultExperiment stopTime='4'/>\n"
    "<ModelVariables>\n"
    "<Float64 name='force' valueReference='1' causality='input' start='0'/>\n"
    "<Int32 name='gear' valueReference='101' causality='input' start='0'/>\n"
    "<String name='tag' valueReference='301' causality='input'><Start value='x'/></String>\n"
    "<Float64 name='through' valueReference='2' causality='output'/>\n"
    "<Int32 name='count' valueReference='100' causality='output'/>\n"
    "<Boolean name='odd' valueReference='200' causality='output'/>\n"
    "<String name='parity' valueReference='300' causality='output'/>\n"
    "<Enumeration name='kind' valueReference='102' causality='output' declaredType='Kind'/>\n"
    "<Float32 name='held' valueReference='3' causality='output' variability='discrete'/>\n"
    "</ModelVariables>\n"
    "<ModelStructure/>\n"
    "</fmiModelDescription>\n";

/* Outputs that are inputs, of types that levels3 has not. */
const char fmu_types_3[] =
    "<fmiModelDescription fmiVersion='3.0' modelName='types' instantiationToken='{levels}'>\n"
    "<ModelExchange modelIdentifier='levels' needsCompletedIntegratorStep='true'/>\n"
    "<CoSimulation modelIdentifier='levels' hasEventMode='true' canHandleVariableCommunicationStepSize='true'/>\n"
    "<TypeDefinitions><EnumerationType name='Kind'><Item name='low' value='1'/><Item name='very high' value='2'/>"
    "</EnumerationType></TypeDefinitions>\n"
    "<DefaultExperiment stopTime='2'/>\n"
    "<ModelVariables>\n"
    "<Float64 name='now' valueReference='6' causality='output'/>\n"
    "<Int64 name='long' valueReference='400' causality='input' start='0'/>\n"
    "<Int64 name='long_out' valueReference='401' causality='output'/>\n"
    "<UInt64 name='count' valueReference='402' causality='input' start='0'/>\n"
    "<UInt64 name='count_out' valueReference='403' causality='output'/>\n"
    "<Int64 name='pair' valueReference='410' causality='input' start='1 2'><Dimension start='2'/></Int64>\n"
    "<Int64 name='pair_out' valueReference='412' causality='output'><Dimension start='2'/></Int64>\n"
    "<Enumeration name='kind' valueReference='404' causality='input' start='1' declaredType='Kind'/>\n"
    "<Enumeration name='kind_out' valueReference='405' causality='output' declaredType='Kind'/>\n"
    "<String name='tag' valueReference='301' causality='input'><Start value='x'/></String>\n"
    "<Binary name='bytes' valueReference='501' causality='input'><Start value='666f'/></Binary>\n"
    "<Binary name='bytes_out' valueReference='502' causality='output'/>\n"
    "<Float64 name='sample' valueReference='5' causality='input' variability='discrete' start='0'/>\n"
    "<String name='tag_out' valueReference='302' causality='output'/>\n"
    "</ModelVariables>\n"
    "<ModelStructure/>\n"
    "</fmiModelDescription>\n";

const char fmu_levels_2[] =
    "<fmiModelDescription fmiVersion='2.0' modelName='levels' guid='{levels}'>\n"
    "<ModelExchange modelIdentifier='levels'/>\n"
    "<CoSimulation modelIdentifier='levels'/>\n"
    "<DefaultExperiment stopTime='4'/>\n"
    "<ModelVariables>\n"
    "<ScalarVariable name='force' valueReference='1' causality='input'><Real start='0'/></ScalarVariable>\n"
    "<ScalarVariable name='gear' valueReference='1' causality='input'><Integer start='0'/></ScalarVariable>\n"
    "<ScalarVariable name='through' valueReference='2' causality='output'><Real/></ScalarVariable>\n"
    "<ScalarVariable name='count' valueReference='0' causality='output'><Integer/></ScalarVariable>\n"
    "<ScalarVariable name='odd' valueReference='0' causality='output'><Boolean/></ScalarVariable>\n"
    "<ScalarVariable name='parity' valueReference='300' causality='output'><String/></ScalarVariable>\n"
    "<ScalarVariable name='kind' valueReference='2' causality='output'><Enumeration/></ScalarVariable>\n"
    "<ScalarVariable name='held' valueReference='3' causality='output' variability='discrete'><Real/>"
    "</ScalarVariable>\n"
    "</ModelVariables>\n"
    "<ModelStructure/>\n"
    "</fmiModelDescription>\n";

const char fmu_pendulum_3[] =
    "<fmiModelDescription fmiVersion='3.0' modelName='pendulum' instantiationToken='{pendulum}'>\n"
    "<ModelExchange modelIdentifier='pendulum' needsCompletedIntegratorStep='true'/>\n"
    "<DefaultExperiment stopTime='10' tolerance='1e-8'/>\n"
    "<ModelVariables>\n"
    "<Float64 name='x' valueReference='1' start='1' initial='exact'/>\n"
    "<Float64 name='y' valueReference='2' start='0' initial='exact'/>\n"
    "<Float64 name='u' valueReference='3' start='0' initial='exact'/>\n"
    "<Float64 name='w' valueReference='4' start='0' initial='exact'/>\n"
    "<Float64 name='der(x)' valueReference='5' derivative='1'/>\n"
    "<Float64 name='der(y)' valueReference='6' derivative='2'/>\n"
    "<Float64 name='der(u)' valueReference='7' derivative='3'/>\n"
    "<Float64 name='der(w)' valueReference='8' derivative='4'/>\n"
    "<Float64 name='lam' valueReference='9'/>\n"
    "<Float64 name='position' valueReference='10'/>\n"
    "<Float64 name='velocity' valueReference='11'/>\n"
    "<Float64 name='acceleration' valueReference='12'/>\n"
    "<Boolean name='dae' valueReference='13' causality='structuralParameter' variability='fixed' start='false'/>\n"
    "<Float64 name='rx' valueReference='14'/><Float64 name='ry' valueReference='15'/>\n"
    "<Float64 name='ru' valueReference='16'/><Float64 name='rw' valueReference='17'/>\n"
    "<Float64 name='kick_time' valueReference='18' causality='parameter' variability='tunable' start='0'/>\n"
    "</ModelVariables>\n"
    "<ModelStructure>\n"
    "<ContinuousStateDerivative valueReference='5' dependencies='3'/>\n"
    "<ContinuousStateDerivative valueReference='6' dependencies='4'/>\n"
    "<ContinuousStateDerivative valueReference='7'/>\n"
    "<ContinuousStateDerivative valueReference='8'/>\n"
    "</ModelStructure>\n"
    "</fmiModelDescription>\n";

#define HEAD                                                                                                           \
    "xmlns:fmi-ls='http://fmi-standard.org/fmi-ls-manifest' fmi-ls:fmi-ls-name='org.fmi-standard.fmi-ls-dae'\n"        \
    "fmi-ls:fmi-ls-version='1.0.0-alpha.1' fmi-ls:fmi-ls-description='Layered standard for DAE support in FMI'>\n"
#define ALGEBRAIC "<AlgebraicVariables><AlgebraicVariable valueReference='9'/></AlgebraicVariables>\n"
#define EXPLICIT                                                                                                       \
    "<ContinuousStateDerivative valueReference='5' dependencies='3'/>\n"                                               \
    "<ContinuousStateDerivative valueReference='6' dependencies='4'/>\n"                                               \
    "<ContinuousStateDerivative valueReference='7' dependencies='1 9'/>\n"                                             \
    "<ContinuousStateDerivative valueReference='8' dependencies='2 9'/>\n"
#define CONSTRAINT                                                                                                     \
    "<Residual>\n"                                                                                                     \
    "<Formulation index='3' valueReference='10' dependencies='1 2'/>\n"                                                \
    "<Formulation index='2' valueReference='11' dependencies='1 2 3 4'/>\n"                                            \
    "<Formulation index='1' valueReference='12' dependencies='1 2 3 4 7 8'/>\n"                                        \
    "</Residual>\n"

const char fmu_pendulum_manifest[] = "<fmiDAEManifest " HEAD "<EnableDAEParameter valueReference='13'/>\n" ALGEBRAIC
                                     "<ModelStructure>\n" EXPLICIT CONSTRAINT "</ModelStructure>\n"
                                     "</fmiDAEManifest>\n";

/* Before 1.0.0-alpha.1: other names, and one formulation. */
const char fmu_pendulum_draft[] =
    "<fmiLayeredStandardManifest " HEAD "<EnableDAE valueReference='13'/>\n" ALGEBRAIC "<ModelStructure>\n" EXPLICIT
    "<Residual valueReference='12' dependencies='1 2 3 4 7 8'/>\n"
    "</ModelStructure>\n"
    "</fmiLayeredStandardManifest>\n";

/* x' are given to it. */
const char fmu_pendulum_implicit[] =
    "<fmiDAEManifest " HEAD "<EnableDAEParameter valueReference='13'/>\n" ALGEBRAIC "<ModelStructure>\n"
    "<Residual><Formulation valueReference='14' dependencies='5 3'/></Residual>\n"
    "<Residual><Formulation valueReference='15' dependencies='6 4'/></Residual>\n"
    "<Residual><Formulation valueReference='16' dependencies='7 1 9'/></Residual>\n"
    "<Residual><Formulation valueReference='17' dependencies='8 2 9'/></Residual>\n" CONSTRAINT "</ModelStructure>\n"
    "</fmiDAEManifest>\n";

enum { CELLS = 200, ROOM = 1 << 16 };

const char *fmu_rod_3(int with_dependencies)
{
    static char text[ROOM];
    int at = snprintf(text, ROOM,
                      "<fmiModelDescription fmiVersion='3.0' modelName='rod' instantiationToken='{rod}'>\n"
                      "<ModelExchange modelIdentifier='rod'/>\n"
                      "<DefaultExperiment stopTime='1'/>\n"
                      "<ModelVariables>\n"
                      "<Float64 name='k' valueReference='%d' causality='parameter' start='1000'/>\n",
                      2 * CELLS + 1);
    for (int i = 1; i <= CELLS; i++)
        at += snprintf(text + at, (size_t)(ROOM - at),
                       "<Float64 name='x[%d]' valueReference='%d'/>"
                       "<Float64 name='der(x[%d])' valueReference='%d' derivative='%d'/>\n",
                       i, i, i, CELLS + i, i);
    at += snprintf(text + at, (size_t)(ROOM - at), "</ModelVariables>\n<ModelStructure>\n");
    for (int i = 1; i <= CELLS; i++) {
        at += snprintf(text + at, (size_t)(ROOM - at), "<ContinuousStateDerivative valueReference='%d'", CELLS + i);
        if (with_dependencies)
            at += snprintf(text + at, (size_t)(ROOM - at), " dependencies='%d %d %d'", i > 1 ? i - 1 : i, i,
                           i < CELLS ? i + 1 : i);
        at += snprintf(text + at, (size_t)(ROOM - at), "/>\n");
    }
    snprintf(text + at, (size_t)(ROOM - at), "</ModelStructure>\n</fmiModelDescription>\n");
    return text;
}

const char fmu_rod_array[] =
    "<fmiModelDescription fmiVersion='3.0' modelName='rod' instantiationToken='{rod}'>\n"
    "<ModelExchange modelIdentifier='rod'/>\n"
    "<ModelVariables>\n"
    "<UInt64 name='n' valueReference='999' causality='structuralParameter' variability='fixed' start='100'/>\n"
    "<Float64 name='x' valueReference='1' start='1'><Dimension start='2'/><Dimension valueReference='999'/></Float64>\n"
    "<Float64 name='der(x)' valueReference='201' derivative='1'>"
    "<Dimension start='2'/><Dimension valueReference='999'/></Float64>\n"
    "</ModelVariables>\n"
    "<ModelStructure><ContinuousStateDerivative valueReference='201'/></ModelStructure>\n"
    "</fmiModelDescription>\n";

/* Model Exchange and Co-Simulation. */
const char fmu_mass_3[] =
    "<fmiModelDescription fmiVersion='3.0' modelName='mass' instantiationToken='{mass}'>\n"
    "<ModelExchange modelIdentifier='mass'/>\n"
    "<CoSimulation modelIdentifier='mass' canHandleVariableCommunicationStepSize='true' canGetAndSetFMUState='true'/>\n"
    "<DefaultExperiment stopTime='2' tolerance='1e-8'/>\n"
    "<ModelVariables>\n"
    "<Float64 name='x' valueReference='1' causality='output' start='0' initial='exact' unit='m'/>\n"
    "<Float64 name='v' valueReference='2' causality='output' start='0' initial='exact' unit='m/s'/>\n"
    "<Float64 name='der(x)' valueReference='3' derivative='1'/>\n"
    "<Float64 name='der(v)' valueReference='4' derivative='2'/>\n"
    "<Float64 name='m' valueReference='5' causality='parameter' start='1' min='0.1'/>\n"
    "<Float64 name='k' valueReference='6' causality='parameter' start='0'/>\n"
    "<Float64 name='force' valueReference='7' causality='input' start='0' unit='N'/>\n"
    "<Float64 name='other' valueReference='8' causality='input' start='0' unit='m'/>\n"
    "<Float64 name='pull' valueReference='9' causality='output' unit='N'/>\n"
    "</ModelVariables>\n"
    "<ModelStructure>\n"
    "<Output valueReference='1' dependencies='1'/><Output valueReference='2' dependencies='2'/>\n"
    "<Output valueReference='9' dependencies='1 8'/>\n"
    "<ContinuousStateDerivative valueReference='3' dependencies='2'/>\n"
    "<ContinuousStateDerivative valueReference='4' dependencies='1 7 8'/>\n"
    "</ModelStructure>\n"
    "</fmiModelDescription>\n";

const char fmu_mass_2[] =
    "<fmiModelDescription fmiVersion='2.0' modelName='mass' guid='{mass}'>\n"
    "<ModelExchange modelIdentifier='mass' completedIntegratorStepNotNeeded='true'/>\n"
    "<CoSimulation modelIdentifier='mass' canHandleVariableCommunicationStepSize='true' canGetAndSetFMUstate='true'/>\n"
    "<DefaultExperiment stopTime='2' tolerance='1e-8'/>\n"
    "<ModelVariables>\n"
    "<ScalarVariable name='x' valueReference='1' causality='output' initial='exact'><Real "
    "start='0'/></ScalarVariable>\n"
    "<ScalarVariable name='v' valueReference='2' causality='output' initial='exact'><Real "
    "start='0'/></ScalarVariable>\n"
    "<ScalarVariable name='der(x)' valueReference='3'><Real derivative='1'/></ScalarVariable>\n"
    "<ScalarVariable name='der(v)' valueReference='4'><Real derivative='2'/></ScalarVariable>\n"
    "<ScalarVariable name='m' valueReference='5' causality='parameter'><Real start='1'/></ScalarVariable>\n"
    "<ScalarVariable name='k' valueReference='6' causality='parameter'><Real start='0'/></ScalarVariable>\n"
    "<ScalarVariable name='force' valueReference='7' causality='input'><Real start='0'/></ScalarVariable>\n"
    "<ScalarVariable name='other' valueReference='8' causality='input'><Real start='0'/></ScalarVariable>\n"
    "<ScalarVariable name='pull' valueReference='9' causality='output'><Real/></ScalarVariable>\n"
    "</ModelVariables>\n"
    "<ModelStructure><Outputs><Unknown index='1' dependencies='1'/><Unknown index='2' dependencies='2'/>"
    "<Unknown index='9' dependencies='1 8'/></Outputs>\n"
    "<Derivatives><Unknown index='3' dependencies='2'/><Unknown index='4' dependencies='1 7 8'/></Derivatives>\n"
    "</ModelStructure>\n"
    "</fmiModelDescription>\n";

/* Model Exchange and Co-Simulation. */
const char fmu_habits_2[] =
    "<fmiModelDescription fmiVersion='2.0' modelName='habits' guid='{habits}'>\n"
    "<ModelExchange modelIdentifier='habits' completedIntegratorStepNotNeeded='true'/>\n"
    "<CoSimulation modelIdentifier='habits' canHandleVariableCommunicationStepSize='true'/>\n"
    "<ModelVariables>\n"
    "<ScalarVariable name='x' valueReference='1' causality='output' initial='exact'><Real "
    "start='0'/></ScalarVariable>\n"
    "<ScalarVariable name='der(x)' valueReference='3'><Real derivative='1'/></ScalarVariable>\n"
    "<ScalarVariable name='u' valueReference='2' causality='input'><Real start='0'/></ScalarVariable>\n"
    "<ScalarVariable name='gear' valueReference='0' causality='input'><Integer start='0'/></ScalarVariable>\n"
    "<ScalarVariable name='k' valueReference='4' causality='parameter'><Real start='1'/></ScalarVariable>\n"
    "<ScalarVariable name='fixed' valueReference='5' causality='parameter'><Real start='1'/></ScalarVariable>\n"
    "<ScalarVariable name='names' valueReference='6' causality='output'><Real/></ScalarVariable>\n"
    "</ModelVariables>\n"
    "<ModelStructure><Outputs><Unknown index='1' dependencies='1'/><Unknown index='7' dependencies=''/></Outputs>\n"
    "<Derivatives><Unknown index='2' dependencies='1 3 4'/></Derivatives></ModelStructure>\n"
    "</fmiModelDescription>\n";

/* foreign_sundials.c - a library that carries its own copies of what resida takes from SUNDIALS, LAPACK and KLU, as
 * some multibody packages do, of another kind: whoever arrives here came to the wrong door. */
#include <stdio.h>
#include <stdlib.h>

#include "foreign_sundials.h"

enum { WRONG_DOOR = 9 };

int foreign_is_here(void)
{
    return 1;
}

#define DOOR(name)                                                                                                     \
    void name(void);                                                                                                   \
    void name(void)                                                                                                    \
    {                                                                                                                  \
        fputs("the foreign " #name " is called\n", stderr);                                                            \
        _Exit(WRONG_DOOR);                                                                                             \
    }

/* What resida calls, and what SUNDIALS calls of its own. */
DOOR(IDACreate)
DOOR(IDAFree)
DOOR(IDAInit)
DOOR(IDAReInit)
DOOR(IDARootInit)
DOOR(IDASolve)
DOOR(IDAWFtolerances)
DOOR(IDAProcessError)
DOOR(IDAGetCurrentStep)
DOOR(IDAGetCurrentTime)
DOOR(IDAGetDky)
DOOR(IDAGetLastOrder)
DOOR(IDAGetLastStep)
DOOR(IDAGetNonlinearSystemData)
DOOR(IDAGetNumErrTestFails)
DOOR(IDAGetNumSteps)
DOOR(IDAGetRootInfo)
DOOR(IDASetErrHandlerFn)
DOOR(IDASetEtaConvFail)
DOOR(IDASetEtaFixedStepBounds)
DOOR(IDASetId)
DOOR(IDASetInitStep)
DOOR(IDASetMaxNumSteps)
DOOR(IDASetMaxOrd)
DOOR(IDASetMaxStep)
DOOR(IDASetNoInactiveRootWarn)
DOOR(IDASetNonlinConvCoef)
DOOR(IDASetNonlinearSolver)
DOOR(IDASetStopTime)
DOOR(IDASetSuppressAlg)
DOOR(IDASetUserData)
DOOR(N_VClone)
DOOR(N_VDestroy)
DOOR(N_VGetArrayPointer)
DOOR(N_VLinearSum)
DOOR(N_VNewEmpty)
DOOR(N_VScale)
DOOR(N_VWrmsNorm)
DOOR(SUNContext_Create)
DOOR(SUNContext_Free)
DOOR(SUNDIALSGetVersion)
DOOR(SUNDIALSGetVersionNumber)
DOOR(SUNNonlinSolFree)
DOOR(SUNNonlinSolNewEmpty)
DOOR(SUNNonlinSolSolve)
DOOR(dgecon_)
DOOR(dgemm_)
DOOR(dgeqp3_)
DOOR(dgetrf_)
DOOR(dgetrf2_)
DOOR(dgetrs_)
DOOR(dtrsm_)
DOOR(dtrtrs_)
DOOR(xerbla_)
DOOR(klu_analyze)
DOOR(klu_analyze_given)
DOOR(klu_defaults)
DOOR(klu_factor)
DOOR(klu_flops)
DOOR(klu_free_numeric)
DOOR(klu_free_symbolic)
DOOR(klu_refactor)
DOOR(klu_solve)

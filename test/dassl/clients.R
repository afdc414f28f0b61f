# clients.R - deSolve's daspk as a client of DASPK: the examples of its manual, and what its own functions bring in; lines as
# those of clients.m.
suppressMessages(library(deSolve))
pdf(NULL)
told <- function(name, tol, calls, values)
    cat(name, tol, calls, formatC(as.numeric(values), digits = 12, format = "g"), "\n")

set.seed(1)
invisible(capture.output(example("daspk", package = "deSolve", ask = FALSE, echo = FALSE, local = FALSE)))
for (name in c("ODE", "DAE", "DAE2", "MASS", "ODE_dll")) {
    x <- get(name)
    told(paste0("example-", name), if (name %in% c("MASS", "ODE_dll")) 1e-4 else 1e-8, attr(x, "istate")[3], x)
}

decay <- function(t, y, dy, p) list(dy + y * p)
told("vector-tolerances", 1e-4, 0, daspk(c(1, 2, 3), 0:5, res = decay, parms = 1:3, dy = -c(1, 4, 9),
                                         rtol = c(1e-6, 1e-7, 1e-8), atol = c(1e-6, 1e-7, 1e-8)))
told("estimated-start", 1e-4, 0, daspk(c(1, 2, 3), 0:5, res = decay, parms = 1:3, dy = c(0, 0, 0), estini = 1))
told("banded", 1e-4, 0, daspk(1:5, 0:5, func = function(t, y, p) list(-2 * y + c(0, y[-5]) + c(y[-1], 0)), parms = 0,
                              jactype = "bandint", bandup = 1, banddown = 1))

pushed <- data.frame(var = "a", time = c(1, 2.5), value = 1, method = "add")
told("events", 1e-4, 0, daspk(c(a = 1), seq(0, 4, 0.5), func = function(t, y, p) list(-y), parms = 0,
                              events = list(data = pushed)))

# An error leaves the integration by longjmp, each time.
stops <- function(t, y, dy, p) if (t > 0.5) stop("a residual that gives up") else list(dy + y)
for (i in 1:200) why <- tryCatch(daspk(1, 0:2, res = stops, parms = 0, dy = -1), error = conditionMessage)
told("an-error", 0, 0, c(why == "a residual that gives up", 0))
told("and-after-it", 1e-4, 0, daspk(c(1, 2, 3), 0:5, res = decay, parms = 1:3, dy = -c(1, 4, 9)))

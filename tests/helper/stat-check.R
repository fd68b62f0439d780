# SPDX-License-Identifier: GPL-2.0-or-later
# Computes again, with R, what stat-dump printed.
#
#	Rscript stat-check.R DUMP	one TAP line per kind of case
#	Rscript stat-check.R --table	the table tests/unit/tdist-r.h
#
# R's own functions are used wherever it has one (t.test, pt, qt, lm, p.adjust, combn).

args <- commandArgs(TRUE)

if (identical(args[1], "--table")) {
	nu <- c(0.5, 1, 1.5, 2, 2.7, 3, 4, 5, 7.782, 8, 10, 15, 20, 25, 30, 50, 100, 1000, Inf)
	t <- c(0.01, 0.5, 1, 2, 2.306, 3.7796, 6, 20, 100)
	q <- c(0.6, 0.8, 0.9, 0.95, 0.975, 0.99, 0.995, 0.9975, 0.99995)
	num <- function(x) ifelse(is.infinite(x), "INFINITY", sprintf("%.15g", x))
	cat("/* SPDX-License-Identifier: GPL-2.0-or-later */\n")
	cat("/* tdist-r.h: made by Rscript tests/helper/stat-check.R --table, R ",
	    R.version$major, ".", R.version$minor, ". */\n", sep = "")
	cat("/* t, nu, 2 * pt(-t, nu) */\nstatic const double r_p[][3] = {\n")
	for (n in nu) for (x in t)
		cat("\t{ ", num(x), ", ", num(n), ", ", num(2 * pt(-x, n)), " },\n", sep = "")
	cat("};\n/* p, nu, qt(p, nu) */\nstatic const double r_q[][3] = {\n")
	for (n in nu) for (x in q)
		cat("\t{ ", num(x), ", ", num(n), ", ", num(qt(x, n)), " },\n", sep = "")
	cat("};\n")
	quit(status = 0)
}

worst <- list()	# largest relative difference of each kind
seen <- list()
note <- function(kind, ours, theirs) {
	d <- abs(ours - theirs) / pmax(abs(theirs), 1e-300)
	d[ours == theirs] <- 0
	d[is.na(d)] <- Inf
	worst[[kind]] <<- max(0, worst[[kind]], d)
	seen[[kind]] <<- sum(seen[[kind]], length(ours))
}
take <- function(v, at) v[at + seq_len(v[at])]	# a list: its length, then the numbers
after <- function(v, at) at + v[at] + 1

check <- list(
t = function(v) note("pt", v[3:4], c(pt(v[1], v[2]), 2 * pt(-abs(v[1]), v[2]))),
# where it is 0, R is off by 3e-16
q = function(v) note("qt", v[3], if (v[1] == .5) 0 else qt(v[1], v[2])),
welch = function(v) {
	a <- take(v, 10); b <- take(v, after(v, 10))
	w <- t.test(b, a)
	note("welch", v[1:6], c(w$statistic, w$parameter, w$p.value, w$conf.int, w$stderr))
	# Fieller from its definition: where |mb - r ma| = t se(r)
	t <- qt(.975, w$parameter)
	f <- function(r) (mean(b) - r * mean(a))^2 -
		t^2 * (var(b) / length(b) + r^2 * var(a) / length(a))
	bounded <- mean(a)^2 > t^2 * var(a) / length(a)
	note("fieller-bounded", v[7], as.numeric(bounded))
	if (bounded) {
		m <- mean(b) / mean(a)
		note("fieller", v[8:9], c(uniroot(f, c(m - 1000, m), tol = 1e-13)$root,
					 uniroot(f, c(m, m + 1000), tol = 1e-13)$root))
	}
},
paired = function(v) {
	w <- t.test(take(v, after(v, 6)), take(v, 6), paired = TRUE, conf.level = .9)
	note("paired", v[1:5], c(w$statistic, w$parameter, w$p.value, w$conf.int))
},
blocks = function(v) {
	m <- v[1]; z <- take(v, 5); steps <- v[after(v, 5):length(v)]
	blocks <- length(z) / m
	k <- factor(rep(seq_len(m), each = blocks)); b <- factor(rep(seq_len(blocks), m))
	fit <- lm(z ~ k + b)
	s <- summary(fit)$sigma
	note("blocks", v[2:3], c(s, fit$df.residual))
	# for two kernels, and for two blocks with any, residuals mirror each other
	if (m > 2) {
		own <- tapply(resid(fit)^2, k, sum)
		note("blocks-ratio", v[4], max(own) / min(own))
	}
	for (i in seq_len(m - 1)) {
		d <- mean(z[k == i + 1]) - mean(z[k == i])
		p <- 2 * pt(-abs(d / (s * sqrt(2 / blocks))), fit$df.residual)
		note("steps", steps[2 * i - 1:0], c(d, p))
	}
},
perm = function(v) {
	a <- take(v, 3); b <- take(v, after(v, 3)); x <- c(a, b)
	d <- combn(length(x), length(a), function(i) abs(mean(x[i]) - mean(x[-i])))
	note("permutation", v[1:2], c(sum(d >= abs(mean(a) - mean(b)) - 1e-9), length(d)))
},
flip = function(v) {
	d <- take(v, 3)
	s <- as.matrix(expand.grid(rep(list(c(-1, 1)), length(d)))) %*% d
	note("sign-flip", v[1:2], c(sum(abs(s) >= abs(sum(d)) - 1e-9), length(s)))
},
holm = function(v) note("holm", take(v, after(v, 1)), p.adjust(take(v, 1), "holm")),
limit = function(v) {
	set.seed(1)
	m <- v[1]; blocks <- v[2]
	z <- array(rnorm(20000 * m * blocks), c(20000, m, blocks))
	e <- z - c(rowMeans(z, dims = 2)) -
		aperm(array(rowMeans(aperm(z, c(1, 3, 2)), dims = 2), c(20000, blocks, m)), c(1, 3, 2)) +
		rowMeans(z)
	own <- rowSums(e^2, dims = 2)
	r <- apply(own, 1, max) / apply(own, 1, min)
	note("ratio-limit", v[3], quantile(r, .99))
})

for (line in readLines(args[1])) {
	w <- strsplit(line, " ")[[1]]
	check[[w[1]]](suppressWarnings(as.numeric(sub("^inf$", "Inf", w[-1]))))
}

kinds <- c("pt", "qt", "welch", "fieller", "fieller-bounded", "paired", "blocks",
	   "blocks-ratio", "steps", "permutation", "sign-flip", "holm", "ratio-limit")
failed <- 0
for (i in seq_along(kinds)) {
	kind <- kinds[i]
	limit <- switch(kind, "ratio-limit" = .1, "blocks-ratio" = 1e-6, "fieller" = 1e-8, 1e-9)
	good <- !is.null(worst[[kind]]) && worst[[kind]] <= limit
	failed <- failed + !good
	cat(if (good) "" else "not ", "ok ", i, " - ", kind, ": ", seen[[kind]],
	    " numbers, largest relative difference ", format(worst[[kind]], digits = 2), "\n",
	    sep = "")
}
cat("1..", length(kinds), "\n", sep = "")
quit(status = failed > 0)

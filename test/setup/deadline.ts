// How long tests wait before they fail.

/**
 * Milliseconds. Only a failing test waits this long: it is many times what a busy machine needs, so that the speed of the
 * machine never decides whether a test passes.
 */
export const deadlineMs = 120_000

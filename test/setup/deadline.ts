// How long tests wait for what must happen.

/**
 * Milliseconds. Only a test that fails waits so long: it is many times what a busy machine needs, so that how fast the
 * machine is never decides whether a test passes.
 */
export const deadlineMs = 120_000

// How long tests wait before they fail.

/**
 * Milliseconds. Only a failing test waits this long: it is many times what a busy machine needs, so that the speed of the
 * machine never decides whether a test passes.
 */
export const deadlineMs = 240_000

/** Settings of a program in a test: many simultaneous requests on a busy machine delay each other. */
export const patientDatabase = { DATABASE_SECONDS: '60' }

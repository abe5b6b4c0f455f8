// How long tests wait before they fail.

/**
 * Milliseconds. Only a failing test waits this long: it is many times what a busy machine needs, so that the speed of the
 * machine never decides whether a test passes.
 */
export const deadlineMs = 240_000

/** How long a request in a test may wait for the database: many simultaneous requests on a busy machine delay each other. */
export const databaseMs = 60_000
export const patientDatabase = { DATABASE_SECONDS: String(databaseMs / 1000) }

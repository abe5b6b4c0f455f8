// The page's pauses between tries, in milliseconds. Without imports, because the reference of retries reads them too.

/** Opening the session and the borrower's acts, which then report the failure. */
export const retryPausesMs = [1_000, 3_000]

/** Polling for a newer view, after this number of failures. */
export const pollPauseMs = (failures: number): number => Math.min(30_000, 1_000 * 2 ** failures)

// The page's pauses between tries, in milliseconds. Has no imports, because the reference of retries reads it too.

/** Pauses before retries of opening the session and of a borrower's action. After the last one the failure is shown. */
export const retryPausesMs = [1_000, 3_000]

/** Polling for a newer view, after this number of failures. */
export const pollPauseMs = (failures: number): number => Math.min(30_000, 1_000 * 2 ** failures)

// Plain lists for the erasure of borrowers' data; shared by page, console and schemas.

/**
 * WAITING: for the decision of another person · APPROVED: some data must still be kept · REFUSED · DONE: everything that
 * was stored at the request is erased.
 */
export const erasureStates = ['WAITING', 'APPROVED', 'REFUSED', 'DONE'] as const
export type ErasureState = (typeof erasureStates)[number]

/**
 * Why the data of a journey cannot be erased yet. RUNNING: the application or loan has not ended · HELD: a legal hold is in
 * force · COMPLAINT: a complaint is open · UNDELIVERED: updates are still to be delivered · PERIOD: it must be kept longer.
 */
export const erasureObstacles = ['RUNNING', 'HELD', 'COMPLAINT', 'UNDELIVERED', 'PERIOD'] as const
export type ErasureObstacle = (typeof erasureObstacles)[number]

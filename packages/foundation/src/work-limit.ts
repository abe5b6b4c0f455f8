// A limit on work that runs at the same time; further work waits in order.

import pLimit, { type LimitFunction } from 'p-limit'

export type WorkLimit = LimitFunction

/** Returns a function that runs work at once while fewer than `atOnce` run, and else later. `pendingCount` tells how many wait. */
export const workLimit = (atOnce: number): WorkLimit => pLimit(atOnce)

// Queues the mail that tells a person of the staff of failed sign-ins.

import type { Tx } from '#kit/db/sql.ts'
import { enqueue, nobody } from '#kit/messaging/queue.ts'
import type { GuessPause } from '#kit/staff/program.ts'

export const pauseQueue = 'staff-sign-in-pause'

/** Instants are in ISO 8601. */
export interface PauseJob extends Omit<GuessPause, 'at' | 'ends'> {
  staffId: string
  at: string
  ends: string | null
}

export function queuePauseMail(tx: Tx, staffId: string, pause: GuessPause, at: Date): Promise<void> {
  const payload: PauseJob = { ...pause, staffId, at: pause.at.toISOString(), ends: pause.ends?.toISOString() ?? null }
  return enqueue(tx, { tenantId: nobody, kind: pauseQueue, payload, dueAt: at })
}

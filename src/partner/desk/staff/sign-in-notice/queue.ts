// Queues the mail that tells a person of the staff of failed sign-ins, or of a second factor that changed.

import type { Tx } from '#kit/db/sql.ts'
import { enqueue, nobody } from '#kit/messaging/queue.ts'
import type { FactorChange, GuessPause, SignInNotice } from '#kit/staff/program.ts'

export const noticeQueue = 'staff-sign-in-notice'

/** Instants are in ISO 8601. */
type Written<Notice extends SignInNotice> = Omit<Notice, 'at' | 'ends'> & {
  staffId: string
  at: string
  ends: string | null
}
export type NoticeJob = Written<GuessPause> | Written<FactorChange>

export function queueNotice(tx: Tx, staffId: string, notice: SignInNotice, at: Date): Promise<void> {
  const payload: NoticeJob = {
    ...notice,
    staffId,
    at: notice.at.toISOString(),
    ends: notice.ends?.toISOString() ?? null,
  }
  return enqueue(tx, { tenantId: nobody, kind: noticeQueue, payload, dueAt: at })
}

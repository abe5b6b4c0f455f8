// Something about a case has changed that rules may want to act on: whoever decides by rule looks at it next.

import type { Tx } from '#kit/db/sql.ts'
import { enqueue, nobody } from '#kit/messaging/queue.ts'

export const changedKind = 'case-changed'

export interface ChangedJob {
  caseRef: string
}

/** One job for each change, in the transaction of the change: none is lost, and looking twice does nothing twice. */
export async function noteChange(tx: Tx, caseRef: string, at: Date): Promise<void> {
  const payload: ChangedJob = { caseRef }
  await enqueue(tx, { tenantId: nobody, kind: changedKind, payload, dueAt: at })
}

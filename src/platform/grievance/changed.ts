// Tells whoever follows grievances that one has changed: a job, added with the change.
import type { Tx } from '#kit/db/sql.ts'
import { enqueue } from '#kit/messaging/queue.ts'
import type { Grievance } from './grievance.ts'

export const grievanceChangedKind = 'grievance-changed'

export interface GrievanceChange {
  journeyId: string
  grievanceId: string
}

/** The caller holds the journey's lock, and whoever works on the job takes it: so no change stays untold. */
export const noteChange = (
  tx: Tx,
  {
    tenantId,
    journeyId,
    grievanceId,
    updatedAt,
  }: Pick<Grievance, 'tenantId' | 'journeyId' | 'grievanceId' | 'updatedAt'>,
): Promise<void> =>
  enqueue(tx, {
    ...{ tenantId, kind: grievanceChangedKind, key: grievanceId, dueAt: updatedAt },
    payload: { journeyId, grievanceId } satisfies GrievanceChange,
  })

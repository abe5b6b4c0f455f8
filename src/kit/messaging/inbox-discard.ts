// Settles messages about erased records without an effect, and empties their bodies.
import type { Seal } from '#kit/crypto/seal.ts'
import { byteas, texts, uuids } from '#kit/db/insert.ts'
import type { Db } from '#kit/db/sql.ts'
import { inboxContext, type SenderPartition, supersede, type WaitingEvent } from './inbox-rows.ts'

const discardedReason = 'the records of its case are erased'

/**
 * Marks messages as superseded unless they have an outcome. Their ids and digests stay, so that a repetition is
 * recognized.
 */
export async function discardErased(
  { db, seal }: { db: Db; seal: Seal },
  partition: SenderPartition,
  rows: WaitingEvent[],
  at: Date,
): Promise<void> {
  const bodies = rows.map(({ sender, eventId }) => seal.json({}, inboxContext(sender, eventId)))
  await db.tx(async (tx) => {
    await supersede(tx, partition, rows, { reason: discardedReason, at })
    await tx`
      update inbox i set body_sealed = emptied.body_sealed
      from unnest(${texts(rows.map(({ sender }) => sender))}::text[], ${uuids(rows.map(({ eventId }) => eventId))}::uuid[],
        ${byteas(bodies)}::bytea[]) as emptied (sender, event_id, body_sealed)
      where i.sender = emptied.sender and i.event_id = emptied.event_id`
  })
}

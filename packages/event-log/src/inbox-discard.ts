// Settles messages about erased records without an effect, and empties their bodies.

import { bytea, rowsAs, text, uuid } from '@lendloom/postgres/rows'
import { type Db, sql } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
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
  await db.tx(async (tx) => {
    await supersede(tx, partition, rows, { reason: discardedReason, at })
    await tx`
      update inbox i set body_sealed = emptied.body_sealed
      from ${rowsAs(sql`emptied`, rows, {
        sender: text((row) => row.sender),
        eventId: uuid((row) => row.eventId),
        bodySealed: bytea((row) => seal.json({}, inboxContext(row.sender, row.eventId))),
      })}
      where i.sender = emptied.sender and i.event_id = emptied.event_id`
  })
}

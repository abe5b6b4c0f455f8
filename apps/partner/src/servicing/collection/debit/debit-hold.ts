// Holds on the debits of a case.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { type Hold, putHold, readHold, removeHold } from './store.ts'

/** Returns the hold on a case's debits; undefined if there is none. */
export const holdOf = (db: Run, caseRef: string): Promise<Hold | undefined> => readHold(db, caseRef)

/** Whether the hold applies to the mandate with this UMRN. A hold that follows from a mandate ends with the mandate. */
export const isHeld = (hold: Pick<Hold, 'umrn'>, umrn: string | null): boolean =>
  hold.umrn === null || umrn === null || hold.umrn === umrn

/** Reasons for which an officer may hold debits. */
export const holdReasons = ['DISPUTE', 'ILLNESS_OR_DEATH', 'LEGAL', 'PROMISED', 'OTHER'] as const
export type HoldReason = (typeof holdReasons)[number]

/** Holds a case's debits. Throws `wrong-state` if the debits are already on hold. */
export async function holdDebits(tx: Tx, caseRef: string, reasonCode: HoldReason, at: Date): Promise<void> {
  if (await readHold(tx, caseRef)) throw new Refusal('wrong-state', 'the debits of this case are already on hold')
  await putHold(tx, { caseRef, policy: 'stop', reasonCode, umrn: null, paymentId: null, sinceAt: at })
}

/** Lifts the hold, and returns it. Throws `absent` without a hold. */
export async function releaseHold(tx: Tx, caseRef: string): Promise<Hold> {
  const hold = await readHold(tx, caseRef)
  if (!hold) throw new Refusal('absent', 'the debits of this case are not on hold')
  await removeHold(tx, caseRef)
  return hold
}

// Holds on debits of a case, and the person who lifts them.

import type { Run, Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { type Hold, putHold, readHold, removeHold } from './store.ts'

/** Why no debit is made; undefined when nothing keeps them. */
export const holdOf = (db: Run, caseRef: string): Promise<Hold | undefined> => readHold(db, caseRef)

/** Why a person holds debits. */
export const holdReasons = ['DISPUTE', 'ILLNESS_OR_DEATH', 'LEGAL', 'PROMISED', 'OTHER'] as const
export type HoldReason = (typeof holdReasons)[number]

/** A person holds debits until the hold is lifted; an existing hold stays. Refused as `wrong-state` then. */
export async function holdDebits(tx: Tx, caseRef: string, reasonCode: HoldReason, at: Date): Promise<void> {
  if (await readHold(tx, caseRef)) throw new Refusal('wrong-state', 'the debits of this case are held already')
  await putHold(tx, { caseRef, policy: 'stop', reasonCode, umrn: null, paymentId: null, sinceAt: at })
}

/** A person has looked, and debits may be made again. Refused as `absent` when nothing was held. */
export async function releaseHold(tx: Tx, caseRef: string): Promise<Hold> {
  const hold = await readHold(tx, caseRef)
  if (!hold) throw new Refusal('absent', 'nothing holds the debits of this case')
  await removeHold(tx, caseRef)
  return hold
}

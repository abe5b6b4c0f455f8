// What keeps debits of a case from being made, and the person who lets them go on.

import type { Run, Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { type Hold, readHold, removeHold } from './store.ts'

/** Why no debit is made; undefined when nothing keeps them. */
export const holdOf = (db: Run, caseRef: string): Promise<Hold | undefined> => readHold(db, caseRef)

/** A person has looked, and debits may be made again. Refused as `absent` when nothing was held. */
export async function releaseHold(tx: Tx, caseRef: string): Promise<Hold> {
  const hold = await readHold(tx, caseRef)
  if (!hold) throw new Refusal('absent', 'nothing holds the debits of this case')
  await removeHold(tx, caseRef)
  return hold
}

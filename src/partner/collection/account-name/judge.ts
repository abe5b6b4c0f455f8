// Whether the bank's account holder is the borrower: by rule where possible, otherwise by a person.

import type { Seal } from '#kit/crypto/seal.ts'
import type { Run } from '#kit/db/sql.ts'
import { compareNames, type NameMatch } from '#partner/bank/name-match.ts'
import { lockCase } from '#partner/case/store.ts'
import type { Context } from '#partner/context.ts'
import { queueNames, waitingNames } from './store.ts'

/** The names for a person to compare. */
export interface Names {
  borrower: string
  registered: string
}

const namesContext = (caseRef: string): string => `name_review ${caseRef}`

/** `UNCERTAIN` until a person has decided. */
export async function judgeName(
  { db, seal, clock, alert }: Pick<Context, 'db' | 'seal' | 'clock' | 'alert'>,
  caseRef: string,
  { borrowerName: borrower, account }: { borrowerName: string; account: { account_number: string } },
  registered: string,
): Promise<NameMatch> {
  const match = compareNames(registered, borrower)
  if (match !== 'UNCERTAIN') return match
  const namesDigest = seal.digest(JSON.stringify([borrower, registered, account.account_number]), 'names of an account')
  const namesSealed = seal.json({ borrower, registered } satisfies Names, namesContext(caseRef))
  const decision = await db.tx(async (tx) => {
    await lockCase(tx, caseRef)
    return queueNames(tx, { caseRef, namesDigest, namesSealed, createdAt: clock() })
  })
  if (decision === null) alert('somebody has to compare the names of an account', { caseRef })
  return decision ?? 'UNCERTAIN'
}

/** The names of a case that wait for a decision; null when none do. */
export async function namesToCompare(db: Run, seal: Seal, caseRef: string): Promise<Names | null> {
  const waiting = await waitingNames(db, caseRef)
  return waiting ? seal.openJson<Names>(waiting.namesSealed, namesContext(caseRef)) : null
}

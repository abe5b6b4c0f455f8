// Compares the name of the account holder with the name of the borrower, by rule if possible, otherwise by an officer.

import type { Run } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import { compareNames, type NameMatch } from '#partner/bank/name-match.ts'
import type { Context } from '#partner/context.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { queueNameReview, waitingNames, wasRefusedFor } from './store.ts'

interface AccountNames {
  borrower: string
  /** The name under which the bank registered the account. */
  registered: string
}

/** The names that an officer compares, with their digest, by which the decision names them. */
export interface NamesToCompare extends AccountNames {
  namesDigest: Buffer
}

const namesContext = (caseRef: string): string => `name_review ${caseRef}`

/** Why a transfer is refused when the account is not the borrower's. */
export const nameMismatch = 'ACCOUNT_NAME_MISMATCH'

/**
 * Compares the names. Queues an uncertain pair for an officer: `UNCERTAIN` until the officer has decided. Different
 * names are queued too if an officer orders a transfer again that was refused for the name.
 */
export async function compareAccountName(
  { db, seal, clock, alert }: Pick<Context, 'db' | 'seal' | 'clock' | 'alert'>,
  caseRef: string,
  { borrowerName: borrower, account }: { borrowerName: string; account: { account_number: string } },
  registered: string,
): Promise<NameMatch> {
  const match = compareNames(registered, borrower)
  const isForOfficer =
    match === 'UNCERTAIN' || (match === 'DIFFERENT' && (await wasRefusedFor(db, caseRef, nameMismatch)))
  if (!isForOfficer) return match
  const namesDigest = seal.digest(JSON.stringify([borrower, registered, account.account_number]), 'names of an account')
  const namesSealed = seal.json({ borrower, registered } satisfies AccountNames, namesContext(caseRef))
  const decision = await db.tx(async (tx) => {
    await lockCase(tx, caseRef)
    return queueNameReview(tx, { caseRef, namesDigest, namesSealed, createdAt: clock() })
  })
  if (decision === null) alert('the names of an account need a review', { caseRef })
  return decision ?? 'UNCERTAIN'
}

/** Returns the names of a case that wait for an officer's decision; null if there are none. */
export async function namesToCompare(db: Run, seal: Seal, caseRef: string): Promise<NamesToCompare | null> {
  const waiting = await waitingNames(db, caseRef)
  if (!waiting) return null
  const { namesDigest, namesSealed } = waiting
  return { ...seal.openJson<AccountNames>(namesSealed, namesContext(caseRef)), namesDigest }
}

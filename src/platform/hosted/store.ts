// No table of its own: the statement that opens a journey, composed of the pieces that the modules below write.
import { type Fragment, type Run, sql } from '#kit/db/sql.ts'
import { type NewEmbedToken, newEmbedToken, newEmbedTokens } from '#platform/access/store.ts'
import { type NewBorrower, newBorrower, newBorrowers } from '#platform/borrower/store.ts'
import { type Opening, openingRows, openingRowsOf } from '#platform/profile/store.ts'

export interface HostedOpening extends Opening {
  token: NewEmbedToken
}

export interface NewBorrowerOpening {
  borrower: NewBorrower
  opening: HostedOpening
}

/**
 * Borrower, journey, profile, event, deliveries and token in one statement and so one round trip and one commit.
 * Gives false, and has written nothing, when the borrower is known already.
 */
export async function openForNewBorrower(db: Run, borrower: NewBorrower, opening: HostedOpening): Promise<boolean> {
  const rows = await db`with someone as (${newBorrower(borrower)}), ${rowsOf(opening)} select 1 from begun`
  return rows.length > 0
}

/** The same for a borrower who is known. */
export async function openForBorrower(tx: Run, borrowerId: string, opening: HostedOpening): Promise<void> {
  await tx`with someone as (select ${borrowerId}::uuid as borrower_id), ${rowsOf(opening)} select 1 from begun`
}

const rowsOf = ({ token, ...opening }: HostedOpening): Fragment => sql`
  ${openingRows(opening)},
  let_in as (${newEmbedToken(token, sql`begun`)})`

/**
 * The same of several new borrowers of one tenant in one statement over arrays: a third of the work of a statement each,
 * though for one alone it is twice as much. Gives for each whether its journey began.
 */
export async function openForNewBorrowers(db: Run, tenantId: string, rows: NewBorrowerOpening[]): Promise<boolean[]> {
  const openings = rows.map(({ borrower: { borrowerId }, opening }) => ({ borrowerId, opening }))
  const tokens = rows.map(({ opening: { token, journey } }) => ({ ...token, journeyId: journey.journeyId }))
  const borrowers = rows.map(({ borrower }) => borrower)
  const begun = await db<{ journeyId: string }>`
    with someone as (${newBorrowers(tenantId, borrowers)}), ${openingRowsOf(tenantId, openings)},
    let_in as (${newEmbedTokens(tenantId, tokens, sql`begun`)}) select journey_id from begun`
  const ids = new Set(begun.map(({ journeyId }) => journeyId))
  return rows.map(({ opening }) => ids.has(opening.journey.journeyId))
}

/** One more token for a journey that exists. */
export async function addToken(tx: Run, journeyId: string, token: NewEmbedToken): Promise<void> {
  await tx`${newEmbedToken(token, sql`(select ${journeyId}::uuid as journey_id)`)}`
}

// No table of its own: the statement that opens a journey, composed of the pieces that the modules below write, and shared by those that come together.
import { groupCommit } from '#kit/db/group-commit.ts'
import { type Db, type Fragment, type Run, sql } from '#kit/db/sql.ts'
import { type Cache, cache } from '#kit/runtime/cache.ts'
import { pairs } from '#kit/runtime/pairs.ts'
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
export async function insertForNewBorrower(db: Run, borrower: NewBorrower, opening: HostedOpening): Promise<boolean> {
  const rows = await db`with someone as (${newBorrower(borrower)}), ${rowsOf(opening)} select 1 from begun`
  return rows.length > 0
}

/** The same for a borrower who is known. */
export async function openForBorrower(tx: Run, borrowerId: string, opening: HostedOpening): Promise<void> {
  await tx`with someone as (select ${borrowerId}::uuid as borrower_id), ${rowsOf(opening)} select 1 from begun`
}

const rowsOf = ({ token, ...opening }: HostedOpening): Fragment => sql`
  ${openingRows(opening)},
  token_row as (${newEmbedToken(token, sql`begun`)})`

/**
 * The same of several new borrowers of one tenant in one statement over arrays: a third of the work of a statement each,
 * though for one alone it is twice as much. Gives for each whether its journey began.
 */
async function insertForNewBorrowers(db: Run, tenantId: string, rows: NewBorrowerOpening[]): Promise<boolean[]> {
  const openings = rows.map(({ borrower: { borrowerId }, opening }) => ({ borrowerId, opening }))
  const tokens = rows.map(({ opening: { token, journey } }) => ({ ...token, journeyId: journey.journeyId }))
  const borrowers = rows.map(({ borrower }) => borrower)
  const begun = await db<{ journeyId: string }>`
    with someone as (${newBorrowers(tenantId, borrowers)}), ${openingRowsOf(tenantId, openings)},
    token_row as (${newEmbedTokens(tenantId, tokens, sql`begun`)}) select journey_id from begun`
  const ids = new Set(begun.map(({ journeyId }) => journeyId))
  return rows.map(({ opening }) => ids.has(opening.journey.journeyId))
}

type Open = (opening: NewBorrowerOpening) => Promise<boolean>

/** Two commits under way keep the disk busy; a larger group would let its first one wait for too many others. */
const gathering = { concurrency: 2, most: 16 }

/** The groups of one process, by tenant. */
export type SessionGroups = Cache<Open>

/** One that is forgotten while it works finishes its group; the next session begins another. */
const ofTenants = { name: 'session-groups', mostBytes: 4 << 20, forMs: 600_000, weigh: () => 2000 }

export const sessionGroups = (): SessionGroups => cache<Open>(ofTenants)

/**
 * Opens as `insertForNewBorrower` does. Those of one tenant that come at the same time are one statement and one commit,
 * where commits are shared.
 */
export function openTogether({ db, sessions }: { db: Db; sessions: SessionGroups }, tenantId: string): Open {
  if (!db.sharesCommits) return ({ borrower, opening }) => insertForNewBorrower(db, borrower, opening)
  const open =
    sessions.get(tenantId) ?? groupCommit((rows: NewBorrowerOpening[]) => openInOrder(db, tenantId, rows), gathering)
  sessions.set(tenantId, open)
  return open
}

/** Two statements that add the same identifiers do so in one order, so that neither waits for the other for ever. */
async function openInOrder(db: Db, tenantId: string, rows: NewBorrowerOpening[]): Promise<boolean[]> {
  const [first, ...others] = rows
  if (first && others.length === 0) return [await insertForNewBorrower(db, first.borrower, first.opening)]
  const sorted = rows.toSorted((a, b) => (a.borrower.externalId < b.borrower.externalId ? -1 : 1))
  const begun = await insertForNewBorrowers(db, tenantId, sorted)
  const outcomes = new Map(pairs(sorted, begun))
  return rows.map((row) => outcomes.get(row) === true)
}

/** One more token for a journey that exists. */
export async function addToken(tx: Run, journeyId: string, token: NewEmbedToken): Promise<void> {
  await tx`${newEmbedToken(token, sql`(select ${journeyId}::uuid as journey_id)`)}`
}

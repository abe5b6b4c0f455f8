// No table of its own: the statement that opens a journey, composed of the pieces that the modules below write, and shared by those that come together.
import { asParts, insertParts, type Parts, sendParts } from '#kit/db/given.ts'
import { groupCommit } from '#kit/db/group-commit.ts'
import { type Db, type Run, sql, type Tx } from '#kit/db/sql.ts'
import { cache } from '#kit/runtime/cache.ts'
import { pairs } from '#kit/runtime/pairs.ts'
import { perDatabase } from '#kit/runtime/remembered.ts'
import { type NewEmbedToken, newEmbedToken, newEmbedTokens } from '#platform/access/store.ts'
import { type NewBorrower, newBorrower, newBorrowers } from '#platform/borrower/store.ts'
import { type Opening, openingParts, openingRowsOf } from '#platform/profile/store.ts'

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
export async function insertForNewBorrower(db: Run, { borrower, opening }: NewBorrowerOpening): Promise<boolean> {
  const rows =
    await db`with someone as (${newBorrower(borrower)}), ${asParts(partsOf(opening), sql`someone`)} select 1 from begun`
  return rows.length > 0
}

/** The same by a statement for each row, in one transaction. */
const insertEachForNewBorrower = (db: Db, { borrower, opening }: NewBorrowerOpening): Promise<boolean> =>
  db.tx(async (tx) => {
    const isNew = (await tx`${newBorrower(borrower)}`).length > 0
    if (isNew) await sendParts(tx, partsOf(opening))
    return isNew
  })

/** The same for a borrower who is known. */
export const openForBorrower = (tx: Tx, opening: HostedOpening): Promise<void> => insertParts(tx, partsOf(opening))

const partsOf = ({ token, ...opening }: HostedOpening): Parts => [
  ...openingParts(opening),
  { name: sql`token_row`, insert: (given) => newEmbedToken(token, given) },
]

/**
 * The same of several new borrowers of one tenant in one statement over arrays: a third of the work of a statement each,
 * though for one alone it is twice as much. Gives for each whether its journey began.
 */
async function insertForNewBorrowers(db: Run, tenantId: string, rows: NewBorrowerOpening[]): Promise<boolean[]> {
  const openings = rows.map(({ opening }) => opening)
  const tokens = openings.map(({ token }) => token)
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

/** One that is forgotten while it works finishes its group; the next session begins another. */
const ofTenants = { name: 'session-groups', mostBytes: 4 << 20, forMs: 600_000, weigh: () => 2000 }

const groupsOfTenants = perDatabase((_: { db: Db }) => cache<Open>(ofTenants))

/**
 * Opens as `insertForNewBorrower` does. Those of one tenant that come at the same time are one statement and one commit,
 * on one server.
 */
export function openTogether({ db }: { db: Db }, tenantId: string): Open {
  if (db.isDistributed) return (row) => insertEachForNewBorrower(db, row)
  const groups = groupsOfTenants({ db })
  const open =
    groups.get(tenantId) ?? groupCommit((rows: NewBorrowerOpening[]) => openInOrder(db, tenantId, rows), gathering)
  groups.set(tenantId, open)
  return open
}

/** Two statements that add the same identifiers do so in one order, so that neither waits for the other for ever. */
async function openInOrder(db: Db, tenantId: string, rows: NewBorrowerOpening[]): Promise<boolean[]> {
  const [first, ...others] = rows
  if (first && others.length === 0) return [await insertForNewBorrower(db, first)]
  const sorted = rows.toSorted((a, b) => (a.borrower.externalId < b.borrower.externalId ? -1 : 1))
  const begun = await insertForNewBorrowers(db, tenantId, sorted)
  const outcomes = new Map(pairs(sorted, begun))
  return rows.map((row) => outcomes.get(row) === true)
}

/** One more token for a journey that exists. */
export async function addToken(tx: Run, token: NewEmbedToken): Promise<void> {
  await tx`${newEmbedToken(token, null)}`
}

// Matches statement lines with book entries of other references by hand, until the statement is closed.

import { Refusal } from '@lendloom/foundation/refusal'
import { inr, type Paise } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import type { Context } from '#partner/context.ts'
import { digestOfDifferences, type ReferenceTotals, reconcile } from './reconcile.ts'
import {
  closeStatement,
  insertMatch,
  lockStatement,
  type Match,
  type PairRemoval,
  type StatementClosure,
  undoStoredMatch,
} from './store.ts'

/** Locks an open statement. Throws `absent` if it does not exist, `wrong-state` if it is closed. */
async function lockOpen(tx: Tx, statementId: string): Promise<void> {
  const statement = await lockStatement(tx, statementId)
  if (!statement) throw new Refusal('absent', 'there is no such statement')
  if (statement.closedAt !== null) throw new Refusal('wrong-state', 'this statement is closed')
}

interface MatchRequest extends Omit<Match, 'bank' | 'books'> {
  statementId: string
  bankReferences: string[]
  bookReferences: string[]
}

/** Throws the errors of `lockOpen`; `wrong-state` if a reference is matched, both sides have several, or sums differ. */
export async function matchByHand(tx: Tx, { seal }: Pick<Context, 'seal'>, request: MatchRequest): Promise<void> {
  const { statementId, bankReferences, bookReferences, ...match } = request
  await lockOpen(tx, statementId)
  if (Math.min(bankReferences.length, bookReferences.length) !== 1)
    throw new Refusal('wrong-state', 'match one line with several entries, or several lines with one entry')
  const { mismatches } = await reconcile(tx, seal, statementId)
  const partsOf = (references: string[], side: 'bank' | 'books') =>
    references.map((reference) => {
      const totals = mismatches.find((each) => each.reference === reference)
      const paise = totals?.[side]
      if (paise === undefined || paise === null || totals?.[side === 'bank' ? 'books' : 'bank'] !== null)
        throw new Refusal('wrong-state', 'this line or entry is already matched')
      return { reference, paise }
    })
  const bank = partsOf(bankReferences, 'bank')
  const books = partsOf(bookReferences, 'books')
  const sumOf = (parts: { paise: Paise }[]): Paise => parts.reduce((sum, { paise }) => sum + paise, 0n)
  const bankSum = sumOf(bank)
  const booksSum = sumOf(books)
  if (bankSum !== booksSum)
    throw new Refusal('wrong-state', `the amounts differ: ${inr(bankSum)} at the bank, ${inr(booksSum)} in the books`)
  await insertMatch(tx, statementId, { bank, books, ...match })
}

/** Undoes a match. Throws the errors of `lockOpen`, and `absent` if the match does not exist. */
export async function undoMatch(tx: Tx, removal: PairRemoval): Promise<void> {
  await lockOpen(tx, removal.statementId)
  if (!(await undoStoredMatch(tx, removal))) throw new Refusal('absent', 'there is no such match')
}

/**
 * Locks an open statement and returns its mismatches. Throws the errors of `lockOpen`, and `wrong-state` if they are not
 * those that the person saw.
 */
export async function readDifferences(
  tx: Tx,
  { seal }: Pick<Context, 'seal'>,
  statementId: string,
  shownDigest: string,
): Promise<ReferenceTotals[]> {
  await lockOpen(tx, statementId)
  const { mismatches } = await reconcile(tx, seal, statementId)
  if (digestOfDifferences(mismatches) !== shownDigest)
    throw new Refusal('wrong-state', 'the differences changed since the page was opened: nothing was closed')
  return mismatches
}

/** Closes a statement without differences. */
export const closeMatched = (
  tx: Tx,
  statementId: string,
  closing: Pick<StatementClosure, 'closedBy' | 'closedAt'>,
): Promise<void> => closeStatement(tx, statementId, { ...closing, closingReason: null, differences: [] })

interface AcceptedClosing extends Omit<StatementClosure, 'differences'> {
  shownDigest: string
}

/** Closes a statement with the differences that were shown, which stay listed. Throws the errors of `readDifferences`. */
export async function acceptDifferences(
  tx: Tx,
  ctx: Pick<Context, 'seal'>,
  statementId: string,
  { shownDigest, ...closing }: AcceptedClosing,
): Promise<void> {
  const differences = await readDifferences(tx, ctx, statementId, shownDigest)
  await closeStatement(tx, statementId, { ...closing, differences })
}

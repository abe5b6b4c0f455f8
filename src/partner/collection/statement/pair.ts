// Lets an accountant pair a statement line with a book entry that has another reference. A pair can be undone until
// the statement is closed.

import { uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Context } from '#partner/context.ts'
import { digestOfDifferences, reconcile } from './reconcile.ts'
import {
  closeStatement,
  insertPair,
  lockStatement,
  type Pair,
  type PairRemoval,
  type StatementClosure,
  undoStoredPair,
} from './store.ts'

/** Locks an open statement. Throws `absent` if it does not exist, `wrong-state` if it is closed. */
async function lockOpen(tx: Tx, statementId: string): Promise<void> {
  const statement = await lockStatement(tx, statementId)
  if (!statement) throw new Refusal('absent', 'there is no such statement')
  if (statement.closedAt !== null) throw new Refusal('wrong-state', 'this statement is closed')
}

/**
 * Pairs a line that is only in the statement with an entry that is only in the books. Throws the errors of `lockOpen`,
 * and `wrong-state` if the line or the entry is already matched, or if their amounts differ.
 */
export async function pair(
  tx: Tx,
  { seal }: Pick<Context, 'seal'>,
  request: Omit<Pair, 'paise' | 'pairId'>,
): Promise<void> {
  await lockOpen(tx, request.statementId)
  const { mismatches } = await reconcile(tx, seal, request.statementId)
  const line = mismatches.find(({ reference, books }) => reference === request.bankReference && books === null)
  const entry = mismatches.find(({ reference, bank }) => reference === request.bookReference && bank === null)
  if (!line || !entry) throw new Refusal('wrong-state', 'this line or entry is already matched')
  const { bank: paise } = line
  if (paise === null || paise !== entry.books) throw new Refusal('wrong-state', 'the amounts differ')
  await insertPair(tx, { ...request, paise, pairId: uuidv7(request.pairedAt.getTime()) })
}

/** Undoes a pair. Throws the errors of `lockOpen`, and `absent` if the pair does not exist. */
export async function undoPair(tx: Tx, removal: PairRemoval): Promise<void> {
  await lockOpen(tx, removal.statementId)
  if (!(await undoStoredPair(tx, removal))) throw new Refusal('absent', 'there is no such pair')
}

interface ClosingRequest extends Omit<StatementClosure, 'differences'> {
  shownDigest: string
}

/**
 * Closes a statement and returns the number of mismatches, which stay listed. Throws the errors of `lockOpen`,
 * `wrong-state` if the person saw other mismatches, and `invalid` if there are mismatches and no reason.
 */
export async function close(
  tx: Tx,
  { seal }: Pick<Context, 'seal'>,
  statementId: string,
  { shownDigest, ...closing }: ClosingRequest,
): Promise<number> {
  await lockOpen(tx, statementId)
  const { mismatches } = await reconcile(tx, seal, statementId)
  if (digestOfDifferences(mismatches) !== shownDigest)
    throw new Refusal('wrong-state', 'the differences changed since the page was opened: nothing was closed')
  if (mismatches.length > 0 && closing.closingReason === null)
    throw new Refusal('invalid', 'this statement has differences: give the reason to close it', { field: 'reason' })
  await closeStatement(tx, statementId, { ...closing, differences: mismatches })
  return mismatches.length
}

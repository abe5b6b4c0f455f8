// Leftovers of a statement that a person finds to be one movement under two references; undone until the statement is closed.

import { uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Context } from '#partner/context.ts'
import { reconcile } from './reconcile.ts'
import { closeStatement, insertPair, lockStatement, markUndone, type Pair, type PairRemoval } from './store.ts'

/** Refused: `absent` no such statement · `wrong-state` it is closed. */
async function lockOpen(tx: Tx, statementId: string): Promise<void> {
  const statement = await lockStatement(tx, statementId)
  if (!statement) throw new Refusal('absent', 'there is no such statement')
  if (statement.closedAt !== null) throw new Refusal('wrong-state', 'this statement is closed')
}

/**
 * Pairs a line that is only in the statement with an entry that is only in the books. Refused as `lockOpen`, and as
 * `wrong-state` when either is not unpaired, or the amounts differ.
 */
export async function pair(
  tx: Tx,
  { seal }: Pick<Context, 'seal'>,
  given: Omit<Pair, 'paise' | 'pairId'>,
): Promise<void> {
  await lockOpen(tx, given.statementId)
  const { leftovers } = await reconcile(tx, seal, given.statementId)
  const line = leftovers.find(({ reference, books }) => reference === given.bankReference && books === null)
  const entry = leftovers.find(({ reference, bank }) => reference === given.bookReference && bank === null)
  if (!line || !entry) throw new Refusal('wrong-state', 'this line and this entry are not left over any more')
  const { bank: paise } = line
  if (paise === null || paise !== entry.books) throw new Refusal('wrong-state', 'their amounts differ')
  await insertPair(tx, { ...given, paise, pairId: uuidv7(given.pairedAt.getTime()) })
}

/** Refused as `lockOpen`, and as `absent` without such a pair. */
export async function undoPair(tx: Tx, undoing: PairRemoval): Promise<void> {
  await lockOpen(tx, undoing.statementId)
  if (!(await markUndone(tx, undoing))) throw new Refusal('absent', 'there is no such pair')
}

/** For good. What is left over stays listed. Refused as `lockOpen` does. */
export async function close(tx: Tx, statementId: string, by: { closedBy: string; closedAt: Date }): Promise<void> {
  await lockOpen(tx, statementId)
  await closeStatement(tx, statementId, by)
}

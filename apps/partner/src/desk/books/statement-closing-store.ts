// The table bank_statement_closing: proposals to close a bank statement with differences.

import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { ProposalLine } from '#partner/people/proposal.ts'
import { decisionColumns, expiryOfWaiting, type ProposalDecision } from '#partner/people/proposal.ts'

export interface StatementClosing extends ProposalLine {
  closingId: string
  statementId: string
  /** The number of differences at the time of the proposal. */
  differences: number
  /** The digest of the differences that the proposer saw. */
  shown: string
  state: 'WAITING' | 'CONFIRMED' | 'REFUSED' | 'WITHDRAWN' | 'EXPIRED'
}

/** A proposal with the name of the statement and of its people. */
export interface StatementClosingLine extends StatementClosing {
  fileName: string
  maker: string
  decider: string | null
}

/** Stores a proposal. Returns false if the statement has a waiting one. */
export const insertStatementClosing = async (tx: Tx, row: StatementClosing): Promise<boolean> =>
  (await tx`insert into bank_statement_closing ${tx({ ...row })} on conflict do nothing returning 1`).length > 0

const selectClosings = sql`
  select c.closing_id, c.statement_id, c.differences, c.shown, c.reason, c.state, c.made_by, c.maker_known_to, c.made_at,
    c.expires_at, c.decided_by, c.decided_at, c.decision_reason, b.file_name, m.name as maker, d.name as decider
  from bank_statement_closing c join bank_statement b on b.statement_id = c.statement_id
    join staff m on m.staff_id = c.made_by left join staff d on d.staff_id = c.decided_by`

interface ClosingKey {
  statementId: string
  closingId: string
}

/** Reads a proposal, and locks it until the transaction ends. */
export async function lockStatementClosing(tx: Tx, key: ClosingKey): Promise<StatementClosingLine | undefined> {
  const [row] = await tx<StatementClosingLine>`
    ${selectClosings} where c.closing_id = ${key.closingId} and c.statement_id = ${key.statementId} for update of c`
  return row
}

/** Returns the proposals to close a statement, newest first. */
export const closingsOfStatement = (db: Run, statementId: string) =>
  db<StatementClosingLine>`${selectClosings} where c.statement_id = ${statementId} order by c.made_at desc limit 20`

/** Returns the waiting proposals, oldest first. */
export const waitingStatementClosings = (db: Run, at: Date) =>
  db<StatementClosingLine>`${selectClosings} where c.state = 'WAITING' and c.expires_at > ${at} order by c.made_at limit 50`

/** Whether somebody proposed to close the statement and nobody has decided yet. */
export async function hasWaitingClosing(db: Run, statementId: string, at: Date): Promise<boolean> {
  const waiting = await db`
    select 1 from bank_statement_closing
    where statement_id = ${statementId} and state = 'WAITING' and expires_at > ${at}`
  return waiting.length > 0
}

/** Writes the decision on a proposal. */
export async function writeStatementClosing(
  tx: Tx,
  closingId: string,
  decision: ProposalDecision<StatementClosing>,
): Promise<void> {
  await tx`update bank_statement_closing set ${decisionColumns(decision)} where closing_id = ${closingId}`
}

/** Expires the proposals that nobody decided in time. */
export async function expireStatementClosings(tx: Tx, at: Date): Promise<void> {
  await tx`update bank_statement_closing set ${expiryOfWaiting(at)}`
}

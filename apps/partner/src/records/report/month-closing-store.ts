// Table month_closing: months that one person closed and another one confirmed.

import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { ProposalLine } from '#partner/people/proposal.ts'
import { decisionColumns, expiryOfWaiting, type ProposalDecision } from '#partner/people/proposal.ts'

/** A proposal to close a month. */
export interface MonthClose extends ProposalLine {
  closingId: string
  monthEnd: string
  /** The trial balance at the time of the proposal, as JSON. */
  balances: string
  openSteps: string[]
  state: 'WAITING' | 'CONFIRMED' | 'REFUSED' | 'WITHDRAWN' | 'EXPIRED'
}

/** A proposal with the names of its two people. */
export interface MonthCloseLine extends MonthClose {
  maker: string
  decider: string | null
}

/** Stores a proposal. Returns false if the month is closed, or has a waiting proposal. */
export const insertClosing = async (tx: Tx, row: MonthClose): Promise<boolean> =>
  (await tx`insert into month_closing ${tx({ ...row })} on conflict do nothing returning 1`).length > 0

const closingLines = sql`
  select c.closing_id, c.month_end, c.balances, c.open_steps, c.reason, c.state, c.made_by, c.maker_known_to, c.made_at,
    c.expires_at, c.decided_by, c.decided_at, c.decision_reason, m.name as maker, d.name as decider
  from month_closing c join staff m on m.staff_id = c.made_by left join staff d on d.staff_id = c.decided_by`

/** Reads a proposal, and locks it until the transaction ends. */
export async function lockClosing(tx: Tx, closingId: string): Promise<MonthCloseLine | undefined> {
  const [row] = await tx<MonthCloseLine>`${closingLines} where c.closing_id = ${closingId} for update of c`
  return row
}

/** Returns the proposals to close a month, newest first. */
export const closingsOf = (db: Run, monthEnd: string) =>
  db<MonthCloseLine>`${closingLines} where c.month_end = ${monthEnd} order by c.made_at desc limit 20`

/** Returns the month of a proposal as `2026-11`; undefined if there is no such proposal. */
export async function closingMonth(db: Run, closingId: string): Promise<string | undefined> {
  const [row] = await db<{ month: string }>`
    select to_char(month_end, 'YYYY-MM') as month from month_closing where closing_id = ${closingId}`
  return row?.month
}

/** Returns the waiting proposals, oldest month first. */
export const waitingClosings = (db: Run, at: Date) =>
  db<MonthCloseLine>`
    ${closingLines} where c.state = 'WAITING' and c.expires_at > ${at} order by c.month_end limit 12`

/** Whether two people closed the month. */
export async function isMonthClosed(db: Run, monthEnd: string): Promise<boolean> {
  const closed = await db`select 1 from month_closing where month_end = ${monthEnd} and state = 'CONFIRMED'`
  return closed.length > 0
}

/** Writes the decision on a proposal that the caller has locked. */
export async function writeClosingDecision(
  tx: Tx,
  closingId: string,
  decision: ProposalDecision<MonthClose>,
): Promise<void> {
  await tx`update month_closing set ${decisionColumns(decision)} where closing_id = ${closingId}`
}

/** Ends the waiting proposals whose time is over. */
export async function expireClosings(tx: Tx, at: Date): Promise<void> {
  await tx`update month_closing set ${expiryOfWaiting(at)}`
}

/** Returns the trial balance of a closed month as JSON; null unless two people closed the month. */
export async function closedBalances(db: Run, monthEnd: string): Promise<string | null> {
  const [row] = await db<{ balances: string }>`
    select balances from month_closing where month_end = ${monthEnd} and state = 'CONFIRMED'`
  return row?.balances ?? null
}

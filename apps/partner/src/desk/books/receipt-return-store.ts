// The table receipt_return_proposal: proposals to send a receipt back to its payer, or to record that the bank took it back.

import type { Paise } from '@lendloom/lending/money'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { ProposalLine } from '#partner/people/proposal.ts'
import { decisionColumns, expiryOfWaiting, type ProposalDecision } from '#partner/people/proposal.ts'
import type { ReceiptKey } from '#partner/servicing/collection/receipt/store.ts'

export interface ReturnProposal extends ProposalLine, ReceiptKey {
  proposalId: string
  /** The account from which the money came, as the proposer entered it; null if the bank took the money back. */
  accountSealed: Buffer | null
  /** The bank's debit, if it took the money back by itself. */
  takenBackOn: string | null
  bankReference: string | null
  state: 'WAITING' | 'CONFIRMED' | 'REFUSED' | 'WITHDRAWN' | 'EXPIRED'
}

/** A proposal with the amount of its receipt and the names of its people. */
export interface ReturnProposalLine extends ReturnProposal {
  amountPaise: Paise
  maker: string
  decider: string | null
}

/** The context under which the account of a proposal is sealed. */
export const proposalContext = (proposalId: string): string => `receipt_return_proposal ${proposalId}`

/** Stores a proposal. Returns false if the receipt has a waiting one. */
export const insertReturnProposal = async (tx: Tx, row: ReturnProposal): Promise<boolean> =>
  (await tx`insert into receipt_return_proposal ${tx({ ...row })} on conflict do nothing returning 1`).length > 0

const selectProposals = sql`
  select p.proposal_id, p.provider, p.receipt_id, p.account_sealed, p.taken_back_on, p.bank_reference, p.reason, p.state,
    p.made_by, p.maker_known_to, p.made_at, p.expires_at, p.decided_by, p.decided_at, p.decision_reason, r.amount_paise, m.name as maker,
    d.name as decider
  from receipt_return_proposal p join bank_receipt r on r.provider = p.provider and r.receipt_id = p.receipt_id
    join staff m on m.staff_id = p.made_by left join staff d on d.staff_id = p.decided_by`

/** Reads a proposal, and locks it until the transaction ends. */
export async function lockReturnProposal(
  tx: Tx,
  { provider, receiptId, proposalId }: ReceiptKey & { proposalId: string },
): Promise<ReturnProposalLine | undefined> {
  const [row] = await tx<ReturnProposalLine>`
    ${selectProposals} where p.proposal_id = ${proposalId} and p.provider = ${provider} and p.receipt_id = ${receiptId}
    for update of p`
  return row
}

/** Returns the waiting proposal of a receipt. */
export async function waitingReturnOf(
  db: Run,
  { provider, receiptId }: ReceiptKey,
  at: Date,
): Promise<ReturnProposalLine | undefined> {
  const [row] = await db<ReturnProposalLine>`
    ${selectProposals} where p.provider = ${provider} and p.receipt_id = ${receiptId} and p.state = 'WAITING' and p.expires_at > ${at}`
  return row
}

/** Returns the newest proposal of a receipt that a second person confirmed. */
export async function confirmedReturnOf(
  db: Run,
  { provider, receiptId }: ReceiptKey,
): Promise<ReturnProposalLine | undefined> {
  const [row] = await db<ReturnProposalLine>`
    ${selectProposals} where p.provider = ${provider} and p.receipt_id = ${receiptId} and p.state = 'CONFIRMED'
    order by p.made_at desc limit 1`
  return row
}

/** Returns the waiting proposals, oldest first. */
export const waitingReturns = (db: Run, at: Date) =>
  db<ReturnProposalLine>`${selectProposals} where p.state = 'WAITING' and p.expires_at > ${at} order by p.made_at limit 50`

/** Writes the decision on a proposal. */
export async function writeReturnProposal(
  tx: Tx,
  proposalId: string,
  decision: ProposalDecision<ReturnProposal>,
): Promise<void> {
  await tx`update receipt_return_proposal set ${decisionColumns(decision)} where proposal_id = ${proposalId}`
}

/** Expires the proposals that nobody decided in time. */
export async function expireReturnProposals(tx: Tx, at: Date): Promise<void> {
  await tx`update receipt_return_proposal set ${expiryOfWaiting(at)}`
}

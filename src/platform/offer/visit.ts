// Where a gold loan is appraised and signed: the branches a lender names, and the one it expects the borrower at (FIS12 §9.1).
import type { NetworkOrder } from '#contract/network/v203/read-order.ts'
import type { Tx } from '#kit/sql.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { findByConversation, setBranches } from './store.ts'

/** Keeps where a lender takes gold in. One that names no branches any more has not closed them. */
export async function keepBranches(
  tx: Tx,
  journey: Journey,
  conversationId: string,
  { branches, agent }: Pick<NetworkOrder, 'branches' | 'agent'>,
  at: Date,
): Promise<void> {
  const offer = await findByConversation(tx, journey, conversationId)
  if (!offer || journey.type !== 'GOLD_LOAN' || branches.length === 0) return
  await setBranches(tx, offer, { branches, agent: agent ?? offer.agent }, at)
}

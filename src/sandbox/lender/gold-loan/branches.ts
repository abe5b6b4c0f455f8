// The branches that a message of a gold loan names: all of the lender's, and once one was chosen that one, with who waits there.
import type { OrderDraft } from '#contract/network/v203/order.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { type GoldBranch, goldLendingOf, requireGoldLending } from './lending.ts'

type BranchKey = Pick<Conversation, 'lender' | 'branchId'>

/** The branch that the borrower chose; null before that. */
export const branchOf = ({ lender, branchId }: BranchKey): GoldBranch | null =>
  goldLendingOf(lender)?.branches.find(({ id }) => id === branchId) ?? null

/** A choice counts once it is `quoted`: until then the borrower may change it. */
export function branchesFor(conversation: BranchKey, quoted: boolean): Pick<OrderDraft, 'branches' | 'agent'> {
  const chosen = quoted ? branchOf(conversation) : null
  if (!chosen) return { branches: requireGoldLending(conversation.lender).branches }
  return { branches: [chosen], agent: chosen.agent }
}

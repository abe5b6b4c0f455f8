// The branches in a gold loan's messages: all branches of the lender, or the chosen one with its agent.
import type { OrderDraft } from '@lendloom/wire/network/v203/write-order'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { type GoldBranch, goldLendingOf, requireGoldLending } from './lenders.ts'

type BranchKey = Pick<Conversation, 'lender' | 'branchId'>
type VisitKey = BranchKey & Pick<Conversation, 'visitAt'>

/** The chosen branch; null before the choice. */
export const branchOf = ({ lender, branchId }: BranchKey): GoldBranch | null =>
  goldLendingOf(lender)?.branches.find(({ id }) => id === branchId) ?? null

/** All branches, or the chosen branch once the quote is revised (`isQuoted`): until then the choice may change. */
export function branchesFor(
  conversation: VisitKey,
  isQuoted: boolean,
): Pick<OrderDraft, 'branches' | 'agent' | 'visitAt'> {
  const chosen = isQuoted ? branchOf(conversation) : null
  if (!chosen) return { branches: requireGoldLending(conversation.lender).branches }
  const { visitAt } = conversation
  return { branches: [chosen], agent: chosen.agent, ...(visitAt && { visitAt }) }
}

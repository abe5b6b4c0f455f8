// Which of a lender's conversations in a transaction a request means: usually there is one, and two where it makes two offers (FIS12 §19.1).
import type { AnyRequest } from '#contract/network/igm/actions.ts'
import { valueAt } from '#contract/network/rule.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Context } from '#sandbox/core/context.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import type { LenderPolicy } from '#sandbox/lender/core/policy.ts'
import { type LoanParties, lockConversations, openSecond, withSubmission } from '#sandbox/lender/core/store.ts'
import { products } from '#sandbox/lender/products/products.ts'

/** A request, and between whom it is. */
export interface PartiesRequest {
  parties: LoanParties
  action: AnyRequest
  message: unknown
  at: Date
}

/** Locks it, and opens the second one when its item is asked for; undefined when nothing was opened in this transaction. */
export async function conversationMeant(
  tx: Tx,
  ctx: Context,
  policy: LenderPolicy,
  { parties, action, message, at }: PartiesRequest,
): Promise<Conversation | undefined> {
  const all = await lockConversations(tx, parties)
  const [usual] = all
  if (!usual || action === 'search') return usual
  const items = valueAt(message, 'order', 'items')
  const item: unknown = Array.isArray(items) ? items[0] : undefined
  const meant =
    valueAt(message, 'order', 'id') ??
    valueAt(message, 'order_id') ??
    valueAt(message, 'issue', 'order_details', 'id') ??
    valueAt(message, 'ref_id')
  if (!item) return all.find((each) => each.orderId === meant) ?? furthest(all)
  const { itemId } = products[usual.product]
  const named = all.find((each) => itemId(policy, each.assessment) === valueAt(item, 'id'))
  if (named) return named
  const { secondAssessment: assessment } = policy
  if (assessment && valueAt(item, 'id') === itemId(policy, assessment))
    return openSecond(tx, ctx.seal, usual, secondOf(usual, assessment, at))
  const submissionId = valueAt(item, 'xinput', 'form_response', 'submission_id') ?? ''
  const [only, ...others] = await withSubmission(tx, parties, String(submissionId))
  return all.find(({ conversationId }) => others.length === 0 && conversationId === only) ?? usual
}

const secondOf = ({ status, scenario }: Conversation, assessment: Conversation['assessment'], at: Date) => ({
  conversationId: uuidv7(at.getTime()),
  createdAt: at,
  assessment,
  // Its offer is taken as any other.
  scenario: scenario === 'two-offers' ? null : scenario,
  status: status === 'SEARCHED' ? ('SEARCHED' as const) : ('PROFILED' as const),
})

/** The one that has come to an order, or else to a choice; of two alike the one that moved last. */
const furthest = (all: Conversation[]): Conversation | undefined =>
  all.toSorted((a, b) => rank(b) - rank(a) || b.updatedAt.getTime() - a.updatedAt.getTime())[0]

const rank = ({ orderId, paymentId, principal }: Conversation): number =>
  orderId !== null ? 3 : paymentId !== null ? 2 : principal !== null ? 1 : 0

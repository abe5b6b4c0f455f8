// Finds the conversation of a request. A lender that makes two offers has two conversations (FIS12 §19.1).

import type { Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import type { AnyRequest } from '@lendloom/wire/network/igm/actions'
import { igmCodecs } from '@lendloom/wire/network/igm/codec'
import { valueAt } from '@lendloom/wire/network/rule-combinators'
import type { Context } from '#sandbox/core/context.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import {
  idsBySubmission,
  type LoanParties,
  lockConversations,
  openSecondConversation,
} from '#sandbox/lender/core/store.ts'
import { products } from '#sandbox/lender/products/products.ts'

export interface PartiesRequest {
  parties: LoanParties
  action: AnyRequest
  message: unknown
  at: Date
}

/** Locks the conversation; opens the second one at the first request for its item. Undefined without a search. */
export async function requestedConversation(
  tx: Tx,
  ctx: Context,
  policy: LenderPolicy,
  { parties, action, message, at }: PartiesRequest,
): Promise<Conversation | undefined> {
  const all = await lockConversations(tx, parties)
  const [first] = all
  if (!first || action === 'search') return first
  const items = valueAt(message, 'order', 'items')
  const item: unknown = Array.isArray(items) ? items[0] : undefined
  const orderReference =
    valueAt(message, 'order', 'id') ??
    valueAt(message, 'order_id') ??
    valueAt(message, 'support', 'order_id') ??
    ratedOrderIn(message) ??
    (action === 'issue' ? igmCodecs[policy.igmVersion].readIssue(message).orderId : null) ??
    valueAt(message, 'ref_id')
  if (!item) return all.find((each) => each.orderId === orderReference) ?? mostAdvanced(all)
  const { itemId } = products[first.product]
  const byItem = all.find((each) => itemId(policy, each.assessment) === valueAt(item, 'id'))
  if (byItem) return byItem
  const { secondAssessment: assessment } = policy
  if (assessment && valueAt(item, 'id') === itemId(policy, assessment))
    return openSecondConversation(tx, ctx.seal, first, secondConversation(first, assessment, at))
  const submissionId = valueAt(item, 'xinput', 'form_response', 'submission_id') ?? ''
  const [match, ...furtherMatches] = await idsBySubmission(tx, parties, String(submissionId))
  return all.find(({ conversationId }) => furtherMatches.length === 0 && conversationId === match) ?? first
}

function ratedOrderIn(message: unknown): unknown {
  const ratings = valueAt(message, 'ratings')
  return Array.isArray(ratings) ? valueAt(ratings[0], 'id') : undefined
}

const secondConversation = ({ status, scenario }: Conversation, assessment: Conversation['assessment'], at: Date) => ({
  conversationId: uuidv7(at.getTime()),
  createdAt: at,
  assessment,
  // The second offer is processed like any other.
  scenario: scenario === 'two-offers' ? null : scenario,
  status: status === 'SEARCHED' ? ('SEARCHED' as const) : ('PROFILED' as const),
})

/** The most advanced conversation; among equals, the one updated last. */
const mostAdvanced = (all: Conversation[]): Conversation | undefined =>
  all.toSorted((a, b) => progressOf(b) - progressOf(a) || b.updatedAt.getTime() - a.updatedAt.getTime())[0]

/** A higher number is further: an amount, then a payout, then the order. */
function progressOf({ orderId, paymentId, principal }: Conversation): number {
  if (orderId !== null) return 3
  if (paymentId !== null) return 2
  return principal === null ? 0 : 1
}

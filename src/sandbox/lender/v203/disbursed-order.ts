// How a paid-out loan stands, in dialect 2.0.3: the plan, the payments asked for, the quote of what is repaid (FIS12 §7.4, §11.1).
import type { OrderDraft, With } from '#contract/network/v203/order.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import type { Place } from '#sandbox/lender/core/order.ts'
import { applicantOf } from '#sandbox/lender/core/store.ts'
import { isLive, repaymentOf } from '#sandbox/lender/servicing/account.ts'
import { changedAt, installmentOf, paymentOf, statusOf } from '#sandbox/lender/servicing/loan-state.ts'
import { draftOf } from './draft.ts'
import type { Policy203 } from './product.ts'

type Paid = With<'orderId' | 'customer' | 'settlement' | 'installments' | 'cancellationTerms' | 'documents'> &
  Required<Pick<OrderDraft, 'state' | 'createdAt' | 'updatedAt'>>

/** The order of a disbursed loan. Its quote tells what is repaid from the first payment on that was asked for. */
export async function disbursedOrder(
  tx: Tx,
  place: Place,
  policy: Policy203,
  conversation: Conversation,
  at: Date,
): Promise<Paid> {
  const { rows, payments } = await statusOf(tx, policy, conversation, at)
  const applicant = await applicantOf(tx, place.seal, conversation.conversationId)
  const draft = draftOf(place, policy, conversation, applicant!) as Paid
  const shown = payments.filter(({ status }) => status !== 'DROPPED')
  return {
    ...draft,
    installments: rows.map(installmentOf),
    ...(payments.length > 0 && {
      servicing: shown.map((payment) => paymentOf(place, policy, rows, payment)),
      repayment: repaymentOf(rows, payments),
    }),
    ...(rows.every((row) => !isLive(row)) && { state: 'COMPLETED' }),
    updatedAt: changedAt(payments, draft.updatedAt),
  }
}

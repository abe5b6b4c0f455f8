// How a paid-out loan stands, in dialect 2.0.3: the plan, the payments asked for, the quote of what is repaid (FIS12 §7.4, §11.1).
import type { OrderDraft, With } from '#contract/network/v203/order.ts'
import type { Tx } from '#kit/db/sql.ts'
import { having, type LoanFile } from '#sandbox/lender/core/order.ts'
import { requireApplicant } from '#sandbox/lender/core/store.ts'
import { isLive, repaymentOf } from '#sandbox/lender/servicing/account.ts'
import { changedAt, installmentOf, paymentOf, statusOf } from '#sandbox/lender/servicing/loan-state.ts'
import { draftOf } from './draft.ts'
import type { Policy203 } from './product.ts'

const paidOut = [
  ...(['orderId', 'customer', 'settlement', 'installments', 'cancellationTerms', 'documents'] as const),
  ...(['state', 'createdAt', 'updatedAt'] as const),
] as const
type Paid = OrderDraft & With<(typeof paidOut)[number]>

/** The order of a disbursed loan. Its quote tells what is repaid from the first payment on that was asked for. */
export async function disbursedOrder(tx: Tx, file: LoanFile<Policy203>, at: Date): Promise<Paid> {
  const { place, policy, conversation } = file
  const { rows, payments } = await statusOf(tx, policy, conversation, at)
  const applicant = await requireApplicant(tx, place.seal, conversation.conversationId)
  const draft = having(draftOf(file, applicant), ...paidOut)
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

// The state of a disbursed loan against mutual funds: plan and payments, or the drawn part of a line (FIS12 §11.1).

import { secondsAfter } from '@lendloom/foundation/clock'
import type { Tx } from '@lendloom/postgres/sql'
import type { Breakup } from '@lendloom/wire/network/v203/payments'
import type { ServicingPayment } from '@lendloom/wire/network/v230/payments'
import type { DraftWith, OrderDraft } from '@lendloom/wire/network/v230/write-order'
import type { Context } from '#sandbox/core/context.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { enqueueFor } from '#sandbox/lender/core/enqueue-for.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import { type AddressDeps, type LoanFile, requireParts } from '#sandbox/lender/core/message-parts.ts'
import { isLive, type PlanRow } from '#sandbox/lender/servicing/loan-account.ts'
import { changedAt, hasLapsed, installmentOf, loanStateAt, paymentOf } from '#sandbox/lender/servicing/loan-state.ts'
import { paymentsOf, type ServicePayment } from '#sandbox/lender/servicing/store.ts'
import { isLine } from './lenders.ts'
import { hasClosed } from './line-account.ts'
import { requireLamfDraft } from './message-parts.ts'
import { hasStops } from './stops.ts'

const accountParts = [
  'orderId',
  'customer',
  'cancellationTerms',
  'contractTerms',
  'documents',
  'createdAt',
  'state',
  'orderStatus',
  'updatedAt',
] as const
type AccountDraft = OrderDraft & DraftWith<(typeof accountParts)[number]>

/** The order of an open line or of a disbursed loan. The loan's state stays DISBURSED; full repayment sets the order's status to COMPLETED (FIS12 §12.3). */
export async function disbursedLamf(tx: Tx, file: LoanFile, at: Date): Promise<AccountDraft> {
  const { deps, policy, conversation } = file
  const draft = requireParts(await requireLamfDraft(tx, file), ...accountParts)
  if (isLine(policy)) return withLinePayments(tx, file, draft, at)
  const { rows, payments } = await loanStateAt(tx, policy, conversation, at)
  return {
    ...draft,
    installments: rows.map((row) => ({ ...installmentOf(row), ...(hasStops(conversation) && partsOf(row)) })),
    servicing: payments
      .filter(({ status }) => status !== 'DROPPED')
      .map((payment) => servicingOf(deps, policy, rows, payment)),
    ...(rows.every((row) => !isLive(row)) && { orderStatus: 'COMPLETED' }),
    updatedAt: changedAt(payments, draft.updatedAt),
  }
}

/** A line with stops has only the payments that the borrower asked for (FIS12 §27.4). */
async function withLinePayments(
  tx: Tx,
  { deps, policy, conversation }: LoanFile,
  draft: AccountDraft,
  at: Date,
): Promise<AccountDraft> {
  const all = await paymentsOf(tx, conversation.conversationId)
  const payments = all.filter((payment) => payment.status !== 'DROPPED' && !hasLapsed(payment, at))
  if (payments.length === 0) return draft
  const { disbursal: _, ...order } = draft
  return {
    ...order,
    servicing: payments.map((payment) => servicingOf(deps, policy, [], payment)),
    ...(payments.some(hasClosed) && { orderStatus: 'COMPLETED' }),
    updatedAt: changedAt(payments, draft.updatedAt),
  }
}

const partsOf = ({ principal, interest }: PlanRow): { breakup: Breakup } => ({
  breakup: { PRINCIPAL_AMOUNT: principal, INTEREST_AMOUNT: interest },
})

function servicingOf(
  deps: AddressDeps,
  policy: LenderPolicy,
  rows: PlanRow[],
  payment: ServicePayment,
): ServicingPayment {
  const { label, principal, interest, charge, lateFee, openedAt, lapsesAt } = payment
  const breakup: Breakup = {
    PRINCIPAL_AMOUNT: principal,
    INTEREST_AMOUNT: interest,
    ...(charge > 0n && { [label === 'FORECLOSURE' ? 'FORECLOSURE_CHARGES' : 'PRE_PAYMENT_CHARGE']: charge }),
    ...(lateFee > 0n && { LATE_FEE_AMOUNT: lateFee }),
  }
  const seconds = (lapsesAt.getTime() - openedAt.getTime()) / 1000
  const duration = seconds % 86_400 === 0 ? `P${seconds / 86_400}D` : `PT${seconds}S`
  return { ...paymentOf(deps, policy, rows, payment), duration, breakup }
}

/** Job kind: repays part of a drawn credit line at its lender (FIS12 §17.5). */
export const repaymentKind = 'repay line'

export async function scheduleRepayment(tx: Tx, ctx: Context, conversation: Conversation, at: Date): Promise<void> {
  if (conversation.scenario !== 'line-drawn') return
  const { conversationId } = conversation
  const dueAt = secondsAfter(at, ctx.disbursalSeconds)
  await enqueueFor(tx, ctx, {
    tenantId: conversationId,
    kind: repaymentKind,
    key: conversationId,
    payload: { conversationId },
    dueAt,
  })
}

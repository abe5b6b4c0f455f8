// The plan and payments of a disbursed loan at an instant, their form in messages, and when a sanctioned loan is
// disbursed (FIS12 §7.4, §11.1).

import { daysAfter, secondsAfter } from '@lendloom/foundation/clock'
import { required } from '@lendloom/foundation/required'
import { monthlyRate } from '@lendloom/lending/annuity'
import type { Tx } from '@lendloom/postgres/sql'
import type { Installment, ServicingPayment } from '@lendloom/wire/network/v203/payments'
import type { Context } from '#sandbox/core/context.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { enqueueFor } from '#sandbox/lender/core/enqueue-for.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import { instalmentRange } from '#sandbox/lender/core/lending-decision.ts'
import { linkToken } from '#sandbox/lender/core/link-token.ts'
import { type AddressDeps, lenderUrl, requireLoan } from '#sandbox/lender/core/message-parts.ts'
import { type AccountPolicy, amountOf, type PlanRow, withDebits } from './loan-account.ts'
import { paymentsOf, type ServicePayment, storedPlanOf } from './store.ts'

interface LoanState {
  rows: PlanRow[]
  payments: ServicePayment[]
  policy: AccountPolicy
}

/** The plan and payments at this instant. The plan is computed from the terms until its first change. */
export async function loanStateAt(
  tx: Tx,
  policy: LenderPolicy,
  conversation: Conversation,
  at: Date,
): Promise<LoanState> {
  const { conversationId, scenario } = conversation
  const loan = requireLoan({ policy, conversation })
  const agreedOn = required(conversation.agreedOn, 'agreement day of a disbursed loan')
  const disbursedAt = required(conversation.disbursedAt, 'disbursal time of the loan')
  const storedRows = await storedPlanOf(tx, conversationId)
  const computedRows = loan.rows.map(({ number, principal, interest }): PlanRow => {
    const { start: startsAt, end: endsAt } = instalmentRange(agreedOn, number)
    const isMissed = number === 1 && scenario === 'missed-instalment'
    return { number, principal, interest, status: isMissed ? 'DELAYED' : 'NOT-PAID', startsAt, endsAt }
  })
  const payments = await paymentsOf(tx, conversationId)
  return {
    rows: withDebits(storedRows.length > 0 ? storedRows : computedRows, at),
    payments: payments.map((each) => (hasLapsed(each, at) ? { ...each, status: 'DROPPED' } : each)),
    policy: {
      rate: monthlyRate(loan.annualBps),
      unit: 100n,
      instalment: loan.instalment,
      prepaymentBps: policy.foreclosureBps,
      freeUntil: daysAfter(disbursedAt, policy.coolOffDays),
      penalBps: policy.penalBps,
      bounceCharge: policy.bounceCharge,
    },
  }
}

/** Whether a requested payment was not made in time. */
export const hasLapsed = ({ status, lapsesAt }: ServicePayment, at: Date): boolean =>
  status === 'OPEN' && lapsesAt <= at

/** When the loan last changed: its payout or its newest payment. */
export const changedAt = (payments: ServicePayment[], paidOutAt: Date): Date =>
  payments
    .map(({ paidAt, openedAt }) => paidAt ?? openedAt)
    .reduce((last, each) => (each > last ? each : last), paidOutAt)

/** An instalment as messages write it. */
export const installmentOf = ({ number, principal, interest, status, startsAt, endsAt }: PlanRow): Installment => ({
  id: `INST-${String(number).padStart(2, '0')}`,
  amount: principal + interest,
  status,
  startsAt,
  endsAt,
})

/** A requested payment as messages write it, with the address of its page until it is paid. */
export function paymentOf(
  deps: AddressDeps,
  policy: LenderPolicy,
  rows: PlanRow[],
  payment: ServicePayment,
): ServicingPayment {
  const { paymentId, label, status, number, transactionId } = payment
  const row = rows.find((each) => each.number === number)
  return {
    id: `PAY-${paymentId}`,
    label,
    status: status === 'PAID' ? 'PAID' : 'NOT-PAID',
    amount: amountOf(payment),
    url: status === 'PAID' ? null : paymentUrl(deps, policy, paymentId),
    transactionId,
    month: row ? { startsAt: row.startsAt, endsAt: row.endsAt } : null,
  }
}

const paymentUrl = (deps: AddressDeps, policy: LenderPolicy, paymentId: string): string =>
  `${lenderUrl(deps, policy)}/pay/${linkToken(deps.seal, 'payment', paymentId)}`

/** Job kind: disburses a sanctioned loan. */
export const disbursalKind = 'disburse'
/** How many times as long the fault rule `slow-disbursal` takes. */
const slowFactor = 10

export interface DisbursalJob {
  conversationId: string
}

/** Queues the disbursal of a sanctioned loan. */
export async function scheduleDisbursal(
  tx: Tx,
  ctx: Context,
  { conversationId, scenario }: Conversation,
  at: Date,
): Promise<void> {
  const { disbursalSeconds } = ctx
  const seconds = scenario === 'slow-disbursal' ? disbursalSeconds * slowFactor : disbursalSeconds
  const dueAt = secondsAfter(at, seconds)
  await enqueueFor(tx, ctx, {
    tenantId: conversationId,
    kind: disbursalKind,
    key: conversationId,
    payload: { conversationId },
    dueAt,
  })
}

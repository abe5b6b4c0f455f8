// Tables of repayment: the plans of loans whose plan was changed, and requested payments.

import { required } from '@lendloom/foundation/required'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { AccountDues, PlanRow } from './loan-account.ts'

export interface ServicePayment extends AccountDues {
  paymentId: string
  conversationId: string
  /** Number of attempts on its page. */
  attempt: number
  openedAt: Date
  lapsesAt: Date
  paidAt: Date | null
  transactionId: string | null
}

/** Returns the stored plan; empty until the plan first changes. */
export const storedPlanOf = (db: Run, conversationId: string): Promise<PlanRow[]> =>
  db<PlanRow>`
    select number, principal, interest, status, starts_at, ends_at from repayment
    where conversation_id = ${conversationId} order by number`

/** Stores the rows of a changed plan. */
export async function storePlan(tx: Tx, conversationId: string, rows: PlanRow[]): Promise<void> {
  for (const row of rows)
    await tx`insert into repayment ${tx({ conversationId, ...row })}
      on conflict (conversation_id, number) do update set principal = ${row.principal}, interest = ${row.interest}, status = ${row.status}`
}

const paymentColumns = sql`payment_id, conversation_id, label, status, principal, interest, late_fee, charge, number, attempt,
  opened_at, lapses_at, paid_at, transaction_id`

/** Payments in the order of their requests. */
export const paymentsOf = (db: Run, conversationId: string): Promise<ServicePayment[]> =>
  db<ServicePayment>`
    select ${paymentColumns} from service_payment where conversation_id = ${conversationId} order by opened_at, payment_id`

/** Finds a requested payment. */
export async function paymentOf(db: Run, paymentId: string): Promise<ServicePayment | undefined> {
  const [row] = await db<ServicePayment>`select ${paymentColumns} from service_payment where payment_id = ${paymentId}`
  return row
}

/** The payment with this id. Throws when there is none. */
export const requirePayment = async (db: Run, paymentId: string): Promise<ServicePayment> =>
  required(await paymentOf(db, paymentId), `payment ${paymentId}`)

/** Stores a requested payment. */
export async function openPayment(tx: Tx, payment: ServicePayment): Promise<void> {
  await tx`insert into service_payment ${tx({ ...payment })}`
}

/** Writes the new status of a payment. */
export async function updatePayment(tx: Tx, payment: ServicePayment): Promise<void> {
  const { paymentId, status, attempt, paidAt, transactionId } = payment
  await tx`update service_payment set status = ${status}, attempt = ${attempt}, paid_at = ${paidAt},
    transaction_id = ${transactionId} where payment_id = ${paymentId}`
}

/** Drops the payments of a conversation that the condition selects, so that nobody can make them any more. */
export async function dropPayments(
  tx: Tx,
  conversationId: string,
  isOver: (payment: ServicePayment) => boolean,
): Promise<void> {
  for (const payment of await paymentsOf(tx, conversationId))
    if (isOver(payment)) await updatePayment(tx, { ...payment, status: 'DROPPED' })
}

// Table `servicing`: operations that a borrower requests after the disbursal, and the moves that change them.

import { next } from '@lendloom/foundation/machine'
import type { PaymentReason } from '@lendloom/lending/reason/reason'
import type { Run, Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { bucketOf } from '@lendloom/seal/id'
import type { ServicingKind, ServicingStatus } from '@lendloom/wire/headless/journey'
import type { TxContext } from '#platform/context.ts'
import type { Installment } from '#platform/lending/journey/installment.ts'
import type { Journey, JourneyKey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import {
  noPaymentPage,
  paymentUrlOf,
  type ServicingMove,
  type ServicingRow,
  sealedPaymentPage,
  servicingMachine,
} from './operation.ts'
import { isUnpaid } from './repayment-schedule.ts'

/** Lists the operations of a journey, oldest first. */
export const listServicing = (db: Run, { tenantId, journeyId }: JourneyKey) => db<ServicingRow>`
  select tenant_id, journey_id, operation_id, kind, status, serial_number, requested_paise, amount_paise, interest_paise, charges_paise, paid_paise, saved_paise, payment_id, url, url_sealed, transaction_id, claimed_on, reason, asks,
    requested_at, updated_at from servicing where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} order by requested_at, operation_id`

/** Inserts an operation. The caller holds the journey's lock and has checked that no operation of this kind is open. */
export async function insertServicing(tx: Tx, servicing: ServicingRow): Promise<void> {
  await tx`insert into servicing ${tx({ bucket: bucketOf(servicing.journeyId), ...servicing })}`
}

/** Counts that the request was sent to the lender once more. */
export const countAsk = (tx: Tx, operation: ServicingRow, at: Date): Promise<void> =>
  storeServicing(tx, { ...operation, asks: operation.asks + 1, updatedAt: at })

/** Records that the borrower has asked again for what the lender has not answered yet. */
export async function askedAgain(tx: Tx, { tenantId, journeyId, operationId }: ServicingRow, at: Date): Promise<void> {
  await tx`
    update servicing set requested_at = ${at}, updated_at = ${at}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and operation_id = ${operationId}`
}

/** Writes all mutable columns. */
export async function storeServicing(tx: Tx, servicing: ServicingRow): Promise<void> {
  const {
    tenantId,
    journeyId,
    operationId,
    status,
    amountPaise,
    interestPaise,
    chargesPaise,
    paidPaise,
    savedPaise,
    paymentId,
    url,
    urlSealed,
    transactionId,
    claimedOn,
    reason,
    asks,
    updatedAt,
  } = servicing
  await tx`
    update servicing set status = ${status}, amount_paise = ${amountPaise}, interest_paise = ${interestPaise},
      charges_paise = ${chargesPaise}, paid_paise = ${paidPaise}, saved_paise = ${savedPaise}, payment_id = ${paymentId}, url = ${url},
      url_sealed = ${urlSealed},
      transaction_id = ${transactionId}, claimed_on = ${claimedOn}, reason = ${reason}, asks = ${asks}, updated_at = ${updatedAt}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and operation_id = ${operationId}`
}

/** Replaces the address of a payment page. The caller holds the journey's lock. */
export async function replacePaymentPage(
  { tx, seal }: Pick<TxContext, 'tx' | 'seal'>,
  journey: JourneyKey,
  from: string,
  to: string,
): Promise<void> {
  for (const operation of await listServicing(tx, journey))
    if (paymentUrlOf(seal, operation) === from)
      await storeServicing(tx, { ...operation, ...sealedPaymentPage(seal, operation, to) })
}

/** An operation is a foreclosure, a part payment, a missed instalment, or a refresh of the loan's status (D2 §4). */
export type { ServicingKind, ServicingStatus }

/** Forgets payments of instalments that the lender's schedule has as paid, on another day, or no longer. */
export async function forgetPaid(
  tx: Tx,
  { tenantId, journeyId }: JourneyKey,
  before: Installment[],
  after: Installment[],
): Promise<void> {
  const paidRows = before.filter((row) => {
    const now = after.find(({ serialNumber }) => serialNumber === row.serialNumber)
    return !now || !isUnpaid(now) || now.dueAt !== row.dueAt
  })
  if (paidRows.length > 0)
    await tx`
      update servicing set serial_number = null where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId}
        and journey_id = ${journeyId} and status = 'PAID' and serial_number = any(${paidRows.map((row) => row.serialNumber)}::integer[])`
}

/** Changes the status and other values of an operation. An invalid transition changes nothing. */
export async function moveServicing(
  { tx, at }: Write,
  journey: Journey,
  operation: ServicingRow,
  { move, ...change }: Partial<ServicingRow> & { move: ServicingMove },
): Promise<void> {
  const status = next(servicingMachine, operation.status, move)
  if (!status) return
  await storeServicing(tx, { ...operation, ...change, status, updatedAt: at })
  await updateJourney(tx, journey, {}, at)
}

/** Ends an operation as failed or expired and hides its page. `reason` is shown to the borrower. */
export const endOperation = (
  ctx: Write,
  journey: Journey,
  operation: ServicingRow,
  { move, reason }: { move: 'failed' | 'expired'; reason: PaymentReason },
): Promise<void> => moveServicing(ctx, journey, operation, { move, reason, ...noPaymentPage })

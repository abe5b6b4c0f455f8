// Table of servicing.
import { bucketOf } from '#kit/crypto/id.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { Servicing } from './servicing.ts'

type Of = Pick<Journey, 'tenantId' | 'journeyId'>

/** All requests after disbursal, oldest first. */
export const listServicing = (db: Run, { tenantId, journeyId }: Of) => db<Servicing>`
  select tenant_id, journey_id, operation_id, kind, status, requested_paise, amount_paise, paid_paise, payment_id, url, transaction_id, reason, asks,
    requested_at, updated_at from servicing where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} order by requested_at, operation_id`

/** Adds a request. Two open operations of one kind are a bug: the caller holds the journey's lock and has looked. */
export async function insertServicing(tx: Tx, servicing: Servicing): Promise<void> {
  await tx`insert into servicing ${tx({ bucket: bucketOf(servicing.journeyId), ...servicing })}`
}

/** Writes all that may change. */
export async function keepServicing(tx: Tx, servicing: Servicing): Promise<void> {
  const {
    tenantId,
    journeyId,
    operationId,
    status,
    amountPaise,
    paidPaise,
    paymentId,
    url,
    transactionId,
    reason,
    asks,
    updatedAt,
  } = servicing
  await tx`
    update servicing set status = ${status}, amount_paise = ${amountPaise}, paid_paise = ${paidPaise}, payment_id = ${paymentId}, url = ${url},
      transaction_id = ${transactionId}, reason = ${reason}, asks = ${asks}, updated_at = ${updatedAt}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and operation_id = ${operationId}`
}

// Table payment: debits, claims and receipts of loans.

import { required } from '@lendloom/foundation/required'
import type { Paise } from '@lendloom/lending/money'
import { rowsAs, text, timestamptz } from '@lendloom/postgres/rows'
import { oneRow, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { type ClaimedPayment, type Debit, isClaim, isDebit, type Payment, type PaymentStatus } from './payment.ts'

const paymentColumns = sql`case_ref, payment_id, status, method, amount_paise, installment_ids, collection_id, umrn,
  mandate_reference, attempt_number, collection_on, submitted_at, provider_reference, claim_reference, claimed_reference,
  claimed_on, receipt_id, bank_reference, value_on, reason_code, result_sequence, reversal_of_payment_id,
  is_part_payment, created_at, updated_at`

/** Stores a new payment. */
export async function insertPayment(tx: Tx, payment: Payment): Promise<void> {
  await tx`insert into payment ${tx({ ...payment })}`
}

/** Returns all payments of a case with reversals, in order of creation. */
export const readPayments = (db: Run, caseRef: string): Promise<Payment[]> => db<Payment>`
  select ${paymentColumns} from payment where case_ref = ${caseRef} order by created_at, payment_id`

/** Returns a payment; undefined if the case has no such payment. */
export async function findPayment(db: Run, caseRef: string, paymentId: string): Promise<Payment | undefined> {
  const [row] = await db<Payment>`
    select ${paymentColumns} from payment where case_ref = ${caseRef} and payment_id = ${paymentId}`
  return row
}

/** Returns a payment that exists. */
export const readPayment = async (db: Run, caseRef: string, paymentId: string): Promise<Payment> =>
  required(await findPayment(db, caseRef, paymentId), `payment ${paymentId}`)

/** Returns a payment that is a debit. */
export async function readDebit(db: Run, caseRef: string, paymentId: string): Promise<Debit> {
  const payment = await readPayment(db, caseRef, paymentId)
  if (!isDebit(payment)) throw new Error(`payment ${paymentId} is not a debit`)
  return payment
}

/** Returns a payment that a borrower claims to have made. */
export async function readClaim(db: Run, caseRef: string, paymentId: string): Promise<ClaimedPayment> {
  const payment = await readPayment(db, caseRef, paymentId)
  if (!isClaim(payment)) throw new Error(`payment ${paymentId} is not a claim`)
  return payment
}

/** Returns the debit that was presented under this reference, whichever case it belongs to. */
export async function paymentOfCollection(db: Run, collectionId: string): Promise<Payment | undefined> {
  const [row] = await db<Payment>`
    select ${paymentColumns} from payment where collection_id = ${collectionId} and reversal_of_payment_id is null`
  return row
}

/** Returns the payment of a claim, by the reference that the platform gave it; undefined for a new claim. */
export async function paymentOfClaim(db: Run, caseRef: string, claimReference: string): Promise<Payment | undefined> {
  const [row] = await db<Payment>`
    select ${paymentColumns} from payment
    where case_ref = ${caseRef} and claim_reference = ${claimReference} and reversal_of_payment_id is null`
  return row
}

/** The first value date, by method, of money that the bank may still take back; `OTHER` for all other methods. */
export type ReturnableSince = Record<'ENACH' | 'UPI_AUTOPAY' | 'OTHER', string>

/** Returns the sum of a case's payments that the bank may still take back. */
export async function returnablePaise(db: Run, caseRef: string, since: ReturnableSince): Promise<Paise> {
  const sums = await db<{ paise: Paise }>`
    select coalesce(sum(amount_paise), 0)::bigint as paise from payment
    where case_ref = ${caseRef} and status = 'POSTED' and value_on >= case method
      when 'ENACH' then ${since.ENACH}::date when 'UPI_AUTOPAY' then ${since.UPI_AUTOPAY}::date
      else ${since.OTHER}::date end`
  return oneRow(sums).paise
}

interface StuckBefore {
  presenting: Date
  results: { method: string; before: Date }[]
}

/**
 * Returns debits that have waited too long, because their job or the bank's result may be lost: unchanged since
 * `presenting`, and once the bank has them, also since the time in `results` for their method.
 */
export const stuckDebits = (db: Run, { presenting, results }: StuckBefore, limit: number) => db<Payment>`
  select ${paymentColumns} from payment
  where status in ('PREPARED', 'UNKNOWN', 'SUBMITTED') and updated_at < ${presenting}
    and (status <> 'SUBMITTED' or exists (
      select from ${rowsAs(sql`result`, results, {
        method: text(({ method }) => method),
        before: timestamptz(({ before }) => before),
      })}
      where result.method = payment.method and payment.updated_at < result.before))
  order by updated_at limit ${limit}`

/** Returns claims with this bank reference that lack a receipt and are pending, or failed without one; oldest first. */
export const claimsOfReference = (db: Run, claimedReference: string): Promise<ClaimedPayment[]> => db<ClaimedPayment>`
  select ${paymentColumns} from payment where claimed_reference = ${claimedReference}
    and ((status = 'PENDING_VERIFICATION' and receipt_id is null) or (status = 'FAILED' and reason_code = 'RECEIPT_NOT_FOUND'))
  order by created_at, payment_id`

/** The columns that change after a payment was created. */
export type PaymentChange = Partial<
  Pick<
    Payment,
    | 'installmentIds'
    | 'submittedAt'
    | 'providerReference'
    | 'claimReference'
    | 'claimedReference'
    | 'claimedOn'
    | 'isPartPayment'
    | 'receiptId'
    | 'bankReference'
    | 'valueOn'
    | 'reasonCode'
    | 'resultSequence'
  >
> & { status?: PaymentStatus }

/** Changes a payment of a locked case, and returns the changed payment. */
export async function writePayment<Kind extends Payment>(
  tx: Tx,
  before: Kind,
  change: PaymentChange,
  at: Date,
): Promise<Kind> {
  const after = { ...before, ...change, updatedAt: at }
  await tx`
    update payment set status = ${after.status}, installment_ids = ${after.installmentIds}::text[],
      submitted_at = ${after.submittedAt}, provider_reference = ${after.providerReference},
      claim_reference = ${after.claimReference}, claimed_reference = ${after.claimedReference}, claimed_on = ${after.claimedOn},
      is_part_payment = ${after.isPartPayment}, receipt_id = ${after.receiptId}, bank_reference = ${after.bankReference}, value_on = ${after.valueOn},
      reason_code = ${after.reasonCode}, result_sequence = ${after.resultSequence}, updated_at = ${at}
    where case_ref = ${after.caseRef} and payment_id = ${after.paymentId}`
  return after
}

/** Returns the time of the schedule's last change; undefined if the case has no loan. */
export async function scheduleUpdatedAt(db: Run, caseRef: string): Promise<Date | undefined> {
  const [row] = await db<{ since: Date }>`select schedule_updated_at as since from loan where case_ref = ${caseRef}`
  return row?.since
}

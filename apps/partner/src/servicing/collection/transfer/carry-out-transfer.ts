// Carries out a transfer to a borrower. Checks the account's owner, orders the transfer once, and enquires until the bank
// reports a final status (D3 §6 rule 7).

import { required } from '@lendloom/foundation/required'
import { pauseSeconds } from '@lendloom/foundation/schedule'
import { businessDate } from '@lendloom/lending/calendar'
import { type Paise, paiseFrom, rupees } from '@lendloom/lending/money'
import { RetryLater } from '@lendloom/queue/queue'
import type { PayeeAccount, Transfer } from '@lendloom/wire/bank/bank'
import { type BankReply, checkAccount, enquireTransfer, orderTransfer } from '#partner/bank/client.ts'
import type { Context } from '#partner/context.ts'
import { compareAccountName, nameMismatch } from '#partner/servicing/collection/account-name/compare-account-name.ts'
import { waitingNames } from '#partner/servicing/collection/account-name/store.ts'
import {
  alertAfterEnquiries,
  enquirySchedule,
  isDeliveryOverdue,
} from '#partner/servicing/collection/enquiry-schedule.ts'

/** A bank account, and the borrower who must own it. */
export interface Payee {
  account: PayeeAccount
  borrowerName: string
  pan: string
}

/** The account that a transfer goes to; a payer who is no borrower has no known PAN. */
type TransferPayee = Omit<Payee, 'pan'> & { pan: string | null }

export type TransferMove =
  | 'sent' // recorded before the order, so that a crash does not repeat the order
  | 'notFoundAtBank' // the bank never received the order
  | 'acknowledged' // the bank has the order
  | 'refused' // the bank rejected the order, or the account is wrong
  | 'arrived' // the bank confirmed that the money arrived
  | 'returned' // the bank reported that the transfer failed
  | 'givenBack' // the bank gave the money back after it had confirmed the transfer

/** The columns that disbursements and refunds share. */
export interface TransferRow {
  caseRef: string
  amountPaise: Paise
  payeeSealed: Buffer
  bankReference: string | null
  reasonCode: string | null
  sentAt: Date | null
  /** When the bank confirmed a transfer that it gave back later; null for other transfers. */
  confirmedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export interface TransferLine {
  caseRef: string
  /** Our reference at the bank. */
  reference: string
  /**
   * ORDERED: not sent to the bank yet. UNKNOWN: sent, but the bank has not acknowledged the order. SENT: the bank has
   * the order. All other statuses are final.
   */
  status: string
  amountPaise: Paise
  payee: TransferPayee
  sentAt: Date | null
}

/** What is known of a transfer after a move, mostly from the bank. */
export interface BankReport {
  bankReference?: string
  reasonCode?: string
  sentAt?: Date
  /** The business day on which the money arrived. */
  arrivedOn?: string
}

/** A transfer that is carried out: how it is read, and how its moves are recorded with their effects. */
export interface CarriedTransfer {
  /** The transfer's kind for messages, such as `a transfer`. */
  name: string
  /** Whether the account may be paid; absent if an officer judges uncertain names of the borrower's case. */
  compareHolder?(payee: TransferPayee, registeredName: string): boolean
  find(): Promise<TransferLine>
  record(move: TransferMove, report: BankReport): Promise<TransferLine>
}

/** Whether the bank has not yet said what became of a transfer. */
export const isUnfinished = (status: string): boolean =>
  status === 'ORDERED' || status === 'UNKNOWN' || status === 'SENT'

/** Performs the next step from the recorded status. Throws `RetryLater` until the status is final. */
export async function carryOutTransfer(ctx: Context, transfer: CarriedTransfer, attempt: number): Promise<void> {
  const before = await transfer.find()
  const after = before.status === 'ORDERED' ? await send(ctx, transfer, before) : before
  if (after.status === 'UNKNOWN' || after.status === 'SENT') await enquire(ctx, transfer, after)
  const { status, caseRef, reference } = await transfer.find()
  if (!isUnfinished(status)) return
  if (attempt === alertAfterEnquiries)
    ctx.alert(`${transfer.name} has no final status yet`, { caseRef, reference, status })
  throw new RetryLater(null, `the status is ${status}`)
}

/** Checks the account's owner, records `sent`, and then orders the transfer. */
async function send(ctx: Context, transfer: CarriedTransfer, before: TransferLine): Promise<TransferLine> {
  const { reference, caseRef, amountPaise, payee } = before
  const { account, pan } = payee
  if (await waitingNames(ctx.db, caseRef)) throw nameReviewPending()
  const accountCheck = await checkAccount(ctx, { reference, account, ...(pan && { pan }) })
  if (accountCheck.is === 'unknown' || accountCheck.is === 'not-found')
    throw new RetryLater(pauseSeconds(enquirySchedule(ctx), 1), 'the bank did not report the owner of the account')
  const reason = await payeeFault(ctx, transfer, { caseRef, payee }, accountCheck)
  if (reason !== null) return transfer.record('refused', { reasonCode: reason })

  const sent = await transfer.record('sent', { sentAt: ctx.clock() })
  if (sent.status !== 'UNKNOWN') return sent
  const reply = await orderTransfer(ctx, {
    client_reference: reference,
    mode: modeFor(amountPaise),
    amount: rupees(amountPaise),
    currency: 'INR',
    beneficiary: account,
    ...(pan && { pan }),
  })
  if (reply.is === 'refused') return transfer.record('refused', { reasonCode: 'REFUSED_BY_BANK' })
  if (reply.is === 'answered') return transfer.record('acknowledged', {})
  ctx.log.warn({ caseRef, reference }, `the bank did not answer the order of ${transfer.name}; enquiring`)
  return sent
}

/** Seconds between two checks whether an officer has compared the names. */
const reviewPollSeconds = 15
const nameReviewPending = () => new RetryLater(reviewPollSeconds, 'waiting for a review of the account names')

type AccountCheck = BankReply<{ status: string; registered_name: string | null; reason_code: string | null }>

/**
 * Returns why no money may be sent to the account; null if the account is the borrower's. Throws `RetryLater` while an
 * officer must compare the names.
 */
async function payeeFault(
  ctx: Context,
  { compareHolder }: Pick<CarriedTransfer, 'compareHolder'>,
  { caseRef, payee }: Pick<TransferLine, 'caseRef' | 'payee'>,
  accountCheck: AccountCheck,
): Promise<string | null> {
  if (accountCheck.is !== 'answered') return 'ACCOUNT_NOT_CHECKED'
  const { status, registered_name, reason_code } = accountCheck.value
  if (status !== 'VALID' || registered_name === null) return reason_code ?? 'ACCOUNT_INVALID'
  if (compareHolder) return compareHolder(payee, registered_name) ? null : nameMismatch
  const match = await compareAccountName(ctx, caseRef, payee, registered_name)
  if (match === 'UNCERTAIN') throw nameReviewPending()
  return match === 'SAME' ? null : nameMismatch
}

/**
 * Enquires at the bank, and records the result. If the bank never received the order, the order is sent again under the
 * same reference.
 */
async function enquire(ctx: Context, transfer: CarriedTransfer, before: TransferLine): Promise<void> {
  const reply = await enquireTransfer(ctx, before.reference)
  const isLost =
    reply.is === 'not-found' &&
    before.status === 'UNKNOWN' &&
    isDeliveryOverdue(ctx, required(before.sentAt, `when ${transfer.name} was sent`))
  if (isLost) await transfer.record('notFoundAtBank', {})
  if (reply.is !== 'answered') return
  const { value } = reply
  const { caseRef, reference } = before
  if (!matchesOrder(value, before))
    return ctx.alert('the bank reported a transfer that differs from the order', { caseRef, reference })
  if (value.status === 'SUCCESS' && value.bank_reference !== null) {
    const arrivedOn = businessDate(new Date(value.updated_at))
    await transfer.record('arrived', { bankReference: value.bank_reference, arrivedOn })
  }
  if (value.status === 'FAILED')
    await transfer.record('returned', { reasonCode: value.reason_code ?? 'FAILED_AT_BANK' })
  if (value.status === 'PENDING' && before.status === 'UNKNOWN') await transfer.record('acknowledged', {})
}

const matchesOrder = (transfer: Transfer, { reference, amountPaise }: TransferLine): boolean =>
  transfer.client_reference === reference &&
  paiseFrom(transfer.amount) === amountPaise &&
  (transfer.status !== 'SUCCESS' || transfer.bank_reference !== null)

/** IMPS, the instant transfer, is limited to five lakh rupees. */
const modeFor = (amount: Paise): 'IMPS' | 'NEFT' => (amount <= 500_000_00n ? 'IMPS' : 'NEFT')

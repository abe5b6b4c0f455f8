// Carries money to a borrower's account: whose account it is, one order, enquiries until the bank proves an ending (D3 §6 rule 7).

import type { PayeeAccount, Transfer } from '#contract/bank/bank.ts'
import { RetryLater } from '#kit/messaging/queue.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { type Paise, paiseFrom, rupees } from '#kit/money/money.ts'
import { required } from '#kit/runtime/record.ts'
import { pauseSeconds } from '#kit/runtime/schedule.ts'
import { type BankReply, checkAccount, enquireTransfer, orderTransfer } from '#partner/bank/client.ts'
import type { Context } from '#partner/context.ts'
import { judgeName } from './account-name/judge.ts'
import { waitingNames } from './account-name/store.ts'
import { enquirySchedule, hasArrivedByNow, worrying } from './patience.ts'

/** The account, and its required owner. */
export interface Payee {
  account: PayeeAccount
  borrowerName: string
  pan: string
}

export type CarryMove =
  | 'sent' // on its way to the bank; from now on it is never resent automatically
  | 'unseen' // the bank never received it
  | 'acknowledged' // the bank has it
  | 'refused' // the bank, or the account, does not take it
  | 'arrived' // the bank proves the arrival
  | 'cameBack'

/** The stored columns of a transfer, whatever its table. */
export interface CarriedRow {
  caseRef: string
  amountPaise: Paise
  payeeSealed: Buffer
  bankReference: string | null
  reasonCode: string | null
  sentAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** Money on its way to a borrower. */
export interface TransferLine {
  caseRef: string
  /** The reference under which the bank knows it. */
  reference: string
  /** On its way: ORDERED, not sent yet; UNKNOWN, sent, arrival unknown; SENT, the bank has it. Otherwise ended. */
  status: string
  amountPaise: Paise
  payee: Payee
  sentAt: Date | null
}

export interface Learnt {
  bankReference?: string
  reasonCode?: string
  sentAt?: Date
  /** The business day on which the money arrived. */
  arrivedOn?: string
}

/**
 * One kind of transfer: how it is read, and how its moves are recorded with their effects; a concurrent record wins.
 */
export interface Cargo {
  /** For people, as `a transfer`. */
  name: string
  find(): Promise<TransferLine>
  record(move: CarryMove, learnt: Learnt): Promise<TransferLine>
}

/** One step; the next one continues from the recorded state, wherever this one was interrupted. */
export async function carry(ctx: Context, cargo: Cargo, attempt: number): Promise<void> {
  const before = await cargo.find()
  const after = before.status === 'ORDERED' ? await send(ctx, cargo, before) : before
  if (after.status === 'UNKNOWN' || after.status === 'SENT') await enquire(ctx, cargo, after)
  const { status, caseRef, reference } = await cargo.find()
  if (status !== 'ORDERED' && status !== 'UNKNOWN' && status !== 'SENT') return
  if (attempt === worrying) ctx.alert(`${cargo.name} has no end yet`, { caseRef, reference, status })
  throw new RetryLater(null, `it is ${status}`)
}

/** Sends the money. An account in another name gets nothing, and the intention to send is recorded before anything is sent. */
async function send(ctx: Context, cargo: Cargo, before: TransferLine): Promise<TransferLine> {
  const { reference, caseRef, amountPaise, payee } = before
  const { account, pan } = payee
  if (await waitingNames(ctx.db, caseRef)) throw awaitingPerson()
  const checked = await checkAccount(ctx, { reference, account, pan })
  if (checked.is === 'unknown' || checked.is === 'unseen')
    throw new RetryLater(pauseSeconds(enquirySchedule(ctx), 1), 'whose account it is, is unknown')
  const reason = await faultOf(ctx, caseRef, checked, payee)
  if (reason !== null) return cargo.record('refused', { reasonCode: reason })

  const sent = await cargo.record('sent', { sentAt: ctx.clock() })
  if (sent.status !== 'UNKNOWN') return sent
  const word = await orderTransfer(ctx, {
    client_reference: reference,
    mode: modeFor(amountPaise),
    amount: rupees(amountPaise),
    currency: 'INR',
    beneficiary: account,
    pan,
  })
  if (word.is === 'refused') return cargo.record('refused', { reasonCode: 'REFUSED_BY_BANK' })
  if (word.is === 'answered') return cargo.record('acknowledged', {})
  ctx.log.warn({ caseRef, reference }, `nobody knows whether the bank has ${cargo.name}; it is enquired`)
  return sent
}

/** How often an outgoing transfer checks whether a person has compared the names. */
const personSeconds = 15
const awaitingPerson = () => new RetryLater(personSeconds, 'somebody has to compare the names of the account')

type AccountCheck = BankReply<{ status: string; registered_name: string | null; reason_code: string | null }>

/**
 * Why no money may be sent there; null when the account is the borrower's. Throws `RetryLater` while a person must
 * decide.
 */
async function faultOf(ctx: Context, caseRef: string, checked: AccountCheck, payee: Payee): Promise<string | null> {
  if (checked.is !== 'answered') return 'ACCOUNT_NOT_CHECKED'
  const { status, registered_name, reason_code } = checked.value
  if (status !== 'VALID' || registered_name === null) return reason_code ?? 'ACCOUNT_INVALID'
  const match = await judgeName(ctx, caseRef, payee, registered_name)
  if (match === 'UNCERTAIN') throw awaitingPerson()
  return match === 'SAME' ? null : 'ACCOUNT_NAME_MISMATCH'
}

/** Only the answer to an enquiry ends it. What the bank never saw is sent again, under the same reference. */
async function enquire(ctx: Context, cargo: Cargo, before: TransferLine): Promise<void> {
  const word = await enquireTransfer(ctx, before.reference)
  const isLost =
    word.is === 'unseen' &&
    before.status === 'UNKNOWN' &&
    hasArrivedByNow(ctx, required(before.sentAt, `when ${cargo.name} was sent`))
  if (isLost) await cargo.record('unseen', {})
  if (word.is !== 'answered') return
  const { value } = word
  const { caseRef, reference } = before
  if (!isOurs(value, before))
    return ctx.alert('the bank tells of another transfer than the one ordered', { caseRef, reference })
  if (value.status === 'SUCCESS' && value.bank_reference !== null) {
    const arrivedOn = businessDate(new Date(value.updated_at))
    await cargo.record('arrived', { bankReference: value.bank_reference, arrivedOn })
  }
  if (value.status === 'FAILED') await cargo.record('cameBack', { reasonCode: value.reason_code ?? 'FAILED_AT_BANK' })
  if (value.status === 'PENDING' && before.status === 'UNKNOWN') await cargo.record('acknowledged', {})
}

const isOurs = (transfer: Transfer, { reference, amountPaise }: TransferLine): boolean =>
  transfer.client_reference === reference &&
  paiseFrom(transfer.amount) === amountPaise &&
  (transfer.status !== 'SUCCESS' || transfer.bank_reference !== null)

/** Instant transfers end at five lakh. */
const modeFor = (amount: Paise): 'IMPS' | 'NEFT' => (amount <= 500_000_00n ? 'IMPS' : 'NEFT')

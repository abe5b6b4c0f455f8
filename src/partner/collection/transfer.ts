// Carries a transfer through: whose account, one order, enquiries until the bank proves an ending (D3 §1.1 rule 6, §6 rule 7).

import type { Transfer } from '#contract/bank/bank.ts'
import { randomOctets } from '#kit/crypto/random.ts'
import { type Job, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { pauseSeconds } from '#kit/messaging/schedule.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { type Paise, paiseFrom, rupees } from '#kit/money/money.ts'
import { isTerminal } from '#kit/runtime/machine.ts'
import { required } from '#kit/runtime/required.ts'
import { type BankReply, checkAccount, enquireTransfer, orderTransfer } from '#partner/bank/client.ts'
import { isSameName } from '#partner/bank/name-match.ts'
import { disbursementBlockers } from '#partner/case/blocker.ts'
import { type Case, reservedId } from '#partner/case/case.ts'
import { checkAgain, factsOf } from '#partner/case/check-again.ts'
import { moveCase } from '#partner/case/move.ts'
import { lockCase } from '#partner/case/store.ts'
import type { Context, TxContext } from '#partner/context.ts'
import { openLoan } from '#partner/loan/open-loan.ts'
import { readOffer } from '#partner/review/store.ts'
import {
  type Disbursement,
  type DisbursementMove,
  disbursementAfter,
  disbursementLifecycle,
  type Payee,
  payeeContext,
} from './disbursement.ts'
import { type TransferJob, transferKind } from './order-disbursement.ts'
import { enquirySchedule, hasArrivedByNow, worrying } from './patience.ts'
import { reportDisbursement, reportLoan } from './send-payment-event.ts'
import { findDisbursement, writeDisbursement } from './store.ts'

export const transferring = (ctx: Context): Worker =>
  work<TransferJob>({
    kind: transferKind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: (job) => pursue(ctx, job),
    schedule: enquirySchedule(ctx),
  })

/** One look at a transfer; whoever looks next goes on from what is recorded, wherever this one was interrupted. */
async function pursue(ctx: Context, { payload, attempt }: Job<TransferJob>): Promise<void> {
  const { caseRef, disbursementId } = payload
  const before = await findDisbursement(ctx.db, caseRef, disbursementId)
  const after = before.status === 'ORDERED' ? await send(ctx, before) : before
  if (after.status === 'UNKNOWN' || after.status === 'SENT') await enquire(ctx, after)
  const { status } = await findDisbursement(ctx.db, caseRef, disbursementId)
  if (isTerminal(disbursementLifecycle, status)) return
  if (attempt === worrying) ctx.alert('a transfer has no end yet', { caseRef, disbursementId, status })
  throw new RetryLater(null, `the transfer is ${status}`)
}

/** Sends the money. An account in another name gets nothing, and the intention to send is recorded before anything is sent. */
async function send(ctx: Context, before: Disbursement): Promise<Disbursement> {
  const { disbursementId, caseRef, amountPaise } = before
  const payee = ctx.seal.openJson<Payee>(before.payeeSealed, payeeContext(disbursementId))
  const { account, pan } = payee
  const checked = await checkAccount(ctx, { reference: disbursementId, account, pan })
  if (checked.is === 'unknown' || checked.is === 'unseen')
    throw new RetryLater(pauseSeconds(enquirySchedule(ctx), 1), 'whose account it is, is unknown')
  const reason = faultOf(checked, payee)
  if (reason !== null) return record(ctx, before, 'refused', { reasonCode: reason })

  const sent = await record(ctx, before, 'sent', { sentAt: ctx.clock() })
  if (sent.status !== 'UNKNOWN') return sent
  const word = await orderTransfer(ctx, {
    client_reference: disbursementId,
    mode: modeFor(amountPaise),
    amount: rupees(amountPaise),
    currency: 'INR',
    beneficiary: account,
    pan,
  })
  if (word.is === 'refused') return record(ctx, sent, 'refused', { reasonCode: 'REFUSED_BY_BANK' })
  if (word.is === 'answered') return record(ctx, sent, 'acknowledged', {})
  ctx.log.warn({ caseRef, disbursementId }, 'nobody knows whether the bank has a transfer; it is enquired')
  return sent
}

function faultOf(
  checked: BankReply<{ status: string; registered_name: string | null; reason_code: string | null }>,
  payee: Payee,
) {
  if (checked.is !== 'answered') return 'ACCOUNT_NOT_CHECKED'
  const { status, registered_name, reason_code } = checked.value
  if (status !== 'VALID' || registered_name === null) return reason_code ?? 'ACCOUNT_INVALID'
  return isSameName(registered_name, payee.borrowerName) ? null : 'ACCOUNT_NAME_MISMATCH'
}

/** Only the answer to an enquiry ends a transfer. One that the bank never saw is sent again, under the same reference. */
async function enquire(ctx: Context, before: Disbursement): Promise<void> {
  const word = await enquireTransfer(ctx, before.disbursementId)
  if (
    word.is === 'unseen' &&
    before.status === 'UNKNOWN' &&
    hasArrivedByNow(ctx, required(before.sentAt, 'when a transfer was sent'))
  )
    await record(ctx, before, 'unseen', {})
  if (word.is !== 'answered') return
  const { value } = word
  if (!isOurs(value, before))
    return ctx.alert('the bank tells of another transfer than the one ordered', {
      caseRef: before.caseRef,
      disbursementId: before.disbursementId,
    })
  if (value.status === 'SUCCESS' && value.bank_reference !== null) {
    const arrivedOn = businessDate(new Date(value.updated_at))
    await record(ctx, before, 'arrived', { bankReference: value.bank_reference, arrivedOn })
  }
  if (value.status === 'FAILED')
    await record(ctx, before, 'cameBack', { reasonCode: value.reason_code ?? 'FAILED_AT_BANK' })
  if (value.status === 'PENDING' && before.status === 'UNKNOWN') await record(ctx, before, 'acknowledged', {})
}

const isOurs = (transfer: Transfer, { disbursementId, amountPaise }: Disbursement): boolean =>
  transfer.client_reference === disbursementId &&
  paiseFrom(transfer.amount) === amountPaise &&
  (transfer.status !== 'SUCCESS' || transfer.bank_reference !== null)

/** Instant transfers end at five lakh. */
const modeFor = (amount: Paise): 'IMPS' | 'NEFT' => (amount <= 500_000_00n ? 'IMPS' : 'NEFT')

type Learnt = Partial<Pick<Disbursement, 'bankReference' | 'reasonCode' | 'sentAt'>>

/** Records a move, with all that follows from it. What somebody else has recorded meanwhile stays. */
const record = (
  ctx: Context,
  before: Disbursement,
  move: DisbursementMove,
  { arrivedOn, ...learnt }: Learnt & { arrivedOn?: string },
) =>
  ctx.db.tx(async (tx): Promise<Disbursement> => {
    const loanCase = await lockCase(tx, before.caseRef)
    const at = ctx.clock()
    const row = await findDisbursement(tx, before.caseRef, before.disbursementId)
    const status = disbursementAfter(row, move)
    if (!status) return row
    // Between the order and this moment a mandate can have been cancelled.
    const [blocker] = move === 'sent' ? disbursementBlockers(await factsOf(tx, ctx, loanCase, at)) : []
    if (blocker) return fail({ ...ctx, tx, at }, loanCase, { row, learnt: { reasonCode: blocker } })
    if (status === 'FAILED') return fail({ ...ctx, tx, at }, loanCase, { row, learnt })
    const after: Disbursement = { ...row, ...learnt, status, updatedAt: at }
    await writeDisbursement(tx, row, after, at)
    if (status === 'DISBURSED')
      await open({ ...ctx, tx, at }, loanCase, {
        after,
        disbursedOn: required(arrivedOn, 'the day on which a transfer arrived'),
      })
    return after
  })

/** The case is where its checks have it again; another transfer is another record. */
interface FailedTransfer {
  row: Disbursement
  learnt: Learnt
}

async function fail(ctx: TxContext, loanCase: Case, { row, learnt }: FailedTransfer): Promise<Disbursement> {
  const { tx, at } = ctx
  const after: Disbursement = { ...row, ...learnt, status: 'FAILED', updatedAt: at }
  await writeDisbursement(tx, row, after, at)
  const moved = await moveCase(tx, loanCase, 'disbursementFailed', at)
  await checkAgain(ctx, moved)
  await reportDisbursement(ctx, moved, { disbursement: after })
  return after
}

/** The loan exists from the moment in which the transfer is proved; interest runs from the day of the transfer. */
interface ArrivedTransfer {
  after: Disbursement
  disbursedOn: string
}

async function open(ctx: TxContext, loanCase: Case, { after, disbursedOn }: ArrivedTransfer) {
  const { tx, at } = ctx
  const { caseRef, loanId } = loanCase
  const offer = await readOffer(tx, caseRef)
  const loanAccountId = reservedId(randomOctets(8))
  const money = {
    disbursedPaise: after.amountPaise,
    disbursedOn,
    bankReference: required(after.bankReference, 'the bank reference of a transfer'),
  }
  const loan = await openLoan(tx, { caseRef, loanId, loanAccountId, terms: offer.terms, ...money }, at)
  const moved = await moveCase(tx, loanCase, 'disbursed', at)
  await reportDisbursement(ctx, moved, { disbursement: after })
  await reportLoan(ctx, moved, { loanStatus: loan.status, reasonCode: 'DISBURSED' })
}

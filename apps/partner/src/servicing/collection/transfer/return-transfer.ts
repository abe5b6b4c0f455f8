// Records that the bank gave back a payout or a refund after it had confirmed it (D3 §2.5, §3).

import { Refusal } from '@lendloom/foundation/refusal'
import { pauseSeconds } from '@lendloom/foundation/schedule'
import { businessDate } from '@lendloom/lending/calendar'
import type { Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { enqueue, type Job, noTenantId, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import type { Context, TxContext } from '#partner/context.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { moveCase } from '#partner/origination/case/move-case.ts'
import { insertStop, lockCase } from '#partner/origination/case/store.ts'
import { enqueueCancellation } from '#partner/servicing/collection/cancel-mandate.ts'
import { enquirySchedule } from '#partner/servicing/collection/enquiry-schedule.ts'
import { postHeldPayments } from '#partner/servicing/collection/held-payment.ts'
import { requireNotGone } from '#partner/servicing/collection/receipt/return/store.ts'
import {
  assignReturn,
  type BankReceipt,
  findReceipt,
  type ReceiptKey,
  readReceipt,
} from '#partner/servicing/collection/receipt/store.ts'
import { bookPosting } from '#partner/servicing/collection/receipt/unposted-receipts.ts'
import { reportDisbursement, reportLoan } from '#partner/servicing/collection/report-to-platform.ts'
import { releaseRefund } from '#partner/servicing/loan/refund.ts'
import { returnPayout } from '#partner/servicing/loan/return-payout.ts'
import { isUnfinished } from './carry-out-transfer.ts'
import { type DisbursementRow, disbursementStatusAfter } from './disbursement.ts'
import { reportReleasedRefund } from './order-refund.ts'
import { type Refund, refundStatusAfter } from './refund.ts'
import {
  confirmedTransfers,
  findTransfer,
  requireDisbursement,
  requireRefund,
  type TransferKey,
  writeDisbursement,
  writeRefund,
} from './store.ts'

const returnQueue = 'transfer-returned'

/** Queues a receipt that the bank names as the return of a transfer. */
export async function enqueueReturn({ tx, at }: Write, { provider, receiptId }: ReceiptKey): Promise<void> {
  const payload: ReceiptKey = { provider, receiptId }
  await enqueue(tx, { tenantId: noTenantId, kind: returnQueue, key: `${provider} ${receiptId}`, payload, dueAt: at })
}

/** Starts the worker that undoes returned transfers. */
export const returnWorker = (ctx: Context): Worker =>
  work<ReceiptKey>({
    kind: returnQueue,
    ...ctx,
    handle: (job) => settleReturn(ctx, job),
    schedule: enquirySchedule(ctx),
  })

/**
 * Undoes the transfer that the receipt names. The credit can arrive before our enquiry has seen that the transfer
 * arrived, so a pending transfer is tried again. A receipt that fits no transfer stays with the officers.
 */
async function settleReturn(ctx: Context, { payload, attempt }: Job<ReceiptKey>): Promise<void> {
  const { provider, receiptId } = payload
  const { returnOf } = await readReceipt(ctx.db, provider, receiptId)
  const transfer = returnOf === null ? undefined : await findTransfer(ctx.db, returnOf)
  const alertStaff = (why: string) => ctx.alert(`the bank returned a transfer, and ${why}`, { receiptId, returnOf })
  if (!transfer) return alertStaff('no transfer has its reference')
  if (await isPending(ctx, transfer))
    throw new RetryLater(pauseSeconds(enquirySchedule(ctx), attempt), 'the transfer has no final status yet')
  try {
    await ctx.db.tx(async (tx) => {
      const loanCase = await lockCase(tx, transfer.caseRef)
      await returnTransfer({ ...ctx, tx, at: ctx.clock() }, loanCase, { ...payload, transfer })
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    alertStaff(error.message)
  }
}

async function isPending({ db }: Context, { kind: transferKind, caseRef, transferId }: TransferKey): Promise<boolean> {
  const { status } =
    transferKind === 'refund'
      ? await requireRefund(db, caseRef, transferId)
      : await requireDisbursement(db, caseRef, transferId)
  return isUnfinished(status)
}

interface Return extends ReceiptKey {
  transfer: TransferKey
}

type ReturnContext = Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>

/**
 * Undoes a transfer of a locked case with the receipt that brought its money back. A repeated return changes nothing.
 * Throws `absent` without such a receipt, `wrong-state` if the receipt is posted, has another amount, or the transfer is
 * not confirmed.
 */
export async function returnTransfer(ctx: ReturnContext, loanCase: Case, { transfer, ...key }: Return): Promise<void> {
  const { tx, at } = ctx
  const { caseRef, transferId } = transfer
  const receipt = await findReceipt(tx, key.provider, key.receiptId)
  if (!receipt) throw new Refusal('absent', 'there is no such receipt')
  if (receipt.returnedTransfer === transferId) return
  await requireNotGone(tx, receipt)
  if (receipt.returnedTransfer !== null)
    throw new Refusal('wrong-state', 'this receipt is already the return of another transfer')
  if (!(await assignReturn(tx, key, transfer))) throw new Refusal('wrong-state', 'this receipt is already posted')
  if (transfer.kind === 'refund') await returnRefund(ctx, loanCase, { receipt, refund: await refundOf(tx, transfer) })
  else await returnDisbursement(ctx, loanCase, { receipt, row: await requireDisbursement(tx, caseRef, transferId) })
  await bookPosting({ tx, at }, { paymentId: transferId, amountPaise: receipt.amountPaise }, receipt.valueOn)
}

export interface ReturnByHand extends ReceiptKey {
  transferId: string
}

/**
 * Undoes a confirmed transfer of a locked case, because officers say that a receipt, which names no transfer, brought
 * its money back. Throws `wrong-state` if the case has no such confirmed transfer, the receipt is already the return of
 * one or older than the transfer, the bank names another transfer, and as `returnTransfer` does.
 */
export async function returnByHand(
  ctx: ReturnContext,
  loanCase: Case,
  { transferId, ...key }: ReturnByHand,
): Promise<void> {
  const { tx } = ctx
  const receipt = await findReceipt(tx, key.provider, key.receiptId)
  if (!receipt) throw new Refusal('absent', 'there is no such receipt')
  if (receipt.returnedTransfer !== null)
    throw new Refusal('wrong-state', 'this receipt is already the return of a transfer')
  const named = receipt.returnOf === null ? undefined : await findTransfer(tx, receipt.returnOf)
  if (named && named.transferId !== transferId)
    throw new Refusal('wrong-state', 'the bank says that this receipt is the return of another transfer')
  const confirmed = await confirmedTransfers(tx, loanCase.caseRef)
  const transfer = confirmed.find((each) => each.transferId === transferId)
  if (!transfer) throw new Refusal('wrong-state', 'this case has no such transfer that the bank has confirmed')
  if (receipt.valueOn < businessDate(transfer.orderedAt))
    throw new Refusal('wrong-state', 'the receipt is older than the transfer')
  await returnTransfer(ctx, loanCase, { ...key, transfer })
}

const refundOf = (tx: Tx, { caseRef, transferId }: TransferKey): Promise<Refund> =>
  requireRefund(tx, caseRef, transferId)

/** The reason code where the bank gives none. */
const unexplained = 'RETURNED_BY_BANK'

interface ReturnedDisbursement {
  receipt: BankReceipt
  row: DisbursementRow
}

/**
 * Ends the case of a returned payout: its loan is cancelled, and the mandate too. The agreement was about money that
 * never arrived, so the borrower applies again, with an account that takes it.
 */
async function returnDisbursement(
  ctx: ReturnContext,
  loanCase: Case,
  { receipt, row }: ReturnedDisbursement,
): Promise<void> {
  const { tx, at } = ctx
  const { caseRef } = loanCase
  const status = disbursementStatusAfter(row, 'givenBack')
  if (!status) throw new Refusal('wrong-state', 'the payout is not confirmed, so it cannot be returned')
  requireAmount(receipt, row)
  const reasonCode = receipt.returnCode ?? unexplained
  const after: DisbursementRow = { ...row, status, reasonCode, confirmedAt: row.updatedAt, updatedAt: at }
  await writeDisbursement(tx, row, after, at)
  const loanStatus = await returnPayout(tx, { caseRef, on: receipt.valueOn }, at)
  const ended = await moveCase(tx, loanCase, 'payoutReturned', at)
  await insertStop(tx, {
    caseRef,
    cause: 'BANK',
    reasonCode,
    reasonMessage: null,
    stoppedBy: 'bank',
    stoppedAt: at,
  })
  await enqueueCancellation(tx, ended, at)
  await reportDisbursement(ctx, ended, { disbursement: after })
  await reportLoan(ctx, ended, { loanStatus, reasonCode: 'PAYOUT_RETURNED' })
  await postHeldPayments(ctx, ended)
}

interface ReturnedRefund {
  receipt: BankReceipt
  refund: Refund
}

/** Makes the amount of a returned refund the borrower's again. It first pays open dues. */
async function returnRefund(ctx: ReturnContext, loanCase: Case, { receipt, refund }: ReturnedRefund): Promise<void> {
  const { tx, at } = ctx
  const { caseRef, refundId } = refund
  const status = refundStatusAfter(refund, 'givenBack')
  if (!status) throw new Refusal('wrong-state', 'the refund is not confirmed, so it cannot be returned')
  requireAmount(receipt, refund)
  const reasonCode = receipt.returnCode ?? unexplained
  await writeRefund(tx, { ...refund, status, reasonCode, confirmedAt: refund.updatedAt, updatedAt: at })
  await reportReleasedRefund(ctx, loanCase, await releaseRefund(tx, { caseRef, refundId, on: receipt.valueOn }, at))
}

/** The bank gives back a whole transfer, or none of it. */
function requireAmount(receipt: BankReceipt, transfer: Pick<DisbursementRow, 'amountPaise'>): void {
  if (receipt.amountPaise !== transfer.amountPaise)
    throw new Refusal('wrong-state', 'the receipt is not of the amount of the transfer')
}

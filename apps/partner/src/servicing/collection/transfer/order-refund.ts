// Refunds an overpayment to the borrower's payout account, and follows the transfer until its result is final.

import { Refusal } from '@lendloom/foundation/refusal'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { enqueue, type Job, noTenantId, type Worker, work } from '@lendloom/queue/queue'
import type { Context, TxContext } from '#partner/context.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { enquirySchedule } from '#partner/servicing/collection/enquiry-schedule.ts'
import { nextRefundId } from '#partner/servicing/collection/order-id.ts'
import { type ReturnableSince, returnablePaise } from '#partner/servicing/collection/payment-store.ts'
import { type ReportContext, reportLoan } from '#partner/servicing/collection/report-to-platform.ts'
import { reportExit } from '#partner/servicing/collection/request-exit.ts'
import { postPaidRefund, type ReleasedRefund, releaseRefund, reserveRefund } from '#partner/servicing/loan/refund.ts'
import {
  type BankReport,
  type CarriedTransfer,
  carryOutTransfer,
  type Payee,
  type TransferLine,
  type TransferMove,
} from './carry-out-transfer.ts'
import { payeeContext } from './disbursement.ts'
import { changedPayoutAccount, payoutAccountOf } from './payout-account.ts'
import { type Refund, refundContext, refundStatusAfter } from './refund.ts'
import { insertRefund, readNewestDisbursement, requireRefund, writeRefund } from './store.ts'

const kind = 'refund'

interface RefundJob {
  caseRef: string
  refundId: string
}

/**
 * Orders a refund; the caller has locked the case. Throws `absent` if the case has no loan account, and `wrong-state`
 * if the amount exceeds the unapplied balance, less the money that the bank may still take back, or another refund is
 * pending.
 */
export async function orderRefund(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  { caseRef }: Case,
  amountPaise: Paise,
): Promise<Refund> {
  const { tx, at, seal } = ctx
  const refundId = await nextRefundId(tx, caseRef)
  const on = businessDate(at)
  const held = await returnablePaise(tx, caseRef, returnableSince(ctx.config, on))
  await reserveRefund(tx, { caseRef, refundId, on }, amountPaise, { held, at })
  const payeeSealed = seal.json(await refundPayee(tx, ctx, caseRef), refundContext(refundId))
  const refund: Refund = {
    caseRef,
    refundId,
    status: 'ORDERED',
    amountPaise,
    payeeSealed,
    bankReference: null,
    reasonCode: null,
    sentAt: null,
    confirmedAt: null,
    createdAt: at,
    updatedAt: at,
  }
  if (!(await insertRefund(tx, refund))) throw new Refusal('wrong-state', 'another refund of this loan is pending')
  const payload: RefundJob = { caseRef, refundId }
  await enqueue(tx, { tenantId: noTenantId, kind, key: refundId, payload, dueAt: at })
  return refund
}

/** Returns the first value dates of money that the bank may still take back on a day; its own day counts. */
const returnableSince = (config: TxContext['config'], on: string): ReturnableSince => ({
  ENACH: plusDays(on, 1 - config.PARTNER_ENACH_RETURN_DAYS),
  UPI_AUTOPAY: plusDays(on, 1 - config.PARTNER_UPI_AUTOPAY_RETURN_DAYS),
  OTHER: plusDays(on, 1 - config.PARTNER_TRANSFER_RETURN_DAYS),
})

/**
 * Returns the borrower's current account if it changed after disbursement; otherwise the account that the loan was
 * disbursed to.
 */
export async function refundPayee(db: Run, { seal }: Pick<Context, 'seal'>, caseRef: string): Promise<Payee> {
  const disbursement = await readNewestDisbursement(db, caseRef)
  if (disbursement?.status !== 'DISBURSED') return payoutAccountOf(db, { seal }, caseRef)
  const disbursedTo = seal.openJson<Payee>(disbursement.payeeSealed, payeeContext(disbursement.disbursementId))
  const account = await changedPayoutAccount(db, { seal }, caseRef)
  return account ? { ...disbursedTo, account } : disbursedTo
}

export const refundWorker = (ctx: Context): Worker =>
  work<RefundJob>({ kind, ...ctx, handle: (job) => carryOutRefund(ctx, job), schedule: enquirySchedule(ctx) })

function carryOutRefund(ctx: Context, { payload, attempt }: Job<RefundJob>): Promise<void> {
  const { caseRef, refundId } = payload
  const toTransfer = (row: Refund): TransferLine => ({
    ...row,
    reference: refundId,
    payee: ctx.seal.openJson<Payee>(row.payeeSealed, refundContext(refundId)),
  })
  const transfer: CarriedTransfer = {
    name: 'a refund',
    find: async () => toTransfer(await requireRefund(ctx.db, caseRef, refundId)),
    record: async (move, report) => toTransfer(await record(ctx, payload, move, report)),
  }
  return carryOutTransfer(ctx, transfer, attempt)
}

/**
 * Writes the refund's new status, and its effect on the loan. If the current status does not allow the move, returns
 * the row unchanged.
 */
const record = (
  ctx: Context,
  { caseRef, refundId }: RefundJob,
  move: TransferMove,
  { arrivedOn, ...report }: BankReport,
): Promise<Refund> =>
  ctx.db.tx(async (tx) => {
    const loanCase = await lockCase(tx, caseRef)
    const at = ctx.clock()
    const row = await requireRefund(tx, caseRef, refundId)
    const status = refundStatusAfter(row, move)
    if (!status) return row
    const after: Refund = { ...row, ...report, status, updatedAt: at }
    await writeRefund(tx, after)
    const refund = { caseRef, refundId, on: arrivedOn ?? businessDate(at) }
    if (status === 'PAID') await postPaidRefund(tx, refund, row.amountPaise, at)
    if (status !== 'FAILED') return after
    await reportReleasedRefund({ ...ctx, tx, at }, loanCase, await releaseRefund(tx, refund, at))
    return after
  })

/** Reports the effect of a refund that did not reach the borrower; nothing if its amount paid no dues. */
export async function reportReleasedRefund(
  ctx: ReportContext & Write,
  loanCase: Case,
  { hasExited, hasPaidDues, isSettled, loanStatus }: ReleasedRefund,
): Promise<void> {
  if (hasExited) await reportExit(ctx, loanCase, loanStatus)
  else if (isSettled) await reportLoan(ctx, loanCase, { loanStatus, reasonCode: 'SETTLED' })
  else if (hasPaidDues) await reportLoan(ctx, loanCase, { loanStatus, reasonCode: 'REFUND_FAILED' })
}

// Carries out a disbursement, and opens the loan when the transfer has arrived (D3 §1.1 rule 6, §6 rule 7).

import { required } from '@lendloom/foundation/required'
import { type Job, type Worker, work } from '@lendloom/queue/queue'
import { randomOctets } from '@lendloom/seal/id'
import type { Context, TxContext } from '#partner/context.ts'
import { disbursementBlockers } from '#partner/origination/case/disbursement-blockers.ts'
import { type Case, reservedId } from '#partner/origination/case/lifecycle.ts'
import { moveCase } from '#partner/origination/case/move-case.ts'
import { factsOf, recheckCase } from '#partner/origination/case/recheck-case.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { readOffer } from '#partner/origination/review/store.ts'
import { enquirySchedule } from '#partner/servicing/collection/enquiry-schedule.ts'
import { reportDisbursement, reportLoan } from '#partner/servicing/collection/report-to-platform.ts'
import { openLoan } from '#partner/servicing/loan/open-loan.ts'
import {
  type BankReport,
  type CarriedTransfer,
  carryOutTransfer,
  type Payee,
  type TransferLine,
  type TransferMove,
} from './carry-out-transfer.ts'
import { type DisbursementRow, disbursementStatusAfter, payeeContext } from './disbursement.ts'
import { type TransferJob, transferKind } from './order-disbursement.ts'
import { requireDisbursement, writeDisbursement } from './store.ts'

/** Starts the worker that sends disbursements and enquires after them. */
export const disbursementWorker = (ctx: Context): Worker =>
  work<TransferJob>({
    kind: transferKind,
    ...ctx,
    handle: (job) => carryOutDisbursement(ctx, job),
    schedule: enquirySchedule(ctx),
  })

function carryOutDisbursement(ctx: Context, { payload, attempt }: Job<TransferJob>): Promise<void> {
  const { caseRef, disbursementId } = payload
  const toTransfer = (row: DisbursementRow): TransferLine => ({
    ...row,
    reference: disbursementId,
    payee: ctx.seal.openJson<Payee>(row.payeeSealed, payeeContext(disbursementId)),
  })
  const transfer: CarriedTransfer = {
    name: 'a transfer',
    find: async () => toTransfer(await requireDisbursement(ctx.db, caseRef, disbursementId)),
    record: async (move, report) => toTransfer(await applyMove(ctx, payload, move, report)),
  }
  return carryOutTransfer(ctx, transfer, attempt)
}

/**
 * Writes the disbursement's new status, and its effects on the case and the loan. If the current status does not allow
 * the move, returns the row unchanged.
 */
const applyMove = (
  ctx: Context,
  { caseRef, disbursementId }: TransferJob,
  move: TransferMove,
  { arrivedOn, ...report }: BankReport,
) =>
  ctx.db.tx(async (tx): Promise<DisbursementRow> => {
    const loanCase = await lockCase(tx, caseRef)
    const at = ctx.clock()
    const row = await requireDisbursement(tx, caseRef, disbursementId)
    const status = disbursementStatusAfter(row, move)
    if (!status) return row
    // The mandate may have been cancelled since the order.
    const [blocker] = move === 'sent' ? disbursementBlockers(await factsOf(tx, ctx, loanCase, at)) : []
    if (blocker) return recordFailure({ ...ctx, tx, at }, loanCase, { row, report: { reasonCode: blocker } })
    if (status === 'FAILED') return recordFailure({ ...ctx, tx, at }, loanCase, { row, report })
    const after: DisbursementRow = { ...row, ...report, status, updatedAt: at }
    await writeDisbursement(tx, row, after, at)
    if (status === 'DISBURSED')
      await openDisbursedLoan({ ...ctx, tx, at }, loanCase, {
        after,
        disbursedOn: required(arrivedOn, 'the arrival date of a transfer'),
      })
    return after
  })

interface FailedTransfer {
  row: DisbursementRow
  report: Omit<BankReport, 'arrivedOn'>
}

/** Records the failure, and returns the case to the status that its checks allow. The next order is a new disbursement. */
async function recordFailure(
  ctx: TxContext,
  loanCase: Case,
  { row, report }: FailedTransfer,
): Promise<DisbursementRow> {
  const { tx, at } = ctx
  const after: DisbursementRow = { ...row, ...report, status: 'FAILED', updatedAt: at }
  await writeDisbursement(tx, row, after, at)
  const moved = await moveCase(tx, loanCase, 'disbursementFailed', at)
  await recheckCase(ctx, moved)
  await reportDisbursement(ctx, moved, { disbursement: after })
  return after
}

interface ArrivedTransfer {
  after: DisbursementRow
  disbursedOn: string
}

/** Opens the loan of a confirmed transfer. Interest accrues from the day on which the money arrived. */
async function openDisbursedLoan(ctx: TxContext, loanCase: Case, { after, disbursedOn }: ArrivedTransfer) {
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

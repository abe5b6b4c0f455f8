// Carries a transfer through: whose account, one order, enquiries until the bank proves an ending (D3 §1.1 rule 6, §6 rule 7).

import { randomOctets } from '#kit/crypto/id.ts'
import { type Job, type Worker, work } from '#kit/messaging/queue.ts'
import { required } from '#kit/runtime/record.ts'
import { disbursementBlockers } from '#partner/case/blocker.ts'
import { checkAgain, factsOf } from '#partner/case/check-again.ts'
import { type Case, reservedId } from '#partner/case/lifecycle.ts'
import { moveCase } from '#partner/case/move.ts'
import { lockCase } from '#partner/case/store.ts'
import type { Context, TxContext } from '#partner/context.ts'
import { openLoan } from '#partner/loan/open-loan.ts'
import { readOffer } from '#partner/review/store.ts'
import { type Cargo, type CarryMove, carry, type Learnt, type Payee, type TransferLine } from './carry.ts'
import { type TransferJob, transferKind } from './order-disbursement.ts'
import { enquirySchedule } from './patience.ts'
import { reportDisbursement, reportLoan } from './send-payment-event.ts'
import {
  type DisbursementRow,
  disbursementAfter,
  findDisbursement,
  payeeContext,
  writeDisbursement,
} from './transfer/store.ts'

export const transferring = (ctx: Context): Worker =>
  work<TransferJob>({
    kind: transferKind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: (job) => pursue(ctx, job),
    schedule: enquirySchedule(ctx),
  })

function pursue(ctx: Context, { payload, attempt }: Job<TransferJob>): Promise<void> {
  const { caseRef, disbursementId } = payload
  const carried = (row: DisbursementRow): TransferLine => ({
    ...row,
    reference: disbursementId,
    payee: ctx.seal.openJson<Payee>(row.payeeSealed, payeeContext(disbursementId)),
  })
  const cargo: Cargo = {
    name: 'a transfer',
    find: async () => carried(await findDisbursement(ctx.db, caseRef, disbursementId)),
    record: async (move, learnt) => carried(await record(ctx, payload, move, learnt)),
  }
  return carry(ctx, cargo, attempt)
}

/** Records a move with all its effects. A concurrent record wins. */
const record = (
  ctx: Context,
  { caseRef, disbursementId }: TransferJob,
  move: CarryMove,
  { arrivedOn, ...learnt }: Learnt,
) =>
  ctx.db.tx(async (tx): Promise<DisbursementRow> => {
    const loanCase = await lockCase(tx, caseRef)
    const at = ctx.clock()
    const row = await findDisbursement(tx, caseRef, disbursementId)
    const status = disbursementAfter(row, move)
    if (!status) return row
    // Between the order and this moment a mandate can have been cancelled.
    const [blocker] = move === 'sent' ? disbursementBlockers(await factsOf(tx, ctx, loanCase, at)) : []
    if (blocker) return fail({ ...ctx, tx, at }, loanCase, { row, learnt: { reasonCode: blocker } })
    if (status === 'FAILED') return fail({ ...ctx, tx, at }, loanCase, { row, learnt })
    const after: DisbursementRow = { ...row, ...learnt, status, updatedAt: at }
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
  row: DisbursementRow
  learnt: Omit<Learnt, 'arrivedOn'>
}

async function fail(ctx: TxContext, loanCase: Case, { row, learnt }: FailedTransfer): Promise<DisbursementRow> {
  const { tx, at } = ctx
  const after: DisbursementRow = { ...row, ...learnt, status: 'FAILED', updatedAt: at }
  await writeDisbursement(tx, row, after, at)
  const moved = await moveCase(tx, loanCase, 'disbursementFailed', at)
  await checkAgain(ctx, moved)
  await reportDisbursement(ctx, moved, { disbursement: after })
  return after
}

/** The loan exists from the moment in which the transfer is proved; interest runs from the day of the transfer. */
interface ArrivedTransfer {
  after: DisbursementRow
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

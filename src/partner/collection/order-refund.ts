// A refund: an overpayment returns to the loan's payout account; only the bank's proof is final.

import { uuidv7 } from '#kit/crypto/id.ts'
import type { Run } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { enqueue, type Job, nobody, type Worker, work } from '#kit/messaging/queue.ts'
import { businessDate } from '#kit/money/calendar.ts'
import type { Paise } from '#kit/money/money.ts'
import { next } from '#kit/runtime/machine.ts'
import type { Case } from '#partner/case/lifecycle.ts'
import { lockCase } from '#partner/case/store.ts'
import type { Context, TxContext } from '#partner/context.ts'
import { postPaidRefund, releaseRefund, reserveRefund } from '#partner/loan/refund.ts'
import { type Cargo, type CarryMove, carry, type Learnt, type Payee, type TransferLine } from './carry.ts'
import { enquirySchedule } from './patience.ts'
import { accountSince, payeeOf } from './payee.ts'
import { reportLoan } from './send-payment-event.ts'
import { reportLeft } from './stop.ts'
import {
  findRefund,
  insertRefund,
  payeeContext,
  type Refund,
  readDisbursement,
  refundContext,
  refundLifecycle,
  writeRefund,
} from './transfer/store.ts'

const kind = 'refund'

interface RefundJob {
  caseRef: string
  refundId: string
}

/**
 * Orders a refund, under the lock of the case. Refused: `absent` no account · `wrong-state` that much is not the borrower's, or
 * another refund is under way.
 */
export async function orderRefund(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal'>,
  { caseRef }: Case,
  amountPaise: Paise,
): Promise<Refund> {
  const { tx, at, seal } = ctx
  const refundId = uuidv7(at.getTime())
  const on = businessDate(at)
  await reserveRefund(tx, { caseRef, refundId, on }, amountPaise, at)
  const payeeSealed = seal.json(await refundPayee(tx, ctx, caseRef), refundContext(refundId))
  const refund: Refund = {
    ...{ caseRef, refundId, status: 'ORDERED', amountPaise, payeeSealed },
    ...{ bankReference: null, reasonCode: null, sentAt: null, createdAt: at, updatedAt: at },
  }
  if (!(await insertRefund(tx, refund))) throw new Refusal('wrong-state', 'another refund of this loan is under way')
  const payload: RefundJob = { caseRef, refundId }
  await enqueue(tx, { tenantId: nobody, kind, key: refundId, payload, dueAt: at })
  return refund
}

/** The account that it was changed to since, or else the one that the bank confirmed when the loan was paid to it. */
export async function refundPayee(db: Run, { seal }: Pick<Context, 'seal'>, caseRef: string): Promise<Payee> {
  const disbursement = await readDisbursement(db, caseRef)
  if (disbursement?.status !== 'DISBURSED') return payeeOf(db, { seal }, caseRef)
  const proven = seal.openJson<Payee>(disbursement.payeeSealed, payeeContext(disbursement.disbursementId))
  const account = await accountSince(db, { seal }, caseRef)
  return account ? { ...proven, account } : proven
}

export const refunding = (ctx: Context): Worker =>
  work<RefundJob>({
    kind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: (job) => pursue(ctx, job),
    schedule: enquirySchedule(ctx),
  })

function pursue(ctx: Context, { payload, attempt }: Job<RefundJob>): Promise<void> {
  const { caseRef, refundId } = payload
  const carried = (row: Refund): TransferLine => ({
    ...row,
    reference: refundId,
    payee: ctx.seal.openJson<Payee>(row.payeeSealed, refundContext(refundId)),
  })
  const cargo: Cargo = {
    name: 'a refund',
    find: async () => carried(await findRefund(ctx.db, caseRef, refundId)),
    record: async (move, learnt) => carried(await record(ctx, payload, move, learnt)),
  }
  return carry(ctx, cargo, attempt)
}

/** Records a move with its effect on the account. A concurrent record wins. */
const record = (
  ctx: Context,
  { caseRef, refundId }: RefundJob,
  move: CarryMove,
  { arrivedOn, ...learnt }: Learnt,
): Promise<Refund> =>
  ctx.db.tx(async (tx) => {
    const loanCase = await lockCase(tx, caseRef)
    const at = ctx.clock()
    const row = await findRefund(tx, caseRef, refundId)
    const status = next(refundLifecycle, row.status, move)
    if (!status) return row
    const after: Refund = { ...row, ...learnt, status, updatedAt: at }
    await writeRefund(tx, after)
    const refund = { caseRef, refundId, on: arrivedOn ?? businessDate(at) }
    if (status === 'PAID') await postPaidRefund(tx, refund, row.amountPaise, at)
    if (status !== 'FAILED') return after
    const { hasExited, hasPaidDues, loanStatus } = await releaseRefund(tx, refund, at)
    const report = { ...ctx, tx, at }
    if (hasExited) await reportLeft(report, loanCase, loanStatus)
    else if (hasPaidDues) await reportLoan(report, loanCase, { loanStatus, reasonCode: 'REFUND_FAILED' })
    return after
  })

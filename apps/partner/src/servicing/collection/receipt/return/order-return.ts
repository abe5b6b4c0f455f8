// Sends a receipt that belongs to nobody back to the account from which it came, and follows the transfer until its
// result is final. A receipt whose return failed waits for an officer again.

import { next } from '@lendloom/foundation/machine'
import { Refusal } from '@lendloom/foundation/refusal'
import { businessDate } from '@lendloom/lending/calendar'
import { enqueue, type Job, noTenantId, type Worker, work } from '@lendloom/queue/queue'
import { uuidOfNames } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import type { PayeeAccount } from '@lendloom/wire/bank/bank'
import { compareNames } from '#partner/bank/name-match.ts'
import type { Context, TxContext } from '#partner/context.ts'
import { enquirySchedule } from '#partner/servicing/collection/enquiry-schedule.ts'
import {
  freeReceipt,
  lockReceipt,
  type ReceiptKey,
  reserveReceipt,
} from '#partner/servicing/collection/receipt/store.ts'
import {
  bookKeptReturn,
  bookPaidReturn,
  bookReturn,
  receiptsCase,
} from '#partner/servicing/collection/receipt/unposted-receipts.ts'
import {
  type BankReport,
  type CarriedTransfer,
  carryOutTransfer,
  type TransferLine,
  type TransferMove,
} from '#partner/servicing/collection/transfer/carry-out-transfer.ts'
import { refundLifecycle } from '#partner/servicing/collection/transfer/refund.ts'
import { requireNoReturn } from '#partner/servicing/collection/transfer/store.ts'
import {
  countReturns,
  insertReturn,
  lockReturn,
  type ReceiptReturn,
  requireNotGone,
  requireReturn,
  returnContext,
  type TakenBack,
  writeReturn,
} from './store.ts'

const kind = 'receipt-return'

interface ReturnJob {
  returnId: string
}

/** Throws `absent` if the receipt is unknown, `wrong-state` if it is posted, returned, or its return is under way. */
export async function lockReturnable(tx: TxContext['tx'], key: ReceiptKey) {
  const receipt = await lockReceipt(tx, key)
  if (!receipt) throw new Refusal('absent', 'there is no such receipt')
  if (receipt.paymentId !== null) throw new Refusal('wrong-state', 'this receipt is posted to a loan')
  await requireNoReturn(tx, receipt)
  await requireNotGone(tx, key)
  return receipt
}

/** Depends on the receipt and its earlier returns, as the references of other orders do: see order-id.ts. */
export const nextReturnId = async (tx: TxContext['tx'], key: ReceiptKey): Promise<string> =>
  uuidOfNames('receipt return', key.provider, key.receiptId, String((await countReturns(tx, key)) + 1))

/** Stores the return of a locked receipt, which excludes every other use of the receipt. */
export async function storeReturn(tx: TxContext['tx'], row: ReceiptReturn | TakenBack): Promise<void> {
  if (!(await insertReturn(tx, row))) throw new Refusal('wrong-state', 'this receipt already has a return')
  await reserveReceipt(tx, row, row.returnId)
}

/** Orders the return of a receipt. Throws as `lockReturnable` does. */
export async function orderReturn(
  { tx, at, seal }: Pick<TxContext, 'tx' | 'at' | 'seal'>,
  key: ReceiptKey,
  account: PayeeAccount,
): Promise<ReceiptReturn> {
  const { provider, receiptId } = key
  const { amountPaise } = await lockReturnable(tx, key)
  const returnId = await nextReturnId(tx, key)
  const row: ReceiptReturn = {
    returnId,
    provider,
    receiptId,
    status: 'ORDERED',
    amountPaise,
    payeeSealed: seal.json(account, returnContext(returnId)),
    bankReference: null,
    reasonCode: null,
    sentAt: null,
    createdAt: at,
    updatedAt: at,
  }
  await storeReturn(tx, row)
  await bookReturn({ tx, at }, row)
  const payload: ReturnJob = { returnId }
  await enqueue(tx, { tenantId: noTenantId, kind, key: returnId, payload, dueAt: at })
  return row
}

export const receiptReturnWorker = (ctx: Context): Worker =>
  work<ReturnJob>({ kind, ...ctx, handle: (job) => carryOutReturn(ctx, job), schedule: enquirySchedule(ctx) })

export const accountOfReturn = (seal: Seal, { returnId, payeeSealed }: ReceiptReturn): PayeeAccount =>
  seal.openJson<PayeeAccount>(payeeSealed, returnContext(returnId))

function carryOutReturn(ctx: Context, { payload: { returnId }, attempt }: Job<ReturnJob>): Promise<void> {
  const toTransfer = (row: ReceiptReturn): TransferLine => {
    const account = accountOfReturn(ctx.seal, row)
    const payee = { account, borrowerName: account.holder_name, pan: null }
    return { ...row, caseRef: receiptsCase, reference: returnId, payee }
  }
  const transfer: CarriedTransfer = {
    name: 'a return of a receipt',
    // Two people compared the payer with this holder, so the bank must know the account under this name.
    compareHolder: ({ borrowerName }, registered) => compareNames(registered, borrowerName) === 'SAME',
    find: async () => toTransfer(await requireReturn(ctx.db, returnId)),
    record: async (move, report) => toTransfer(await record(ctx, returnId, move, report)),
  }
  return carryOutTransfer(ctx, transfer, attempt)
}

/** Writes the new status with its effect on the books. If the current status does not allow the move, changes nothing. */
const record = (ctx: Context, returnId: string, move: TransferMove, { arrivedOn, ...report }: BankReport) =>
  ctx.db.tx(async (tx): Promise<ReceiptReturn> => {
    const at = ctx.clock()
    const row = await lockReturn(tx, returnId)
    const status = next(refundLifecycle, row.status, move)
    if (!status) return row
    const after: ReceiptReturn = { ...row, ...report, status, updatedAt: at }
    await writeReturn(tx, after)
    if (status === 'PAID') await bookPaidReturn({ tx, at }, row, arrivedOn ?? businessDate(at))
    if (status !== 'FAILED') return after
    await freeReceipt(tx, returnId)
    await bookKeptReturn({ tx, at }, row)
    return after
  })

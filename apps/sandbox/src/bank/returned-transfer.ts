// The bank gives the money of a transfer back after it had succeeded: the beneficiary's bank could not credit it.

import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { answer } from '@lendloom/http/server'
import { businessDate } from '@lendloom/lending/calendar'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, type Worker, work } from '@lendloom/queue/queue'
import { uuidv7 } from '@lendloom/seal/id'
import { BankCredit, BankError, type TransferRequest, TransferReturn } from '@lendloom/wire/bank/bank'
import { type BankContext, openRoute } from './bank-route.ts'
import { payerContext, receiptToWire } from './receipts.ts'
import { addReceipt, lockPaidTransfer, type ReceiptRow, saveReturn, type TransferRow } from './store.ts'
import { bankReference } from './transaction-reference.ts'

const returnQueue = 'bank-transfer-return'
/** The usual reason why a beneficiary's bank cannot credit a transfer. */
const accountClosed = 'ACCOUNT_CLOSED'
/** The return comes after the enquiries that see the transfer succeed. */
const returnFactor = 3

export const returnTransfer = openRoute({
  method: 'POST',
  path: '/bank/transfer-returns',
  summary: 'The bank gives a successful transfer back, on any day',
  body: TransferReturn,
  reply: { 201: BankCredit, 409: BankError },
  async handle({ body, at }, ctx) {
    const reason = body.reason_code ?? accountClosed
    const receipt = await ctx.db.tx((tx) => giveBack(ctx, tx, { clientReference: body.client_reference, reason, at }))
    if (!receipt) throw new Refusal('wrong-state', 'no successful transfer has this reference, or it came back before')
    return answer(201, receiptToWire(ctx, receipt))
  },
})

interface ReturnJob {
  clientReference: string
}

/** Queues the return of a transfer, in the transaction that lets it succeed. */
export async function enqueueReturn(
  { bank }: BankContext,
  tx: Tx,
  { clientReference, transferId }: Pick<TransferRow, 'clientReference' | 'transferId'>,
  at: Date,
): Promise<void> {
  const payload: ReturnJob = { clientReference }
  const dueAt = secondsAfter(at, bank.settleSeconds * returnFactor)
  await enqueue(tx, { tenantId: transferId, kind: returnQueue, key: transferId, payload, dueAt })
}

export const returnWorker = (ctx: BankContext): Worker =>
  work<ReturnJob>({
    kind: returnQueue,
    ...ctx,
    async handle({ payload: { clientReference } }) {
      await ctx.db.tx((tx) => giveBack(ctx, tx, { clientReference, reason: accountClosed, at: ctx.clock() }))
    },
  })

interface GivenBack {
  clientReference: string
  reason: string
  at: Date
}

/** Credits the transfer's amount to the lender's account, once. Undefined if there is nothing to give back. */
async function giveBack(
  { seal }: BankContext,
  tx: Tx,
  { clientReference, reason, at }: GivenBack,
): Promise<Omit<ReceiptRow, 'number'> | undefined> {
  const transfer = await lockPaidTransfer(tx, clientReference)
  if (!transfer || transfer.returnedAt !== null) return undefined
  const order = seal.openJson<TransferRequest>(transfer.requestSealed, `bank_transfer ${clientReference}`)
  const receiptId = uuidv7(at.getTime())
  const receipt: Omit<ReceiptRow, 'number'> = {
    receiptId,
    method: order.mode,
    transactionReference: bankReference(at),
    amountPaise: transfer.amountPaise,
    valueOn: businessDate(at),
    payerSealed: seal.json(order.beneficiary.holder_name, payerContext(receiptId)),
    remark: `RETURN ${clientReference}`,
    returnOf: clientReference,
    returnCode: reason,
    at,
    holder: transfer.holder,
  }
  await addReceipt(tx, receipt)
  await saveReturn(tx, clientReference, at)
  return receipt
}

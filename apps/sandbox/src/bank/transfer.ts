// Transfers from the lender's account: ordered once per reference, and ended after a delay.

import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { Type } from '@lendloom/foundation/schema'
import { answer } from '@lendloom/http/server'
import { rupees } from '@lendloom/lending/money'
import { enqueue, finish, type Worker, work } from '@lendloom/queue/queue'
import { uuidv7 } from '@lendloom/seal/id'
import {
  AccountCheck,
  AccountCheckRequest,
  BankError,
  Transfer,
  TransferRequest,
  type Transfer as TransferWire,
} from '@lendloom/wire/bank/bank'
import { paiseOf } from '@lendloom/wire/exchange/fields'
import { requestDigest } from '#sandbox/core/request-digest.ts'
import { answerLate, type BankContext, bankRoute } from './bank-route.ts'
import { scenarioFor } from './fault-rules.ts'
import { enqueueReturn } from './returned-transfer.ts'
import { endTransfer, findTransfer, storeTransfer, type TransferRow } from './store.ts'
import { bankReference } from './transaction-reference.ts'

const transferKind = 'bank-transfer'
/** How many times as long a transfer takes under the fault rule `transfer-slow`. */
const slowFactor = 10

export const orderTransfer = bankRoute({
  method: 'POST',
  path: '/bank/transfers',
  summary: 'Orders a transfer; idempotent by reference',
  body: TransferRequest,
  reply: { 202: Transfer, 409: BankError },
  async handle({ who, body, at }, ctx) {
    const { db, seal } = ctx
    const scenario = scenarioFor(body.beneficiary.account_number, body.pan)
    const transferId = uuidv7(at.getTime())
    const order: TransferRow = {
      clientReference: body.client_reference,
      transferId,
      requestDigest: requestDigest(seal, body, 'bank transfer'),
      amountPaise: paiseOf(body.amount),
      status: 'PENDING',
      scenario,
      bankReference: null,
      reasonCode: null,
      updatedAt: at,
    }
    const isNew = await db.tx(async (tx) => {
      const requestSealed = seal.json(body, `bank_transfer ${body.client_reference}`)
      if (!(await storeTransfer(tx, { ...order, ...who, requestSealed }))) return false
      const seconds = ctx.bank.settleSeconds * (scenario === 'transfer-slow' ? slowFactor : 1)
      const payload: TransferEndJob = { clientReference: body.client_reference }
      await enqueue(tx, {
        tenantId: transferId,
        kind: transferKind,
        key: transferId,
        payload,
        dueAt: secondsAfter(at, seconds),
      })
      return true
    })
    if (isNew && scenario === 'transfer-silent') return answerLate(ctx)
    const stored = required(await findTransfer(db, body.client_reference), 'transfer that was ordered')
    if (!stored.requestDigest.equals(order.requestDigest))
      throw new Refusal('reused-key', 'another transfer was ordered under this reference')
    return answer(202, transferToWire(stored))
  },
})

export const enquireTransfer = bankRoute({
  method: 'GET',
  path: '/bank/transfers/{reference}',
  summary: 'The status of a transfer',
  params: Type.Object({ reference: Type.String() }),
  reply: { 200: Transfer, 404: BankError },
  async handle({ params }, { db }) {
    const transfer = await findTransfer(db, params.reference)
    if (!transfer) throw new Refusal('absent', 'no transfer was ordered under this reference')
    return transferToWire(transfer)
  },
})

export const checkAccount = bankRoute({
  method: 'POST',
  path: '/bank/account-checks',
  summary: "Sends one rupee to an account and returns its owner's name",
  body: AccountCheckRequest,
  reply: { 200: AccountCheck },
  handle({ body, at }) {
    const { reference, account, pan } = body
    const scenario = scenarioFor(account.account_number, pan)
    if (scenario === 'no-account')
      return {
        reference,
        status: 'INVALID',
        registered_name: null,
        bank_reference: null,
        reason_code: 'ACCOUNT_DOES_NOT_EXIST',
      }
    const registered_name = scenario === 'other-name' ? 'PRAKASH TANDON' : account.holder_name.toUpperCase()
    return { reference, status: 'VALID', registered_name, bank_reference: bankReference(at), reason_code: null }
  },
})

interface TransferEndJob {
  clientReference: string
}

/** Ends transfers when they are due. */
export function transferWorker(ctx: BankContext): Worker {
  const { db, clock, log } = ctx
  return work<TransferEndJob>({
    kind: transferKind,
    db,
    clock,
    log,
    async handle(job) {
      const { clientReference } = job.payload
      const transfer = required(await findTransfer(db, clientReference), 'transfer to end')
      const { scenario } = transfer
      const at = clock()
      await db.tx(async (tx) => {
        const outcome =
          scenario === 'transfer-failed'
            ? { status: 'FAILED' as const, bankReference: null, reasonCode: 'ACCOUNT_CLOSED' }
            : { status: 'SUCCESS' as const, bankReference: bankReference(at), reasonCode: null }
        await endTransfer(tx, clientReference, outcome, at)
        if (scenario === 'transfer-returned') await enqueueReturn(ctx, tx, transfer, at)
        await finish(tx, job)
      })
    },
  })
}

const transferToWire = (transfer: TransferRow): TransferWire => ({
  client_reference: transfer.clientReference,
  status: transfer.status,
  amount: rupees(transfer.amountPaise),
  currency: 'INR',
  bank_reference: transfer.bankReference,
  reason_code: transfer.reasonCode,
  updated_at: transfer.updatedAt.toISOString(),
})

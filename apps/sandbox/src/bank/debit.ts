// Debits by mandate: presented once per reference, with one or two results, and a list of all results.

import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { Type } from '@lendloom/foundation/schema'
import { answer } from '@lendloom/http/server'
import { businessDate } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { enqueue, finish, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { uuidv7 } from '@lendloom/seal/id'
import {
  After,
  BankDebit,
  BankError,
  DebitRequest,
  DebitResults,
  type DebitResult as ResultWire,
} from '@lendloom/wire/bank/bank'
import { paiseOf } from '@lendloom/wire/exchange/fields'
import { requestDigest } from '#sandbox/core/request-digest.ts'
import { answerLate, type BankContext, bankRoute } from './bank-route.ts'
import { bankRailOf, faultOf, sessionEnd } from './debit-rail-rules.ts'
import { type DebitOutcome, outcomesOf, returned, scenarioFor } from './fault-rules.ts'
import {
  addResult,
  countDebits,
  countTries,
  type DebitRow,
  findDebit,
  findMandate,
  findNotice,
  type ResultRow,
  resultsAfter,
  resultsOf,
  storeDebit,
} from './store.ts'
import { bankReference } from './transaction-reference.ts'

const debitKind = 'bank-debit'
/** Results in one answer. */
const pageSize = 200

export const presentDebit = bankRoute({
  method: 'POST',
  path: '/bank/debits',
  summary: 'Presents a debit; idempotent by reference',
  body: DebitRequest,
  reply: { 202: BankDebit, 409: BankError },
  async handle({ who, body, at }, ctx) {
    const { db, seal } = ctx
    const { account_number } = body.debtor
    const scenario = scenarioFor(account_number, body.pan)
    const debit: DebitRow = {
      reference: body.reference,
      debitId: uuidv7(at.getTime()),
      requestDigest: requestDigest(seal, body, 'bank debit'),
      accountDigest: seal.digest(account_number, 'bank account'),
      umrn: body.umrn,
      amountPaise: paiseOf(body.amount),
      collectionOn: body.collection_date,
      scenario,
      createdAt: at,
      holder: who.holder,
    }
    const isNew = await db.tx(async (tx) => {
      const earlier = await countDebits(tx, debit.accountDigest)
      const requestSealed = seal.json(body, `bank_debit ${body.reference}`)
      if (!(await storeDebit(tx, { ...debit, requestSealed }))) return false
      await scheduleResults(tx, ctx, { debit, outcomes: await outcomesFor(tx, debit, earlier, at) }, at)
      return true
    })
    if (isNew && scenario === 'debit-silent') return answerLate(ctx)
    const stored = required(await findDebit(db, body.reference), 'debit that was presented')
    if (!stored.requestDigest.equals(debit.requestDigest))
      throw new Refusal('reused-key', 'another debit was presented under this reference')
    return answer(202, await debitToWire(db, stored))
  },
})

/** A debit that breaks a rule of its rail is returned at once; the fault rules decide about others. */
async function outcomesFor(tx: Tx, debit: DebitRow, earlier: number, at: Date): Promise<DebitOutcome[]> {
  const { umrn, collectionOn, scenario } = debit
  const [mandate, notice, tries] = await Promise.all([
    findMandate(tx, umrn),
    findNotice(tx, umrn, collectionOn),
    countTries(tx, umrn, collectionOn),
  ])
  // The debit itself is stored already.
  const fault = faultOf(debit, { mandate, notice, earlierTries: tries - 1 }, at)
  if (fault !== null) return [{ ...returned(fault), after: 0 }]
  const { returnCodes } = bankRailOf(umrn)
  return outcomesOf(scenario, earlier).map((each) => ({
    ...each,
    code: each.code && (returnCodes[each.code] ?? each.code),
  }))
}

interface ResultJob {
  reference: string
  sequence: number
  status: 'CONFIRMED' | 'RETURNED'
  code: string | null
}

interface ScheduledDebit {
  debit: DebitRow
  outcomes: DebitOutcome[]
}

/** Queues the results of a debit, each some time after the one before. */
async function scheduleResults(
  tx: Tx,
  { bank }: BankContext,
  { debit, outcomes }: ScheduledDebit,
  at: Date,
): Promise<void> {
  let dueAt = bank.hasSessions && outcomes.some(({ after }) => after > 0) ? sessionEnd(debit.umrn, at) : at
  for (const [i, { after, status, code }] of outcomes.entries()) {
    dueAt = secondsAfter(dueAt, after * bank.settleSeconds)
    const payload: ResultJob = { reference: debit.reference, sequence: i + 1, status, code }
    const key = `${debit.debitId} ${i}`
    await enqueue(tx, { tenantId: debit.debitId, kind: debitKind, key, payload, dueAt })
  }
}

/** Enters the results of debits when they are due. */
export const debitWorker = ({ db, clock, log }: BankContext): Worker =>
  work<ResultJob>({
    kind: debitKind,
    db,
    clock,
    log,
    async handle(job) {
      const { reference, sequence, status, code } = job.payload
      const at = clock()
      await db.tx(async (tx) => {
        // A bank reports the results of a debit in order. Wait for the earlier one.
        if ((await resultsOf(tx, reference)).length < sequence - 1)
          throw new RetryLater(0.1, 'an earlier result is not recorded yet')
        const resultId = uuidv7(at.getTime())
        const valueOn = businessDate(at)
        const bankReferenceOfResult = status === 'CONFIRMED' ? bankReference(at) : null
        await addResult(tx, {
          resultId,
          reference,
          sequence,
          status,
          returnCode: code,
          bankReference: bankReferenceOfResult,
          valueOn,
          at,
        })
        await finish(tx, job)
      })
    },
  })

export const enquireDebit = bankRoute({
  method: 'GET',
  path: '/bank/debits/{reference}',
  summary: 'The results of a debit, by its reference',
  params: Type.Object({ reference: Type.String() }),
  reply: { 200: BankDebit, 404: BankError },
  async handle({ params }, { db }) {
    const debit = await findDebit(db, params.reference)
    if (!debit) throw new Refusal('absent', 'no debit was presented under this reference')
    return debitToWire(db, debit)
  },
})

export const listResults = bankRoute({
  method: 'GET',
  path: '/bank/debit-results',
  summary: 'The results of all debits, in the order of their entry',
  query: After,
  reply: { 200: DebitResults },
  async handle({ who, query }, { db }) {
    const after = BigInt(query.after ?? '0')
    const rows = await resultsAfter(db, who.holder, after, pageSize)
    return { items: rows.map(resultToWire), next: String(rows.at(-1)?.number ?? after) }
  },
})

async function debitToWire(db: Run, debit: DebitRow) {
  return {
    reference: debit.reference,
    provider_reference: debit.debitId,
    amount: rupees(debit.amountPaise),
    currency: 'INR',
    results: (await resultsOf(db, debit.reference)).map(resultToWire),
  }
}

const resultToWire = (row: ResultRow): ResultWire => ({
  result_id: row.resultId,
  reference: row.reference,
  sequence: row.sequence,
  status: row.status,
  return_code: row.returnCode,
  bank_reference: row.bankReference,
  value_date: row.valueOn,
  at: row.at.toISOString(),
})

// Property: the money of a debit is posted once, even if the bank's results arrive repeatedly, late or out of order.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate } from '@lendloom/lending/calendar'
import { uuidv4 } from '@lendloom/seal/id'
import { openCollections } from '@lendloom/tests/setup/collection'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import type { DebitResult } from '@lendloom/wire/bank/bank'
import { checkPayment } from '@lendloom/wire/exchange/account'
import fc from 'fast-check'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { readPayments } from '#partner/servicing/collection/payment-store.ts'
import { paymentsOf } from '#partner/servicing/collection/reported-payments.ts'
import { accountOf } from '#partner/servicing/loan/account-view.ts'
import { applyDebitResult } from './apply-debit-result.ts'
import { prepareDebit } from './prepare-debit.ts'

const open = await openCollections()
const { ctx } = open
const { db } = ctx

/** Sequences of results that a bank may report for one debit: `C` is a confirmation, a number the code of a return. */
const histories = ['C', '04', '01', '98 C', '98 C 04', 'C 04', 'C 17', '13 C', '31 13 C', '13 04', '04 98', '98 04 C']

const resultsOf = (reference: string, history: string): DebitResult[] =>
  history.split(' ').map((code, i) => ({
    result_id: uuidv4(),
    reference,
    sequence: i + 1,
    status: code === 'C' ? 'CONFIRMED' : 'RETURNED',
    return_code: code === 'C' ? null : code,
    bank_reference: code === 'C' ? `SBXB${uuidv4().slice(0, 8)}` : null,
    value_date: businessDate(ctx.clock()),
    at: ctx.clock().toISOString(),
  }))

/** Deliveries in which every result arrives at least once. `concurrent`: how many arrive at the same time. */
const deliveries = fc
  .record({ history: fc.constantFrom(...histories), concurrent: fc.integer({ min: 1, max: 5 }) })
  .chain(({ history, concurrent }) => {
    const indexes = history.split(' ').map((_, i) => i)
    const extra = fc.array(fc.constantFrom(...indexes), { maxLength: 4 })
    return extra.chain((repeats) => {
      const all = [...indexes, ...repeats]
      return fc.record({
        history: fc.constant(history),
        concurrent: fc.constant(concurrent),
        order: fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
      })
    })
  })

test('D3 §6.7: the money is posted once if the last result is a confirmation, in any order of arrival', async () => {
  const law = fc.asyncProperty(deliveries, async ({ history, order, concurrent }) => {
    const caseRef = await open.disbursedLoan()
    const before = await balancesOf(db, caseRef)
    const plan = await prepareDebit(ctx, caseRef, ctx.clock())
    assert.ok('amountPaise' in plan)
    const [payment] = await readPayments(db, caseRef)
    const bankResults = resultsOf(payment!.collectionId!, history)
    for (let i = 0; i < order.length; i += concurrent)
      await Promise.all(order.slice(i, i + concurrent).map((index) => applyDebitResult(ctx, bankResults[index]!)))

    const expectedPaise = history.endsWith('C') ? plan.amountPaise : 0n
    const { BANK } = await balancesOf(db, caseRef)
    assert.equal(BANK - before.BANK, expectedPaise, 'the money in the bank')
    const account = (await accountOf(db, caseRef))!
    const paid = account.schedule.installments.reduce((sum, row) => sum + row.paidPaise, 0n)
    assert.equal(paid, expectedPaise, 'the money on the instalments')

    const payments = await paymentsOf(db, caseRef)
    for (const each of payments) assert.deepEqual(checkPayment(each), [])
    const count = (status: string) => payments.filter((each) => each.status === status).length
    assert.ok(count('POSTED') <= 1 && count('REVERSED') <= 1)
    assert.equal(count('POSTED') - count('REVERSED'), expectedPaise > 0n ? 1 : 0)
    const updates = await open.eventData(caseRef, 'PAYMENT_UPDATED')
    assert.ok(updates.filter(({ status }) => status === 'POSTED').length <= 1, 'POSTED is reported once')
    const stored = await db`select 1 from bank_result where reference = ${payment!.collectionId!}`
    assert.equal(stored.length, bankResults.length, 'every result is stored once')
  })
  await fc.assert(law, { numRuns: roundsOf(120), endOnFailure: true })
})

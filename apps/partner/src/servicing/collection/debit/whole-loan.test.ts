// Collects a loan from the first to the last of its 22 weekly debits.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate } from '@lendloom/lending/calendar'
import { paiseFrom, rupees } from '@lendloom/lending/money'
import { openCollections } from '@lendloom/tests/setup/collection'
import { until } from '@lendloom/tests/setup/programs'
import { isDebit } from '#partner/servicing/collection/payment.ts'
import { readPayments } from '#partner/servicing/collection/payment-store.ts'
import { paymentsOf } from '#partner/servicing/collection/reported-payments.ts'
import { accountOf } from '#partner/servicing/loan/account-view.ts'
import { applyDebitResult } from './apply-debit-result.ts'
import { prepareDebit } from './prepare-debit.ts'
import { debitWorker, enquireCollection } from './present-debit.ts'

const open = await openCollections()
const { ctx } = open
const { db } = ctx
open.runWorkers(debitWorker)

test('D3 §8: 22 weekly debits close the loan at zero, and a return of the last debit reopens the loan', async () => {
  const caseRef = await open.disbursedLoan('1234', { mandate: { frequency: 'WEEK' } })
  for (let week = 1; week <= 22; week++) {
    if (week > 1) open.advanceClock({ days: 7 })
    const plan = await prepareDebit(ctx, caseRef, ctx.clock())
    assert.ok('amountPaise' in plan, `week ${week}: ${'blocked' in plan && plan.blocked}`)
    await until(`week ${week} posted`, async () => {
      const payment = (await readPayments(db, caseRef)).filter(isDebit).at(-1)!
      if (payment.status === 'SUBMITTED') await enquireCollection(ctx, payment)
      return payment.status === 'POSTED'
    })
  }
  const account = (await accountOf(db, caseRef))!
  const { installments } = account.schedule
  assert.equal(account.loanStatus, 'CLOSED')
  assert.equal(account.soa.totalPaise, 0n)
  assert.ok(installments.every(({ status }) => status === 'PAID'))
  const payments = await paymentsOf(db, caseRef)
  assert.deepEqual(
    payments.map(({ status, amount, installment_ids }) => ({ status, amount, installment_ids })),
    installments.map(({ amountPaise, installmentId }) => ({
      status: 'POSTED',
      amount: rupees(amountPaise),
      installment_ids: [installmentId],
    })),
  )
  assert.equal(new Set(payments.map(({ collection_id }) => collection_id)).size, 22)
  const statuses = (await open.eventData(caseRef, 'LOAN_STATUS_UPDATED')).map(({ loan_status }) => loan_status)
  assert.deepEqual(statuses, [...Array(21).fill('ACTIVE'), 'CLOSED'])
  assert.deepEqual(await prepareDebit(ctx, caseRef, ctx.clock()), { blocked: 'NOTHING_DUE' })

  const last = (await readPayments(db, caseRef)).at(-1)!
  await applyDebitResult(ctx, {
    result_id: 'late',
    reference: last.collectionId!,
    sequence: last.resultSequence + 1,
    status: 'RETURNED',
    return_code: '04',
    bank_reference: null,
    value_date: businessDate(ctx.clock()),
    at: ctx.clock().toISOString(),
  })
  const reopened = (await accountOf(db, caseRef))!
  assert.notEqual(reopened.loanStatus, 'CLOSED')
  const unpaid = reopened.schedule.installments.filter(({ status }) => status !== 'PAID')
  assert.deepEqual(
    unpaid.map(({ installmentId, unpaidPaise }) => ({ installmentId, unpaidPaise })),
    [{ installmentId: installments[21]!.installmentId, unpaidPaise: paiseFrom(payments[21]!.amount) }],
  )
  const update = (await open.eventData(caseRef, 'LOAN_STATUS_UPDATED')).at(-1)!
  assert.equal(update.loan_status, reopened.loanStatus)
  assert.equal(update.reason_code, 'RECEIPT_REVERSED')
})

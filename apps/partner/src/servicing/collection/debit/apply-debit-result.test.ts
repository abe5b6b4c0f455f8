// Debits while an agreement to settle the loan for less is open.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { openCollections } from '@lendloom/tests/setup/collection'
import { until } from '@lendloom/tests/setup/programs'
import { lockCase } from '#partner/origination/case/store.ts'
import { isDebit } from '#partner/servicing/collection/payment.ts'
import { readPayments } from '#partner/servicing/collection/payment-store.ts'
import { accountOf } from '#partner/servicing/loan/account-view.ts'
import { dayEnd } from '#partner/servicing/loan/day-end.ts'
import { postReceipt } from '#partner/servicing/loan/post-receipt.ts'
import { agreeSettlement } from '#partner/servicing/loan/settlement/agree-settlement.ts'
import { prepareDebit } from './prepare-debit.ts'
import { debitWorker, enquireCollection } from './present-debit.ts'

const open = await openCollections()
const { ctx } = open
const { db } = ctx

test('D3 §6.7: a debit takes no more than what is left of the agreed sum', async () => {
  const caseRef = await open.disbursedLoan('1234', { daysAgo: 10 })
  const today = businessDate(ctx.clock())
  await dayEnd(ctx, plusDays(today, -1), async () => {})
  const act = <T>(run: (tx: Parameters<typeof lockCase>[0]) => Promise<T>) =>
    db.tx(async (tx) => {
      await lockCase(tx, caseRef)
      return run(tx)
    })
  const agreed = { paise: 1_500_00n, until: plusDays(today, 9), today }
  await act((tx) => agreeSettlement(tx, caseRef, agreed, ctx.clock()))
  const first = { caseRef, paymentId: 'first', paise: 500_00n, valueOn: today }
  await act((tx) => postReceipt(tx, first, ctx.clock()))
  const plan = await prepareDebit(ctx, caseRef, ctx.clock())
  assert.equal('amountPaise' in plan && plan.amountPaise, 1_000_00n)
  assert.deepEqual(await prepareDebit(ctx, caseRef, ctx.clock()), { blocked: 'ATTEMPT_PENDING' })
  open.runWorkers(debitWorker)
  await until('the debit is posted', async () => {
    const payment = (await readPayments(db, caseRef)).filter(isDebit).at(-1)!
    if (payment.status === 'SUBMITTED') await enquireCollection(ctx, payment)
    return payment.status === 'POSTED'
  })
  const { loanStatus, unappliedPaise } = (await accountOf(db, caseRef))!
  assert.equal(loanStatus, 'CLOSED')
  assert.equal(unappliedPaise, 0n)
})

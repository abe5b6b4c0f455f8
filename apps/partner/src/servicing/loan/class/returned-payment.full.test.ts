// A returned payment is no payment: date, class and decision are as if it had never arrived.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import { disbursedOn, testAccounts } from '@lendloom/tests/setup/account'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { bureauFigures } from '#partner/records/report/bureau-report.ts'
import { loansAfter } from '#partner/records/report/store.ts'
import { insertReminders } from '#partner/servicing/collection/arrears/store.ts'
import { agreeSettlement } from '#partner/servicing/loan/settlement/agree-settlement.ts'
import { decideLoss } from './classify.ts'
import { classesOf, lastBusinessDay } from './store.ts'

const day = (number: number): string => plusDays(disbursedOn, number)

async function book() {
  const accounts = await testAccounts()
  const { open, receive, reverse, endDay, view, setClock, act, db } = accounts
  const startDay = (number: number) => setClock(new Date(`${day(number)}T06:00:00.000Z`))
  return {
    ...accounts,
    open: () => open(),
    startDay,
    endDay: (number: number) => endDay(day(number)),
    payArrears: async (caseRef: string, number: number, paymentId: string) =>
      receive(caseRef, (await view(caseRef)).soa.overduePaise, day(number), paymentId),
    takeBack: (caseRef: string, number: number, paymentId: string) => reverse(caseRef, paymentId, day(number)),
    decideLoss: (caseRef: string, number: number) =>
      act(caseRef, (tx) => decideLoss(tx, { caseRef, decidedBy: 'meera', remark: 'The shop burnt.', on: day(number) })),
    classOf: async (caseRef: string) => {
      const { assetClass, npaOn } = await view(caseRef)
      return { assetClass, npaOn }
    },
    provision: async () => (await lastBusinessDay(db))?.provisionPaise,
  }
}

test('RBI, upgrading: a returned payment restores the date and class of a doubtful loan, and its provision', async () => {
  const { open, startDay, endDay, payArrears, takeBack, classOf, provision } = await book()
  const returned = await open()
  const never = await open()
  startDay(530)
  await endDay(529)
  assert.equal((await classOf(returned)).assetClass, 'DOUBTFUL_1')
  const provisionBefore = await provision()
  await payArrears(returned, 530, 'all')
  await endDay(530)
  assert.equal((await classOf(returned)).assetClass, 'STANDARD')
  startDay(531)
  await takeBack(returned, 531, 'all')
  await endDay(531)
  assert.deepEqual(await classOf(returned), await classOf(never))
  assert.equal(await provision(), provisionBefore)
})

test('RBI, loss: a returned payment restores the decision of the people who decided it', async () => {
  const { db, open, startDay, endDay, payArrears, takeBack, classOf, decideLoss } = await book()
  const caseRef = await open()
  startDay(120)
  await endDay(119)
  await decideLoss(caseRef, 120)
  const { npaOn } = await classOf(caseRef)
  await payArrears(caseRef, 120, 'all')
  await endDay(120)
  assert.equal((await classOf(caseRef)).assetClass, 'STANDARD')
  startDay(150)
  await takeBack(caseRef, 150, 'all')
  await endDay(150)
  assert.deepEqual(await classOf(caseRef), { assetClass: 'LOSS', npaOn })
  const [current] = await classesOf(db, caseRef)
  assert.equal(current?.reason, 'DECISION')
  assert.equal(current?.decidedBy, 'meera')
  assert.equal(current?.remark, 'The shop burnt.')
})

test('RBI, upgrading: a rest within the tolerance does not bring an ended NPA or loss back', async () => {
  const { open, receive, view, startDay, endDay, classOf, decideLoss } = await book()
  const exact = await open()
  const paisaLess = await open()
  const rupeesLess = await open()
  startDay(102)
  await endDay(101)
  await decideLoss(rupeesLess, 102)
  for (const [caseRef, rest] of [
    [exact, 0n],
    [paisaLess, 1n],
    [rupeesLess, 9_00n],
  ] as const)
    await receive(caseRef, (await view(caseRef)).soa.overduePaise - rest, day(102))
  for (let number = 102; number <= 105; number++) {
    startDay(number)
    await endDay(number)
  }
  const { assetClass } = await classOf(exact)
  assert.equal(assetClass, 'SMA_0')
  for (const caseRef of [paisaLess, rupeesLess]) assert.deepEqual(await classOf(caseRef), { assetClass, npaOn: null })
})

test('RBI, upgrading: a settlement that a return undoes leaves the loan as non-performing as before', async () => {
  const { act, open, receive, startDay, endDay, takeBack, classOf } = await book()
  const caseRef = await open()
  startDay(500)
  await endDay(499)
  const before = await classOf(caseRef)
  const today = day(500)
  await act(caseRef, (tx, at) => agreeSettlement(tx, caseRef, { paise: 50_000_00n, until: today, today }, at))
  await receive(caseRef, 50_000_00n, today, 'sum')
  await endDay(500)
  assert.equal((await classOf(caseRef)).assetClass, 'STANDARD')
  startDay(504)
  await takeBack(caseRef, 504, 'sum')
  await endDay(504)
  assert.deepEqual(await classOf(caseRef), before)
})

test('RBI, upgrading: a paid-up borrower whose last payment is returned is non-performing since the first arrears', async () => {
  const { open, receive, startDay, endDay, payArrears, takeBack, classOf } = await book()
  const caseRef = await open()
  startDay(150)
  await endDay(149)
  const before = await classOf(caseRef)
  await receive(caseRef, 4790_00n * 10n, day(150), 'most')
  await endDay(150)
  startDay(151)
  await payArrears(caseRef, 151, 'rest')
  await endDay(151)
  assert.equal((await classOf(caseRef)).assetClass, 'STANDARD')
  startDay(152)
  await takeBack(caseRef, 152, 'rest')
  await endDay(152)
  assert.deepEqual(await classOf(caseRef), before, 'only the last of two payments was returned')
})

test('RBI, upgrading: a part payment on the day of the return does not hide that the arrears were never all paid', async () => {
  const { open, receive, startDay, endDay, payArrears, takeBack, classOf } = await book()
  const returned = await open()
  const never = await open()
  startDay(120)
  await endDay(119)
  await payArrears(returned, 120, 'all')
  await endDay(120)
  assert.equal((await classOf(returned)).assetClass, 'STANDARD')
  await endDay(133)
  startDay(134)
  await takeBack(returned, 134, 'all')
  for (const caseRef of [returned, never]) await receive(caseRef, 4790_00n * 18n, day(134), `${caseRef}-part`)
  await endDay(134)
  assert.equal((await classOf(never)).assetClass, 'SUB_STANDARD')
  assert.deepEqual(await classOf(returned), await classOf(never))
})

test('RBI, asset classification: with payments that come back on any later day, the class is that of a twin without them', async () => {
  const { open, startDay, endDay, payArrears, takeBack, classOf } = await book()
  const twin = await open()
  const planOf = fc.record({
    /** Days on which all arrears are paid, each with the days until the bank takes the payment back. */
    payments: fc.array(
      fc.record({ on: fc.integer({ min: 8, max: 500 }), heldDays: fc.integer({ min: 0, max: 200 }) }),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
  })
  const plans = fc.sample(planOf, roundsOf(40))
  const loans: { caseRef: string; plan: (typeof plans)[number] }[] = []
  for (const plan of plans) loans.push({ caseRef: await open(), plan })
  const lastReturn = Math.max(...plans.flatMap(({ payments }) => payments.map(({ on, heldDays }) => on + heldDays)))
  for (let number = 8; number <= lastReturn; number++) {
    startDay(number)
    for (const { caseRef, plan } of loans)
      for (const [i, { on, heldDays }] of plan.payments.entries()) {
        if (on === number) await payArrears(caseRef, number, `${caseRef}-${i}`).catch(isNothingOverdue)
        if (on + heldDays === number) await takeBack(caseRef, number, `${caseRef}-${i}`).catch(isUnknownReceipt)
      }
    await endDay(number)
  }
  for (const { caseRef, plan } of loans)
    assert.deepEqual(await classOf(caseRef), await classOf(twin), JSON.stringify(plan))
})

function isNothingOverdue(error: Error): void {
  assert.match(error.message, /amount|paise|positive|zero/i)
}
function isUnknownReceipt(error: Error): void {
  assert.match(error.message, /no such receipt/)
}

test('RBI, asset classification: a rest within the tolerance is not past due, and upgrades a non-performing loan', async () => {
  const { db, open, receive, startDay, endDay, view, classOf } = await book()
  const paisa = await open()
  const beyond = await open()
  startDay(8)
  await endDay(7)
  await receive(paisa, 4789_99n, day(8), 'all but a paisa')
  await receive(beyond, 4779_99n, day(8), 'all but ten rupees and a paisa')
  for (let number = 14; number <= 112; number += 7) {
    startDay(number)
    for (const caseRef of [paisa, beyond]) {
      const { soa } = await view(caseRef)
      const rest = caseRef === paisa ? 1n : 10_01n
      await receive(caseRef, soa.overduePaise + 4790_00n - rest, day(number), `${caseRef} ${number}`)
    }
    await endDay(number)
  }
  assert.equal((await classOf(paisa)).assetClass, 'STANDARD')
  assert.notEqual((await classOf(beyond)).assetClass, 'STANDARD')

  const reported = await loansAfter(db, { closedSince: day(112), after: '', limit: 10, tolerance: 10_00n })
  const daysReported = (caseRef: string): number =>
    bureauFigures(reported.find((each) => each.caseRef === caseRef)!, day(112)).daysPastDue
  assert.equal(daysReported(paisa), 0, 'the bureau hears of no day past due')
  assert.ok(daysReported(beyond) > 0)

  /** On day 112 an instalment falls due, and the one before it counts since a week. */
  for (const number of [112, 113]) {
    const days = { on: day(number), tolerance: 10_00n, before: [], after: [1, 7], afterDebits: [] }
    const reminded = await db.tx((tx) => insertReminders(tx, days, startOf(day(number))))
    assert.ok(!reminded.some(({ caseRef }) => caseRef === paisa), `no reminder of a paisa on day ${number}`)
  }
})

test('RBI, asset classification: a rest within the tolerance does not age: a later missed day counts from that day', async () => {
  const { db, open, receive, startDay, endDay, takeBack, classOf } = await book()
  const rest = await open()
  for (let number = 7; number <= 119; number += 7) {
    startDay(number)
    if (number > 7) await receive(rest, 4790_00n, day(number), `instalment ${number}`)
    else {
      await receive(rest, 4785_00n, day(number), 'most')
      await receive(rest, 5_00n, day(number), 'five rupees')
    }
    await endDay(number)
  }
  startDay(120)
  await takeBack(rest, 120, 'five rupees')
  await endDay(120)
  assert.equal((await classOf(rest)).assetClass, 'STANDARD')
  startDay(126)
  await endDay(126)
  assert.deepEqual(await classOf(rest), { assetClass: 'SMA_0', npaOn: null })
  const [reported] = await loansAfter(db, { closedSince: day(126), after: '', limit: 1, tolerance: 10_00n })
  assert.equal(bureauFigures(reported!, day(126)).daysPastDue, 1, 'the bureau hears of one day')
})

// Asset classes as in both illustrations of the RBI's clarification of 12 November 2021, and their effect on income
// and provisions.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { plusDays } from '@lendloom/lending/calendar'
import { inr } from '@lendloom/lending/money'
import { testAccounts } from '@lendloom/tests/setup/account'
import type { ChartAccount } from '#partner/books/ledger/chart.ts'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { readEntries } from '#partner/books/ledger/store.ts'
import { agreeSettlement } from '#partner/servicing/loan/settlement/agree-settlement.ts'
import { waiveDues } from '#partner/servicing/loan/waiver.ts'
import { type Arrears, type AssetClass, assetClasses, classOn } from './asset-class.ts'
import { classifyLoans, decideLoss, portfolioCase, provisionOn } from './classify.ts'
import { classesOf, classesOfBook, classesOnDay, lastBusinessDay } from './store.ts'

function classChanges(dueOn: string, days: number, arrearsOn: (day: string) => Partial<Arrears> = () => ({})) {
  const changes: { day: string; assetClass: AssetClass }[] = []
  let npaOn: string | null = null
  for (let day = plusDays(dueOn, -1), i = 0; i < days; i++, day = plusDays(day, 1)) {
    const result = classOn({ oldestDueOn: dueOn, npaOn, isLoss: false, awaitsPayment: false, ...arrearsOn(day) }, day)
    npaOn = result.npaOn
    const { assetClass } = result
    if (assetClass !== (changes.at(-1)?.assetClass ?? 'STANDARD')) changes.push({ day, assetClass })
  }
  return changes
}

test('RBI, 12 November 2021: the day-end of the due date is the first day past due, as in both illustrations', () => {
  assert.deepEqual(classChanges('2021-03-31', 120), [
    { day: '2021-03-31', assetClass: 'SMA_0' },
    { day: '2021-04-30', assetClass: 'SMA_1' },
    { day: '2021-05-30', assetClass: 'SMA_2' },
    { day: '2021-06-29', assetClass: 'SUB_STANDARD' },
  ])
  assert.deepEqual(classChanges('2021-12-01', 120), [
    { day: '2021-12-01', assetClass: 'SMA_0' },
    { day: '2021-12-31', assetClass: 'SMA_1' },
    { day: '2022-01-30', assetClass: 'SMA_2' },
    { day: '2022-03-01', assetClass: 'SUB_STANDARD' },
  ])
})

test('RBI, asset classification: a loan is sub-standard for 12 months, then moves through three doubtful classes', () => {
  assert.deepEqual(classChanges('2021-12-01', 365 * 6).slice(3), [
    { day: '2022-03-01', assetClass: 'SUB_STANDARD' },
    { day: '2023-03-01', assetClass: 'DOUBTFUL_1' },
    { day: '2024-03-01', assetClass: 'DOUBTFUL_2' },
    { day: '2026-03-01', assetClass: 'DOUBTFUL_3' },
  ])
  const npaOnLeapDay = { oldestDueOn: '2023-12-01', npaOn: '2024-02-29', isLoss: false, awaitsPayment: false }
  assert.equal(classOn(npaOnLeapDay, '2025-02-27').assetClass, 'SUB_STANDARD')
  assert.equal(classOn(npaOnLeapDay, '2025-02-28').assetClass, 'DOUBTFUL_1')
})

test('RBI, upgrading: a part payment upgrades a special mention account, but not a non-performing loan', () => {
  const paidInPart = (day: string) => (day >= '2021-07-10' ? { oldestDueOn: '2021-07-01' } : {})
  assert.deepEqual(classChanges('2021-03-31', 140, paidInPart).at(-1), {
    day: '2021-06-29',
    assetClass: 'SUB_STANDARD',
  })
  const paid = (day: string) => (day >= '2021-07-10' ? { oldestDueOn: '2021-08-01' } : {})
  assert.deepEqual(classChanges('2021-03-31', 140, paid).slice(-2), [
    { day: '2021-07-10', assetClass: 'STANDARD' },
    { day: '2021-08-01', assetClass: 'SMA_0' },
  ])
  const paidBeforeNpa = (day: string) => (day >= '2021-06-10' ? { oldestDueOn: '2021-06-01' } : {})
  assert.deepEqual(classChanges('2021-03-31', 80, paidBeforeNpa).at(-1), { day: '2021-06-10', assetClass: 'SMA_0' })
  assert.equal(
    classOn({ oldestDueOn: '2021-01-01', npaOn: '2021-04-01', isLoss: true, awaitsPayment: false }, '2021-05-01')
      .assetClass,
    'LOSS',
  )
})

const accounts = await testAccounts()
const { db, open, receive, endDay, view } = accounts
const noZeros = (sums: Record<string, bigint>) =>
  Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0n))
const income = async (caseRef: string) => {
  const sums = await balancesOf(db, caseRef)
  return { earned: -(sums.INTEREST_INCOME + sums.PENALTY_INCOME), suspended: -sums.INCOME_SUSPENSE }
}

test('RBI, income recognition: arrears of one loan make all loans of the borrower non-performing', async () => {
  const late = await open({}, '2026-11-20', 'ABCPE1234F')
  const paid = await open({}, '2026-11-20', 'ABCPE1234F')
  const ofOtherBorrower = await open({}, '2026-11-20')
  for (let day = '2026-11-27'; day <= '2027-02-19'; day = plusDays(day, 7)) {
    accounts.setClock(new Date(`${day}T06:00:00.000Z`))
    for (const caseRef of [paid, ofOtherBorrower]) await receive(caseRef, 4790_00n, day)
    await endDay(day)
  }
  // The first row is due on 27 November 2026, so day 91 past due is 25 February 2027.
  await endDay('2027-02-24')
  assert.equal((await view(late)).assetClass, 'SMA_2')
  assert.equal((await view(paid)).assetClass, 'SMA_2')
  assert.equal((await view(ofOtherBorrower)).assetClass, 'STANDARD')
  const before = await income(late)
  assert.equal(before.suspended, 0n)
  assert.ok(before.earned > 0n)
  await endDay('2027-02-25')
  const npa = await view(late)
  assert.equal(npa.assetClass, 'SUB_STANDARD')
  assert.equal(npa.npaOn, '2027-02-25')
  assert.equal((await view(paid)).npaOn, '2027-02-25')
  const lateIncome = await income(late)
  assert.equal(lateIncome.earned, 0n, 'no income was received, so all of it is in suspense')
  assert.equal(lateIncome.suspended, npa.suspensePaise)

  // Income that is earned later goes to suspense, and becomes income when it is received.
  await endDay('2027-03-05')
  assert.equal((await income(late)).earned, 0n)
  accounts.setClock(new Date('2027-03-06T06:00:00.000Z'))
  await receive(late, 1000_00n, '2027-03-06')
  assert.equal((await income(late)).earned, 652_00n, 'penal charges and interest of the oldest row')
  await endDay('2027-03-06')
  assert.equal((await view(late)).assetClass, 'SUB_STANDARD', 'a part payment does not upgrade the loan')

  accounts.setClock(new Date('2027-03-07T06:00:00.000Z'))
  await receive(late, (await view(late)).soa.overduePaise, '2027-03-07')
  await endDay('2027-03-07')
  assert.equal((await view(late)).assetClass, 'SUB_STANDARD', 'the borrower’s other loan is two weeks overdue')
  accounts.setClock(new Date('2027-03-08T06:00:00.000Z'))
  await receive(paid, (await view(paid)).soa.overduePaise, '2027-03-08')
  await endDay('2027-03-08')
  assert.equal((await view(late)).assetClass, 'STANDARD')
  assert.equal((await view(paid)).assetClass, 'STANDARD')
  const after = await income(late)
  assert.equal(after.suspended, 0n)
  assert.ok(after.earned > before.earned)
  assert.deepEqual(
    (await classesOf(db, late))
      .map(({ assetClass, fromOn, untilOn, reason }) => ({ assetClass, fromOn, untilOn, reason }))
      .toReversed(),
    [
      { assetClass: 'SMA_0', fromOn: '2026-11-27', untilOn: '2026-12-27', reason: 'ARREARS' },
      { assetClass: 'SMA_1', fromOn: '2026-12-27', untilOn: '2027-01-26', reason: 'ARREARS' },
      { assetClass: 'SMA_2', fromOn: '2027-01-26', untilOn: '2027-02-25', reason: 'ARREARS' },
      { assetClass: 'SUB_STANDARD', fromOn: '2027-02-25', untilOn: '2027-03-08', reason: 'ARREARS' },
      { assetClass: 'STANDARD', fromOn: '2027-03-08', untilOn: null, reason: 'ARREARS_PAID' },
    ],
  )
  assert.ok((await classesOf(db, paid)).some(({ reason }) => reason === 'OTHER_LOAN'))
  assert.deepEqual(
    (await classesOf(db, ofOtherBorrower)).map(({ assetClass, fromOn }) => ({ assetClass, fromOn })),
    [{ assetClass: 'SMA_0', fromOn: '2027-02-26' }],
  )
})

test('RBI, loss: a loss decided by an officer lasts until all arrears are paid', async () => {
  const caseRef = await open({}, '2026-11-20')
  const standard = await open({}, '2027-03-06')
  const declareLoss = (lossCase: string) =>
    accounts.act(lossCase, (tx) =>
      decideLoss(tx, { caseRef: lossCase, decidedBy: 'meera', remark: 'The borrower has died.', on: '2027-03-09' }),
    )
  await endDay('2027-03-09')
  await assert.rejects(declareLoss(standard), /not non-performing/)
  await declareLoss(caseRef)
  await assert.rejects(declareLoss(caseRef), /already classified as a loss/)
  await endDay('2027-03-10')
  assert.equal((await view(caseRef)).assetClass, 'LOSS')
  const [decision, before] = await classesOf(db, caseRef)
  assert.equal(decision?.reason, 'DECISION')
  assert.equal(decision?.decidedBy, 'meera')
  assert.equal(decision?.daysPastDue, before?.daysPastDue)
  assert.equal(before?.untilOn, '2027-03-09')
  await receive(caseRef, (await view(caseRef)).soa.overduePaise, '2027-03-10')
  await endDay('2027-03-11')
  const loan = await view(caseRef)
  assert.equal(loan.assetClass, 'STANDARD')
  assert.equal(loan.npaOn, null)
})

test('RBI, provisions: the day-end posts the change of the provision and records the classes', async () => {
  await endDay('2027-03-12')
  const book = await classesOfBook(db, '2027-03-12')
  const day = await lastBusinessDay(db)
  assert.equal(day?.endedOn, '2027-03-12')
  const expected = book.reduce((sum, each) => sum + provisionOn(each), 0n)
  assert.equal(day?.provisionPaise, expected)
  assert.deepEqual(noZeros(await balancesOf(db, portfolioCase)), { PROVISION: -expected, PROVISION_EXPENSE: expected })
  const recorded = await classesOnDay(db, '2027-02-25')
  const npa = recorded.find(({ assetClass }) => assetClass === 'SUB_STANDARD')
  assert.equal(npa?.loans, 2)
  assert.equal(npa?.provisionBps, 1000)
  assert.equal(npa?.provisionPaise, provisionOn({ principalPaise: npa?.principalPaise ?? 0n, provisionBps: 1000 }))
  assert.ok(recorded.every(({ assetClass }) => assetClasses.includes(assetClass)))
  const entries = await readEntries(db, portfolioCase)
  assert.equal(new Set(entries.map(({ entryId }) => entryId)).size, entries.length)
  await endDay('2027-03-12')
  assert.equal((await readEntries(db, portfolioCase)).length, entries.length, 'a repeated day-end posts no provision')
})

test('RBI, upgrading: after a waiver of all arrears, the loan is upgraded only by the next payment', async () => {
  const caseRef = await open({}, '2026-12-07')
  await endDay('2027-03-16')
  const runAtMinute = async (minute: number, work: () => Promise<unknown>) => {
    accounts.setClock(new Date(`2027-03-17T06:${minute}:00.000Z`))
    return work()
  }
  const on = '2027-03-17'
  const npa = await view(caseRef)
  assert.equal(npa.assetClass, 'SUB_STANDARD')
  await runAtMinute(10, () => receive(caseRef, 500_00n, on, 'returned-receipt'))
  await runAtMinute(11, () => receive(caseRef, npa.soa.overduePaise - 500_00n, on))
  await runAtMinute(12, () => accounts.reverse(caseRef, 'returned-receipt', on))
  const { waivable } = await view(caseRef)
  const waivableTotal = waivable.penalty + waivable.charges + waivable.interest
  assert.equal(waivableTotal, 500_00n, 'the penal charges and interest that the reversed receipt had paid')
  const { earned, suspended } = await income(caseRef)
  await runAtMinute(13, () =>
    accounts.act(caseRef, (tx, at) => waiveDues(tx, { caseRef, waiverId: '1', on, ...waivable }, at)),
  )
  assert.deepEqual(await income(caseRef), { earned, suspended: suspended - waivableTotal })
  assert.equal((await balancesOf(db, caseRef)).WAIVED, 0n, 'a waiver of suspended income is no expense')
  await endDay('2027-03-18')
  const afterWaiver = await view(caseRef)
  assert.equal(afterWaiver.soa.overduePaise, 0n)
  assert.equal(afterWaiver.assetClass, 'SUB_STANDARD')

  accounts.setClock(new Date('2027-03-19T06:00:00.000Z'))
  await receive(caseRef, 1_00n, '2027-03-19')
  await endDay('2027-03-19')
  const [currentClass] = await classesOf(db, caseRef)
  assert.equal((await view(caseRef)).assetClass, 'STANDARD')
  assert.equal(currentClass?.reason, 'ARREARS_WAIVED')
  assert.equal(currentClass?.fromOn, '2027-03-19')
})

test('RBI, upgrading: a loan settled for less does not upgrade the borrower’s other loans', async () => {
  const { db, act, open, receive, reverse, endDay, view, setClock } = await testAccounts()
  const settled = await open({}, '2026-11-20', 'ABCPE1236F')
  const paid = await open({}, '2027-02-12', 'ABCPE1236F')
  const dayOf = async (on: string, paysDue = true) => {
    setClock(new Date(`${on}T06:00:00.000Z`))
    if (paysDue) await receive(paid, 4790_00n, on)
  }
  for (const on of ['2027-02-19', '2027-02-26']) {
    await dayOf(on)
    await endDay(on)
  }
  assert.equal((await view(settled)).npaOn, '2027-02-25')
  assert.equal((await view(paid)).npaOn, '2027-02-25')
  const today = '2027-03-01'
  await dayOf(today, false)
  await act(settled, (tx, at) => agreeSettlement(tx, settled, { paise: 50_000_00n, until: today, today }, at))
  await receive(settled, 50_000_00n, today, 'sum')
  await endDay(today)
  const classes = async () => ({ settled: (await view(settled)).assetClass, paid: (await view(paid)).assetClass })
  assert.deepEqual(await classes(), { settled: 'STANDARD', paid: 'SUB_STANDARD' })
  await dayOf('2027-03-05')
  await endDay('2027-03-05')
  assert.deepEqual(
    await classes(),
    { settled: 'STANDARD', paid: 'SUB_STANDARD' },
    'a later payment of the other loan is not enough',
  )

  await dayOf('2027-03-06', false)
  await reverse(settled, 'sum', '2027-03-06')
  await receive(settled, (await view(settled)).soa.overduePaise, '2027-03-06')
  await endDay('2027-03-06')
  assert.deepEqual(
    await classes(),
    { settled: 'STANDARD', paid: 'STANDARD' },
    'all arrears are paid after the settlement was undone',
  )
  assert.equal((await classesOf(db, paid))[0]?.reason, 'ARREARS_PAID')
})

test('RBI, upgrading: the example of the policy is what happens', async () => {
  const { db, act, open, receive, endDay, view, setClock } = await testAccounts()
  const caseRef = await open()
  const policy = readFileSync(join(import.meta.dirname, '../../../../../../docs/explanation/classification.md'), 'utf8')
  const pass = async (from: string, until: string) => {
    for (let day = from; day <= until; day = plusDays(day, 1)) {
      setClock(new Date(`${day}T06:00:00.000Z`))
      await endDay(day)
    }
  }
  const checkRow = async (day: string, on: string, accounts: [ChartAccount, ChartAccount][]) => {
    const row = policy.split('\n').find((line) => line.startsWith(`| ${day} |`)) ?? ''
    const postings = (await readEntries(db, caseRef)).flatMap((entry) =>
      entry.businessOn === on ? entry.postings : [],
    )
    for (const [from, to] of accounts) {
      const sum = postings.reduce(
        (total, { debit, credit, paise }) => (debit === from && credit === to ? total + paise : total),
        0n,
      )
      assert.ok(row.includes(`\`${from}\` to \`${to}\` ${inr(sum)}`), `${day}: ${from} to ${to} ${inr(sum)}`)
    }
    return row
  }
  await pass('2026-11-27', '2027-02-25')
  const npa = await checkRow('25 February 2027', '2027-02-25', [
    ['INTEREST_INCOME', 'INCOME_SUSPENSE'],
    ['PENALTY_INCOME', 'INCOME_SUSPENSE'],
  ])
  assert.ok(npa.includes(inr((await view(caseRef)).soa.overduePaise)))
  await pass('2027-02-26', '2027-02-28')
  await checkRow('26 February 2027', '2027-02-26', [['INTEREST_INCOME', 'INCOME_SUSPENSE']])
  const on = '2027-03-01'
  setClock(new Date(`${on}T06:00:00.000Z`))
  const { penalty } = (await view(caseRef)).waivable
  await act(caseRef, (tx, at) => waiveDues(tx, { caseRef, waiverId: '1', on, penalty, charges: 0n, interest: 0n }, at))
  await checkRow('1 March 2027', on, [['INCOME_SUSPENSE', 'PENALTY']])
  await endDay(on)
  assert.equal((await view(caseRef)).assetClass, 'SUB_STANDARD')
  setClock(new Date('2027-03-02T06:00:00.000Z'))
  const { overduePaise } = (await view(caseRef)).soa
  await receive(caseRef, overduePaise, '2027-03-02')
  await endDay('2027-03-02')
  const paid = await checkRow('2 March 2027', '2027-03-02', [
    ['INCOME_SUSPENSE', 'INTEREST_INCOME'],
    ['INCOME_SUSPENSE', 'PENALTY_INCOME'],
  ])
  assert.ok(paid.includes(inr(overduePaise)))
  assert.deepEqual(
    (await classesOf(db, caseRef)).map(({ assetClass, fromOn }) => ({ assetClass, fromOn })),
    [
      { assetClass: 'STANDARD', fromOn: '2027-03-02' },
      { assetClass: 'SUB_STANDARD', fromOn: '2027-02-25' },
      { assetClass: 'SMA_2', fromOn: '2027-01-26' },
      { assetClass: 'SMA_1', fromOn: '2026-12-27' },
      { assetClass: 'SMA_0', fromOn: '2026-11-27' },
    ],
  )
})

test('RBI, asset classification: classifying an earlier day again does not change the current class', async () => {
  const { db, ctx, open, endDay } = await testAccounts()
  const caseRef = await open()
  for (const day of ['2026-12-27', '2027-01-26']) {
    const before = plusDays(day, -1)
    await endDay(before)
    await endDay(day)
    const classes = await classesOf(db, caseRef)
    assert.equal(classes[0]!.fromOn, day)
    assert.deepEqual(await classifyLoans(ctx, before, 250), { loans: 0, entries: 0 }, day)
    assert.deepEqual(await classesOf(db, caseRef), classes)
  }
})

// Classes are by value date: money that the bank reported late corrects the class, and the history keeps both.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays } from '@lendloom/lending/calendar'
import type { Db } from '@lendloom/postgres/sql'
import { testAccounts } from '@lendloom/tests/setup/account'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { rederiveBooks } from '#partner/records/report/rederive-books.ts'
import { decideLoss } from '#partner/servicing/loan/class/classify.ts'
import { classesOfBook, classesOf as historyOf } from '#partner/servicing/loan/class/store.ts'
import { returnPayout } from '#partner/servicing/loan/return-payout.ts'
import { agreeSettlement } from '#partner/servicing/loan/settlement/agree-settlement.ts'
import { waiveDues } from '#partner/servicing/loan/waiver.ts'
import { classesByValueDate, type LoanHistory } from './correct-classes.ts'

const penalty = { bps: 0, graceDays: 0, everyDays: 1, most: 0 }

async function accountsOnDays() {
  const accounts = await testAccounts()
  const setDay = (day: string) => accounts.setClock(new Date(`${day}T06:00:00.000Z`))
  const endDays = async (from: string, until: string) => {
    for (let day = from; day <= until; day = plusDays(day, 1)) {
      setDay(day)
      await accounts.endDay(day)
    }
  }
  return {
    ...accounts,
    setDay,
    endDays,
    /** Pays the first rows on their due dates, each by a payment `case-row`, and ends the days until the next due date. */
    async payRows(caseRefs: string[], count: number) {
      for (let row = 0; row < count; row++) {
        const dueOn = plusDays('2026-11-27', 7 * row)
        setDay(dueOn)
        for (const each of caseRefs) await accounts.receive(each, 4790_00n, dueOn, `${each}-${row}`)
        await endDays(dueOn, plusDays(dueOn, 6))
      }
    },
    classesOf: async (caseRef: string) =>
      (await historyOf(accounts.db, caseRef))
        .map(({ assetClass, fromOn, untilOn, correctedOn }) => ({ assetClass, fromOn, untilOn, correctedOn }))
        .toReversed(),
  }
}

async function checkBooks(db: Db) {
  const { figures } = await db.snapshot(rederiveBooks)
  assert.deepEqual(
    figures.filter(({ what, derived, stored }) => derived !== stored && !/BANK|received/.test(what)),
    [],
  )
}

test('RBI, asset classification: money that was the lender’s on the due date leaves no SMA-0', async () => {
  const { db, open, receive, endDay, setDay, classesOf, view } = await accountsOnDays()
  const late = await open()
  const paidLater = await open()
  await endDay('2026-11-27')
  assert.equal((await view(late)).assetClass, 'SMA_0')
  setDay('2026-11-28')
  await receive(late, 4790_00n, '2026-11-27')
  await receive(paidLater, 4790_00n, '2026-11-28')
  await endDay('2026-11-28')
  assert.deepEqual(await classesOf(late), [
    { assetClass: 'SMA_0', fromOn: '2026-11-27', untilOn: '2026-11-28', correctedOn: '2026-11-28' },
    { assetClass: 'STANDARD', fromOn: '2026-11-27', untilOn: null, correctedOn: null },
  ])
  assert.deepEqual(await classesOf(paidLater), [
    { assetClass: 'SMA_0', fromOn: '2026-11-27', untilOn: '2026-11-28', correctedOn: null },
    { assetClass: 'STANDARD', fromOn: '2026-11-28', untilOn: null, correctedOn: null },
  ])
  assert.equal((await view(late)).assetClass, 'STANDARD')
  await endDay('2026-11-28')
  assert.equal((await classesOf(late)).length, 2, 'a repeated day-end corrects nothing again')
  assert.deepEqual(
    (await classesOfBook(db, '2026-11-28')).map(({ assetClass, loans }) => ({ assetClass, loans })),
    [{ assetClass: 'STANDARD', loans: 2 }],
  )
  await checkBooks(db)
})

test('RBI, asset classification: money of an earlier value date takes back an NPA with its suspense', async () => {
  const { db, open, receive, endDays, setDay, endDay, classesOf, view } = await accountsOnDays()
  const pan = 'ABCPE1237F'
  const late = await open({ penalty }, '2026-11-20', pan)
  const other = await open({ penalty }, '2027-02-23', pan)
  await endDays('2026-11-27', '2027-02-26')
  assert.equal((await view(late)).npaOn, '2027-02-25')
  assert.equal((await view(other)).npaOn, '2027-02-25')
  assert.ok((await view(late)).suspensePaise > 0n)
  setDay('2027-02-27')
  await receive(late, 2n * 4790_00n, '2027-02-20')
  await endDay('2027-02-27')
  const { assetClass, npaOn, suspensePaise } = await view(late)
  assert.equal(assetClass, 'SMA_2')
  assert.equal(npaOn, null)
  assert.equal(suspensePaise, 0n)
  assert.equal((await view(other)).npaOn, null)
  assert.equal((await balancesOf(db, late)).INCOME_SUSPENSE, 0n)
  assert.deepEqual(await classesOf(late), [
    { assetClass: 'SMA_0', fromOn: '2026-11-27', untilOn: '2026-12-27', correctedOn: null },
    { assetClass: 'SMA_1', fromOn: '2026-12-27', untilOn: '2027-01-26', correctedOn: null },
    { assetClass: 'SMA_2', fromOn: '2027-01-26', untilOn: '2027-02-25', correctedOn: '2027-02-27' },
    { assetClass: 'SUB_STANDARD', fromOn: '2027-02-25', untilOn: '2027-02-27', correctedOn: '2027-02-27' },
    { assetClass: 'SMA_2', fromOn: '2027-01-26', untilOn: null, correctedOn: null },
  ])
  await checkBooks(db)
})

test('RBI, upgrading: an NPA is upgraded from the value date on which all arrears were paid, not in part', async () => {
  const { open, receive, endDay, endDays, setDay, classesOf, view } = await accountsOnDays()
  const caseRef = await open({ penalty })
  await endDays('2026-11-27', '2027-02-27')
  setDay('2027-02-28')
  await receive(caseRef, 2n * 4790_00n, '2027-02-26')
  await endDay('2027-02-28')
  assert.equal((await view(caseRef)).npaOn, '2027-02-25')
  await endDays('2027-03-01', '2027-03-02')
  setDay('2027-03-03')
  await receive(caseRef, (await view(caseRef)).soa.overduePaise, '2027-03-01')
  await endDay('2027-03-03')
  assert.deepEqual((await classesOf(caseRef)).slice(-2), [
    { assetClass: 'SUB_STANDARD', fromOn: '2027-02-25', untilOn: '2027-03-01', correctedOn: null },
    { assetClass: 'STANDARD', fromOn: '2027-03-01', untilOn: null, correctedOn: null },
  ])
})

test('RBI, asset classification: a payout that the bank took back leaves no class on the borrower’s other loan', async () => {
  const { db, act, open, endDays, setDay, endDay, view } = await accountsOnDays()
  const pan = 'ABCPE1238F'
  const never = await open({ penalty }, '2026-11-20', pan)
  const other = await open({ penalty }, '2027-02-23', pan)
  const twin = await open({ penalty }, '2027-02-23')
  await endDays('2026-11-27', '2027-03-03')
  assert.equal((await view(other)).assetClass, 'SUB_STANDARD')
  setDay('2027-03-04')
  await act(never, (tx) => returnPayout(tx, { caseRef: never, on: '2027-03-04' }, new Date('2027-03-04T06:00:00.000Z')))
  await endDay('2027-03-04')
  assert.equal((await view(never)).assetClass, 'STANDARD')
  const { assetClass, npaOn, suspensePaise } = await view(other)
  const ofTwin = await view(twin)
  assert.equal(assetClass, ofTwin.assetClass)
  assert.equal(npaOn, null)
  assert.equal(suspensePaise, 0n)
  const inArrears = async (caseRef: string) =>
    (await historyOf(db, caseRef))
      .filter(({ assetClass: each, correctedOn }) => correctedOn === null && each !== 'STANDARD')
      .map(({ assetClass: each, fromOn }) => ({ assetClass: each, fromOn }))
  assert.deepEqual(await inArrears(other), await inArrears(twin))
  await checkBooks(db)
})

for (const paidBefore of [false, true])
  test(`RBI, upgrading: a payout that comes back after ${paidBefore ? 'all arrears were paid' : 'a payment was taken back'} leaves no NPA`, async () => {
    const { db, act, open, receive, reverse, endDays, endDay, setDay, view } = await accountsOnDays()
    const pan = 'ABCPE1239F'
    const never = await open({ penalty }, '2026-11-20', pan)
    const other = await open({ penalty }, '2027-02-23', pan)
    const twin = await open({ penalty }, '2027-02-23')
    await endDays('2026-11-27', '2027-03-03')
    setDay('2027-03-04')
    await receive(never, (await view(never)).soa.overduePaise, '2027-03-04', 'arrears')
    for (const caseRef of [other, twin])
      await receive(caseRef, (await view(caseRef)).soa.overduePaise, '2027-03-04', caseRef)
    await endDay('2027-03-04')
    assert.equal((await view(other)).npaOn, null)
    setDay('2027-03-05')
    if (!paidBefore) {
      await reverse(never, 'arrears', '2027-03-05')
      await endDay('2027-03-05')
      assert.ok((await view(other)).npaOn, 'restored')
    }
    setDay('2027-03-06')
    await act(never, (tx) =>
      returnPayout(tx, { caseRef: never, on: '2027-03-06' }, new Date('2027-03-06T06:00:00.000Z')),
    )
    await endDays(paidBefore ? '2027-03-05' : '2027-03-06', '2027-03-10')
    assert.equal((await view(other)).assetClass, (await view(twin)).assetClass)
    assert.equal((await view(other)).npaOn, null)
    const nonPerforming = (await historyOf(db, other)).filter(
      ({ assetClass, correctedOn }) => correctedOn === null && assetClass === 'SUB_STANDARD',
    )
    assert.deepEqual(nonPerforming, [], 'no time as non-performing is left that could be restored')
    await checkBooks(db)
  })

test('RBI, loss: money of an earlier value date does not correct a class that an officer decided', async () => {
  const { act, open, receive, endDay, endDays, setDay, classesOf } = await accountsOnDays()
  const caseRef = await open({ penalty })
  await endDays('2026-11-27', '2027-02-25')
  const loss = { caseRef, decidedBy: 'meera', remark: 'The borrower has died.', on: '2027-02-26' }
  await act(caseRef, (tx) => decideLoss(tx, loss))
  setDay('2027-02-27')
  await receive(caseRef, 2n * 4790_00n, '2027-02-20')
  await endDay('2027-02-27')
  assert.deepEqual((await classesOf(caseRef)).at(-1), {
    assetClass: 'LOSS',
    fromOn: '2027-02-26',
    untilOn: null,
    correctedOn: null,
  })
})

test('RBI, asset classification: a late payment that leaves a paisa takes back the same classes as a full one', async () => {
  const { open, receive, endDays, endDay, setDay, classesOf, view } = await accountsOnDays()
  const inFull = await open({ penalty })
  const oneLess = await open({ penalty })
  await endDays('2026-11-27', '2026-12-02')
  setDay('2026-12-03')
  await receive(inFull, 4790_00n, '2026-11-30')
  await receive(oneLess, 4790_00n - 1n, '2026-11-30')
  await endDay('2026-12-03')
  assert.equal((await view(inFull)).assetClass, 'STANDARD')
  assert.deepEqual(await classesOf(oneLess), await classesOf(inFull))
  assert.equal((await classesOf(inFull)).at(-1)?.fromOn, '2026-11-30')
})

test('RBI, asset classification: dues that were waived long ago take no correction away', async () => {
  const { act, open, receive, endDays, endDay, setClock, setDay, view } = await accountsOnDays()
  const plain = await open({ penalty })
  const waived = await open({ penalty })
  await endDays('2026-11-27', '2026-11-27')
  setDay('2026-11-28')
  const waiver = { waiverId: 'w', on: '2026-11-28', penalty: 0n, charges: 0n, interest: 20_00n }
  await act(waived, (tx, at) => waiveDues(tx, { caseRef: waived, ...waiver }, at))
  // Entries are read in the order of their posting times.
  setClock(new Date('2026-11-28T06:00:01.000Z'))
  await receive(plain, 4790_00n, '2026-11-28')
  await receive(waived, 4770_00n, '2026-11-28')
  await endDays('2026-11-28', '2027-03-05')
  assert.equal((await view(waived)).npaOn, '2027-03-04')
  setDay('2027-03-06')
  for (const each of [plain, waived]) await receive(each, 2n * 4790_00n, '2027-03-02')
  await endDay('2027-03-06')
  assert.equal((await view(plain)).npaOn, null)
  assert.equal((await view(waived)).npaOn, null)
  assert.equal((await view(waived)).suspensePaise, 0n)
})

test('RBI, asset classification: a loan that was settled long ago takes no correction from the other loan', async () => {
  const { act, open, receive, endDays, endDay, setDay, classesOf } = await accountsOnDays()
  const pan = 'ABCPE1242F'
  const settled = await open({ penalty }, '2026-11-20', pan)
  await endDays('2026-11-27', '2026-11-28')
  setDay('2026-11-29')
  const agreed = { paise: 50_000_00n, until: '2026-11-29', today: '2026-11-29' }
  await act(settled, (tx, at) => agreeSettlement(tx, settled, agreed, at))
  await receive(settled, 50_000_00n, '2026-11-29')
  await endDays('2026-11-29', '2026-12-03')
  setDay('2026-12-04')
  const other = await open({ penalty }, '2026-12-04', pan)
  const twin = await open({ penalty }, '2026-12-04')
  await endDays('2026-12-04', '2026-12-11')
  setDay('2026-12-12')
  for (const each of [other, twin]) await receive(each, 4790_00n, '2026-12-11')
  await endDay('2026-12-12')
  assert.deepEqual(await classesOf(other), await classesOf(twin))
})

test('RBI, asset classification: a payment that was taken back takes no correction away from later money', async () => {
  const { open, receive, reverse, endDays, setDay, view } = await accountsOnDays()
  const late = await open({ penalty })
  const twin = await open({ penalty })
  await endDays('2026-11-27', '2026-12-19')
  setDay('2026-12-20')
  for (const each of [late, twin]) await receive(each, 4790_00n, '2026-12-20', `${each}-1`)
  await endDays('2026-12-20', '2027-02-24')
  setDay('2027-02-25')
  for (const each of [late, twin]) await reverse(each, `${each}-1`, '2027-02-25')
  await receive(twin, 3n * 4790_00n, '2027-02-25')
  await endDays('2027-02-25', '2027-02-25')
  setDay('2027-02-26')
  await receive(late, 3n * 4790_00n, '2027-02-25')
  await endDays('2027-02-26', '2027-02-28')
  assert.equal((await view(twin)).npaOn, null)
  assert.equal((await view(late)).npaOn, null)
  assert.equal((await view(late)).assetClass, (await view(twin)).assetClass)
})

test('RBI, asset classification: money of an earlier value date corrects the class although newer money came first', async () => {
  const { open, receive, endDays, endDay, setDay, view } = await accountsOnDays()
  const late = await open({ penalty })
  const twin = await open({ penalty })
  await endDays('2026-11-27', '2027-02-19')
  setDay('2027-02-20')
  await receive(twin, 4790_00n, '2027-02-20')
  await endDays('2027-02-20', '2027-02-28')
  setDay('2027-03-01')
  for (const each of [late, twin]) await receive(each, 12n * 4790_00n, '2027-03-01')
  await endDay('2027-03-01')
  assert.equal((await view(late)).npaOn, '2027-02-25')
  setDay('2027-03-02')
  await receive(late, 4790_00n, '2027-02-20')
  await endDay('2027-03-02')
  assert.equal((await view(twin)).npaOn, null)
  assert.equal((await view(late)).npaOn, null)
})

test('RBI, asset classification: late money makes a loan no better than the twin whose lender knew it on time', async () => {
  const { open, payRows, receive, reverse, endDays, setDay, view } = await accountsOnDays()
  const late = await open({ penalty })
  const twin = await open({ penalty })
  await payRows([late, twin], 11)
  setDay('2027-02-12')
  for (const each of [late, twin]) await reverse(each, `${each}-0`, '2027-02-12')
  await endDays('2027-02-12', '2027-02-27')
  assert.equal((await view(late)).npaOn, '2027-02-25')
  setDay('2027-02-28')
  await receive(twin, 4790_00n, '2027-02-28')
  await endDays('2027-02-28', '2027-02-28')
  setDay('2027-03-01')
  await receive(late, 4790_00n, '2027-02-28')
  await endDays('2027-03-01', '2027-03-01')
  assert.equal((await view(late)).npaOn, (await view(twin)).npaOn)
  assert.equal((await view(late)).assetClass, (await view(twin)).assetClass)
})

test('RBI, asset classification: an NPA of today’s return goes with the late money that prevented it', async () => {
  const { open, payRows, receive, reverse, endDays, setDay, view } = await accountsOnDays()
  const late = await open({ penalty })
  const twin = await open({ penalty })
  await payRows([late, twin], 13)
  setDay('2027-02-26')
  for (const each of [late, twin]) await reverse(each, `${each}-0`, '2027-02-26')
  await receive(twin, 4790_00n, '2027-02-26')
  await endDays('2027-02-26', '2027-02-26')
  setDay('2027-02-27')
  await receive(late, 4790_00n, '2027-02-26')
  await endDays('2027-02-27', '2027-02-27')
  assert.equal((await view(twin)).npaOn, null)
  assert.equal((await view(late)).npaOn, null)
  assert.equal((await view(late)).suspensePaise, 0n)
})

test('RBI, loss: a decision of officers on another loan of the borrower is not corrected by late money', async () => {
  const { act, open, receive, endDays, endDay, setDay, classesOf } = await accountsOnDays()
  const pan = 'ABCPE1243F'
  const decided = await open({ penalty }, '2026-11-20', pan)
  await endDays('2026-11-27', '2027-02-25')
  setDay('2027-02-26')
  const other = await open({ penalty }, '2027-02-26', pan)
  const loss = { caseRef: decided, decidedBy: 'meera', remark: 'The borrower has left.', on: '2027-02-26' }
  await act(decided, (tx) => decideLoss(tx, loss))
  await endDays('2027-02-26', '2027-03-02')
  const before = await classesOf(other)
  setDay('2027-03-03')
  await receive(decided, 1_00n, '2027-03-02')
  await endDay('2027-03-03')
  assert.deepEqual(await classesOf(other), before)
})

test('RBI, loss: a decision that a loan is a loss goes with the payout that made the borrower non-performing', async () => {
  const { act, open, endDays, setDay, endDay, view } = await accountsOnDays()
  const pan = 'ABCPE1240F'
  const ownPan = 'ABCPE1241F'
  const never = await open({ penalty }, '2026-11-20', pan)
  const other = await open({ penalty }, '2027-02-23', pan)
  const neverPaid = await open({ penalty }, '2026-11-20', ownPan)
  const alsoOverdue = await open({ penalty }, '2026-11-20', ownPan)
  await endDays('2026-11-27', '2027-03-03')
  for (const caseRef of [other, alsoOverdue]) {
    const loss = { caseRef, decidedBy: 'meera', remark: 'The borrower has left.', on: '2027-03-04' }
    await act(caseRef, (tx) => decideLoss(tx, loss))
    assert.equal((await view(caseRef)).assetClass, 'LOSS')
  }
  setDay('2027-03-05')
  await endDay('2027-03-04')
  for (const caseRef of [never, neverPaid])
    await act(caseRef, (tx) => returnPayout(tx, { caseRef, on: '2027-03-05' }, new Date('2027-03-05T06:00:00.000Z')))
  await endDay('2027-03-05')
  assert.equal((await view(other)).npaOn, null)
  assert.equal((await view(other)).assetClass, 'SMA_0')
  assert.equal((await view(alsoOverdue)).assetClass, 'LOSS', 'this borrower was non-performing without the other loan')
})

test('RBI, upgrading: by value date, classes are those of money that was posted on its day', () => {
  const first = '2026-11-27'
  const last = '2027-03-05'
  const classes = (rows: { dueOn: string; paidOn: string | null }[]) => {
    const arrearsSince = new Map<string, string>()
    for (let on = first; on <= last; on = plusDays(on, 1)) {
      const unpaid = rows.find(({ dueOn, paidOn }) => dueOn <= on && (paidOn === null || paidOn > on))
      if (unpaid) arrearsSince.set(on, unpaid.dueOn)
    }
    const history: LoanHistory = { caseRef: 'case', arrearsSince, settledOn: [], waivedOn: [], paidOn: [] }
    return classesByValueDate([history], { from: first, until: last, npaOn: null, lossOn: [] }).map(
      ({ assetClass, fromOn }) => ({ assetClass, fromOn }),
    )
  }
  assert.deepEqual(classes([{ dueOn: '2026-11-27', paidOn: '2026-11-27' }]), [
    { assetClass: 'STANDARD', fromOn: '2026-11-27' },
  ])
  assert.deepEqual(
    classes([
      { dueOn: '2026-11-27', paidOn: '2026-12-04' },
      { dueOn: '2026-12-04', paidOn: '2026-12-28' },
    ]),
    [
      { assetClass: 'SMA_0', fromOn: '2026-11-27' },
      { assetClass: 'STANDARD', fromOn: '2026-12-28' },
    ],
  )
  assert.deepEqual(
    classes([
      { dueOn: '2026-11-27', paidOn: '2027-02-26' },
      { dueOn: '2027-02-19', paidOn: null },
    ]).slice(-1),
    [{ assetClass: 'SUB_STANDARD', fromOn: '2027-02-25' }],
  )
})

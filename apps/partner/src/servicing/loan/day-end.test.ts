// The day-end of many loans: repeated, late and concurrent runs, and a loan that fails.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exposition } from '@lendloom/foundation/metrics'
import { uuidv4 } from '@lendloom/seal/id'
import { testAccounts } from '@lendloom/tests/setup/account'
import { until } from '@lendloom/tests/setup/programs'
import { readEntries } from '#partner/books/ledger/store.ts'
import { provisionBook } from './class/classify.ts'
import { type DayEndResult, dayEndWorker, type ReportStatusChanges } from './day-end.ts'

const accounts = await testAccounts()
const { db, ctx, open, receive, endDay, view } = accounts

const openMany = (count: number) => Promise.all(Array.from({ length: count }, () => open()))
const countsOf = ({ loans, entries, failed, classified }: DayEndResult) => ({ loans, entries, failed, classified })
const entriesOf = async (caseRefs: string[]) =>
  (await Promise.all(caseRefs.map((caseRef) => readEntries(db, caseRef)))).map((entries) =>
    entries.map(({ entryId, businessOn, postings }) => ({ entryId, businessOn, postings })),
  )
const readLoans = async (caseRefs: string[]) => ({
  views: await Promise.all(caseRefs.map(view)),
  entries: await entriesOf(caseRefs),
})

test('D3 §4.4: a repeated day-end changes no account and no snapshot version', async () => {
  const caseRefs = await openMany(7)
  const first = await endDay('2026-11-27', undefined, 3)
  assert.deepEqual(countsOf(first), { loans: 7, entries: 7, failed: [], classified: 7 })
  const before = await readLoans(caseRefs)
  const versions = await db`select case_ref, snapshot_version from case_file order by 1`
  assert.deepEqual(countsOf(await endDay('2026-11-27')), { loans: 0, entries: 0, failed: [], classified: 0 })
  assert.deepEqual(countsOf(await endDay('2026-11-20')), { loans: 0, entries: 0, failed: [], classified: 0 })
  assert.deepEqual(await readLoans(caseRefs), before)
  assert.deepEqual(await db`select case_ref, snapshot_version from case_file order by 1`, versions)
})

test('D3 §4.4: a process that closes an earlier day late posts no provision', async () => {
  await endDay('2026-11-27')
  const provision = () => db`select entry_id from ledger_entry where kind = 'PROVISION' order by 1`
  const before = await provision()
  // Another process read that no day is closed, and then waited.
  const counts = { loans: 0, entries: 0, failed: 0, classified: 0, beganAt: new Date() }
  await provisionBook(db, { endedOn: '2026-11-19', ...counts }, new Date())
  assert.deepEqual(await provision(), before)
  assert.deepEqual(await db`select ended_on from business_day where ended_on < '2026-11-20'`, [])
})

test('D3 §4.4: closing missed days gives the same result as closing each day on time', async () => {
  const [daily, late] = (await openMany(2)) as [string, string]
  const paymentId = uuidv4()
  await receive(daily, 4000_00n, '2026-11-24', paymentId)
  await receive(late, 4000_00n, '2026-11-24', paymentId)
  const endDayOfOne = async (caseRef: string, through: string) => {
    // Keeps the other loans out of this day-end.
    await db`update loan set next_work_on = next_work_on + 10000 where case_ref <> ${caseRef}`
    await endDay(through)
    await db`update loan set next_work_on = next_work_on - 10000 where case_ref <> ${caseRef}`
  }
  for (let day = 20; day <= 30; day++) await endDayOfOne(daily, `2026-11-${day}`)
  for (let day = 1; day <= 31; day++) await endDayOfOne(daily, `2026-12-${String(day).padStart(2, '0')}`)
  await endDayOfOne(late, '2026-12-31')
  const [dailyEntries, lateEntries] = await entriesOf([daily, late])
  const sortById = (entries: typeof dailyEntries) => entries!.toSorted((a, b) => a.entryId.localeCompare(b.entryId))
  assert.deepEqual(sortById(lateEntries), sortById(dailyEntries))
  const summary = async (caseRef: string) => {
    const { soa, schedule, loanStatus } = await view(caseRef)
    return {
      loanStatus,
      total: soa.totalPaise,
      overdue: soa.overduePaise,
      rows: schedule.installments.map((row) => row.status),
    }
  }
  assert.deepEqual(await summary(late), await summary(daily))
  assert.ok(dailyEntries!.some(({ entryId, businessOn }) => entryId === 'penalty-1-2' && businessOn === '2026-12-07'))
})

test('D3 §6: a loan that becomes overdue is reported once', async () => {
  const [paid, unpaid] = (await openMany(2)) as [string, string]
  await receive(paid, 4790_00n, '2026-11-27')
  const reported: { caseRef: string; loanStatus: string }[] = []
  const report: ReportStatusChanges = async (_, changed) =>
    void reported.push(...changed.map(({ loanCase, loanStatus }) => ({ caseRef: loanCase.caseRef, loanStatus })))
  await endDay('2026-11-27', report)
  await endDay('2026-11-30', report)
  const reportedHere = reported.filter(({ caseRef }) => [paid, unpaid].includes(caseRef))
  assert.deepEqual(reportedHere, [{ caseRef: unpaid, loanStatus: 'OVERDUE' }])
})

test('if one loan fails, the day-end of the other loans succeeds and the next run retries the loan', async () => {
  const caseRefs = await openMany(5)
  const broken = caseRefs[2]!
  const failingReport: ReportStatusChanges = async (_, changed) => {
    if (changed.some(({ loanCase }) => loanCase.caseRef === broken)) throw new Error('the outbox is closed')
  }
  const { failed, loans } = await endDay('2026-11-27', failingReport, 2)
  assert.deepEqual(failed, [broken])
  assert.equal(loans, 4)
  assert.equal((await view(broken)).loanStatus, 'ACTIVE', 'the day-end of the loan was rolled back')
  assert.equal((await readEntries(db, broken)).length, 1)
  assert.equal((await endDay('2026-11-27')).loans, 1)
  assert.equal((await view(broken)).loanStatus, 'OVERDUE')
})

test('two day-ends and receipts at the same time process every loan and every receipt once', async () => {
  await endDay('2026-12-04')
  const caseRefs = await openMany(40)
  const receiving = Promise.all(caseRefs.map((caseRef) => receive(caseRef, 4790_00n, '2026-11-27')))
  const results = await Promise.all([endDay('2026-12-04', undefined, 8), endDay('2026-12-04', undefined, 5), receiving])
  assert.equal(results[0].loans + results[1].loans, 40)
  for (const caseRef of caseRefs) {
    const ids = (await readEntries(db, caseRef)).map(({ entryId }) => entryId.replace(/-[0-9a-f]{8}-.*/, ''))
    // A receipt that arrives after the day-end waives the penal charges since its value date.
    const otherIds = ids.filter((id) => !/^(waiver-)?penalty/.test(id)).sort()
    assert.deepEqual(otherIds, ['accrual-2-2026-11-30', 'disbursement', 'due-1', 'due-2', 'receipt'])
    assert.equal((await view(caseRef)).loanStatus, 'OVERDUE', 'the second row of the loan is unpaid')
  }
})

test('D3 §2.1: the worker closes the day at midnight in India', async () => {
  const caseRef = await open()
  accounts.setClock(new Date('2026-11-27T18:29:00.000Z'))
  let clockReads = 0
  const clock = () => {
    clockReads++
    return ctx.clock()
  }
  const worker = dayEndWorker({ ...ctx, clock }, async () => {}, 20)
  try {
    // Each poll reads the clock twice, and begins when the work of the one before has ended.
    await until('the third poll of the worker', () => clockReads > 4)
    assert.equal((await view(caseRef)).loanStatus, 'ACTIVE', 'it is still the 27th in India')
    accounts.setClock(new Date('2026-11-27T18:30:00.000Z'))
    await until('the day-end of the 27th', async () => (await view(caseRef)).loanStatus === 'OVERDUE')
    // Midnight in India is 18:30 UTC. The last closed day may be later, because an earlier test has closed later days.
    const metric = /^day_end_until_timestamp_seconds (\d+)$/m
    await until('a metric that is a midnight in India', async () => {
      const endedUntil = Number(metric.exec((await exposition()).text)?.[1])
      return endedUntil >= Date.parse('2026-11-27T18:30:00.000Z') / 1000 && (endedUntil + 5.5 * 3600) % 86_400 === 0
    })
  } finally {
    await worker.stop()
  }
})

test('D3 §2.4: a new worker issues the invoices of a day whose closing was interrupted', async () => {
  await openMany(3)
  await endDay('2026-11-27')
  const invoices = () => db`select case_ref from tax_document order by number`
  const issued = await invoices()
  assert.ok(issued.length > 0)
  await db`delete from tax_document`
  const worker = dayEndWorker(ctx, async () => {}, 20)
  try {
    await until('all invoices', async () => (await invoices()).length >= issued.length)
  } finally {
    await worker.stop()
  }
  assert.deepEqual(await invoices(), issued)
})

// The report to credit bureaus and the regulator's figures, from paid, overdue, cancelled and closed loans.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCsv } from '@lendloom/documents/csv-read'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import { accountsOn, disbursedOn } from '@lendloom/tests/setup/account'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { exampleLead } from '@lendloom/wire/exchange/example/event'
import { leadContext } from '#partner/origination/case/lifecycle.ts'
import { payoffOf } from '#partner/servicing/loan/account-view.ts'
import { type BureauAccount, bureauAccounts, bureauColumns } from './bureau-report.ts'
import { returnsOf } from './regulator-returns.ts'

// At this time no day-end after the first disbursement has run.
const partner = await startTestPartner({}, () => new Date('2026-11-20T06:00:00.000Z'))
const { db, ctx } = partner
const { open, receive, endDay, requestExit, exitOn, setClock, view } = accountsOn(db)
const loanDay = (day: number): string => plusDays(disbursedOn, day)
const { borrower } = exampleLead()

/** Opens a loan whose lead has this PAN. */
async function openLoan(pan: string): Promise<string> {
  const caseRef = await open({}, disbursedOn, pan)
  const sealed = ctx.seal.json({ ...exampleLead(), borrower: { ...borrower, pan } }, leadContext(caseRef))
  await db`update case_lead set lead_sealed = ${sealed} where case_ref = ${caseRef}`
  return caseRef
}

const steadyLoan = await openLoan('AAAPE1234F')
const lateLoan = await openLoan('BBBPE1234F')
const exitedLoan = await openLoan('CCCPE1234F')
await requestExit(exitedLoan, loanDay(1))
await receive(exitedLoan, await exitOn(exitedLoan, loanDay(1)), loanDay(1))
await receive(steadyLoan, 4790_00n, loanDay(7))
await endDay(loanDay(45))

async function reportedByPan(closedSince: string): Promise<Map<string, BureauAccount>> {
  const byPan = new Map<string, BureauAccount>()
  for await (const page of bureauAccounts(ctx, { reportedOn: loanDay(45), closedSince, tolerance: 0n }))
    for (const account of page) byPan.set(account.pan, account)
  return byPan
}

test('the report to bureaus lists every account once, with its balance, overdue amount and days past due', async () => {
  const accounts = await reportedByPan(loanDay(0))
  assert.deepEqual([...accounts.keys()].sort(), ['AAAPE1234F', 'BBBPE1234F', 'CCCPE1234F'])
  for (const [caseRef, pan] of [
    [steadyLoan, 'AAAPE1234F'],
    [lateLoan, 'BBBPE1234F'],
    [exitedLoan, 'CCCPE1234F'],
  ] as const) {
    const { soa, loanAccountId } = await view(caseRef)
    const { balance, overdue, accountNumber } = accounts.get(pan)!
    assert.equal(balance, soa.totalPaise)
    assert.equal(overdue, soa.overduePaise)
    assert.equal(accountNumber, loanAccountId)
  }
  const paid = accounts.get('AAAPE1234F')
  const overdue = accounts.get('BBBPE1234F')
  const exitedAccount = accounts.get('CCCPE1234F')
  assert.equal(paid!.lastPaidOn, loanDay(7))
  assert.equal(paid!.daysPastDue, 32)
  assert.equal(paid!.assetClass, 'SMA')
  assert.equal(overdue!.lastPaidOn, null)
  assert.equal(overdue!.daysPastDue, 39)
  assert.equal(exitedAccount!.closedOn, loanDay(1))
  assert.equal(exitedAccount!.balance, 0n)
  assert.equal(exitedAccount!.assetClass, 'STD')
  assert.equal(exitedAccount!.mobile, borrower.mobile)
  assert.equal(exitedAccount!.bornOn, borrower.date_of_birth)
})

test('the report to bureaus omits loans whose closing was posted before `closedSince`', async () => {
  assert.deepEqual([...(await reportedByPan(loanDay(2))).keys()].sort(), ['AAAPE1234F', 'BBBPE1234F'])
})

test('the regulator’s figures count each loan once, and contain the loan book of the last day', async () => {
  const { figures, book, borrowers } = await returnsOf(db, { from: loanDay(0), to: loanDay(45) })
  const countAndAmount = (name: string) => {
    const { count, paise } = figures.find((each) => each.name === name)!
    return { count, amount: paise === null ? null : rupees(paise) }
  }
  assert.deepEqual(countAndAmount('DISBURSEMENT'), { count: 3, amount: '300000.00' })
  assert.deepEqual(countAndAmount('CLOSED'), { count: 1, amount: null })
  assert.deepEqual(countAndAmount('CLOSED_EARLY'), { count: 1, amount: null })
  assert.deepEqual(countAndAmount('FEE_RETURN'), { count: 1, amount: '2360.00' })
  assert.deepEqual(countAndAmount('WRITE_OFF'), { count: 0, amount: '0.00' })
  assert.deepEqual(countAndAmount('RECOVERED'), { count: 0, amount: '0.00' })
  assert.equal(borrowers, 2)
  assert.deepEqual(
    book.map(({ assetClass, loans }) => ({ assetClass, loans })),
    [{ assetClass: 'SMA_1', loans: 2 }],
  )
  const later = await returnsOf(db, { from: loanDay(2), to: loanDay(45) })
  assert.equal(later.figures.find(({ name }) => name === 'CLOSED')?.count, 0)
})

test('a person with the role accounts may download both files, and each download is recorded', async () => {
  const devika = await deskPerson(partner, 'Devika', 'accounts')
  const vera = await deskPerson(partner, 'Vera', 'viewer')
  const page = await devika.view(`/desk/reports?from=${loanDay(0)}&to=${loanDay(45)}`)
  assert.match(page.text, /Loans paid out3₹3,00,000Loans/)
  const file = await devika.get(`/desk/reports/bureau.csv?closedSince=${loanDay(0)}`)
  const lines = (await file.text()).trim().split('\r\n')
  assert.equal(file.status, 200)
  assert.equal(lines.length, 4)
  assert.equal(lines[0], `${bureauColumns.join(',')}`)
  const csv = await (await devika.get(`/desk/reports/returns.csv?from=${loanDay(0)}&to=${loanDay(45)}`)).text()
  const about = `Celestium Finance Limited,${loanDay(0)},${loanDay(45)}`
  assert.ok(csv.includes(`${about},Loans paid out,disbursement,3,300000.00`), csv)
  const amountsOf = (text: string, columns: RegExp): string[] => {
    const read = readCsv(text, ',')
    assert.ok(Array.isArray(read))
    const [head = [], ...rows] = read
    const indexes = [...head.keys()].filter((i) => columns.test(head[i] ?? ''))
    return rows.flatMap((row) => indexes.map((i) => row[i] ?? '')).filter((each) => each !== '')
  }
  const returned = amountsOf(csv, /^amount$/)
  const reported = amountsOf(lines.join('\r\n'), /amount|balance/)
  assert.ok(returned.length > 5 && reported.length > 5)
  for (const amount of [...returned, ...reported]) assert.match(amount, /^\d+\.\d\d$/, 'both files have paise')
  assert.equal((await devika.view('/desk/reports/bureau.csv?closedSince=yesterday')).status, 400)
  assert.equal((await vera.view('/desk/reports/bureau.csv')).status, 403)
  const [audit] = await db<{ count: number }>`select count(*)::int as count from audit_entry where act = 'REPORT_MADE'`
  assert.equal(audit!.count, 2)
})

test('a later fee refund or payment does not change the closing day of a loan', async () => {
  const early = await openLoan('DDDPE1234F')
  const { total } = (await payoffOf(db, early, loanDay(1), startOf(loanDay(1))))!
  await receive(early, total, loanDay(1))
  await requestExit(early, loanDay(6), { requestedOn: loanDay(3), reference: 'GRV-000118' })
  await receive(early, 500_00n, loanDay(20))
  assert.equal((await reportedByPan(loanDay(0))).get('DDDPE1234F')!.closedOn, loanDay(1))
  // The bank reported the payment after day 45, so no earlier file contains the closing.
  assert.equal((await reportedByPan(loanDay(45))).has('DDDPE1234F'), true)
  assert.equal((await reportedByPan(loanDay(47))).has('DDDPE1234F'), false)
})

test('D3 §4.4: the regulator’s figures of receipts and fee refunds do not include refunded interest', async () => {
  setClock(startOf(loanDay(50)))
  const caseRef = await open({}, loanDay(46), 'EEEPE1234F')
  const paise = await exitOn(caseRef, loanDay(47))
  await receive(caseRef, paise, loanDay(47))
  setClock(startOf(loanDay(52)))
  const { hasExited } = await requestExit(caseRef, loanDay(52), { requestedOn: loanDay(47), reference: 'GRV-000119' })
  assert.equal(hasExited, true)
  const { figures } = await returnsOf(db, { from: loanDay(50), to: loanDay(52) })
  const amountOf = (name: string) => figures.find((each) => each.name === name)?.paise
  assert.equal(amountOf('RECEIPT'), paise)
  assert.equal(amountOf('FEE_RETURN'), 2360_00n)
})

// Reports to credit bureaus and the regulator's figures, from loans that were lent, paid, overdue, left and closed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleLead } from '#contract/exchange/example/event.ts'
import { plusDays, startOf } from '#kit/money/calendar.ts'
import { rupees } from '#kit/money/money.ts'
import { leadContext } from '#partner/case/lifecycle.ts'
import { payoffOf } from '#partner/loan/account.ts'
import { accountsOn, disbursedOn } from '#test/setup/account.ts'
import { deskPerson } from '#test/setup/desk.ts'
import { startTestPartner } from '#test/setup/partner.ts'
import { type BureauAccount, bureauAccounts, bureauColumns } from './bureau.ts'
import { returnsOf } from './counts.ts'

// Days before the first loan are ended, and no later ones.
const partner = await startTestPartner({}, () => new Date('2026-11-20T06:00:00.000Z'))
const { db, ctx } = partner
const { open, receive, endDay, askToLeave, exitOn, setClock, view } = accountsOn(db)
const on = (day: number): string => plusDays(disbursedOn, day)
const { borrower } = exampleLead()

/** A loan whose lead is kept as it came. */
async function lent(pan: string): Promise<string> {
  const caseRef = await open({}, disbursedOn, pan)
  const sealed = ctx.seal.json({ ...exampleLead(), borrower: { ...borrower, pan } }, leadContext(caseRef))
  await db`update case_lead set lead_sealed = ${sealed} where case_ref = ${caseRef}`
  return caseRef
}

const [steady, late, left] = [await lent('AAAPE1234F'), await lent('BBBPE1234F'), await lent('CCCPE1234F')]
await askToLeave(left, on(1))
await receive(left, await exitOn(left, on(1)), on(1))
await receive(steady, 4790_00n, on(7))
await endDay(on(45))

async function reported(closedSince: string): Promise<Map<string, BureauAccount>> {
  const all = new Map<string, BureauAccount>()
  for await (const page of bureauAccounts(ctx, { reportedOn: on(45), closedSince }))
    for (const account of page) all.set(account.pan, account)
  return all
}

test('the report to bureaus has each account once: what is owed is what its statement says, and days past due count from the oldest row', async () => {
  const accounts = await reported(on(0))
  assert.deepEqual([...accounts.keys()].sort(), ['AAAPE1234F', 'BBBPE1234F', 'CCCPE1234F'])
  for (const [caseRef, pan] of [
    [steady, 'AAAPE1234F'],
    [late, 'BBBPE1234F'],
    [left, 'CCCPE1234F'],
  ] as const) {
    const { soa, loanAccountId } = await view(caseRef)
    const { balance, overdue, accountNumber } = accounts.get(pan)!
    assert.deepEqual([balance, overdue, accountNumber], [soa.totalPaise, soa.overduePaise, loanAccountId])
  }
  const [paid, behind, gone] = [...['AAAPE1234F', 'BBBPE1234F', 'CCCPE1234F']].map((pan) => accounts.get(pan)!)
  assert.deepEqual([paid!.lastPaidOn, paid!.daysPastDue, paid!.assetClass], [on(7), 32, 'SMA'])
  assert.deepEqual([behind!.lastPaidOn, behind!.daysPastDue], [null, 39])
  assert.deepEqual([gone!.closedOn, gone!.balance, gone!.assetClass], [on(1), 0n, 'STD'])
  assert.deepEqual([gone!.mobile, gone!.bornOn], [borrower.mobile, borrower.date_of_birth])
})

test('a loan that was closed before the day given is not reported again', async () => {
  assert.deepEqual([...(await reported(on(2))).keys()].sort(), ['AAAPE1234F', 'BBBPE1234F'])
})

test('the regulator’s figures of a period count each loan once, with its amounts, and have the book of its last day', async () => {
  const { figures, book, borrowers } = await returnsOf(db, { from: on(0), to: on(45) })
  const of = (name: string) => {
    const { count, paise } = figures.find((each) => each.name === name)!
    return [count, paise === null ? null : rupees(paise)]
  }
  assert.deepEqual(of('DISBURSEMENT'), [3, '300000.00'])
  assert.deepEqual(
    [of('CLOSED'), of('CLOSED_EARLY'), of('FEE_RETURN')],
    [
      [1, null],
      [1, null],
      [1, '2360.00'],
    ],
  )
  assert.deepEqual([of('WRITE_OFF'), of('RECOVERED'), borrowers], [[0, '0.00'], [0, '0.00'], 2])
  assert.deepEqual(
    book.map(({ assetClass, loans }) => [assetClass, loans]),
    [['SMA_1', 2]],
  )
  const later = await returnsOf(db, { from: on(2), to: on(45) })
  assert.deepEqual(later.figures.find(({ name }) => name === 'CLOSED')?.count, 0)
})

test('accounts and operations download the files, each download is recorded, and an invalid day is refused', async () => {
  const [devika, vera] = [await deskPerson(partner, 'Devika', 'accounts'), await deskPerson(partner, 'Vera', 'viewer')]
  const page = await devika.view(`/desk/reports?from=${on(0)}&to=${on(45)}`)
  assert.match(page.text, /Loans paid out, with amount3₹3,00,000\.00/)
  const file = await devika.get(`/desk/reports/bureau.csv?closedSince=${on(0)}`)
  const lines = (await file.text()).trim().split('\r\n')
  assert.deepEqual([file.status, lines.length, lines[0]], [200, 4, `${bureauColumns.join(',')}`])
  const csv = await (await devika.get(`/desk/reports/returns.csv?from=${on(0)}&to=${on(45)}`)).text()
  assert.match(csv, /disbursement,3,300000\.00/)
  assert.equal((await devika.view('/desk/reports/bureau.csv?closedSince=yesterday')).status, 400)
  assert.equal((await vera.view('/desk/reports/bureau.csv')).status, 403)
  const [made] = await db<{ count: number }>`select count(*)::int as count from audit_entry where act = 'REPORT_MADE'`
  assert.equal(made!.count, 2)
})

test('a loan stays closed on the day on which it was, when its fee is given back later and more money comes', async () => {
  const early = await lent('DDDPE1234F')
  const { total } = (await payoffOf(db, early, on(1), startOf(on(1))))!
  await receive(early, total, on(1))
  await askToLeave(early, on(6), { requestedOn: on(3), reference: 'GRV-000118' })
  await receive(early, 500_00n, on(20))
  assert.equal((await reported(on(0))).get('DDDPE1234F')!.closedOn, on(1))
  // The bank told of the money after day 45, so no earlier file had it.
  assert.equal((await reported(on(45))).has('DDDPE1234F'), true)
  assert.equal((await reported(on(47))).has('DDDPE1234F'), false)
})

test('D3 §4.4: the regulator’s figures count money and fees, and no interest that was given back with them', async () => {
  setClock(startOf(on(50)))
  const caseRef = await open({}, on(46), 'EEEPE1234F')
  const paise = await exitOn(caseRef, on(47))
  await receive(caseRef, paise, on(47))
  setClock(startOf(on(52)))
  const { hasExited } = await askToLeave(caseRef, on(52), { requestedOn: on(47), reference: 'GRV-000119' })
  assert.equal(hasExited, true)
  const { figures } = await returnsOf(db, { from: on(50), to: on(52) })
  const of = (name: string) => figures.find((each) => each.name === name)?.paise
  assert.deepEqual([of('RECEIPT'), of('FEE_RETURN')], [paise, 2360_00n])
})

// The month-end page over real HTTP: each state follows from the data, and only from data of the month.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plusDays } from '@lendloom/lending/calendar'
import { uuidv4 } from '@lendloom/seal/id'
import { accountsOn } from '@lendloom/tests/setup/account'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { exampleLead } from '@lendloom/wire/exchange/example/event'
import { posting } from '#partner/books/ledger/entry.ts'
import { insertEntries } from '#partner/books/ledger/store.ts'
import { leadContext } from '#partner/origination/case/lifecycle.ts'

const path = '/desk/books/month-end'
type Desk = Awaited<ReturnType<typeof startDesk>>

/** A lender with empty books of its own, its people, and a clock that the test moves. */
async function startDesk() {
  let now = new Date('2026-11-20T06:00:00.000Z')
  const partner = await startTestPartner({ PARTNER_MODE: 'api' }, () => now)
  const { db } = partner
  const accounts = accountsOn(db)
  const meera = await deskPerson(partner, 'Meera', 'accounts')
  const isha = await deskPerson(partner, 'Isha', 'accounts')
  const ravi = await deskPerson(partner, 'Ravi', 'viewer')
  async function upload(lines: string): Promise<string> {
    const body = new FormData()
    body.set('file', new File([`date,reference,amount\n${lines}`], 'bank.csv'))
    return (await meera.upload('/desk/books/bank', body)).location
  }
  return {
    ...accounts,
    partner,
    meera,
    isha,
    ravi,
    upload,
    moveTo(at: string): void {
      now = new Date(at)
      accounts.setClock(now)
    },
    monthEnd: async () => (await ravi.view(path)).text,
    async stateOf(step: string): Promise<string> {
      const { html } = await ravi.view(path)
      const [, state, details] = RegExp(`>${step}</a></td><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td>`).exec(html) ?? []
      const text = (markup = '') => markup.replaceAll(/<[^>]*>/g, '')
      return `${text(state)}: ${text(details)}`
    },
    payment(reference: string, changes: Record<string, unknown>) {
      const row = {
        caseRef: `CASE-${reference}`,
        paymentId: uuidv4(),
        status: 'POSTED',
        method: 'ENACH',
        amountPaise: 4790_00n,
        collectionId: changes.status === 'PENDING_VERIFICATION' ? null : uuidv4(),
        installmentIds: [],
        bankReference: reference,
        createdAt: now,
        updatedAt: now,
        ...changes,
      }
      return db.tx((tx) => tx`insert into payment ${tx(row)}`)
    },
    receipt(receiptId: string, valueOn: string) {
      const row = {
        provider: 'bank',
        receiptId,
        method: 'NEFT',
        transactionReference: receiptId,
        amountPaise: 1000_00n,
        valueOn,
        wordsSealed: Buffer.alloc(1),
        receivedAt: now,
      }
      return db`insert into bank_receipt ${db(row)}`
    },
    async closeAsShown(statement: string, reason: string): Promise<void> {
      const [, shown = ''] = /name="shown" value="(\w+)"/.exec((await meera.view(statement)).html) ?? []
      assert.equal((await meera.send(`${statement}/close`, { shown, reason })).status, 303)
      if (shown === '') return
      const [, confirm = ''] = /action="([^"]+\/confirm)"/.exec((await isha.view(statement)).html) ?? []
      assert.equal((await isha.send(confirm)).status, 303, 'a second person confirms the differences')
    },
    propose: (person: typeof meera, reason: string, month = '2026-11') =>
      person.send(`${path}/propose?month=${month}`, { reason }),
    /** The path of the proposal that waits. */
    async proposal(): Promise<string> {
      const [row] = await db<{ id: string }>`select closing_id as id from month_closing where state = 'WAITING'`
      return `${path}/closings/${row!.id}`
    },
  }
}

/** Opens a loan, of which the borrower pays the first instalment in part, and ends each day up to 29 November. */
async function openLoan({ open, receive, endDay, db, partner }: Desk): Promise<void> {
  const loan = await open()
  const sealed = partner.ctx.seal.json(exampleLead(), leadContext(loan))
  await db`update case_lead set lead_sealed = ${sealed} where case_ref = ${loan}`
  for (let on = '2026-11-20'; on < '2026-11-30'; on = plusDays(on, 1)) {
    if (on === '2026-11-27') await receive(loan, 4000_00n, on)
    await endDay(on)
  }
}

/** A desk on 3 December, whose last day of November was closed just after midnight. */
async function deskAfterNovember(): Promise<Desk> {
  const desk = await startDesk()
  await openLoan(desk)
  desk.moveTo('2026-11-30T18:40:00.000Z')
  await desk.endDay('2026-11-30')
  desk.moveTo('2026-12-03T06:00:00.000Z')
  return desk
}

/** Payments of November that wait: for a look at the receipt, for a check of the claim, and for the bank. */
async function addWaitingPayments({ payment }: Desk): Promise<void> {
  await payment('claimed', { status: 'PENDING_VERIFICATION', claimedOn: '2026-11-30' })
  await payment('held', { status: 'PENDING_VERIFICATION', receiptId: 'R4', valueOn: '2026-11-30' })
  await payment('waiting', { status: 'UNKNOWN', collectionId: uuidv4(), collectionOn: '2026-11-27' })
}

/** Three debits, and two closed statements: a line is missing in one of them, and a person has accepted it. */
async function reconcile({ payment, upload, closeAsShown }: Desk): Promise<void> {
  await payment('NACH1', { valueOn: '2026-11-27' })
  await payment('NACH2', { valueOn: '2026-11-30' })
  await payment('NACH3', { valueOn: '2026-12-01' })
  await closeAsShown(await upload('2026-11-27,NACH1,4790\n'), '')
  await closeAsShown(await upload('2026-11-29,FEE,-5\n2026-12-01,NACH3,4790\n'), 'A bank charge.')
}

/** A desk with three steps open, because payments wait: all else of November is done. */
async function deskWithThreeStepsOpen(): Promise<Desk> {
  const desk = await deskAfterNovember()
  await addWaitingPayments(desk)
  for (const file of [
    'books/journal.csv?from=2026-11-01&to=2026-11-30',
    'reports/returns.csv?from=2026-11-01&to=2026-11-30',
    'reports/bureau.csv?closedSince=2026-11-01',
  ])
    assert.equal((await desk.meera.get(`/desk/${file}`)).status, 200)
  return desk
}

async function closeNovember({ meera, isha, propose, proposal }: Desk): Promise<void> {
  assert.equal((await propose(meera, 'All checked.')).status, 303)
  assert.equal((await isha.send(`${await proposal()}/confirm`, {})).status, 303)
}

test('the overview counts the months to close, and leads to the oldest', async () => {
  const { partner, moveTo } = await deskAfterNovember()
  moveTo('2027-02-03T06:00:00.000Z')
  const dev = await deskPerson(partner, 'Dev', 'accounts')
  assert.match(
    (await dev.view('/desk')).html,
    /month-end\?month=2026-11"><strong>3<\/strong> <span>Months to close, first November 2026</,
  )
})

test('D3 §2.5: a month without entries has no steps', async () => {
  const { monthEnd } = await startDesk()
  const page = await monthEnd()
  assert.match(
    page,
    /November 2026\s*November 2026 can be closed from 1 Dec 2026\. The books have no entries up to the end of October 2026/,
  )
  assert.doesNotMatch(page, /steps done/)
})

test('D3 §2.5: the days, dues and books of the last ended month have the figures of the loans', async () => {
  const desk = await startDesk()
  const { endDay, moveTo, monthEnd, stateOf } = desk
  await openLoan(desk)
  moveTo('2026-11-30T18:20:00.000Z')
  assert.match(await monthEnd(), /October 2026/, 'the month has not ended in India')
  moveTo('2026-11-30T18:40:00.000Z')
  assert.equal(await stateOf('Days closed'), 'Open: 30 Nov 2026 is not closed yet.')
  assert.equal(await stateOf('Journal downloaded'), 'Open: Download it after the last day is closed.')
  await endDay('2026-11-30')
  assert.equal(await stateOf('Days closed'), 'Done: Closed on 1 Dec 2026, 12:10 am.')
  assert.match(await monthEnd(), /Due and paid: ₹4,790 fell due, of which ₹4,000 was paid by the end of the month\./)
  assert.match(await stateOf('Books balanced'), /^Done: Debits and credits of ₹[\d,.]+\.$/)
})

test('D3 §2.5: the days stay open only until a later day-end has processed a loan that failed', async () => {
  const { db, stateOf } = await deskAfterNovember()
  const [loan] = await db<{ nextWorkOn: string }>`select next_work_on from loan`
  await db`update business_day set failed = 1 where ended_on = '2026-11-30'`
  await db`update loan set next_work_on = '2026-11-30'`
  assert.equal(await stateOf('Days closed'), 'Open: 1 loan could not be processed.')
  await db`update loan set next_work_on = ${loan!.nextWorkOn}`
  assert.equal(await stateOf('Days closed'), 'Done: Closed on 1 Dec 2026, 12:10 am.')
})

test('D3 §6: payments of the month that wait keep its step open, and later ones do not', async () => {
  const desk = await deskAfterNovember()
  const { payment, receipt, stateOf } = desk
  await receipt('R1', '2026-12-01')
  await payment('later', { status: 'SUBMITTED', collectionId: uuidv4(), collectionOn: '2026-12-01' })
  await payment('claimed-later', { status: 'PENDING_VERIFICATION' })
  assert.equal(await stateOf('Receipts posted'), 'Done: No receipt waits.')
  assert.equal(await stateOf('Claims verified'), 'Done: No claim waits.')
  assert.equal(await stateOf('Debits settled'), 'Done: No debit waits for the bank.')
  await receipt('R2', '2026-11-30')
  await receipt('R3', '2026-11-02')
  await addWaitingPayments(desk)
  assert.equal(await stateOf('Receipts posted'), 'Open: 3 receipts of ₹6,790 wait.')
  assert.equal(await stateOf('Claims verified'), 'Open: 1 claim of ₹4,790 waits.')
  assert.equal(await stateOf('Debits settled'), 'Open: 1 debit of ₹4,790 waits.')
})

test('D3 §2.5: the statements are reconciled once closed statements cover each day with a movement', async () => {
  const desk = await deskAfterNovember()
  const { db, meera, payment, receipt, upload, stateOf, closeAsShown } = desk
  await receipt('R2', '2026-11-30')
  await receipt('R3', '2026-11-02')
  await addWaitingPayments(desk)
  assert.match(await stateOf('Bank statements reconciled'), /Missing: 2 Nov 2026, 30 Nov 2026\.$/, 'unposted receipts')
  await db`update bank_receipt set value_on = '2026-10-31' where value_on < '2026-12-01'`
  assert.equal(await stateOf('Bank statements reconciled'), 'Done: The books have no movement at the bank.')
  await payment('NACH1', { valueOn: '2026-11-27' })
  await payment('NACH2', { valueOn: '2026-11-30' })
  await payment('NACH3', { valueOn: '2026-12-01' })
  const statement = await upload('2026-11-27,NACH1,4790\n')
  assert.equal(
    await stateOf('Bank statements reconciled'),
    'Open: 0 of 2 days with movements in a closed statement; 1 statement open. Missing: 27 Nov 2026, 30 Nov 2026.',
  )
  assert.match((await meera.view(statement)).text, /Close the statement\s*All lines match\. Closing cannot be undone/)
  assert.equal((await meera.send(`${statement}/close`, {})).status, 303, 'no difference needs no reason')
  assert.equal(
    await stateOf('Bank statements reconciled'),
    'Open: 1 of 2 days with movements in a closed statement. Missing: 30 Nov 2026.',
  )
  await closeAsShown(await upload('2026-11-29,FEE,-5\n2026-12-01,NACH3,4790\n'), 'A bank charge.')
  assert.equal(await stateOf('Bank statements reconciled'), 'Done: 2 of 2 days with movements in a closed statement.')
})

test('D3 §2.5: a movement booked after the closing opens the step until a statement explains it', async () => {
  const desk = await deskAfterNovember()
  const { db, meera, payment, receipt, upload, stateOf, closeAsShown } = desk
  await reconcile(desk)
  const step = () => stateOf('Bank statements reconciled')
  const done = /^Done: \d of \d days with movements in a closed statement\.$/
  await payment('LATE', { valueOn: '2026-11-30' })
  assert.match(await step(), /^Open: .* Changed after the closing: LATE \(30 Nov 2026\)\.$/)
  await closeAsShown(await upload('2026-11-30,NACH2,4790\n2026-11-30,LATE,4790\n'), '')
  assert.match(await step(), done, 'a later statement has the line')
  await payment('NACH1', { valueOn: '2026-11-27', caseRef: 'CASE-twice' })
  assert.match(await step(), /Changed after the closing: NACH1/, 'posted twice')
  await closeAsShown(await upload('2026-11-27,NACH1,4790\n2026-11-27,SELF,1\n2026-11-27,SELF,-1\n'), 'Posted twice.')
  assert.match(await step(), done, 'a person accepted the difference')
  await receipt('UTRLATE', '2026-11-30')
  assert.match(await step(), /Changed after the closing: UTRLATE/, 'the bank reported a receipt late')
  await db`delete from bank_receipt where receipt_id = 'UTRLATE'`
  await payment('BOOK5', { valueOn: '2026-11-30', amountPaise: 7_00n })
  const paired = await upload('2026-11-30,NACH2,4790\n2026-11-30,LATE,4790\n2026-11-30,BANK5,7\n')
  assert.equal((await meera.send(`${paired}/pair`, { bank: 'BANK5', books: 'BOOK5', reason: 'Cut.' })).status, 303)
  await closeAsShown(paired, '')
  assert.match(await step(), done, 'a pair explains the movement')
})

test('D3 §2.5: a bank statement with a line after today is refused by its line and date', async () => {
  const { meera, moveTo } = await startDesk()
  moveTo('2026-12-03T18:29:00.000Z')
  const body = new FormData()
  body.set('file', new File(['date,reference,amount\n2026-12-03,A,1\n2126-12-01,A,-1\n2026-12-04,A,1\n'], 'bank.csv'))
  const { status, text } = await meera.upload('/desk/books/bank', body)
  assert.equal(status, 400)
  assert.match(text, /line 3, column \w+: 2126-12-01 is after today/)
  body.set('file', new File(['date,reference,amount\n2026-12-04,A,1\n'], 'bank.csv'))
  assert.match((await meera.upload('/desk/books/bank', body)).text, /line 2, column \w+: 2026-12-04 is after today/)
  moveTo('2026-12-03T18:31:00.000Z')
  assert.equal((await meera.upload('/desk/books/bank', body)).status, 303, 'the day has begun in India')
})

test('operation: a download counts if it covers the month and was made after its last day was closed', async () => {
  const desk = await deskAfterNovember()
  const { meera, ravi, moveTo, stateOf } = desk
  await addWaitingPayments(desk)
  const november = 'from=2026-11-01&to=2026-11-30'
  moveTo('2026-11-30T18:39:00.000Z')
  await meera.get(`/desk/books/journal.csv?${november}`)
  moveTo('2026-12-03T06:00:00.000Z')
  await meera.get('/desk/books/journal.csv?from=2026-11-02&to=2026-11-30')
  await meera.get('/desk/reports/returns.csv?from=2026-11-01&to=2026-11-29')
  await meera.get('/desk/reports/bureau.csv?closedSince=2026-11-02')
  for (const step of ['Journal downloaded', 'Returns downloaded', 'Bureau report downloaded'])
    assert.equal(await stateOf(step), 'Open: Not downloaded since the last day was closed.')
  await meera.get(`/desk/books/journal.jsonl?${november}`)
  await meera.get('/desk/reports/returns.csv?from=2026-10-01&to=2026-12-02')
  assert.match(await (await meera.get('/desk/reports/bureau.csv?closedSince=2026-11-01')).text(), /LN70001/)
  for (const step of ['Journal downloaded', 'Returns downloaded'])
    assert.equal(await stateOf(step), 'Done: Downloaded on 3 Dec 2026, 11:30 am by Meera.')
  assert.equal(
    await stateOf('Bureau report downloaded'),
    'Done: Downloaded on 3 Dec 2026, 11:30 am by Meera, as of 30 Nov 2026.',
  )
  const { html, text } = await ravi.view(path)
  assert.match(text, /6 of 9 steps done\./)
  assert.equal(html.match(/<td[^>]*><span class="badge (good|warn)"/g)?.length, 9, 'each step has a state')
  const search = november.replace('&', '&amp;')
  for (const link of ['money', 'books/bank', 'portfolio?on=2026-11-30', `books?${search}`, `reports?${search}#book`])
    assert.ok(html.includes(`href="/desk/${link}"`), link)
})

test('D3 §2.5: a second person closes the month, as the first one proposed it', async () => {
  const { partner, db, meera, ravi, propose, proposal } = await deskWithThreeStepsOpen()
  const asha = await deskPerson(partner, 'Asha', 'accounts')
  const dev = await deskPerson(partner, 'Dev', 'operations')
  assert.equal((await propose(ravi, 'All checked.')).status, 403, 'a viewer proposes nothing')
  const early = await propose(meera, 'All checked.', '2026-10')
  assert.equal(early.status, 409)
  assert.match(early.text, /no entries up to the end of October 2026/)
  const unexplained = await propose(meera, ' ')
  assert.equal(unexplained.status, 400)
  assert.match(unexplained.text, /Enter a reason/i)
  await db`update loan set next_work_on = '2026-11-30' where case_ref = (select min(case_ref) from loan)`
  assert.match((await propose(meera, 'All checked.')).text, /can be closed after the end of day/)
  await db`update loan set next_work_on = '2026-12-07' where next_work_on = '2026-11-30'`
  assert.match((await dev.view('/desk')).text, /1 Month to close: November 2026/)
  const { location } = await propose(meera, 'Two receipts without a payer.')
  assert.match(
    (await meera.view(location!)).html,
    /You proposed to close November 2026\. Another person must confirm it under <a href="\/desk\/approvals">Approvals<\/a> by <time[^>]*>10\sDec\s2026/,
  )
  assert.match((await propose(dev, 'Once more.')).text, /November 2026 is already closed, or waits/)
  assert.match((await dev.view('/desk')).text, /1 Closings to confirm/)
  assert.doesNotMatch((await dev.view('/desk')).text, /1 Month to close/)
  const approvals = await dev.view('/desk/approvals')
  assert.match(
    approvals.text,
    /Close November 2026\s*Proposed by Meera .* ago\. It expires on 10\sDec\s2026,.*\.\s*Reason\s*Two receipts without a payer\..*See the month and decide/s,
  )
  assert.match((await meera.view('/desk/approvals')).text, /another person must decide\.\s*See the month(?! and)/)
  assert.match((await ravi.view('/desk/approvals')).text, /operations confirm the closing\.\s*See the month(?! and)/)
  assert.doesNotMatch(approvals.text, /Nothing to approve/)
  assert.match(approvals.html, /href="\/desk\/books\/month-end\?month=2026-11#closing"/)
  assert.doesNotMatch(approvals.html, /csv=/, 'without a request, the table of requests has no rows to download')
  assert.match(
    (await dev.view(path)).text,
    /Waiting for your decision.*Close November 2026\s*Reason for refusing\s*Refuse/s,
  )
  const waiting = await meera.view(path)
  assert.match(
    waiting.text,
    /Waiting for a second person.*Still\sopen\s*Post the receipts, .*You proposed this, so another person must decide/s,
  )
  assert.match((await meera.send(`${await proposal()}/confirm`, {})).text, /You cannot decide your own proposal/)
  assert.equal((await asha.send(`${await proposal()}/refuse`, { reason: '' })).status, 400, 'a refusal has a reason')
  assert.equal((await asha.send(`${await proposal()}/refuse`, { reason: 'Find the payers.' })).status, 303)
  assert.match((await meera.view(path)).text, /Earlier proposals.*Refused.*Find the payers\./s)
  assert.equal((await propose(meera, 'The payers are unknown.')).status, 303)
  const changed = {
    caseRef: 'CASE-x',
    entryId: 'x',
    kind: 'ACCRUAL' as const,
    businessOn: '2026-11-30',
    reverses: null,
  }
  const postings = posting('ACCRUED_INTEREST', 'INTEREST_INCOME', 1n)
  await db.tx((tx) =>
    insertEntries(tx, [{ ...changed, postings }], { at: new Date('2026-12-03T06:00:00.000Z'), on: '2026-11-30' }),
  )
  const refused = await asha.send(`${await proposal()}/confirm`, {})
  assert.match(
    refused.text,
    /books of the month have changed since the proposal/,
    'the confirmed figures are the proposed ones',
  )
  assert.equal((await propose(meera, 'With the correction.')).status, 303)
  const confirm = `${await proposal()}/confirm`
  const confirmed = await Promise.all([asha.send(confirm, {}), asha.send(confirm, {})])
  assert.deepEqual(confirmed.map(({ status }) => status).sort(), [303, 409], 'decided once')
  const { location: closed } = confirmed.find(({ status }) => status === 303)!
  assert.match((await asha.view(closed!)).text, /Confirmed the closing of a month: November 2026\./)
  const raviPage = await ravi.view(path)
  assert.match(
    raviPage.text,
    /Closed with 3 steps open Proposed by Meera, confirmed by Asha on 3 Dec 2026.*6 of 9 steps done\..*Receipts posted\s*Not done.*Closing\s*Reason\s*With the correction\.\s*Still\sopen\s*Post the receipts, verify the claims, settle the debits\s*Corrections/s,
  )
  assert.doesNotMatch(raviPage.text, /Close the month/)
  const claimOn = (day: string) => db`update payment set claimed_on = ${day} where bank_reference = 'claimed'`
  await claimOn('2026-12-01')
  assert.match(
    (await ravi.view(path)).text,
    /Still\sopen\s*Post the receipts, settle the debits\s*Done since the proposal\s*Claims verified\s*Corrections/,
  )
  await claimOn('2026-11-30')
  assert.equal((await propose(dev, 'Again.')).status, 409)
  assert.equal((await asha.send(`${path}/closings/${uuidv4()}/confirm`, {})).status, 404)
})

test('D3 §2.5: a month is closed after the month before it, and on the first day of the books without one', async () => {
  const desk = await deskAfterNovember()
  const { meera, ravi, moveTo, endDay } = desk
  await closeNovember(desk)
  moveTo('2027-02-02T06:00:00.000Z')
  for (let on = '2026-12-01'; on < '2027-02-01'; on = plusDays(on, 1)) await endDay(on)
  const propose = (month: string) => desk.propose(meera, 'All checked.', month)
  assert.match((await propose('2027-01')).text, /Close December 2026 first/)
  assert.match((await meera.view(`${path}?month=2027-01`)).html, /\?month=2026-12">Close December 2026 first\./)
  assert.match((await propose('2027-02')).text, /Month has not ended/)
  assert.equal((await propose('2026-12')).status, 303)
  assert.match((await propose('2027-01')).text, /Close December 2026 first/, 'a proposal closes nothing')
  assert.match((await ravi.view(path)).text, /Waiting for a second person: December 2026/)
  moveTo('2027-02-10T06:00:00.000Z')
  assert.equal((await propose('2026-12')).status, 303, 'the first proposal has expired')
})

test('operation: an earlier month can be opened, but not one that has not ended or is not a month', async () => {
  const desk = await deskWithThreeStepsOpen()
  const { ravi, moveTo } = desk
  await closeNovember(desk)
  moveTo('2027-01-02T06:00:00.000Z')
  const december = await ravi.view(path)
  assert.match(december.text, /December 2026\s*November 2026/)
  assert.doesNotMatch(december.text, /January 2027/)
  assert.match(december.html, /href="\/desk\/books\/month-end\?month=2026-11"/)
  const november = await ravi.view(`${path}?month=2026-11`)
  assert.match(
    november.text,
    /November 2026\s*December 2026\s*Closed with 3 steps open Proposed by .*6 of 9 steps done\./s,
  )
  assert.match(november.html, /href="\/desk\/books\/month-end\?month=2026-12"/)
  assert.doesNotMatch(november.text, /October 2026/, 'the books begin in November')
  assert.match((await ravi.view(`${path}?month=2020-02`)).text, /no entries up to the end of February 2020/)
  for (const month of ['2026-13', '2026-00', '0026-11', '2026-1', '2026-11-01', '11-2026', "2026-11' or 1=1", 'x'])
    assert.match((await ravi.view(`${path}?month=${encodeURIComponent(month)}`)).text, /Month is not a month/, month)
  const future = await ravi.view(`${path}?month=2027-01`)
  assert.equal(future.status, 400)
  assert.match(future.text, /Month has not ended/)
})

test('operation: overview and books link to the month-end', async () => {
  const { ravi } = await deskAfterNovember()
  for (const page of ['/desk', '/desk/books', '/desk/books/bank'])
    assert.match((await ravi.view(page)).html, /href="\/desk\/books\/month-end"/, page)
})

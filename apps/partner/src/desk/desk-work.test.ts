// Collaboration at the desk over real HTTP: notes and tasks, file previews, versions of terms, tables as CSV.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLines } from '@lendloom/documents/csv'
import { readHtml } from '@lendloom/http/html'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import { rowsIn } from './parts/table-csv.ts'

const now = new Date()

/** A desk with one case under review, the name of whose applicant begins like a formula. */
async function startDesk() {
  const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' }, () => now)
  const meera = await deskPerson(partner, 'Meera', 'credit')
  const ravi = await deskPerson(partner, 'Ravi', 'viewer')
  const loanCase = new TestCase(partner)
  Object.assign(loanCase.lead.borrower, { first_name: '=Asha', middle_name: null, last_name: 'Varma' })
  await loanCase.register()
  const page = `/desk/cases/${loanCase.caseRef}`
  await until('the case is under review', async () => /Under review/.test((await meera.view(page)).text))
  return { partner, db: partner.db, meera, ravi, loanCase, page }
}
const { partner, db, meera, ravi, loanCase, page } = await startDesk()
const offerForm = {
  amount: '60000',
  annualRatePercent: '26',
  feePercent: '2',
  taxPercent: '18',
  otherCharges: '0',
  validDays: '3',
}
const today = businessDate(now)

test('notes and tasks are on the case page, and an open task is on the overview of its assignee', async () => {
  assert.equal((await meera.send(`${page}/note`, { text: 'Called: she moves the shop.' })).status, 303)
  const task = { text: 'Ask for the lease', assignee: meera.staffId, dueOn: today }
  assert.equal((await meera.send(`${page}/task`, task)).status, 303)
  const { text, html } = await meera.view(page)
  assert.match(html, /<h2>Approve with these terms<.*<h2>Applicant/s)
  assert.match(text, /Ask for the lease[\s\S]*Called: she moves the shop\.\s*Meera/)
  assert.match((await meera.view('/desk')).text, /My tasks[\s\S]*Ask for the lease=Asha Varma/)
  assert.doesNotMatch((await ravi.view('/desk')).text, /My tasks/)
  const [row] = await db<{ taskId: string; sealed: string }>`
    select task_id, encode(text_sealed, 'escape') as sealed from case_task`
  assert.ok(!row!.sealed.includes('lease'), 'the text is stored sealed')
  assert.equal((await meera.send(`${page}/task-done`, { task: row!.taskId })).status, 303)
  assert.equal((await meera.send(`${page}/task-done`, { task: row!.taskId })).status, 409, 'a task is completed once')
  assert.doesNotMatch((await meera.view('/desk')).text, /My tasks/)
  assert.match((await meera.view(`${page}?tab=history`)).text, /Completed a task/)
})

test('an overdue task is marked as late on the overview', async () => {
  await meera.send(`${page}/task`, { text: 'Look at the statement', assignee: meera.staffId, dueOn: today })
  await db`update case_task set due_on = ${plusDays(today, -1)} where done_at is null`
  assert.match((await meera.view('/desk')).text, /My tasks[\s\S]*Late/)
})

test('a note or task with an invalid field is refused and not stored', async () => {
  const count = async () => (await db`select 1 from case_task union all select 1 from case_note`).length
  const before = await count()
  const task = { text: 'x', assignee: meera.staffId, dueOn: today }
  const tooLong = await meera.send(`${page}/note`, { text: 'x'.repeat(1001) })
  assert.equal(tooLong.status, 400)
  assert.match(tooLong.text, /up to 1,000 characters/)
  for (const [change, message] of [
    [{ dueOn: plusDays(today, -1) }, /Choose today or a later day/],
    [{ dueOn: '2026-02-30' }, /Choose today or a later day/],
    [{ assignee: ravi.staffId }, /this person cannot do tasks/i],
    [{ assignee: 'x' }, /this person cannot do tasks/i],
    [{ text: ' ' }, /up to 1,000 characters/],
  ] as const) {
    const { status, text } = await meera.send(`${page}/task`, { ...task, ...change })
    assert.equal(status, 400, JSON.stringify(change))
    assert.equal(message.test(text), true, JSON.stringify(change))
  }
  assert.equal((await meera.send(`${page}/task-done`, { task: 'x' })).status, 409)
  assert.equal((await ravi.send(`${page}/note`, { text: 'x' })).status, 403)
  assert.equal(await count(), before)
})

test('personal data is masked, and revealed to those who may open files, for a reason that the audit log keeps', async () => {
  const { borrower } = loanCase.lead
  const masked = (await meera.view(page)).text
  assert.match(masked, /Mobile•••• \d{4}Email\S••••@\S+[\s\S]*Date of birth•••• 1992PAN•••• \S{4}Monthly/)
  assert.doesNotMatch((await ravi.view(page)).text, /Reveal/)
  const reveal = (form: [string, string][], person = meera) => person.send(`${page}/reveal`, form)
  assert.equal((await reveal([['field', 'pan']], ravi)).status, 403)
  for (const [form, message] of [
    [[['reason', 'CHECK_DOCUMENT']], /Choose what you need to see/],
    [[['field', 'pan']], /Choose a reason/],
    [
      [
        ['field', 'payoutAccount'],
        ['reason', 'CHECK_DOCUMENT'],
      ],
      /Choose what you need to see/,
    ],
  ] as [[string, string][], RegExp][]) {
    const refused = await reveal(form)
    assert.equal(refused.status, 400)
    assert.match(refused.text, message)
    assert.ok(!refused.text.includes(borrower.pan))
  }
  const revealed = await reveal([
    ['field', 'pan'],
    ['field', 'dateOfBirth'],
    ['field', 'payoutAccount'],
    ['reason', 'CHECK_DOCUMENT'],
  ])
  assert.equal(revealed.status, 200)
  assert.match(revealed.text, new RegExp(`Date of birth29 Feb 1992PAN${borrower.pan}`))
  assert.match(revealed.text, /Revealed until you leave this page: Date of birth, PAN\./, 'only what the case has')
  assert.ok(!revealed.text.includes(borrower.mobile.slice(-10)), 'only what was chosen')
  assert.ok(!(await meera.view(page)).text.includes(borrower.pan), 'the next page is masked')
  const entries = await db<{ detail: string }>`
    select detail from audit_entry where act = 'PERSONAL_DATA_REVEALED' and case_ref = ${loanCase.caseRef}`
  assert.deepEqual(
    entries.map(({ detail }) => JSON.parse(detail)),
    [{ because: 'CHECK_DOCUMENT', fields: 'dateOfBirth, pan' }],
  )
  const admin = await deskPerson(partner, 'Asha', 'admin')
  assert.match(
    (await admin.view('/desk/acts')).text,
    /Revealed personal data[\s\S]*because: check document, fields: date of birth, pan\s*Application \d+/,
  )
})

test('D3 §4.3: a file is shown beside the decision forms without its scripts, and each view is recorded', async () => {
  const { body } = await loanCase.upload('BANK_STATEMENT')
  const address = `${page}/documents/${body.document_id}`
  const { status, text } = await meera.view(`${address}/view`)
  assert.equal(status, 200)
  assert.match(text, /Approve with these terms/)
  assert.match(text, /1 of 1/)
  assert.match((await meera.view(`${page}?tab=documents`)).text, /Download/)
  const countViews = async () => (await db`select 1 from audit_entry where act = 'FILE_READ'`).length
  const before = await countViews()
  const inlineFile = await meera.fetch(`${address}/inline`)
  assert.match(inlineFile.headers.get('content-disposition')!, /^inline/)
  const policy = inlineFile.headers.get('content-security-policy')!
  assert.match(policy, /default-src 'none'.*frame-ancestors 'self'/)
  assert.ok(!policy.includes('script'))
  const download = await meera.fetch(address)
  assert.match(download.headers.get('content-disposition')!, /^attachment/)
  assert.equal(await countViews(), before + 2)
  const forbidden = await ravi.view(`${address}/view`)
  assert.equal(forbidden.status, 403)
  assert.match(forbidden.text, /Portfolio[\s\S]*Your role does not allow this\s*A file beside the case/)
  assert.match(forbidden.text, /This needs the role credit, operations, accounts or admin\. Your role is viewer/)
  for (const [path, name] of [
    ['/desk/people', 'People'],
    ['/desk/acts', 'Audit log'],
  ] as const)
    assert.match((await ravi.view(path)).text, new RegExp(`does not allow this\\s*${name}\\s*This needs`))
  assert.match((await ravi.send('/desk/people')).text, /does not allow this\s*Add a person/)
  assert.equal((await meera.view(`${page}/documents/018f0000-0000-7000-8000-000000000000/view`)).status, 404)
})

test('D3 §2.4: new terms are shown beside the previous terms, and the changes are marked', async () => {
  const { meera, page } = await startDesk()
  assert.equal((await meera.send(`${page}/offer`, offerForm)).status, 303)
  assert.doesNotMatch((await meera.view(page)).text, /Terms by version/)
  assert.equal((await meera.send(`${page}/offer`, { ...offerForm, amount: '55000' })).status, 303)
  const { text } = await meera.view(page)
  assert.match(text, /Version 1Version 2\s*Amount₹60,000₹55,000, changed/)
  assert.match(text, /Annual interest rate26(\.00)?%26(\.00)?%/)
  assert.match(text, /Borrower’s decisionReplacedTo decide/)
})

test('a table’s CSV contains the rows of the page, and no formulas', async () => {
  const { db, meera, ravi, loanCase, page } = await startDesk()
  for (const amount of ['60000', '55000'])
    assert.equal((await meera.send(`${page}/offer`, { ...offerForm, amount })).status, 303)
  const casesPage = await meera.fetch('/desk/cases?status=OFFERED')
  assert.match(await casesPage.text(), /href="\?status=OFFERED&amp;csv=cases" aria-label="Download CSV: cases"/)
  const file = await meera.fetch('/desk/cases?status=OFFERED&csv=cases')
  assert.match(file.headers.get('content-disposition')!, /^attachment; filename="cases-\d{4}-\d\d-\d\d\.csv"$/)
  const [head, line, ...more] = (await file.text()).replace('\ufeff', '').trim().split('\r\n')
  assert.equal(head, 'Borrower,Number,Amount,Application,Account,Class,Due,Application changed')
  assert.match(
    line!,
    new RegExp(`^'=Asha Varma,Application ${loanCase.leadId},\\d+\\.00,Offered,,,,\\d{4}-\\d\\d-\\d\\dT`),
  )
  assert.equal(more.length, 0)
  const terms = await (await meera.fetch(`${page}?csv=terms-by-version`)).text()
  assert.match(terms, /Amount,60000\.00,55000\.00/)
  assert.equal((await meera.view('/desk/cases?csv=nothing')).status, 404)
  const invalidAddress = await meera.view('/desk/cases?csv=..%2F')
  assert.equal(invalidAddress.status, 400)
  assert.match(invalidAddress.text, /This link is not complete or no longer valid/)
  assert.doesNotMatch(invalidAddress.text, /pattern/)
  assert.match(invalidAddress.text, /Sign out.*Part of the address is missing/s, 'the navigation stays')
  assert.equal((await ravi.view('/desk/cases?csv=cases')).status, 403)
  assert.doesNotMatch(await (await ravi.fetch('/desk/cases')).text(), /csv=/)
  const entries = await db<{ subject: string; detail: string }>`
    select subject, detail from audit_entry where act = 'TABLE_EXPORTED' order by sequence`
  assert.equal(entries.length, 2)
  assert.equal(entries[0]!.detail, '{"rows":1,"status":"OFFERED","table":"cases"}')
})

test('a table’s CSV contains negative numbers, but no buttons', () => {
  const table = `<table aria-label="To do"><tr><th>Day</th><th>Amount</th><th><span class="unseen">What can be done</span></th></tr>
    <tr><td><time datetime="2026-11-20">20 Nov</time></td><td>-₹1,234.50</td><td><button>Go</button></td></tr>
    <tr><td>Total</td><td>−₹2,000</td><td></td></tr></table>`
  assert.deepEqual(rowsIn(readHtml(table), 'to-do'), [
    ['Day', 'Amount'],
    ['2026-11-20', '-1234.50'],
    ['Total', '-2000.00'],
  ])
  assert.equal(csvLines([['a'], ['-1234.50'], ['-1+cmd'], ['=1']], true), "\ufeffa\r\n-1234.50\r\n'-1+cmd\r\n'=1\r\n")
})

test('D3 §1.1: a rejected case begins with the reason, and has neither actions nor a loan', async () => {
  const rejected = new TestCase(partner)
  await rejected.register()
  const path = `/desk/cases/${rejected.caseRef}`
  const form = { reasonCode: 'INCOME_TOO_LOW', reasonMessage: 'The income is too low.' }
  await until('it is rejected', async () => (await meera.send(`${path}/reject`, form)).status === 303)
  const { text } = await meera.view(path)
  assert.match(
    text,
    /Application \d+[\s\S]*Rejected · Meera · [^·]*Income too low: The income is too low\.[\s\S]*Checks/,
  )
  assert.doesNotMatch(text, /Approve with|Change the borrower/)
})

test('D3 §3: an unknown address keeps the navigation, and a period without figures says so', async () => {
  for (const path of ['/desk/unknown', '/desk/books/unknown', '/desk/books/bank/x/y', '/desk/cases/unknown']) {
    const { status, text } = await meera.view(path)
    assert.equal(status, 404)
    assert.match(text, /Portfolio[\s\S]*Not found/)
    assert.equal(/This case does not exist[^<]*Search by name/.test(text), path === '/desk/cases/unknown')
    assert.equal(text.includes('This page does not exist.'), path !== '/desk/cases/unknown')
  }
  assert.match(
    (await meera.view('/desk/reports?from=2020-01-01&to=2020-01-31')).text,
    /Nothing to count in this period/,
  )
})

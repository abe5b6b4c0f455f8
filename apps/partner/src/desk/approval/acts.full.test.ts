// Tests acts of desk staff. A refused act gives the reason and changes nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHtml } from '@lendloom/http/html'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { storeMandateOnFile } from '@lendloom/sandbox/src/bank/receipts.ts'
import { findMandate } from '@lendloom/sandbox/src/bank/store.ts'
import { startBank } from '@lendloom/tests/setup/bank'
import { deskPerson, withCurrentVersion } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { fullName } from '@lendloom/wire/exchange/lead'
import { addStaff } from '#partner/desk/staff/staff.ts'
import { noteAct } from '#partner/desk/staff/staff-acts.ts'
import { switchAutopilot } from '#partner/origination/case/autopilot-switch.ts'
import { receiveReceipt } from '#partner/servicing/collection/receipt/receive-receipt.ts'

const bank = await startBank()
const partner = await startTestPartner({ BANK_URL: bank.url, BANK_BEARER: bank.bearer, BANK_POLL_SECONDS: '1' })
const email = 'meera.nair@lender.example'
const password = 'correct horse battery'
await partner.db.tx((tx) => addStaff(tx, { email, name: 'Meera', password, roles: ['admin'] }, new Date()))

async function signIn(secret = password) {
  const body = new URLSearchParams({ email, password: secret })
  const answer = await fetch(`${partner.url}/desk/sign-in`, { method: 'POST', body, redirect: 'manual' })
  return { status: answer.status, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
}
const { cookie } = await signIn()

interface DeskAnswer {
  html: string
  status: number
  text: string
}
async function desk(path: string, form?: Record<string, string>, as = cookie): Promise<DeskAnswer> {
  const answer = await fetch(`${partner.url}${form ? await withCurrentVersion(partner, path, form) : path}`, {
    redirect: 'manual',
    headers: { cookie: as },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })
  const html = await answer.text()
  return { status: answer.status, text: readHtml(html).text(), html }
}

/** Counts the audit entries of an act. */
async function countActs(act: string): Promise<number> {
  const [row] = await partner.db<{ count: number }>`select count(*)::int as count from audit_entry where act = ${act}`
  return row!.count
}

const noticesSent = () => partner.db<{ state: string; answer: string }>`select state, answer from agent_notice`

const loanCase = new TestCase(partner)
await loanCase.runToDisbursement()
const page = `/desk/cases/${loanCase.caseRef}`

test('an act that the case does not allow is refused with the reason, and is not logged as done', async () => {
  const rejection = await desk(`${page}/reject`, { reasonCode: 'OTHER', reasonMessage: 'Too late.' })
  assert.equal(rejection.status, 409)
  assert.match(rejection.text, /The case is disbursed: it is not under review\./)
  assert.equal((await desk(`${page}/disburse`, {})).status, 409)
  assert.equal((await desk(`${page}/kyc`, {})).status, 400)
  assert.equal((await desk(`${page}/release`, {})).status, 404)
  for (const act of ['REJECTED', 'TRANSFER_ORDERED', 'KYC_REVIEWED', 'HOLD_RELEASED'])
    assert.equal(await countActs(act), 0)
})

test('D3 §6.7: holds, agents, promises and contacts are validated, and each accepted act is logged', async () => {
  assert.equal((await desk(`${page}/hold`, { reason: 'BECAUSE' })).status, 400)
  assert.equal((await desk(`${page}/hold`, { reason: 'DISPUTE' })).status, 303)
  const held = await desk(`${page}?act=collect`)
  assert.match(held.text, /The borrower disputes the debit/)
  const heldLine = `${fullName(loanCase.lead.borrower)}\\s*${loanCase.loanId}\\s*The borrower disputes the debit`
  assert.match((await desk('/desk/money')).text, new RegExp(heldLine), 'the list names the borrower')
  assert.doesNotMatch(held.text, /Collect now/)
  await partner.db`update collection_hold set policy = 'new-mandate', reason_code = '61', umrn = 'EARLIER'`
  assert.match(
    (await desk(`${page}?act=collect`)).text,
    /Mandate cancelled \(61\)[\s\S]*Collect now/,
    'another mandate is active',
  )
  const [, since = ''] = /name="since" value="([^"]+)"/.exec(held.html) ?? []
  assert.equal((await desk(`${page}/release`, { since })).status, 303)
  assert.match(
    (await desk(`${page}?act=collect`)).html,
    /You cannot collect now: nothing is due\.<[\s\S]*disabled>Collect now/,
  )
  const [{ staff_id: staffId }] = (await partner.db.pool.query('select staff_id from staff')).rows
  const early = await desk(`${page}/promise`, { amount: '100.00', promisedOn: businessDate(new Date()) })
  assert.equal(early.status, 409)
  assert.match(early.text, /The loan is not overdue, so there is nothing to promise\./)
  const unassigned = { case: `:${loanCase.caseRef}` }
  const agent = { ...unassigned, staffId, sentByPost: 'yes' }
  const earlyAgent = await desk(`${page}/agent`, agent)
  assert.equal(earlyAgent.status, 400)
  assert.match(earlyAgent.text, /No case was assigned\. Loan \d+: not overdue/)
  await partner.db`update loan set status = 'OVERDUE'`
  const viewer = await deskPerson(partner, 'Ravi', 'viewer')
  for (const form of [
    { ...agent, staffId: 'nobody' },
    { ...agent, staffId: viewer.staffId },
    { ...unassigned, staffId },
  ])
    assert.equal((await desk(`${page}/agent`, form)).status, 400, 'an unknown agent, a viewer, no introduction')
  assert.equal((await desk(`${page}/agent`, agent)).status, 303)
  assert.deepEqual(await noticesSent(), [{ state: 'SENT', answer: 'by post' }])
  await partner.db`update agent_notice set state = 'FAILED'`
  assert.equal((await desk(`${page}/promise`, { amount: '100.00', promisedOn: '2020-01-01' })).status, 400)
  const noDay = `${businessDate(new Date()).slice(0, 8)}32`
  assert.equal((await desk(`${page}/promise`, { amount: '100.00', promisedOn: noDay })).status, 400)
  assert.equal((await desk(`${page}/promise`, { amount: '100.00', promisedOn: businessDate(new Date()) })).status, 303)
  assert.equal((await desk(`${page}/promise`, { amount: '100.00', promisedOn: businessDate(new Date()) })).status, 409)
  const yesterday = plusDays(businessDate(new Date()), -1)
  const note = {
    way: 'POST',
    outcome: 'NOT_REACHED',
    note: 'The letter came back: <moved>.',
    contactedAt: `${yesterday}T18:50`,
  }
  assert.equal((await desk(`${page}/contact`, { ...note, way: 'DREAM' })).status, 400)
  assert.equal((await desk(`${page}/contact`, note)).status, 303)
  assert.match(
    (await desk(page)).text,
    /Promises to pay\s*Download CSV\s*Promised by[\s\S]*Contacts\s*Download CSV\s*When[\s\S]*The letter came back: <moved>\./,
  )
  for (const act of ['DEBITS_HELD', 'AGENT_ASSIGNED', 'PROMISE_MADE', 'CONTACT_NOTED'])
    assert.equal(await countActs(act), 1, act)

  // The time of a contact must be valid, past, and at most seven days old.
  for (const contactedAt of [
    '',
    `${yesterday}T24:00`,
    `${plusDays(yesterday, 2)}T18:50`,
    `${plusDays(yesterday, -8)}T18:50`,
  ])
    assert.equal((await desk(`${page}/contact`, { ...note, contactedAt })).status, 400, contactedAt)
  const call = { ...note, way: 'CALL', note: 'Rang the shop.' }
  const unannouncedCall = await desk(`${page}/contact`, call)
  assert.equal(unannouncedCall.status, 409)
  assert.match(unannouncedCall.text, /The borrower had not been sent the name and the contact details of the agent\./)
  assert.equal((await desk(`${page}/agent`, { case: `${staffId}:${loanCase.caseRef}`, staffId: '' })).status, 303)
  assert.equal((await desk(`${page}/contact`, call)).status, 303)
  const lateContact = { ...call, contactedAt: `${yesterday}T20:00`, note: 'Rang too late.' }
  const lateCall = await desk(`${page}/contact`, lateContact)
  assert.equal(lateCall.status, 409)
  assert.equal(await countActs('CONTACT_NOTED'), 2)
  assert.match(lateCall.text, /This time is outside the contact hours\./)
  assert.equal((await desk(`${page}/contact`, { ...lateContact, wasMade: 'yes' })).status, 303)
  assert.match((await desk(page)).text, /Rang too late\.Outside contact hours[\s\S]*Rang the shop\./)
  assert.equal((await desk(`${page}/agent`, agent)).status, 303)
  assert.deepEqual(await noticesSent(), [{ state: 'SENT', answer: 'by post' }])
  await partner.db`update loan set status = 'ACTIVE'`
  for (const whose of ['all', 'mine', 'nobody'])
    assert.match((await desk(`/desk/collections?whose=${whose}`)).text, /No loans in arrears/)
  assert.match((await desk(`/desk/collections?on=${businessDate(new Date())}`)).text, /No debits returned on that day/)
})

test('D3 §3: the list of cases says since when a loan is due, and when only its application changed', async () => {
  const [loan] = await partner.db<{ nextDueOn: string }>`select next_due_on from loan`
  const dueOn = async (day: string) => {
    await partner.db`update loan set next_due_on = ${day}`
    return (await desk('/desk/cases')).text
  }
  const today = businessDate(new Date())
  assert.match(await dueOn(plusDays(today, -1)), /Due\s*Application changed[\s\S]*since \d/)
  assert.doesNotMatch(await dueOn(today), /since \d/)
  await dueOn(loan!.nextDueOn)
})

test('D3 §6 rule 7: a requested debit without dues is refused, and the request is logged', async () => {
  const { status, text } = await desk(`${page}/collect`, {})
  assert.equal(status, 409)
  assert.match(text, /No debit was requested: nothing is due\./)
  assert.equal(await countActs('DEBIT_REQUESTED'), 1)
  assert.equal((await desk('/desk/cases/nobody/collect', {})).status, 404)
})

test('D3 §6.7: the form to collect names the amount of the debit', async () => {
  const { db } = partner
  await db`update loan set schedule_updated_at = schedule_updated_at - interval '3 days'`
  await db`update installment set due_on = due_on - 7 where number = 1`
  assert.match((await desk(page)).text, /This requests one debit [^.]+\.\s*Collect ₹4,790 now/)
  await db`update installment set due_on = due_on + 7 where number = 1`
})

test('D3 §6 rule 4: of three concurrent requests to post a receipt, one posts it', async () => {
  await receiveReceipt(partner.ctx, {
    receipt_id: 'R-1',
    method: 'UPI',
    transaction_reference: 'UTR77',
    amount: '1200.00',
    currency: 'INR',
    at: '2026-11-20T06:00:00.000Z',
    value_date: '2026-11-20',
    payer_name: fullName(loanCase.lead.borrower),
    remark: null,
  })
  const receipt = '/desk/money/receipts/SANDBOX_BANK/R-1'
  const payer = fullName(loanCase.lead.borrower)
  assert.ok((await desk('/desk/money')).text.includes(payer))
  assert.equal(await countActs('RECEIPT_VIEWED'), 1, 'the view of payers’ names is logged')
  for (const role of ['viewer', 'credit', 'collections'] as const) {
    const other = await deskPerson(partner, `Money${role}`, role)
    const { text } = await other.view('/desk/money')
    assert.ok(!text.includes(payer), role)
    assert.match(text, /••••.*₹1,200/s, role)
  }
  assert.equal(await countActs('RECEIPT_VIEWED'), 1, 'a list with masked names is not logged')
  assert.equal((await desk(receipt, { number: '999' })).status, 409)
  assert.equal(
    (await desk('/desk/money/receipts/SANDBOX_BANK/R-2', { number: loanCase.loanId!, reason: 'Found.' })).status,
    404,
  )
  const posting = { number: loanCase.loanId!, reason: 'The shop called about it.' }
  assert.equal((await desk(receipt, { ...posting, reason: ' ' })).status, 400, 'one person gives a reason')
  const posts = await Promise.all([1, 2, 3].map(() => desk(receipt, posting)))
  assert.deepEqual(posts.map(({ status }) => status).sort(), [303, 409, 409])
  assert.match((await desk(receipt, posting)).text, /This receipt is already posted\./)
  const posted = (await loanCase.status()).payments.filter(({ amount }) => amount === '1200.00')
  assert.deepEqual(
    posted.map((payment) => payment.status),
    ['POSTED'],
  )
  assert.equal(await countActs('RECEIPT_POSTED'), 1)
  assert.match((await desk('/desk/money')).text, /All receipts are posted/)
})

test('D3 §1: paying the quoted amount closes the loan', async () => {
  assert.equal((await desk(`${page}/keeps`, { keeps: 'BOTH' })).status, 400)
  assert.equal((await desk(`${page}/keeps`, { keeps: 'TERM' })).status, 303)
  assert.equal(await countActs('PART_PAYMENT_CHOICE'), 1)
  for (const on of ['2020-01-01', '2030-01-01', 'tomorrow', '2026-02-30'])
    assert.equal((await desk(`${page}/payoff?on=${on}`)).status, 400, on)
  assert.equal((await desk('/desk/cases/nobody/payoff')).status, 404)

  const today = businessDate(new Date())
  const quote = await desk(`${page}/payoff?on=${today}`)
  assert.match(quote.text, /Payment day\s*From/)
  const amount = /Amount to close the loan\s*₹([\d,]+\.\d\d)/.exec(quote.text)![1]!.replaceAll(',', '')
  const pdf = await fetch(`${partner.url}${page}/payoff.pdf?on=${today}`, { headers: { cookie } })
  assert.equal(pdf.status, 200)
  assert.equal(pdf.headers.get('content-type'), 'application/pdf')
  assert.match(
    Buffer.from(await pdf.arrayBuffer())
      .subarray(0, 5)
      .toString(),
    /^%PDF-/,
  )
  assert.equal(await countActs('FORECLOSURE_QUOTED'), 1)
  await receiveReceipt(partner.ctx, {
    receipt_id: 'R-3',
    method: 'NEFT',
    transaction_reference: 'UTR78',
    amount,
    currency: 'INR',
    at: new Date().toISOString(),
    value_date: today,
    payer_name: 'SOMEBODY',
    remark: loanCase.loanId!,
  })
  const { loan_status, soa } = await loanCase.status()
  assert.equal(loan_status, 'CLOSED')
  assert.equal(soa?.total_outstanding, '0.00')
  const closed = (await desk(`${page}?act=exit`)).text
  assert.match(closed, /The loan is already closed/)
  assert.equal(
    (await desk(`${page}/exit`, { requestedOn: today })).status,
    303,
    'a closed loan can still be cancelled within the cooling-off period',
  )
  const afterExit = (await desk(page)).text
  assert.doesNotMatch(afterExit, /The loan is already closed/)
  assert.match(afterExit, /Refundable to the borrower/)
  assert.match(
    (await desk(`${page}/exit`, { requestedOn: today })).text,
    /This loan is not running, and has no fee to refund\./,
  )
  assert.equal((await desk(`${page}/payoff`)).status, 404, 'a closed loan has no quote')
})

test('each switch of the autopilot is logged', async () => {
  assert.equal((await desk('/desk/autopilot', { on: 'perhaps' })).status, 400)
  assert.equal((await desk('/desk/autopilot', { on: 'no' })).status, 303)
  assert.match((await desk('/desk/policy')).text, /Nothing is approved, paid out or debited.*Switched off by Meera on/s)
  assert.equal((await desk('/desk/autopilot', { on: 'yes' })).status, 303)
  assert.equal(await countActs('RULES_OFF'), 1)
  assert.equal(await countActs('RULES_ON'), 1)
})

/** Logs views of this many files, one in each hour before now. */
async function logFileViews(count: number): Promise<void> {
  for (let n = 1; n <= count; n++) {
    const at = new Date(Date.now() - n * 3_600_000)
    const about = { subject: String(n) }
    await partner.db.tx((tx) => noteAct(tx, { staffId: null, act: 'FILE_READ', about, at }))
  }
}

test('a long list has links to its next, previous and first page', async () => {
  await logFileViews(60)
  const first = await desk('/desk/acts?act=FILE_READ')
  assert.match(first.text, /Download CSV[\s\S]*Next/)
  const [, next] = /href="([^"#]*)#acts" rel="next"/.exec(first.html) ?? []
  const last = await desk(`/desk/acts${next?.replaceAll('&amp;', '&')}`)
  assert.match(last.text, /First page\s*Previous/)
  assert.doesNotMatch(last.html, /rel="next"/)
})

test('the audit log refuses a filter by a person without an id', async () => {
  for (const path of ['/desk/acts', '/desk/acts.csv'])
    assert.equal((await desk(`${path}?person=-8c8-db---be--e--e-c58ec--b7------3-`)).status, 400)
})

test('the audit log is limited by its first and last day, and a menu of it keeps the other filters', async () => {
  await logFileViews(1)
  const [row] = await partner.db<{ firstAt: Date; lastAt: Date }>`
    select min(at) as first_at, max(at) as last_at from audit_entry where act = 'FILE_READ'`
  const first = businessDate(row!.firstAt)
  const today = businessDate(row!.lastAt)
  const filled = await desk(`/desk/acts?act=FILE_READ&from=${today}&until=${today}`)
  assert.match(filled.text, /Viewed a file/)
  assert.match(filled.html, new RegExp(`href="\\?act=ALL&amp;from=${today}&amp;until=${today}"`))
  for (const days of [`from=${plusDays(today, 1)}`, `until=${plusDays(first, -1)}`])
    assert.match((await desk(`/desk/acts?act=FILE_READ&${days}`)).text, /No entries match/, days)
  for (const path of ['/desk/acts', '/desk/acts.csv'])
    assert.equal((await desk(`${path}?until=2026-02-30`)).status, 400, path)
})

test('changing a password requires the old one and ends all other sessions', async () => {
  const other = await signIn()
  const changePassword = (form: Record<string, string>) => desk('/desk/me/password', form)
  const newPassword = 'another horse battery'
  const wrong = await changePassword({ password: 'wrong', fresh: newPassword, again: newPassword })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /The current password is wrong/)
  assert.equal((await changePassword({ password, fresh: newPassword, again: `${newPassword}!` })).status, 400)
  assert.match((await changePassword({ password, fresh: 'short', again: 'short' })).text, /at least 12 characters/)
  assert.equal(await countActs('PASSWORD_CHANGED'), 0)
  assert.equal((await desk('/desk', undefined, other.cookie)).status, 200)
  assert.equal((await changePassword({ password, fresh: newPassword, again: newPassword })).status, 303)
  assert.equal((await desk('/desk', undefined, other.cookie)).status, 303)
  assert.match((await desk('/desk/me/done')).text, /Your password is changed/)
  assert.equal((await signIn(newPassword)).status, 303)
  const statuses = []
  for (let i = 0; i < 3; i++)
    statuses.push((await changePassword({ password: 'x', fresh: newPassword, again: newPassword })).status)
  assert.deepEqual(statuses, [400, 400, 429], 'attempts with a wrong password are rate-limited')
})

test('D3 §3: an application is stopped once, with a required reason', async () => {
  await partner.db.tx((tx) => switchAutopilot(tx, false, 'test', new Date()))
  const other = new TestCase(partner)
  await other.register()
  await other.approve()
  await other.decide()
  await other.waitForEvent('OFFER_DECISION_CONFIRMED')
  const at = `/desk/cases/${other.caseRef}`
  assert.match((await desk(at)).text, /Cancel this application/)
  assert.equal((await desk(`${at}/stop`, { why: 'LENDER:NOTHING', reasonMessage: 'x' })).status, 400)
  assert.equal((await desk(`${at}/stop`, { why: 'BORROWER:OTHER_LENDER', reasonMessage: ' ' })).status, 400)
  const form = { why: 'BORROWER:OTHER_LENDER', reasonMessage: 'Called on Friday.' }
  assert.equal((await desk(`${at}/stop`, form)).status, 303)
  assert.equal((await desk(`${at}/stop`, form)).status, 409)
  assert.equal(await countActs('CASE_STOPPED'), 1)
  const { text } = await desk(`${at}?tab=history`)
  assert.match(text, /Cancelled for the borrower ?Meera · Other lender: Called on Friday\./)
  assert.doesNotMatch(text, /Cancel this application/)
  const { case_status, loan_status } = await other.status()
  assert.equal(case_status, 'REJECTED')
  assert.equal(loan_status, 'CANCELLED')
  await partner.db.tx((tx) => switchAutopilot(tx, true, 'test', new Date()))
})

test('D3 §1: a cooling-off exit is quoted without the fee, and its payment cancels the mandate', async () => {
  const umrn = exampleData('MANDATE_UPDATED').umrn!
  const onFile = { umrn, maximumPaise: 10_000_00n, validFrom: '2026-11-01', validUntil: '2027-11-01' }
  await storeMandateOnFile(bank.db, { ...onFile, status: 'ACTIVE' }, new Date())
  const exiting = new TestCase(partner)
  await exiting.runToDisbursement()
  const at = `/desk/cases/${exiting.caseRef}`
  const quotedTotal = async () =>
    /Amount to close the loan\s*₹([\d,]+\.\d\d)/.exec((await desk(`${at}/payoff`)).text)![1]!.replaceAll(',', '')
  const totalBefore = await quotedTotal()
  const on = businessDate(new Date())
  assert.equal((await desk(`${at}/exit`, { requestedOn: '' })).status, 400)
  assert.equal((await desk(`${at}/exit`, { requestedOn: on, reference: 'no: number' })).status, 400)
  assert.equal((await desk(`${at}/exit`, { requestedOn: on, reference: 'GRV-2026/118' })).status, 303)
  const { text } = await desk(at)
  assert.match(text, /The borrower is cancelling, as requested on [^,]*, GRV-2026\/118/)
  const [noted] = await partner.db<{ detail: string }>`
    select detail from audit_entry where act = 'COOLING_OFF_EXIT' and case_ref = ${exiting.caseRef}`
  assert.deepEqual(JSON.parse(noted!.detail), { reference: 'GRV-2026/118', requestedOn: on })
  const amount = await quotedTotal()
  const [offer] = await partner.db<{ feePaise: string; taxPaise: string }>`
    select terms->>'feePaise' as fee_paise, terms->>'taxPaise' as tax_paise from loan where case_ref = ${exiting.caseRef}`
  const fee = BigInt(offer!.feePaise) + BigInt(offer!.taxPaise)
  assert.equal(BigInt(totalBefore.replace('.', '')) - BigInt(amount.replace('.', '')), fee)
  await receiveReceipt(partner.ctx, {
    receipt_id: 'R-4',
    method: 'UPI',
    transaction_reference: 'UTR79',
    amount,
    currency: 'INR',
    at: new Date().toISOString(),
    value_date: businessDate(new Date()),
    payer_name: 'SOMEBODY',
    remark: exiting.loanId!,
  })
  assert.equal((await exiting.status()).loan_status, 'CLOSED')
  const { data } = await exiting.waitForEvent('LOAN_STATUS_UPDATED', 2)
  assert.equal(data.reason_code, 'COOLING_OFF_EXIT')
  await until('the mandate is cancelled', async () => (await findMandate(bank.db, umrn))?.status === 'CANCELLED')
})

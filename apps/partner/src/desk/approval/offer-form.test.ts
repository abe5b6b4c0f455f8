// The form of an offer shows what its terms make of the loan, before and after the officer changes them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { inr } from '#partner/desk/parts/format.ts'

const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })
const { view, send } = await deskPerson(partner, 'Meera', 'admin')
const terms = { annualRatePercent: '24.00', feePercent: '2', taxPercent: '18', otherCharges: '0', validDays: '5' }

test('D3 §2.4: the form shows the result of the suggested terms, and of others before they are offered', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const path = `/desk/cases/${loanCase.caseRef}`
  assert.match((await view(path)).text, /₹1,00,000 at 24\.00% ?₹4,790 a week, 22 instalments/)
  const calculated = await send(`${path}/calculate`, { ...terms, amount: '60000', reason: 'A small shop.' })
  assert.equal(calculated.status, 200)
  assert.match(calculated.html, /name="reason" value="A small shop\."/)
  assert.equal((await loanCase.status()).case_status, 'UNDER_REVIEW', 'a calculation offers nothing')
  assert.equal((await send(`${path}/offer`, { ...terms, amount: '60000' })).status, 303)
  const { data } = await loanCase.waitForEvent('MANUAL_REVIEW_DECIDED')
  const offered = data.offer!
  const paise = (amount: string): bigint => BigInt(amount.replace('.', ''))
  for (const text of [
    `₹60,000 at ${offered.annual_interest_rate_percent}%`,
    `${inr(paise(offered.installment_amount))} a week, ${offered.number_of_installments} instalments`,
    `Borrower receives${inr(paise(offered.net_disbursed_amount))}`,
    `APR${offered.apr_percent}%`,
    `Total to repay${inr(paise(offered.total_payable_amount))}`,
  ])
    assert.ok(calculated.text.includes(text), text)
})

test('D3 §2.4: a term that cannot be read is marked, and the audit log has no refused act', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const { status, html, text } = await send(`/desk/cases/${loanCase.caseRef}/calculate`, { ...terms, amount: 'many' })
  assert.equal(status, 400)
  assert.match(html, /name="amount" value="many"[^>]* aria-invalid="true"/)
  assert.match(text, /Correct the terms, then calculate/)
  const acts = await partner.db`select 1 from audit_entry where act = 'ACT_REFUSED'`
  assert.equal(acts.length, 0)
})

const shownIn = (html: string): string => /name="shown" value="([^"]+)"/.exec(html)![1]!

test('D3 §2.4: an approval of terms whose figures the page has not shown stops once, and shows them', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const path = `/desk/cases/${loanCase.caseRef}`
  const suggested = await view(path)
  const changed = { ...terms, amount: '60000', shown: shownIn(suggested.html) }
  const stopped = await send(`${path}/offer`, changed)
  assert.equal(stopped.status, 200)
  assert.match(stopped.text, /₹60,000 at 24\.00%/)
  assert.match(stopped.text, /These are the figures for ₹60,000 at 24\.00%\. Approve again to offer them\./)
  assert.equal((await loanCase.status()).case_status, 'UNDER_REVIEW', 'nothing is offered yet')
  assert.equal((await send(`${path}/offer`, { ...changed, shown: shownIn(stopped.html) })).status, 303)
})

test('D3 §4.1: the form says what may be offered at most, and marks an amount above it', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const path = `/desk/cases/${loanCase.caseRef}`
  const suggested = await view(path)
  const most = /Recommended ₹1,00,000\. At most (₹[\d,]+) within this borrower’s exposure limit/.exec(
    suggested.text,
  )![1]!
  const tooMuch = { ...terms, amount: '999999999', reason: 'A large shop.' }
  const calculated = await send(`${path}/calculate`, tooMuch)
  assert.match(calculated.html, /name="amount" value="999999999"[^>]* aria-invalid="true"/)
  const stopped = await send(`${path}/offer`, { ...tooMuch, shown: shownIn(suggested.html) })
  assert.doesNotMatch(stopped.text, /Approve again/)
  const refused = await send(`${path}/offer`, tooMuch)
  assert.equal(refused.status, 409)
  for (const { text } of [calculated, stopped, refused])
    assert.ok(text.includes(`At most ${most} within this borrower’s exposure limit.`))
})

test('D3 §2.4: above the person’s limit the form asks for approval, and for the reason at once', async () => {
  const loanCase = new TestCase(partner)
  const month = { credits: '100000.00', debits: '90000.00', closing_balance: '30000.00', returned_debits: 0 }
  loanCase.lead.banking.report_data = {
    average_monthly_credits: month.credits,
    average_closing_balance: month.closing_balance,
    average_monthly_obligations: '20000.00',
    months: ['2026-08', '2026-09', '2026-10'].map((each) => ({ month: each, ...month })),
  }
  await loanCase.register()
  const path = `/desk/cases/${loanCase.caseRef}`
  const within = await view(path)
  assert.match(within.text, /7 of 7 rules met\s*Approve/, 'no warning beside the rules')
  assert.match(within.html, /<button class="primary">Approve and offer<\/button>/)
  assert.doesNotMatch(within.html, /name="reason"[^>]* required/)
  const { html, text } = await send(`${path}/calculate`, { ...terms, amount: '900000' })
  assert.match(html, /<button class="primary">Ask for approval<\/button>/)
  assert.match(html, /name="reason"[^>]* required/)
  assert.match(text, /Reason, for the approver/)
  assert.match(text, /With this offer EMIs are \d+\.\d% of income; the policy declines above 70%\./)
  assert.match(
    text,
    /5 of 7 rules met\s*with this offer; 7 without it/,
    'the figure counts the rules as the offer leaves them',
  )
  const changed = { ...terms, amount: '900000', shown: shownIn(within.html) }
  const stopped = await send(`${path}/offer`, changed)
  assert.match(stopped.text, /These are the figures for ₹9,00,000 at 24\.00%\. Ask again to have them approved\./)
  const asked = { ...changed, shown: shownIn(stopped.html), reason: 'A large shop.' }
  assert.equal((await send(`${path}/offer`, asked)).location, `${path}?done=REQUEST_MADE`)
})

test('D3 §2.3: an offer that the policy declines goes to a second person, whatever its amount', async () => {
  const loanCase = new TestCase(partner)
  loanCase.lead.borrower.monthly_income = '20000.00'
  await loanCase.register()
  const path = `/desk/cases/${loanCase.caseRef}`
  const suggested = await view(path)
  assert.match(suggested.text, /With this offer EMIs are 103\.8% of income; the policy declines above 70%\./)
  assert.match(suggested.text, /Ask for approval\s*Reject\s*Beyond the policy’s limit, a second person decides\./)
  const beyond = { ...terms, amount: '100000' }
  assert.match((await send(`${path}/offer`, beyond)).text, /A second person decides this: enter a reason/)
  const asked = await send(`${path}/offer`, { ...beyond, reason: 'The shop earns more.' })
  assert.equal(asked.location, `${path}?done=REQUEST_MADE`)
  assert.equal((await loanCase.status()).case_status, 'UNDER_REVIEW', 'nothing is offered yet')
})

test('an act names its borrower, because its form may be read without the head of the page', async () => {
  const loanCase = new TestCase(partner)
  Object.assign(loanCase.lead.borrower, { first_name: 'Asha', last_name: 'Kulkarni' })
  await loanCase.register()
  const { html, text } = await view(`/desk/cases/${loanCase.caseRef}?act=reject`)
  assert.match(html, /<button class="danger">Reject Asha Kulkarni’s application<\/button>/)
  assert.match(html, /<h2>Reject the application <small>Asha Kulkarni<\/small>/)
  assert.match(text, /Required\. Goes to the platform, which may show it to the borrower\./)
  assert.match(html, /<select name="reasonCode" required><option value="" selected>Choose a reason<\/option>/)
  const refused = await send(`/desk/cases/${loanCase.caseRef}/reject`, { reasonCode: '', reasonMessage: 'No.' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /Choose a reason\./)
})

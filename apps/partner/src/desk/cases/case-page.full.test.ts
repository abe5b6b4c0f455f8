// The page of a case from its offer to its loan: whom it waits for, what its history and its ledger say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBank } from '@lendloom/tests/setup/bank'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'

const bank = await startBank()
const partner = await startTestPartner({ BANK_URL: bank.url, BANK_BEARER: bank.bearer, BANK_POLL_SECONDS: '1' })
const { view, get } = await deskPerson(partner, 'Meera', 'admin')

test('D3 §3: an offered case waits for the borrower, and what is not revealed can still be', async () => {
  const slow = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })
  const officer = await deskPerson(slow, 'Ravi', 'admin')
  const loanCase = new TestCase(slow)
  await loanCase.register()
  await loanCase.approve()
  const page = `/desk/cases/${loanCase.caseRef}`
  const offered = await officer.view(page)
  assert.match(offered.text, /Waiting for the borrower to accept, until \d/)
  assert.match(offered.text, /Borrower receives ?₹97,640[\s\S]*Borrower’s decision[\s\S]*Bank statement/)
  assert.match(offered.text, /Offered ?₹1,00,000 22 × ₹4,790, APR 35\.11%/)
  const revealed = await officer.send(`${page}/reveal`, { field: 'pan', reason: 'CHECK_DOCUMENT' })
  assert.ok(revealed.html.includes(loanCase.lead.borrower.pan))
  assert.match(revealed.html, />Reveal</)
  await loanCase.decide()
  await loanCase.waitForEvent('OFFER_DECISION_CONFIRMED')
  assert.match((await officer.view(page)).text, /Offer accepted Application \d+ ?Waiting for the borrower’s KYC/)
  const second = new TestCase(slow)
  Object.assign(second.lead.borrower, loanCase.lead.borrower)
  await second.register()
  const others = await officer.view(`/desk/cases/${second.caseRef}`)
  assert.match(
    others.text,
    /Other cases of this PAN ?No loan Application …\d{4}, offer accepted/,
    'an application owes nothing',
  )
})

const loanCase = new TestCase(partner)
await loanCase.runToDisbursement()
const page = `/desk/cases/${loanCase.caseRef}`

test('D3 §3: the history says who moved the case, and the sum', async () => {
  const { text } = await view(`${page}?tab=history`)
  assert.match(text, /Disbursed[^·]*The bank · ₹97,640 paid out/)
  assert.match(text, /Disbursement pending[^·]*The rules · ₹97,640 ordered from the bank/)
  assert.match(text, /Offer accepted[^·]*The borrower · ₹1,00,000/)
  assert.match(text, /Under review[^·]*The platform · recommends ₹1,00,000/)
})

test('D3 §2.5: each line of the ledger has its day, its kind and the principal after it', async () => {
  const { text } = await view(`${page}?tab=ledger`)
  const day = '\\d{1,2} \\w{3} \\d{4}'
  assert.match(text, new RegExp(`(?:${day}\\s*Disbursement\\s*Principal[^\\d]*[^D]*){3}`))
  const [head, ...lines] = (await (await get(`${page}?csv=ledger`)).text()).replace('\ufeff', '').trim().split('\r\n')
  assert.equal(head, 'Day,Entry,Debit,Credit,Amount,Principal after', 'no entry has a number')
  assert.deepEqual(
    lines.map((line) => line.split(',').slice(4, 6)),
    [
      ['97640.00', '97640.00'],
      ['2000.00', '99640.00'],
      ['360.00', '100000.00'],
    ],
  )
})

test('D3 §2.5: a new loan shows each sum once, and no empty card', async () => {
  const { html, text } = await view(page)
  assert.doesNotMatch(html, /<h2>Debits<\/h2>/)
  assert.match(text, /Interest and charges outstanding ?₹0/)
  assert.match(text, /Terms[\s\S]*APR/)
})

test('D3 §2.5: an instalment is due on its day, and only a file has the columns that are empty', async () => {
  const { html } = await view(page)
  const schedule = html.slice(html.indexOf('<table aria-label="Schedule"'))
  const shown = schedule.slice(0, schedule.indexOf('</table>'))
  assert.equal(shown.match(/Upcoming/g)?.length, 22)
  assert.doesNotMatch(shown, /Penal charges|class="badge/)
  const file = await (await get(`${page}?csv=schedule`)).text()
  assert.match(file, /Charges,Penal charges,Of which unpaid/)
})

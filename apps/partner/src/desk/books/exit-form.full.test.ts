// Tests the decision about a payment that may be a cancellation, at the desk: where it is shown, and both acts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate, dayText, plusDays } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import { startBank } from '@lendloom/tests/setup/bank'
import { type DeskPage, type DeskPerson, deskPerson, pendingRequestPath } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { inr } from '#partner/desk/parts/format.ts'
import { readPayments } from '#partner/servicing/collection/payment-store.ts'
import { receiveReceipt } from '#partner/servicing/collection/receipt/receive-receipt.ts'
import { accountOf, payoffOf } from '#partner/servicing/loan/account-view.ts'
import { exitDecisionUntil } from '#partner/servicing/loan/await-exit-request.ts'

let clockOffsetMs = 0
const clock = () => new Date(Date.now() + clockOffsetMs)
const bank = await startBank({}, clock)
const partner = await startTestPartner({ BANK_URL: bank.url, BANK_BEARER: bank.bearer, BANK_POLL_SECONDS: '1' }, clock)
const ravi = await deskPerson(partner, 'Ravi', 'collections')
const meera = await deskPerson(partner, 'Meera', 'accounts')
const today = businessDate(new Date())

async function paidLoan(postedBefore = 0n): Promise<string> {
  const loanCase = new TestCase(partner)
  await loanCase.runToDisbursement()
  const { caseRef } = loanCase
  const { total } = (await payoffOf(partner.db, caseRef, today, new Date()))!
  const pay = (paise: bigint, receiptId: string) =>
    receiveReceipt(partner.ctx, {
      receipt_id: receiptId,
      method: 'UPI',
      transaction_reference: `UTR-${receiptId}`,
      amount: rupees(paise),
      currency: 'INR',
      at: new Date().toISOString(),
      value_date: today,
      payer_name: 'ASHA',
      remark: loanCase.loanId!,
    })
  if (postedBefore > 0n) await pay(postedBefore, `${caseRef}-before`)
  await pay(total - 1_00n - postedBefore, caseRef)
  return caseRef
}

test('D3 §6.4: a payment that may be a cancellation is in a queue, and an officer records the cancellation or posts it', async () => {
  const cancelled = await paidLoan()
  const ordinary = await paidLoan()
  assert.match((await ravi.view('/desk')).text, /2 Payments or cancellations/)
  assert.match((await ravi.view('/desk/cases?need=exit')).text, /2 cases/)
  const payments = (await meera.view('/desk/money')).text
  assert.match(payments, /Payments or cancellations[\s\S]*Received[\s\S]*Decide by[\s\S]*Unmatched receipts/)
  assert.match(payments, /No claims to verify/)
  const raviPage = await ravi.view(`/desk/cases/${cancelled}`)
  assert.match(raviPage.text, /Payment or cancellation\?[\s\S]*Record the cancellation/)
  assert.doesNotMatch(raviPage.html, /post-held/, 'his role may not post')

  assert.equal((await ravi.send(`/desk/cases/${cancelled}/exit`, { requestedOn: today })).status, 303)
  const { text } = await ravi.view(`/desk/cases/${cancelled}`)
  assert.match(text, /Disbursed Cancelled/)
  assert.match(text, /Total outstanding ?₹0 ?Last payment ?₹[\d,]+ \d+ \w+ \d{4}/)
  assert.doesNotMatch(text, /Asset class|Overdue/, 'a loan that has ended is neither')
  assert.match((await ravi.view('/desk/cases?status=CANCELLED')).text, /1 case[\s\S]*DisbursedCancelled/)
  assert.match((await ravi.view('/desk')).text, /Loan accounts[\s\S]*1 Cancelled/)
  assert.doesNotMatch(text, /Payment or cancellation\?/)

  const { html } = await meera.view(`/desk/cases/${ordinary}`)
  const [, payment] = /name="payment" value="([^"]+)"/.exec(html)!
  const post = (id: string) => meera.send(`/desk/cases/${ordinary}/post-held`, { payment: id, noRequest: 'yes' })
  assert.equal((await ravi.send(`/desk/cases/${ordinary}/post-held`, { payment: payment! })).status, 403)
  assert.equal((await post('x')).status, 400)
  const unconfirmed = await meera.send(`/desk/cases/${ordinary}/post-held`, { payment: payment! })
  assert.equal(unconfirmed.status, 400)
  assert.match(unconfirmed.text, /Confirm that the borrower did not ask to cancel/)
  assert.equal((await post(payment!)).status, 303)
  assert.equal((await post(payment!)).status, 409, 'a payment is posted once')
  assert.match((await meera.view(`/desk/cases/${ordinary}?tab=history`)).text, /Active[\s\S]*Posted a receipt/)
  const overview = (await meera.view('/desk')).text
  assert.doesNotMatch(overview, /[1-9] Payments or cancellations/)
  const received = (await Promise.all([cancelled, ordinary].map((each) => readPayments(partner.db, each)))).flat()
  const receivedPaise = received.reduce((sum, { amountPaise }) => sum + amountPaise, 0n)
  assert.ok(overview.includes(`Received today${inr(receivedPaise)}`))
  assert.doesNotMatch(overview, /not posted yet/)
  const receipt = {
    provider: 'bank',
    receiptId: 'unposted',
    method: 'NEFT',
    transactionReference: 'unposted',
    amountPaise: 5_00n,
    valueOn: businessDate(partner.ctx.clock()),
    wordsSealed: Buffer.alloc(1),
    receivedAt: partner.ctx.clock(),
  }
  await partner.db`insert into bank_receipt ${partner.db(receipt)}`
  assert.ok(
    (await meera.view('/desk')).text.includes(`Received today${inr(receivedPaise + 5_00n)} ₹5 of it not posted yet`),
  )
  await partner.db`delete from bank_receipt where receipt_id = 'unposted'`
})

test('D3 §6.4: a recorded cancellation shows the sum and the last day to pay, and waits in a queue', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.runToDisbursement()
  const page = `/desk/cases/${loanCase.caseRef}`
  assert.match(
    (await ravi.view(`${page}?act=exit`)).text,
    /A request from the borrower’s loan page comes by email[\s\S]*Record the cancellation/,
  )
  assert.doesNotMatch((await ravi.view('/desk')).text, /[1-9] Cancellations to be paid/)
  assert.equal((await ravi.send(`${page}/exit`, { requestedOn: today })).status, 303)
  const { exitUntil } = (await accountOf(partner.db, loanCase.caseRef))!
  const { total } = (await payoffOf(partner.db, loanCase.caseRef, today, new Date()))!
  const { text } = await ravi.view(page)
  assert.match(
    text,
    new RegExp(`Cancelling until ${dayText(exitUntil!)}[\\s\\S]*To pay today to cancel[\\s\\S]*last day to pay`),
  )
  assert.ok(text.includes(`${inr(total)} cancels the loan if it arrives today`))
  assert.doesNotMatch(text, /Foreclosure/)
  assert.match((await ravi.view(`${page}/payoff`)).text, /Amount to cancel the loan/)
  assert.match((await ravi.view('/desk')).text, /1 Cancellations to be paid/)
  assert.match((await ravi.view('/desk/cases?need=cancelling')).text, /1 case[\s\S]*Cancelling until/)
})

test('D3 §6.4: the lists show the received sum and the last day to decide, and the case shows the decision first', async () => {
  const caseRef = await paidLoan()
  assert.match((await meera.view(`/desk/cases/${caseRef}`)).text, /\. It is enough to cancel/)
  const paidInParts = (await meera.view(`/desk/cases/${await paidLoan(1_000_00n)}`)).text
  assert.match(paidInParts, /\. With ₹1,000 posted before, it is enough to cancel/)
  const { coolingOffUntil, nextDueOn, soa } = (await accountOf(partner.db, caseRef))!
  const until = exitDecisionUntil({ coolingOffUntil, nextDueOn })
  const [payment] = await readPayments(partner.db, caseRef)
  assert.notEqual(payment!.amountPaise, soa.disbursedPaise)
  for (const path of ['/desk/money', '/desk/cases?need=exit']) {
    const row = rowOf((await meera.view(path)).html, caseRef)
    for (const part of [inr(payment!.amountPaise), dayText(today), dayText(until)]) assert.ok(row.includes(part), part)
  }
  const { text } = await meera.view(`/desk/cases/${caseRef}`)
  assert.match(
    text,
    /Payment or cancellation\?[\s\S]*Payment or cancellation\?[\s\S]*Total outstanding[\s\S]*Applicant/,
  )
  assert.ok(text.includes(`Decide by ${dayText(until)}. Without a decision`))
  assert.ok(text.includes(`The borrower can still ask until ${dayText(coolingOffUntil)}`))
  assert.ok(text.includes(`to the grievance officer: ${partner.ctx.config.PARTNER_GRIEVANCE_OFFICER}`))
})

test('D3 §6.4: the day of the request is the day of the payment within the period, or today without a payment', async () => {
  const caseRef = await paidLoan()
  const requestedOn = async () => {
    const { html } = await ravi.view(`/desk/cases/${caseRef}`)
    return /name="requestedOn" value="([^"]*)"/.exec(html)?.[1]
  }
  assert.equal(await requestedOn(), today)
  const { coolingOffUntil } = (await accountOf(partner.db, caseRef))!
  await partner.db.tx(
    (tx) => tx`
    update payment set value_on = ${plusDays(coolingOffUntil, 1)} where case_ref = ${caseRef}`,
  )
  assert.equal(await requestedOn(), '')
  await ravi.send(`/desk/cases/${caseRef}/exit`, { requestedOn: today })
  const unpaid = new TestCase(partner)
  await unpaid.runToDisbursement()
  const { html, text } = await ravi.view(`/desk/cases/${unpaid.caseRef}?act=exit`)
  assert.match(text, /Cooling-off cancellation[\s\S]*Asked on: today\./, 'the first day has no earlier one')
  assert.match(html, new RegExp(`type="hidden" name="requestedOn" value="${today}"`))
})

test('D3 §1: a request that is recorded more than a week later needs its number, a reason and a second person', async () => {
  const caseRef = await paidLoan()
  const page = `/desk/cases/${caseRef}`
  const [payment] = await readPayments(partner.db, caseRef)
  await meera.send(`${page}/post-held`, { payment: payment!.paymentId, noRequest: 'yes' })
  clockOffsetMs = 20 * 86_400_000
  const lina = await deskPerson(partner, 'Lina', 'collections')
  const dev = await deskPerson(partner, 'Dev', 'accounts')
  const { html } = await lina.view(`${page}?act=exit`)
  const { coolingOffUntil } = (await accountOf(partner.db, caseRef))!
  assert.ok(html.includes(`name="requestedOn" value="" type="date" min="${today}" max="${coolingOffUntil}"`))
  assert.match(
    html,
    /<h2>Cooling-off cancellation [\s\S]*name="reason"[^>]*required[\s\S]*<button class="primary">Ask for approval/,
  )
  const reference = `GR-${today.slice(2, 7).replace('-', '')}-7K3Q9`
  const request = { requestedOn: today, reference, reason: 'Our officer was ill.' }
  for (const [change, message] of [
    [
      { requestedOn: plusDays(coolingOffUntil, 1) },
      `Choose a day from ${dayText(today)} to ${dayText(coolingOffUntil)}`,
    ],
    [{ reference: '' }, 'Enter the number of the complaint or message'],
    [{ reference: 'GR-9999-XXXXX' }, 'This cannot be a request number'],
    [{ reference: 'GR-9901-7K3Q9' }, 'This cannot be a request number'],
    [{ reference: 'GR-2611-INVENTED' }, 'This cannot be a request number'],
    [{ reason: '' }, 'a second person decides this: enter a reason'],
  ] as const) {
    const refused = await decide(lina, `${page}/exit`, { ...request, ...change })
    assert.equal(refused.status, 400)
    assert.match(refused.text, new RegExp(message, 'i'))
  }
  assert.equal((await decide(lina, `${page}/exit`, request)).status, 303)
  assert.equal((await accountOf(partner.db, caseRef))!.exitRequestedOn, null, 'nothing changes before the approval')
  const approval = `${await pendingRequestPath(partner, caseRef, 'CANCELLATION')}/approve`
  assert.equal((await decide(lina, approval)).status, 403)
  const { text } = await dev.view(page)
  assert.match(
    text,
    new RegExp(
      `Waiting for a second person: late cooling-off cancellation[\\s\\S]*${reference}[\\s\\S]*Fee and tax to refund`,
    ),
  )
  assert.equal((await decide(dev, approval)).status, 303)
  const { loanStatus, retainedFeePaise, exitReference } = (await accountOf(partner.db, caseRef))!
  assert.equal(loanStatus, 'CLOSED')
  assert.equal(retainedFeePaise, 0n)
  assert.equal(exitReference, reference)
})

/** Sends a form again while the days that the clock skipped change the case. */
async function decide(person: DeskPerson, path: string, form?: Record<string, string>): Promise<DeskPage> {
  for (let left = 20; ; left--) {
    const page = await person.send(path, form)
    if (page.status !== 409 || left === 0) return page
  }
}

/** Returns the table row that links to the case. */
const rowOf = (page: string, caseRef: string): string =>
  page.split('<tr>').find((row) => row.includes(`/desk/cases/${encodeURIComponent(caseRef)}"`)) ?? ''

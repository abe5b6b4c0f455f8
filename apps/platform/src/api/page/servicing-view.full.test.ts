// A borrower's written requests to the lending partner: when the page offers them, and what the lender receives.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import { complaintSetup } from '@lendloom/tests/setup/complaints'
import { consoleUser } from '@lendloom/tests/setup/console'
import { terms } from '@lendloom/tests/setup/offered'
import { ask } from '@lendloom/tests/setup/platform'
import { caseAt } from '@lendloom/tests/setup/platform-case'
import { exampleStatus } from '@lendloom/wire/exchange/example/answer'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { addEntry } from '#platform/complaints/complaint/thread.ts'
import { emptyPartner } from '#platform/lenders/partner/directory/change-partner.ts'
import { firstPartnerId } from '#platform/lenders/partner/directory/lending-partner.ts'
import { insertPartner } from '#platform/lenders/partner/directory/store.ts'
import type { CaseStage } from '#platform/lenders/partner/loan-case.ts'
import { sandboxContact } from '#platform/lenders/partner/partner-contact.ts'
import { partnersOf, rowOf } from '#platform/lenders/partner/partner-look-ups.ts'
import { storeStatus } from '#platform/lenders/partner/status-snapshot.ts'
import { findMainCase } from '#platform/lenders/partner/store.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { toStoredTerms } from '#platform/lending/journey/stored-terms.ts'
import { recordDisbursal } from '#platform/lending/step/lender-decision.ts'
import { availableRequests, coolingOffView, installmentViews, servicingPollMs, shortestOf } from './servicing-view.ts'

const { platform, mails } = await complaintSetup()
const lenderEmail = 'gro@celestium.example'
await addPartner()

/** Adds the partner of the loans, which names its account for repayments. */
async function addPartner(): Promise<void> {
  const { db, seal, clock } = platform.ctx
  const partner = { ...emptyPartner(firstPartnerId, 'CELESTIUM', clock()), contact: sandboxContact }
  await db.tx((tx) => insertPartner(tx, rowOf(seal, partner)))
  partnersOf(platform.ctx).forget()
}

async function borrowerAt(stage: CaseStage) {
  const { sessionToken, ids } = await caseAt(platform, stage)
  const call = (method: string, path: string, body?: object) =>
    ask(`${platform.url}/api/embed${path}`, { method, key: sessionToken, ...(body && { body }) })
  return { ids, call }
}

/** Sets the lender's grievance officer, who receives requests about the loan. */
async function storeOfficer() {
  const admin = await consoleUser(platform, { role: 'admin' })
  const { items } = (await admin.ask('GET', '/complaint-officers')).body
  for (const { party, partyName } of items)
    if (partyName.startsWith('Celestium')) {
      const officer = { party, level: 'OFFICER', name: 'Meera Iyer', email: lenderEmail, phone: '080-4000 1200' }
      assert.equal((await admin.ask('PUT', '/complaint-officers', officer)).status, 200)
    }
}

test('D3 §1: a borrower can request cancellation before disbursal, and a part payment afterwards', async () => {
  const partner = { channel: 'PARTNER' } as const
  const requestsAt = (status: 'OFFER_SELECTED' | 'OFFER_ACCEPTED' | 'LENDER_REDIRECTED' | 'DISBURSED', active = true) =>
    availableRequests({ active, status, closedAt: active ? null : new Date() }, partner)
  assert.deepEqual(requestsAt('OFFER_SELECTED'), [], 'before the acceptance the borrower withdraws the consent instead')
  assert.deepEqual(requestsAt('OFFER_ACCEPTED'), ['CANCELLATION'])
  assert.deepEqual(requestsAt('LENDER_REDIRECTED'), ['CANCELLATION'])
  assert.deepEqual(requestsAt('DISBURSED'), ['PART_PAYMENT'])
  assert.deepEqual(requestsAt('DISBURSED', false), [])
  const reopened = { active: false, status: 'DISBURSED', closedAt: null } as const
  assert.deepEqual(availableRequests(reopened, partner), ['PART_PAYMENT'], 'a loan that reopens beside an application')
  const running = { ...reopened, active: true }
  assert.deepEqual(availableRequests(running, { channel: 'NETWORK' }), [])
})

test('D3 §1: a repeated cancellation request reaches the lender once, with the loan number', async () => {
  const { call, ids } = await borrowerAt('ACCEPTED')
  await storeOfficer()
  const request = { category: 'CANCELLATION', text: 'मुझे यह लोन अब नहीं चाहिए। कृपया रोक दें।', language: 'hi' }
  const first = await call('POST', '/complaints', request)
  const second = await call('POST', '/complaints', request)
  assert.equal(first.status, 200)
  assert.deepEqual(first.body.view.requests, ['CANCELLATION'])
  const [item] = first.body.complaints.items
  assert.equal(item.category, 'CANCELLATION')
  assert.equal(item.lender, 'Celestium Finance Limited')
  assert.equal(second.body.complaints.items.length, 1)
  const sent = (await mails(item.id)).filter(({ to }) => to === lenderEmail)
  assert.equal(sent.length, 1)
  assert.match(
    sent[0]!.text,
    new RegExp(`About: Stopping the application before the payout[\\s\\S]*Loan: ${ids.loanId}`),
  )
})

test('D3 §1: a part payment request reaches the lender in English, above the borrower’s own text', async () => {
  const { call } = await borrowerAt('ACCEPTED')
  await storeOfficer()
  const request = { text: 'किस्तों की संख्या वही रखें, ताकि हर किस्त छोटी हो जाए।', language: 'hi' }
  const partPayment = { amount: '50000', keep: 'TERM' }
  const { body } = await call('POST', '/complaints', { ...request, category: 'PART_PAYMENT', partPayment })
  const [item] = body.complaints.items
  assert.equal(item.entries[0].text, request.text)
  const sent = (await mails(item.id)).find(({ to }) => to === lenderEmail)!
  assert.match(sent.text, /part payment of ₹50,000 with the same term and smaller instalments[^\n]*\n\nकिस्तों/)
})

test('a request with an invalid part payment is refused and opens no complaint', async () => {
  const { call } = await borrowerAt('ACCEPTED')
  const request = { text: 'I will pay a part early.', language: 'en' }
  for (const [category, partPayment, field] of [
    ['PART_PAYMENT', { amount: '12.50', keep: 'TERM' }, 'partPayment.amount'],
    ['PART_PAYMENT', { amount: '0', keep: 'TERM' }, 'partPayment.amount'],
    ['PART_PAYMENT', { amount: '100', keep: 'NOTHING' }, 'partPayment.keep'],
    ['REPAYMENT', { amount: '100', keep: 'TERM' }, 'partPayment'],
  ] as const) {
    const { status, body } = await call('POST', '/complaints', { ...request, category, partPayment })
    assert.equal(status, 400)
    assert.equal(body.error.details.fields[0].path, field)
  }
  assert.deepEqual((await call('GET', '/complaints')).body.complaints.items, [])
})

/** A borrower with a disbursed loan and the partner's snapshot. */
async function borrowerWithLoan(status = exampleStatus()) {
  const { sessionToken, ids, tenantId, journeyId } = await caseAt(platform, 'ACCEPTED')
  await platform.ctx.db.tx(async (tx) => {
    const ctx = { ...platform.ctx, tx, at: platform.ctx.clock() }
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    await storeStatus(ctx, (await findMainCase(tx, journey))!, status)
    await recordDisbursal(ctx, journey)
  })
  const call = (method: string, path: string, body?: object) =>
    ask(`${platform.url}/api/embed${path}`, { method, key: sessionToken, ...(body && { body }) })
  return { ids, journeyId, call, view: async () => (await call('GET', '/journey')).body.view as EmbedView }
}

test('D3 §4.4: a disbursed loan shows its number, the payout reference, dues and payments of the snapshot', async () => {
  const { ids, journeyId, view } = await borrowerWithLoan()
  const { disbursement, payments, soa } = exampleStatus()
  const shown = await view()
  assert.equal(shown.loanNumber, ids.loanId)
  assert.equal(shown.payoutReference, disbursement!.bank_reference)
  assert.equal(shown.justPaidOut, true)
  await platform.ctx.db.tx(
    (tx) => tx`update step set updated_at = updated_at - interval '1 day' where journey_id = ${journeyId}`,
  )
  assert.equal((await view()).justPaidOut, false, 'on the next day it is no news')
  assert.equal(shown.receipts.length, payments.length)
  assert.ok(payments.length > 0)
  for (const { status, url } of shown.receipts) assert.equal(url !== null, status === 'PAID')
  const paid = shown.receipts.find(({ url }) => url !== null)!
  assert.match(paid.url!, /\/papers\//)
  const outstanding = shown.owed.find(({ part }) => part === 'outstanding')
  assert.equal(outstanding?.amount, soa!.total_outstanding)
})

test('D3 §6.4: a partner’s borrower sees the lender’s account, and the loan number for the remarks', async () => {
  const { ids, call, view } = await borrowerWithLoan()
  const exit = { until: '2026-11-29', agreed: true, payBy: '2026-11-29', cost: null, price: null }
  const at = platform.ctx.clock()
  assert.equal(coolingOffView(exit, 'a bank', at)?.account, 'a bank')
  assert.equal(coolingOffView(exit, 'a bank', new Date('2026-11-28T18:30:00Z'))?.today, '2026-11-29', 'in India')
  for (const unknown of [coolingOffView({ ...exit, agreed: false }, 'a bank', at), coolingOffView(exit, '', at)])
    assert.equal(unknown?.account, null)
  assert.equal((await call('POST', '/servicing/pre-part-payment', { amount: '1000' })).status, 200)
  const [payment] = (await view()).servicing
  assert.equal(payment!.payTo, sandboxContact.repaymentAccount)
  const form = await (await fetch(payment!.redirectUrl!)).text()
  for (const text of ['Celestium Finance Limited, Sandbox Bank', '50200047110101', 'SBXB0000101', ids.loanId!])
    assert.ok(form.includes(text), text)
})

test('D3 §1: the view says that a complaint has an answer, until the borrower closes it, and never another borrower’s', async () => {
  const one = await borrowerWithLoan()
  const other = await borrowerWithLoan()
  const request = { category: 'CHARGES', text: 'A charge is wrong.', language: 'en' }
  const { body } = await one.call('POST', '/complaints', request)
  const [item] = body.complaints.items
  const view = await one.view()
  assert.equal(view.complaintAnswered, false)
  assert.equal(view.complaintOpen, true)
  assert.equal((await other.view()).complaintOpen, false)
  for (const [status, answered] of [
    ['IN_PROGRESS', false],
    ['WAITING_FOR_BORROWER', true],
    ['RESOLVED', true],
  ] as const) {
    await platform.ctx.db`update complaint set status = ${status} where number = ${item.number}`
    assert.equal((await one.view()).complaintAnswered, answered, status)
    assert.equal((await other.view()).complaintAnswered, false, status)
  }
  assert.equal((await one.call('POST', `/complaints/${item.id}/judge`, { settled: true })).status, 200)
  const { complaintAnswered, complaintOpen } = await one.view()
  assert.equal(complaintAnswered, false)
  assert.equal(complaintOpen, false)
})

test('D3 §1: the view has a request for the closing amount with its deadline until it is closed, as no complaint', async () => {
  const one = await borrowerWithLoan()
  const other = await borrowerWithLoan()
  const request = { category: 'CLOSING_AMOUNT', text: 'I want to repay the whole loan early.', language: 'en' }
  const { body } = await one.call('POST', '/complaints', request)
  const [item] = body.complaints.items
  const { requested, complaintOpen, pollAfterMs } = await one.view()
  assert.deepEqual(requested, [{ category: 'CLOSING_AMOUNT', at: item.receivedAt, dueAt: item.dueAt, answered: false }])
  assert.ok(item.dueAt)
  assert.equal(complaintOpen, false)
  assert.equal(pollAfterMs, 10_000, 'for the answer')
  assert.deepEqual((await other.view()).requested, [])
  for (const status of ['WAITING_FOR_BORROWER', 'RESOLVED']) {
    await platform.ctx.db`update complaint set status = ${status} where number = ${item.number}`
    const view = await one.view()
    assert.deepEqual(view.requested[0], { ...requested[0], dueAt: null, answered: true }, status)
    assert.equal(view.complaintAnswered, false)
    assert.equal(view.pollAfterMs, null)
  }
  assert.equal((await one.call('POST', `/complaints/${item.id}/judge`, { settled: true })).status, 200)
  assert.deepEqual((await one.view()).requested, [])
})

test('D3 §1: an exit request is in the view until the borrower withdraws it, and never in another borrower’s', async () => {
  const one = await borrowerWithLoan()
  const other = await borrowerWithLoan()
  assert.equal((await one.view()).exitRequest, null)
  const request = { category: 'COOLING_OFF', text: 'I want to cancel this loan.', language: 'en' }
  const { body } = await one.call('POST', '/complaints', request)
  const [item] = body.complaints.items
  const { exitRequest } = body.view as EmbedView
  assert.deepEqual(exitRequest, {
    number: item.number,
    at: item.receivedAt,
    origin: 'PAGE',
    answered: false,
    missedOn: null,
    paidLate: null,
  })
  assert.equal((await other.view()).exitRequest, null)
  assert.equal((await one.view()).pollAfterMs, 10_000, 'until it ends')
  assert.equal((await other.view()).pollAfterMs, null)
  const setStatus = (status: string) =>
    platform.ctx.db`update complaint set status = ${status} where number = ${item.number}`
  await setStatus('MERGED')
  assert.equal((await one.view()).exitRequest, null, 'it continues in another complaint')
  await setStatus('ACKNOWLEDGED')
  assert.equal((await other.call('POST', `/complaints/${item.id}/withdraw`, {})).status, 404)
  assert.equal((await one.call('POST', `/complaints/${item.id}/withdraw`, {})).status, 200)
  assert.equal((await one.view()).exitRequest, null)
})

/** A loan whose cooling-off period of three days began today, and a payment of its price that the lender holds. */
async function loanInCoolingOff(change: { amount?: string; claim_reference?: string; status?: 'POSTED' } = {}) {
  const today = businessDate(platform.ctx.clock())
  const transfer = { installment_ids: [], collection_id: null, mandate_reference: null, claim_reference: null }
  const held = { ...transfer, status: 'PENDING_VERIFICATION' as const, bank_reference: 'UTR1', value_date: today }
  const payment = { ...exampleData('PAYMENT_UPDATED'), ...held, amount: '198000.00', ...change }
  const snapshotAt = platform.ctx.clock().toISOString()
  const loan = await borrowerWithLoan(exampleStatus({ payments: [payment], snapshot_at: snapshotAt }))
  const { db } = platform.ctx
  const setPlan = (startsOn: string) => {
    const startsAt = startOf(startsOn).toISOString()
    const dueAt = startOf(plusDays(startsOn, 30)).toISOString()
    const plan = [{ serialNumber: 1, amount: '21548904', status: 'NOT-PAID', startsAt, dueAt }]
    return db`update offer set installments = ${JSON.stringify(plan)}, terms = ${JSON.stringify(toStoredTerms(terms))}
      where journey_id = ${loan.journeyId}`
  }
  await setPlan(today)
  const askExit = async (): Promise<string> => {
    const request = { category: 'COOLING_OFF', text: 'I want to cancel this loan.', language: 'en' }
    const { status, body } = await loan.call('POST', '/complaints', request)
    assert.equal(status, 200)
    return body.complaints.items[0].number
  }
  return { ...loan, today, setPlan, askExit }
}

test('D3 §1: while the lender holds the payment of a requested cancellation, the view asks for no other money', async () => {
  for (const change of [{}, { claim_reference: 'CLAIM-1' }]) {
    const { journeyId, call, view, askExit } = await loanInCoolingOff(change)
    const before = await view()
    assert.equal(before.exitRequest, null)
    assert.equal(before.receipts[0]!.kind, 'INSTALLMENT')
    assert.ok(before.owed.length > 0 && before.installments.length > 0)
    assert.equal((await call('POST', '/servicing/pre-part-payment', { amount: '1000' })).status, 200)
    const opened = await view()
    assert.equal(opened.servicing[0]!.status, 'LINK_READY')
    assert.deepEqual(opened.requests, ['PART_PAYMENT'])
    await askExit()
    const { exitHeld, payNow, owed, installments, receipts, servicing, requests } = await view()
    assert.equal(exitHeld, '198000.00')
    assert.equal(payNow, null)
    assert.deepEqual(owed, [])
    assert.deepEqual(installments, [])
    assert.deepEqual(servicing, [])
    assert.deepEqual(requests, [])
    await platform.ctx
      .db`update servicing set status = 'FAILED', reason = 'LOAN_REPAID' where journey_id = ${journeyId}`
    assert.deepEqual((await view()).servicing, [], 'nor does it say that the loan continues without a payment')
    assert.equal(receipts[0]!.kind, 'FORECLOSURE')
    assert.equal(receipts[0]!.serialNumber, null)
  }
})

test('D3 §1: before a request, the view names a payment of the price that the lender verifies, and is polled', async () => {
  const { view, askExit } = await loanInCoolingOff()
  const { exitHeld, exitRequest, cancellation, installments, pollAfterMs } = await view()
  assert.equal(exitHeld, '198000.00')
  assert.equal(exitRequest, null)
  assert.equal(cancellation, null)
  assert.equal(pollAfterMs, 10_000)
  assert.ok(installments.length > 0, 'the loan continues')
  await askExit()
  const requested = await view()
  assert.equal(requested.exitHeld, '198000.00')
  assert.equal(requested.exitBooked, null)
  const small = await loanInCoolingOff({ amount: '1.00' })
  assert.equal((await small.view()).exitHeld, null, 'less than the price')
  const late = await loanInCoolingOff()
  await late.setPlan(plusDays(late.today, -4))
  const over = await late.view()
  assert.equal(over.leave, null, 'it was paid after the period')
  assert.equal(over.exitHeld, null, 'it was paid after the period')
})

test('D3 §1: after a request, the view names a transfer that the lender posted as a repayment', async () => {
  const { view, askExit } = await loanInCoolingOff({ status: 'POSTED' })
  const before = await view()
  assert.equal(before.exitHeld, null)
  assert.equal(before.exitBooked, '198000.00')
  assert.equal(before.cancellation, null)
  await askExit()
  const { exitHeld, exitBooked, cancellation } = await view()
  assert.equal(exitHeld, null)
  assert.equal(exitBooked, '198000.00')
  assert.equal(cancellation, 'OPEN')
})

test('D3 §1: a loan whose requested cancellation was not paid in time continues, and may be requested again', async () => {
  const { journeyId, view, askExit, setPlan, today } = await loanInCoolingOff({ amount: '1.00' })
  const number = await askExit()
  const { db } = platform.ctx
  let paidLate: unknown
  const stateWhen = async (plan: { startedDaysAgo: number; requestedDaysAgo: number; coolOffPeriod?: string }) => {
    await setPlan(plusDays(today, -plan.startedDaysAgo))
    if (plan.coolOffPeriod)
      await db`update offer set terms = terms || ${JSON.stringify({ coolOffPeriod: plan.coolOffPeriod })}::jsonb
        where journey_id = ${journeyId}`
    await db`update complaint set received_at = ${startOf(plusDays(today, -plan.requestedDaysAgo))} where number = ${number}`
    const { cancellation, exitRequest, leave, owed } = await view()
    paidLate = exitRequest?.paidLate
    return { cancellation, missedOn: exitRequest?.missedOn, leaves: leave !== null, owes: owed.length > 0 }
  }
  const open = { cancellation: 'OPEN', missedOn: null, leaves: true, owes: true }
  assert.deepEqual(await stateWhen({ startedDaysAgo: 6, requestedDaysAgo: 3 }), open, 'the last day for the payment')
  const missed = { cancellation: null, leaves: false, owes: true }
  assert.deepEqual(await stateWhen({ startedDaysAgo: 7, requestedDaysAgo: 4 }), {
    ...missed,
    missedOn: plusDays(today, -1),
  })
  assert.deepEqual(paidLate, { amount: '1.00', on: today }, 'and names the payment that came too late')
  const late = { ...missed, missedOn: plusDays(today, -1) }
  assert.deepEqual(await stateWhen({ startedDaysAgo: 4, requestedDaysAgo: 0 }), late, 'requested after the period')
  const again = await stateWhen({ startedDaysAgo: 7, requestedDaysAgo: 4, coolOffPeriod: 'P30D' })
  assert.deepEqual(again, { ...missed, missedOn: undefined, leaves: true }, 'as if nothing was requested')
})

test('D3 §1: the thread of a cancellation says by when to pay while only the payment is open', async () => {
  const { call, askExit, setPlan, today } = await loanInCoolingOff({ amount: '1.00' })
  await storeOfficer()
  const number = await askExit()
  const exitOf = async (of: typeof call) => (await of('GET', '/complaints')).body.complaints.items[0].exit
  assert.deepEqual(await exitOf(call), { payBy: plusDays(today, 3), state: 'PAY' })
  await setPlan(plusDays(today, -7))
  const receivedAt = startOf(plusDays(today, -4))
  await platform.ctx.db`update complaint set received_at = ${receivedAt} where number = ${number}`
  assert.deepEqual(await exitOf(call), { payBy: plusDays(today, -1), state: 'MISSED' })
  const { id } = (await call('GET', '/complaints')).body.complaints.items[0]
  assert.equal((await call('POST', `/complaints/${id}/words`, { text: 'I paid yesterday.' })).status, 200)
  assert.equal(await exitOf(call), null, 'the borrower awaits an answer')
  for (const change of [{}, { status: 'POSTED' }] as const) {
    const paid = await loanInCoolingOff(change)
    await storeOfficer()
    await paid.askExit()
    assert.deepEqual(await exitOf(paid.call), { payBy: plusDays(today, 3), state: 'PAID' })
    await platform.ctx.db`update complaint set status = 'CLOSED' where journey_id = ${paid.journeyId}`
    assert.equal(await exitOf(paid.call), null, 'it has ended')
  }
})

test('D3 §1: a payment of less than the price does not end the loan', async () => {
  const { view, askExit } = await loanInCoolingOff({ amount: '1.00' })
  await askExit()
  const { exitHeld, cancellation, leave, owed, installments, receipts } = await view()
  assert.ok(leave?.cost && Number(leave.cost.total) > 1)
  assert.equal(exitHeld, null)
  assert.equal(cancellation, 'OPEN')
  assert.equal(receipts[0]!.kind, 'INSTALLMENT')
  assert.ok(owed.length > 0 && installments.length > 0)
})

test('D3 §1: after a small payment the view names what is left to pay', async () => {
  const { view, askExit } = await loanInCoolingOff({ status: 'POSTED', amount: '9580.00' })
  const { leave, exitBooked } = await view()
  const { total, paid, principal, interest, feeReturned } = leave!.cost!
  const paise = (amount: string) => BigInt(amount.replace('.', ''))
  assert.equal(paid, '9580.00')
  assert.equal(exitBooked, null)
  assert.equal(paise(total) + paise('9580.00'), paise(principal) + paise(interest) - paise(feeReturned))
  await askExit()
  const requested = await view()
  assert.equal(requested.leave?.cost?.total, total)
  assert.equal(requested.cancellation, 'OPEN')
})

test('D3 §1: a closed loan is cancelled if the lender says so, or if less was paid than repays it', async () => {
  for (const { amount, outcome, done } of [
    { amount: '198000.00', outcome: null, done: true },
    { amount: '216000.00', outcome: null, done: false },
    { amount: '216000.00', outcome: 'UPHELD', done: true },
  ]) {
    const { journeyId, view, askExit } = await loanInCoolingOff({ status: 'POSTED', amount })
    const number = await askExit()
    const { db } = platform.ctx
    await db`update journey set closed_at = now(), active = false where journey_id = ${journeyId}`
    if (outcome) {
      const [row] = await db<{ complaintId: string; tenantId: string }>`
        update complaint set status = 'CLOSED', outcome = ${outcome} where number = ${number} returning complaint_id, tenant_id`
      const record = { author: 'SYSTEM', kind: 'RESOLUTION', body: { text: 'Your loan is cancelled.' } } as const
      await db.tx((tx) => addEntry({ ...platform.ctx, tx, at: platform.ctx.clock() }, row!, record))
    }
    const { screen, cancellation, exitRequest, exitBooked } = await view()
    assert.equal(screen, 'CLOSED', `${amount} ${outcome}`)
    assert.equal(cancellation, done ? 'DONE' : null, `${amount} ${outcome}`)
    if (!done) {
      assert.equal(exitRequest?.number, number, 'the request is still open')
      assert.equal(exitBooked, amount, 'the request is still open')
    }
  }
})

test('D3 §1: a request after the cooling-off period does not end the loan, one on its last day does', async () => {
  const { view, askExit, setPlan, today } = await loanInCoolingOff()
  await askExit()
  for (const [daysAgo, held] of [
    [3, '198000.00'],
    [4, null],
  ] as const) {
    await setPlan(plusDays(today, -daysAgo))
    const { exitHeld, owed } = await view()
    assert.equal(exitHeld, held, `${daysAgo} days`)
    assert.equal(owed.length > 0, held === null, `${daysAgo} days`)
  }
})

test('D3 §1: after a refusal the view does not say that the lender ends the loan', async () => {
  const { view, askExit } = await loanInCoolingOff()
  const number = await askExit()
  for (const [status, outcome, held] of [
    ['RESOLVED', 'UPHELD', '198000.00'],
    ['RESOLVED', 'NOT_UPHELD', null],
    ['IN_PROGRESS', null, '198000.00'],
  ] as const) {
    await platform.ctx.db`update complaint set status = ${status}, outcome = ${outcome} where number = ${number}`
    const { exitHeld, cancellation, installments } = await view()
    assert.equal(exitHeld, held, `${status} ${outcome}`)
    assert.equal(cancellation, held ? 'OPEN' : null)
    assert.equal(installments.length, held ? 0 : 1)
  }
})

test('D3 §1: the page of a loan whose cancellation is requested polls until the loan is closed, then says so', async () => {
  const cancelled = await loanInCoolingOff({ status: 'POSTED' })
  const repaid = await loanInCoolingOff({ status: 'POSTED' })
  await cancelled.askExit()
  const cancelledView = await cancelled.view()
  assert.equal(cancelledView.pollAfterMs, 10_000)
  assert.equal(cancelledView.cancellation, 'OPEN')
  assert.equal((await cancelled.call('POST', '/servicing/pre-part-payment', { amount: '1000' })).status, 200)
  const setPayment = (status: string) =>
    platform.ctx.db`update servicing set status = ${status} where journey_id = ${cancelled.journeyId}`
  await setPayment('EXPIRED')
  for (const { journeyId } of [cancelled, repaid])
    await platform.ctx.db`update journey set closed_at = now(), active = false where journey_id = ${journeyId}`
  for (const [loan, cancellation] of [
    [cancelled, 'DONE'],
    [repaid, null],
  ] as const) {
    const view = await loan.view()
    assert.equal(view.screen, 'CLOSED')
    assert.equal(view.cancellation, cancellation)
    assert.equal(view.exitRequest, null)
    assert.equal(view.pollAfterMs, null)
    assert.equal(view.installments.length, cancellation ? 0 : 1)
  }
  await setPayment('LINK_READY')
  assert.deepEqual((await cancelled.view()).servicing, [], 'a cancelled loan has no link to pay')
})

test('D3 §1: an instalment of zero, which an early repayment leaves behind, is not in the schedule', () => {
  const dueAt = '2026-12-05T06:00:00Z'
  const instalment = { serialNumber: 1, amount: '479000', status: 'PAID' as const, startsAt: dueAt, dueAt }
  const plan = [instalment, { ...instalment, serialNumber: 2, amount: '0' }]
  const shown = installmentViews(plan, null, platform.ctx.clock())
  assert.deepEqual(
    shown.map(({ serialNumber, amount }) => ({ serialNumber, amount })),
    [{ serialNumber: 1, amount: '4790.00' }],
  )
})

test('FIS12 §20: an open complaint is polled at its own pace while a cancellation is open', () => {
  const exitRequest = {
    number: 'GR-1',
    receivedAt: new Date(),
    origin: 'PAGE',
    status: 'ACKNOWLEDGED',
    outcome: null,
  } as const
  const cancellation = servicingPollMs([], { exitRequest, requests: [] })
  assert.equal(shortestOf(null, cancellation, 5000), 5000)
  assert.equal(shortestOf(null, cancellation, null), 10_000)
  assert.equal(shortestOf(null, servicingPollMs([]), null), null)
})

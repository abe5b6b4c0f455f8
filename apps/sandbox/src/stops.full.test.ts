// A lender of the sandbox in the newest shape of 2.0.3: one page after its offer, progress by stops, and payout before the confirmation (FIS12 §26).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { invariantsOf } from '@lendloom/conformance/network/v203/invariants'
import { testDatabase } from '@lendloom/tests/setup/database'
import { until } from '@lendloom/tests/setup/programs'
import { call, json, post, type ReceivedCallback } from '@lendloom/tests/setup/sandbox/buyer'
import { applyForGold, bookVisit } from '@lendloom/tests/setup/sandbox/gold-journey'
import {
  applyWithPan,
  formUrl,
  initWith,
  type LoanConversation,
  responseIn,
} from '@lendloom/tests/setup/sandbox/journey'
import { openSandbox } from '@lendloom/tests/setup/sandbox/open-sandbox'
import { faultText } from '@lendloom/wire/network/context'
import { readForm } from '@lendloom/wire/network/html-form'
import { readOrder } from '@lendloom/wire/network/v203/read-order'
import { readOnSearch } from '@lendloom/wire/network/v203/search'
import { confirmPaidOut, select, selectDedupe } from '@lendloom/wire/network/v203/select-to-confirm'
import { status, update } from '@lendloom/wire/network/v203/update-and-status'

const { url, buyer } = await openSandbox(() => testDatabase('sandbox'), {
  SANDBOX_LENDER_VERSIONS: 'tulsi=2.0.3-stops,meridian=2.0.3-stops',
})
const pan = (digits: string) => `ABCPE${digits}F`
const orderIn = ({ body }: ReceivedCallback) => readOrder(body.message)
const textAt = async (address: string) => (await call({ method: 'GET', url: address })).body.toString()
const statesOf = (received: ReceivedCallback) => orderIn(received).stops.map(({ state }) => state)

/** Violations of the network's rules in one conversation, by either side. */
function faultsOf({ transactionId, lender }: LoanConversation): string[] {
  const own = buyer.transcript.filter(
    ({ body, party }) =>
      JSON.parse(body).context.transaction_id === transactionId && ['gateway', lender.id].includes(party),
  )
  return invariantsOf(own, ({ subscriberId }) => buyer.publicKeys.get(subscriberId) ?? null).map(faultText)
}

/** The catalogue that the lender sent in this conversation. */
function catalogueOf({ transactionId, lender }: LoanConversation) {
  const bodies = buyer.transcript.map(({ body }) => JSON.parse(body))
  const catalogue = bodies.find(
    ({ context }) =>
      context.action === 'on_search' && context.transaction_id === transactionId && context.bpp_id === lender.id,
  )
  return readOnSearch(catalogue.message)
}

/** Presses a button on the page, with its fields as the sandbox has filled them in. */
async function press(page: string, outcome: 'approve' | 'decline', answers: Record<string, string> = {}) {
  const { fields, action } = readForm(await textAt(page), page)
  const filled = Object.fromEntries(
    fields.flatMap(({ name, value }) => (value === null || name === 'outcome' ? [] : [[name, value]])),
  )
  return post(action, { ...filled, ...answers, outcome })
}

/** Applies, and returns the offer with its page. */
async function proceedToPage(digits: string) {
  const journey = await applyWithPan(buyer, 'tulsi', pan(digits))
  const offer = await buyer.receive('on_select', journey)
  return { ...journey, offer, page: formUrl(offer) }
}

async function requestStatus(journey: LoanConversation): Promise<ReceivedCallback> {
  const { transactionId, lender } = journey
  await buyer.send('status', status({ refId: transactionId }), { transactionId, lender })
  return buyer.receive('on_status', journey)
}

/** Sends the select of a gold loan again, with a branch or without one. */
async function selectGold(journey: LoanConversation & { submissionId: string }, branchId?: string) {
  const { transactionId, lender, providerId, itemId, submissionId } = journey
  const submission = { formId: 'FORM-GOLD-PROFILE', submissionId }
  const message = select({ providerId, itemId, submission, ...(branchId !== undefined && { branchId }) })
  await buyer.send('select', message, { transactionId, lender })
  return buyer.receive('on_select', journey)
}

/** Applies for a gold loan, and chooses its second branch. */
async function proceedToVisit(digits: string) {
  const journey = await applyForGold(buyer, 'meridian', pan(digits))
  const offer = await buyer.receive('on_select', journey)
  const chosen = await selectGold(journey, orderIn(offer).branches[1]!.id)
  return { ...journey, offer, chosen, page: formUrl(chosen) }
}

const terms = (party: string) => ({ staticTerms: `https://${party}.example/terms`, offlineContract: true })

/** Confirms with what the lender's last report says. */
async function confirmWith(journey: LoanConversation, report: ReceivedCallback, change = {}) {
  const { transactionId, lender, providerId, itemId } = journey
  const { form, form_response: response } = report.body.message.order.items[0].xinput
  const submission = { formId: form.id, submissionId: response.submission_id, status: response.status, ...change }
  const contract = { buyer: terms('buyer'), lender: terms('tulsi') }
  await buyer.send('confirm', confirmPaidOut({ providerId, itemId, submission, terms: contract }), {
    transactionId,
    lender,
  })
  return buyer.receive('on_confirm', journey)
}

/** Plays a loan until it is confirmed. */
async function proceedToOrder(digits: string) {
  const journey = await proceedToPage(digits)
  assert.equal((await press(journey.page, 'approve')).status, 303)
  for (const _report of ['begun', 'identified', 'signed', 'paid out']) await buyer.receive('on_status', journey)
  const report = await requestStatus(journey)
  return { ...journey, report, order: await confirmWith(journey, report) }
}

describe('a lender with stops', { concurrency: 4 }, () => {
  test('FIS12 §26.2: a personal loan is offered with its page, told by stops, paid out, and then confirmed', async () => {
    const journey = await proceedToPage('1234')
    const [item, check] = catalogueOf(journey)
    assert.deepEqual(
      item!.stops!.map(({ type }) => type),
      [
        'PERSONAL_INFORMATION',
        'LOAN_OFFER',
        'SINGLE_REDIRECTION',
        'KYC',
        'BANK_ACCOUNT_VERIFICATION',
        'REPAYMENT',
        'LOAN_AGREEMENT',
      ],
    )
    assert.equal(check!.isDedupe, true)
    assert.equal(item!.lenderTerms?.staticTerms, `${url}/lenders/tulsi/terms`)
    assert.deepEqual(item!.warnings, [])

    const offer = orderIn(journey.offer)
    assert.deepEqual(offer.warnings, [])
    assert.equal(offer.form?.heading, 'SINGLE_REDIRECTION')
    assert.equal(offer.form?.mimeType, 'application/html')
    assert.equal(offer.state, null)
    assert.equal(statesOf(journey.offer)[1], 'FINALIZED')

    const page = await textAt(journey.page)
    for (const part of ['Your identity', 'Your account', 'Autopay', 'Key facts statement', 'Accept the loan'])
      assert.ok(page.includes(part), part)
    const begun = await buyer.receive('on_status', journey)
    assert.equal(responseIn(begun).status, 'OFFLINE_PENDING')
    assert.equal(orderIn(begun).state, 'INITIATED')
    assert.equal((await press(journey.page, 'approve')).status, 303)
    const identified = await buyer.receive('on_status', journey)
    assert.equal(responseIn(identified).status, 'OFFLINE_PENDING')
    assert.deepEqual(statesOf(identified).slice(3), ['SUCCESSFUL', 'INITIATED', 'PENDING', 'PENDING'])
    const signed = await buyer.receive('on_status', journey)
    assert.equal(responseIn(signed).status, 'COMPLETED')
    assert.equal(orderIn(signed).state, 'INITIATED')
    const paidOut = await buyer.receive('on_status', journey)
    assert.equal(orderIn(paidOut).state, 'DISBURSED')
    assert.equal(orderIn(paidOut).orderId, null)
    assert.deepEqual(orderIn(paidOut).installments, [], 'the plan comes with the order')

    const end = await textAt(journey.page)
    const hint = `${buyer.uri}/callback?transaction_id=${journey.transactionId}`
    assert.ok(end.includes(`data-address="${hint}"`), 'the browser tells the app')
    assert.ok(end.includes(`<noscript><img src="${hint}"`), 'without scripts too')

    const answered = await requestStatus(journey)
    assert.deepEqual(responseIn(answered), responseIn(paidOut))
    const order = orderIn(await confirmWith(journey, answered))
    assert.equal(order.state, 'DISBURSED')
    assert.match(order.payoutReference!, /^UTR/)
    assert.equal(order.installments.length, order.terms!.installmentsCount)
    assert.equal(order.lenderTerms?.staticTerms, `${url}/lenders/tulsi/terms`)
    assert.equal(order.documents.length, 3)
    for (const address of [order.terms!.kfsLink!, ...order.documents.map((document) => document.url)])
      assert.equal((await call({ method: 'GET', url: address })).status, 200, address)
    const later = await requestStatus(journey)
    assert.equal(later.body.message.order.status, 'ACTIVE')
    assert.deepEqual(
      orderIn(later).installments.map(({ id }) => id),
      order.installments.map(({ id }) => id),
    )
    assert.deepEqual(faultsOf(journey), [])
  })

  test('FIS12 §26.2: there is no init, and confirm must repeat the last report after the payout', async () => {
    const journey = await proceedToPage('2345')
    await initWith(buyer, journey, 'FORM-ONE-PAGE', 'any', null)
    assert.equal((await buyer.receive('on_init', journey)).body.error.code, '40001')
    await textAt(journey.page)
    const begun = await buyer.receive('on_status', journey)
    assert.equal((await confirmWith(journey, begun)).body.error.code, '40001', 'before the payout')
    await press(journey.page, 'approve')
    for (const _report of ['identified', 'signed', 'paid out']) await buyer.receive('on_status', journey)
    const report = await requestStatus(journey)
    for (const [change, code] of [
      [{ submissionId: 'another' }, '80216'],
      [{ status: 'OFFLINE_PENDING' }, '30000'],
    ] as const)
      assert.equal((await confirmWith(journey, report, change)).body.error.code, code)
    const order = orderIn(await confirmWith(journey, report))
    assert.equal(orderIn(await confirmWith(journey, report)).orderId, order.orderId, 'a repeated confirm')
  })

  test('FIS12 §26.2, 9072: with the lender’s people the page is pending first, and then paid out', async () => {
    const journey = await proceedToPage('9072')
    assert.equal(orderIn(journey.offer).form?.heading, 'JOURNEY_OFFLINE')
    assert.equal(orderIn(journey.offer).stops[2]?.type, 'JOURNEY_OFFLINE')
    await press(journey.page, 'approve')
    assert.equal(responseIn(await buyer.receive('on_status', journey)).status, 'OFFLINE_PENDING')
    await press(journey.page, 'approve')
    assert.equal(responseIn(await buyer.receive('on_status', journey)).status, 'COMPLETED')
    assert.equal(orderIn(await buyer.receive('on_status', journey)).state, 'DISBURSED')
    assert.equal(orderIn(await confirmWith(journey, await requestStatus(journey))).state, 'DISBURSED')
    assert.deepEqual(faultsOf(journey), [])
  })

  test('FIS12 §26.2: a declined page ends the application', async () => {
    const journey = await proceedToPage('3456')
    await press(journey.page, 'decline')
    await buyer.receive('on_status', journey)
    const declined = await buyer.receive('on_status', journey)
    assert.equal(responseIn(declined).status, 'REJECTED')
    assert.match(await textAt(journey.page), /the application ends here/)
    assert.deepEqual(faultsOf(journey), [])
  })

  test('9006, 9009, 9012: the page is rejected, whatever the borrower does', async () => {
    for (const digits of ['9006', '9009', '9012']) {
      const journey = await proceedToPage(digits)
      await press(journey.page, 'approve')
      await buyer.receive('on_status', journey)
      assert.equal(responseIn(await buyer.receive('on_status', journey)).status, 'REJECTED', digits)
    }
  })

  test('9007, 9008, 9010, 9015: the page fails once and may be tried again', async () => {
    for (const [digits, code] of [
      ['9007', '80205'],
      ['9008', '80206'],
      ['9010', '80209'],
      ['9015', '80207'],
    ] as const) {
      const journey = await proceedToPage(digits)
      await press(journey.page, 'approve')
      await buyer.receive('on_status', journey)
      assert.equal((await buyer.receive('on_status', journey)).body.error.code, code)
      assert.match(await textAt(journey.page), /Please try again/)
      await press(journey.page, 'approve')
      for (const expected of ['OFFLINE_PENDING', 'COMPLETED', 'COMPLETED'])
        assert.equal(responseIn(await buyer.receive('on_status', journey)).status, expected)
    }
  })

  test('9011, 9014: an offer lapses on its page, and a silent payout shows only on request', async () => {
    const silent = await proceedToPage('9014')
    await press(silent.page, 'approve')
    for (const _report of ['begun', 'identified', 'signed']) await buyer.receive('on_status', silent)
    await until('the payout', async () => orderIn(await requestStatus(silent)).state === 'DISBURSED')
    const short = await proceedToPage('9011')
    assert.equal(orderIn(short.offer).terms?.quoteTtl, 'PT20S')
  })

  test('the page names a wrong account and a wrong one-time password', async () => {
    const { page } = await proceedToPage('4567')
    const wrongAccount = await press(page, 'approve', { accNo: '12', ifscCode: 'x' })
    assert.equal(wrongAccount.status, 400)
    assert.match(wrongAccount.body.toString(), /The account number must be 9 to 18 digits\. The IFSC must be an IFSC/)
    assert.equal((await press(page, 'approve', { otp: '000000' })).status, 400)
  })

  test('FIS12 §26.5: a part is repaid, and then the rest; the order is COMPLETED', async () => {
    const journey = await proceedToOrder('5678')
    const { transactionId, lender } = journey
    const { orderId } = orderIn(journey.order)
    for (const requested of [{ label: 'PRE_PART_PAYMENT', amount: 5_000_00n }, { label: 'FORECLOSURE' }] as const) {
      const message = update({ orderId: orderId!, target: 'payments', ...requested })
      await buyer.send('update', message, { transactionId, lender })
      const due = orderIn(await buyer.receive('on_update', journey))
      const link = due.servicing.find(({ status: paid }) => paid === 'NOT-PAID')!.url!
      await post(link, { outcome: 'approve' })
      const paid = await buyer.receive('on_update', journey)
      assert.equal(orderIn(paid).servicing.at(-1)?.status, 'PAID', requested.label)
      const isClosed = requested.label === 'FORECLOSURE'
      assert.equal(orderIn(paid).state, isClosed ? 'COMPLETED' : 'DISBURSED')
      assert.equal(paid.body.message.order.status, isClosed ? 'COMPLETED' : 'ACTIVE')
    }
    assert.deepEqual(faultsOf(journey), [])
  })

  test('FIS12 §12.1, 9031: the confirmation has the agreed plan, and a report after it the missed instalment', async () => {
    const journey = await proceedToOrder('9031')
    const statuses = (received: ReceivedCallback) => orderIn(received).installments.map(({ status: paid }) => paid)
    assert.ok(statuses(journey.order).every((each) => each === 'NOT-PAID'))
    const [first, ...later] = statuses(await buyer.receive('on_status', journey))
    assert.equal(first, 'DELAYED')
    assert.ok(later.every((each) => each === 'NOT-PAID'))
    assert.deepEqual(faultsOf(journey), [])
  })

  test('FIS12 §26.3: a borrower is checked before the application, by the PAN', async () => {
    const journey = await applyWithPan(buyer, 'tulsi', pan('6789'))
    await buyer.receive('on_select', journey)
    const { transactionId, lender, providerId } = journey
    const check = catalogueOf(journey).find(({ isDedupe }) => isDedupe)!
    for (const [digits, state] of [
      ['1234', 'ACCEPTED'],
      ['9001', 'REJECTED'],
    ] as const) {
      const borrower = { pan: pan(digits), dob: '1994-03-21', phone: '+91-9876500001', email: undefined }
      const asked = { providerId, itemId: check.itemId, fulfillmentId: check.fulfillmentId!, borrower }
      const sent = await buyer.send('select', selectDedupe(asked), { transactionId, lender })
      assert.equal(json(sent).message.ack.status, 'ACK')
      assert.equal(orderIn(await buyer.receive('on_select', journey)).state, state)
    }
    assert.deepEqual(faultsOf(journey), [])
  })

  test('FIS12 §26.4: a gold loan is offered without a page, paid out at the branch, and repaid at once', async () => {
    const journey = await proceedToVisit('1234')
    const offer = orderIn(journey.offer)
    assert.equal(offer.form, null)
    assert.equal(offer.branches.length, 3)
    assert.equal(offer.agent, null)
    assert.equal(offer.terms!.installmentsCount, 1)
    const [item] = catalogueOf(journey)
    assert.equal(item!.stops![2]?.type, 'JOURNEY_OFFLINE')
    const chosen = orderIn(journey.chosen)
    assert.equal(chosen.form?.heading, 'JOURNEY_OFFLINE')
    assert.deepEqual(
      chosen.branches.map(({ id }) => id),
      [offer.branches[1]!.id],
    )
    assert.ok(chosen.agent?.name)
    assert.deepEqual(chosen.terms!.principal, offer.terms!.principal)

    await bookVisit(journey.page)
    const pending = await buyer.receive('on_status', journey)
    assert.equal(responseIn(pending).status, 'OFFLINE_PENDING')
    assert.equal(orderIn(pending).state, 'INITIATED')
    await post(journey.page, { outcome: 'approve' })
    const visited = await buyer.receive('on_status', journey)
    assert.equal(responseIn(visited).status, 'COMPLETED')
    assert.equal(orderIn(await buyer.receive('on_status', journey)).state, 'DISBURSED')
    assert.match(await textAt(journey.page), /data-address=/)
    const report = await requestStatus(journey)
    const confirmed = await confirmWith(journey, report, { status: 'SUCCESS' })
    const order = orderIn(confirmed)
    assert.equal(confirmed.body.message.order.status, 'ACTIVE')
    const [repayment, ...more] = order.installments
    assert.deepEqual(more, [])
    assert.equal(repayment!.amount, order.terms!.principal + order.terms!.interest)
    assert.equal(confirmed.body.message.order.payments[1].time.label, 'REPAYMENT')
    assert.match(await textAt(order.terms!.kfsLink!), /one repayment of/)
    const message = update({ orderId: order.orderId!, target: 'payments', label: 'FORECLOSURE' })
    await buyer.send('update', message, { transactionId: journey.transactionId, lender: journey.lender })
    assert.equal((await buyer.receive('on_update', journey)).body.error.code, '40001', 'nothing is published')
    assert.deepEqual(faultsOf(journey), [])
  })

  test('FIS12 §26.4: a branch that the lender does not have is refused, and another may be chosen before the visit', async () => {
    const journey = await applyForGold(buyer, 'meridian', pan('2345'))
    const { branches } = orderIn(await buyer.receive('on_select', journey))
    assert.equal(orderIn(await selectGold(journey)).form, null, 'a repeated select without a branch')
    assert.equal((await selectGold(journey, 'KAVERI-CHENNAI')).body.error.code, '80216')
    for (const { id } of branches) assert.equal(orderIn(await selectGold(journey, id)).branches[0]!.id, id)
  })

  test('FIS12 §26.4: a gold loan is not confirmed with the status of the report', async () => {
    const journey = await proceedToVisit('3456')
    await bookVisit(journey.page)
    await post(journey.page, { outcome: 'approve' })
    for (const _report of ['booked', 'visited', 'paid out']) await buyer.receive('on_status', journey)
    const report = await requestStatus(journey)
    assert.equal(responseIn(report).status, 'COMPLETED')
    assert.equal((await confirmWith(journey, report)).body.error.code, '30000')
  })

  test('9041, FIS12 §26.4: a branch that declines the gold ends the application', async () => {
    const journey = await proceedToVisit('9041')
    await bookVisit(journey.page)
    await buyer.receive('on_status', journey)
    await post(journey.page, { outcome: 'approve' })
    assert.equal(responseIn(await buyer.receive('on_status', journey)).status, 'REJECTED')
  })
})

// Gold loans over real HTTP and a real database: branch visit, appraisal, disbursal, and every fault rule.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { conversationsOf, readTranscript } from '@lendloom/conformance/network/transcript'
import { invariantsOf } from '@lendloom/conformance/network/v203/invariants'
import { rupees } from '@lendloom/lending/money'
import { testDatabase } from '@lendloom/tests/setup/database'
import { call, json, post, type ReceivedCallback } from '@lendloom/tests/setup/sandbox/buyer'
import { approveConsent } from '@lendloom/tests/setup/sandbox/consent'
import {
  applyForGold,
  bookingFields,
  bookVisit,
  chooseOffer,
  goldProfileOf,
  proceedToAppointment,
  proceedToDisbursal,
  requestStatus,
  runToDisbursal,
  selectBranch,
} from '@lendloom/tests/setup/sandbox/gold-journey'
import {
  formUrl,
  initWith,
  type LoanConversation,
  responseIn,
  searchLender,
  selectWith,
  settlementFor,
  submissionIn,
} from '@lendloom/tests/setup/sandbox/journey'
import { openSandbox } from '@lendloom/tests/setup/sandbox/open-sandbox'
import { faultText } from '@lendloom/wire/network/context'
import { goldLoanFields } from '@lendloom/wire/network/form-fields'
import { readForm } from '@lendloom/wire/network/html-form'
import { readOrder } from '@lendloom/wire/network/v203/read-order'
import { confirm } from '@lendloom/wire/network/v203/select-to-confirm'
import { update } from '@lendloom/wire/network/v203/update-and-status'

const { url, buyer } = await openSandbox(() => testDatabase('sandbox'))
const pan = (digits: string) => `ABCPE${digits}F`
const orderIn = ({ body }: ReceivedCallback) => readOrder(body.message)
const textAt = async (address: string) => (await call({ method: 'GET', url: address })).body.toString()

/** Violations of the network's rules in one conversation. */
function faultsOf({ transactionId, lender }: LoanConversation): string[] {
  const ownTranscript = buyer.transcript.filter(
    ({ body, party }) =>
      JSON.parse(body).context.transaction_id === transactionId && ['gateway', lender.id].includes(party),
  )
  return invariantsOf(ownTranscript, ({ subscriberId }) => buyer.publicKeys.get(subscriberId) ?? null).map(faultText)
}

describe('gold loans', { concurrency: 6 }, () => {
  test('FIS12 §9.1: a loan without account aggregator is DISBURSED, and every message obeys the rules', async () => {
    const journey = await runToDisbursal(buyer, 'sahyadri', pan('1234'))
    const offer = orderIn(journey.offer)
    assert.equal(rupees(offer.terms!.principal), '351744.00')
    assert.equal(offer.terms!.ltvRatio, '80.00%')
    assert.equal(offer.branches.length, 4)
    assert.equal(offer.form?.heading, 'SET_LOAN_AMOUNT')
    assert.deepEqual(offer.form?.headings, ['SET_LOAN_AMOUNT', 'JOURNEY_OFFLINE'])

    const quote = orderIn(journey.quote)
    assert.equal(rupees(quote.terms!.principal), '200000.00')
    assert.equal(quote.terms!.ltvRatio, '45.49%')
    assert.deepEqual(
      quote.branches.map(({ id }) => id),
      ['SAHYADRI-NASHIK'],
    )
    assert.deepEqual(quote.agent, { name: 'Priya Deshmukh', phone: '+91-9822030002' })
    assert.equal(quote.form?.heading, 'JOURNEY_OFFLINE')
    assert.equal(quote.form?.mimeType, 'application/html')
    assert.equal(responseIn(journey.pending).status, 'OFFLINE_PENDING')

    const sanctioned = orderIn(journey.sanctionedOrder)
    assert.equal(sanctioned.state, 'SANCTIONED')
    assert.equal(sanctioned.form, null)
    assert.equal(sanctioned.installments.length, 12)
    assert.equal(sanctioned.cancellationTerms?.fees.length, 2)
    const order = orderIn(journey.order)
    assert.equal(order.state, 'DISBURSED')
    assert.equal(order.settlementPaid, true)
    assert.equal(order.documents.length, 3)
    assert.ok(order.orderId)
    assert.equal(orderIn(await requestStatus(buyer, journey)).orderId, order.orderId)
    assert.deepEqual(faultsOf(journey), [])
  })

  test('FIS12 §9.1: a lender requests the consent first, and under rule 9042 reports the visit only on request', async () => {
    const journey = await applyForGold(buyer, 'narmada', pan('9042'))
    const consent = orderIn(await buyer.receive('on_select', journey))
    assert.equal(consent.terms, null)
    await approveConsent(url, consent.consentHandle!, '9876500001@sandbox-aa')
    await selectWith(buyer, journey, 'FORM-GOLD-PROFILE', journey.submissionId)
    const chosen = await chooseOffer(buyer, journey)
    await bookVisit(formUrl(chosen.quote))
    const pending = responseIn(await buyer.receive('on_status', journey))
    await post(formUrl(chosen.quote), { outcome: 'approve' })
    const response = responseIn(await requestStatus(buyer, journey))
    assert.deepEqual(response, { status: 'COMPLETED', submission_id: pending.submission_id })
    const paid = await proceedToDisbursal(buyer, chosen, response.submission_id)
    assert.equal(orderIn(paid.order).state, 'DISBURSED')
    assert.deepEqual(faultsOf(journey), [])
  })

  test('FIS12 §19.2: an unknown item or form is found by its submission while only one offer has that submission', async () => {
    const journey = await applyForGold(buyer, 'sahyadri', pan('9071'))
    const first = await buyer.receive('on_select', journey)
    assert.equal(orderIn(first).form!.id, 'FORM-GOLD-PROFILE', 'the first form again')
    const { submissionId } = journey
    const unknown = { ...journey, itemId: 'ITEM-ELSEWHERE' }
    await selectWith(buyer, unknown, 'F01', submissionId)
    assert.deepEqual(orderIn(await buyer.receive('on_select', journey)).terms, orderIn(first).terms)
    await selectWith(buyer, { ...journey, itemId: `${journey.itemId}-AA` }, 'FORM-GOLD-PROFILE', submissionId)
    assert.ok(orderIn(await buyer.receive('on_select', journey)).consentHandle)
    await selectWith(buyer, unknown, 'F01', submissionId)
    assert.equal((await buyer.receive('on_select', journey)).body.error.code, '30004', 'ambiguous between two offers')
  })

  test('FIS12 §9.1: only lenders that offer gold loans answer a search', async () => {
    const { transactionId } = await searchLender(buyer, 'narmada', 'GOLD_LOAN')
    for (const slug of ['meridian', 'kaveri', 'sahyadri'])
      await buyer.receive('on_search', { transactionId, lender: { id: `${slug}.sandbox.example` } })
    const { messages } = readTranscript(
      buyer.transcript.filter(({ body }) => JSON.parse(body).context.transaction_id === transactionId),
    )
    assert.ok(conversationsOf(messages).every(({ bppId }) => bppId !== 'tulsi.sandbox.example'))
  })

  test('FIS12 §9.1 row 4: a select without a branch, or with an unknown one, fails and may be repeated', async () => {
    const journey = await applyForGold(buyer, 'sahyadri', pan('2345'))
    const offer = await buyer.receive('on_select', journey)
    const { errors } = json(await buyer.submit(formUrl(offer), { requestAmount: '351745', requestTerm: '12' }))
    assert.deepEqual(errors, [{ field: 'requestAmount', message: 'must be whole rupees from 5000 to 351744' }])
    const choice = await submissionIn(buyer.submit(formUrl(offer), { requestAmount: '351744', requestTerm: '9' }))
    for (const [branchId, code] of [
      [undefined, '80217'],
      ['KAVERI-CHENNAI', '80216'],
    ] as const) {
      await selectBranch(buyer, journey, choice, branchId)
      assert.equal((await buyer.receive('on_select', journey)).body.error.code, code)
    }
    await selectBranch(buyer, journey, choice, 'SAHYADRI-SATARA')
    assert.equal(orderIn(await buyer.receive('on_select', journey)).branches[0]?.pincode, '415001')
    assert.equal((await requestStatus(buyer, journey)).body.message.order.items[0].xinput, undefined)
  })

  test('FIS12 §9.1: the branch page books a visit, shows it, and simulates its outcome', async () => {
    const journey = await chooseOffer(buyer, await applyForGold(buyer, 'meridian', pan('3456')))
    const visit = formUrl(journey.quote)
    assert.match(await textAt(visit), /<select name="day"[\s\S]*<select name="hour"[\s\S]*Book the visit/)
    for (const posted of [{}, { outcome: 'approve' }, { outcome: 'approve', day: '2020-01-01', hour: '10:00' }])
      assert.equal((await post(visit, posted as Record<string, string>)).status, 400)
    const booking = await bookingFields(visit)
    assert.deepEqual(
      booking.map(([name]) => name),
      ['day', 'hour', 'outcome'],
    )
    for (const _click of [1, 2]) assert.equal((await post(visit, booking)).status, 303)
    const callback = await buyer.receive('on_status', journey)
    assert.equal(orderIn(callback).branches[0]?.id, 'MERIDIAN-PUNE')
    const [day, hour] = booking.map(([, value]) => value)
    assert.deepEqual(orderIn(callback).visitAt, new Date(`${day}T${hour}:00+05:30`), 'the chosen time in India')
    const page = await textAt(visit)
    for (const text of [/3 Moledina Road, Pune 411001/, /Sunil More/, /What to bring/, /The sandbox plays the branch/])
      assert.match(page, text)
    assert.equal(responseIn(await requestStatus(buyer, journey)).status, 'OFFLINE_PENDING')
    await post(visit, { outcome: 'decline' })
    assert.equal(responseIn(await buyer.receive('on_status', journey)).status, 'REJECTED')
    await post(visit, { outcome: 'approve' })
    assert.match(await textAt(visit), /The application ends here/)
    assert.equal(responseIn(await requestStatus(buyer, journey)).status, 'REJECTED')
    const other = visit.slice(0, -1) + (visit.at(-1) === 'a' ? 'b' : 'a')
    assert.equal((await call({ method: 'GET', url: other })).status, 404)
  })

  test('FIS12 §9.1: declining the visit ends the application', async () => {
    const journey = await chooseOffer(buyer, await applyForGold(buyer, 'sahyadri', pan('7890')))
    await post(formUrl(journey.quote), { outcome: 'decline' })
    assert.equal(responseIn(await buyer.receive('on_status', journey)).status, 'REJECTED')
    assert.match(await textAt(formUrl(journey.quote)), /The application ends here/)
  })

  test('9041: the branch rejects the gold although the visit took place', async () => {
    const journey = await proceedToAppointment(buyer, 'meridian', pan('9041'))
    await post(journey.visitUrl, { outcome: 'approve' })
    assert.equal(responseIn(await buyer.receive('on_status', journey)).status, 'REJECTED')
    await initWith(buyer, journey, 'FORM-BRANCH', responseIn(journey.pending).submission_id, null)
    assert.equal((await buyer.receive('on_init', journey)).body.error.code, '40001')
  })

  test('FIS12 §12.4.4: init before the visit and confirm before the sanction are rejected', async () => {
    const journey = await proceedToAppointment(buyer, 'sahyadri', pan('4567'))
    await initWith(buyer, journey, 'FORM-BRANCH', responseIn(journey.pending).submission_id, null)
    assert.equal((await buyer.receive('on_init', journey)).body.error.code, '40001')
    const { transactionId, lender, providerId, itemId } = journey
    const message = confirm({ providerId, itemId, settlement: settlementFor(null) })
    await buyer.send('confirm', message, { transactionId, lender })
    assert.equal((await buyer.receive('on_confirm', journey)).body.error.code, '40001')
  })

  test('9001, 9002, 9005, 9021, 9024: the error code of the rule replaces the offer', async () => {
    for (const [digits, slug, code] of [
      ['9001', 'kaveri', '80226'],
      ['9002', 'sahyadri', '80226'],
      ['9005', 'meridian', '80203'],
      ['9021', 'narmada', '80201'],
      ['9024', 'narmada', '80230'],
    ] as const) {
      const journey = await applyForGold(buyer, slug, pan(digits))
      assert.equal((await buyer.receive('on_select', journey)).body.error.code, code, digits)
    }
  })

  test('9003, 9004, 9011: the offer arrives late, select gets a NACK, or the offer expires early', async () => {
    const lateJourney = await searchLender(buyer, 'meridian', 'GOLD_LOAN')
    const submissionId = await submissionIn(buyer.submit(lateJourney.profileUrl, goldProfileOf(pan('9003'))))
    await selectWith(buyer, lateJourney, 'FORM-GOLD-PROFILE', submissionId, { ttl: 'PT1S' })
    const refusedWithNack = await applyForGold(buyer, 'meridian', pan('9004'))
    assert.equal(json(refusedWithNack.sent).error.code, '30000')
    const shortLived = await applyForGold(buyer, 'sahyadri', pan('9011'))
    assert.equal(orderIn(await buyer.receive('on_select', shortLived)).terms?.quoteTtl, 'PT20S')
    assert.equal(orderIn(await buyer.receive('on_select', lateJourney)).terms?.quoteTtl, 'P15D')
  })

  test('9012, 9022, 9023: the lender declines after the choice of the amount or after the consent', async () => {
    const { quote } = await chooseOffer(buyer, await applyForGold(buyer, 'sahyadri', pan('9012')))
    assert.equal(quote.body.error.code, '80226')
    for (const [digits, code] of [
      ['9022', '80202'],
      ['9023', '80224'],
    ] as const) {
      const journey = await applyForGold(buyer, 'narmada', pan(digits))
      const { consentHandle } = orderIn(await buyer.receive('on_select', journey))
      await approveConsent(url, consentHandle!, '9876500001@sandbox-aa')
      await selectWith(buyer, journey, 'FORM-GOLD-PROFILE', journey.submissionId)
      assert.equal((await buyer.receive('on_select', journey)).body.error.code, code, digits)
    }
  })

  test('FIS12 §7.7: the form has the fields that the network defines, and names each invalid field', async () => {
    const { profileUrl } = await searchLender(buyer, 'meridian', 'GOLD_LOAN')
    const form = readForm(await textAt(profileUrl), profileUrl)
    assert.deepEqual(form.fields.map(({ name }) => name).sort(), Object.keys(goldLoanFields).sort())
    assert.deepEqual(
      form.fields.filter(({ required }) => required).map(({ name }) => name),
      ['fullName', 'pan', 'dob', 'gender', 'contactNumber', 'pincode', 'jewellery', 'purity'],
    )
    assert.ok(form.fields.find(({ name }) => name === 'purity')!.options.some(({ value }) => value === '18k'))
    const wrong = { ...goldProfileOf(pan('1234')), jewellery: '0.000', purity: '20K', pan: 'x', annualIncome: 'much' }
    const { errors } = json(await post(form.action, wrong))
    assert.deepEqual(errors.map(({ field }: { field: string }) => field).sort(), [
      'annualIncome',
      'jewellery',
      'pan',
      'purity',
    ])
  })

  test('FIS12 §11.1: a gold loan accepts a missed instalment, a part payment and foreclosure', async () => {
    const journey = await runToDisbursal(buyer, 'meridian', pan('9031'))
    const { orderId } = orderIn(journey.order)
    const { transactionId, lender } = journey
    for (const requested of [
      { label: 'MISSED_EMI_PAYMENT' },
      { label: 'PRE_PART_PAYMENT', amount: 20_000_00n },
      { label: 'FORECLOSURE' },
    ] as const) {
      const message = update({ orderId: orderId!, target: 'payments', ...requested })
      await buyer.send('update', message, { transactionId, lender })
      const order = orderIn(await buyer.receive('on_update', journey))
      await post(order.servicing.find(({ status }) => status === 'NOT-PAID')!.url!, { outcome: 'approve' })
      const paid = await buyer.receive('on_update', journey)
      assert.equal(orderIn(paid).servicing.at(-1)?.status, 'PAID', requested.label)
      const { items, fulfillments, provider } = paid.body.message.order
      assert.equal(items[0].descriptor.code, 'LOAN')
      assert.equal(fulfillments[0].type, 'LOAN')
      assert.equal(provider.locations.length, 1)
      assert.equal(orderIn(paid).state, requested.label === 'FORECLOSURE' ? 'COMPLETED' : 'DISBURSED')
    }
    assert.deepEqual(faultsOf(journey), [])
  })

  test('KFS: the key facts state the pledge, its rate and the branch, and every linked URL responds', async () => {
    const journey = await runToDisbursal(buyer, 'meridian', pan('6789'))
    const { terms, documents } = orderIn(journey.order)
    const facts = await textAt(terms!.kfsLink!)
    for (const text of ['40 grams', '22K', '₹10,992', '₹4,39,680', '45.49%', '3 Moledina Road, Pune 411001'])
      assert.ok(facts.includes(text), text)
    assert.match(await textAt(orderIn(journey.offer).terms!.kfsLink!), /80\.00%[\s\S]*One of our branches/)
    for (const address of [`${terms!.kfsLink}/pdf`, ...documents.map((document) => document.url), journey.visitUrl])
      assert.equal((await call({ method: 'GET', url: address })).status, 200, address)
    assert.match(await textAt(`${url}/lenders/-/gold-rates`), /₹11,951\.95/)
  })
})

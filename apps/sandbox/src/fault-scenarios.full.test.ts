// Every fault rule of the sandbox: a PAN selects it, and the buyer app receives its effect.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testDatabase } from '@lendloom/tests/setup/database'
import { until } from '@lendloom/tests/setup/programs'
import { json, post } from '@lendloom/tests/setup/sandbox/buyer'
import {
  applyWithPan,
  bankAccount,
  formUrl,
  initWith,
  proceedToAgreement,
  proceedToBankForm,
  proceedToMandate,
  proceedToQuote,
  proceedToSanction,
  profileOf,
  responseIn,
  searchLender,
  selectWith,
  submissionIn,
} from '@lendloom/tests/setup/sandbox/journey'
import { openSandbox } from '@lendloom/tests/setup/sandbox/open-sandbox'
import { expiresAt } from '@lendloom/wire/network/context'
import { readOrder } from '@lendloom/wire/network/v203/read-order'
import { status } from '@lendloom/wire/network/v203/update-and-status'

const { buyer } = await openSandbox(() => testDatabase('sandbox'))
const pan = (digits: string) => `ABCPE${digits}F`

// Each test has its own conversation, so they run in parallel.
describe('sandbox rules', { concurrency: 6 }, () => {
  test('9001, 9002: some lenders, or all of them, decline (80226)', async () => {
    for (const [digits, slug, code] of [
      ['9001', 'kaveri', '80226'],
      ['9001', 'meridian', undefined],
      ['9002', 'meridian', '80226'],
      ['9002', 'tulsi', '80226'],
    ] as const) {
      const journey = await applyWithPan(buyer, slug, pan(digits))
      const { body } = await buyer.receive('on_select', journey)
      assert.equal(body.error?.code, code)
      assert.equal(body.message === undefined, code !== undefined)
    }
  })

  test('9003: the offer arrives after the TTL of its request', async () => {
    const journey = await searchLender(buyer, 'meridian')
    const submissionId = await submissionIn(buyer.submit(journey.profileUrl, profileOf(pan('9003'))))
    const { messageId } = await selectWith(buyer, journey, 'FORM-PROFILE', submissionId, { ttl: 'PT1S' })
    const { body } = await buyer.receive('on_select', journey)
    const contexts = buyer.transcript.map((each) => JSON.parse(each.body).context)
    const request = contexts.find((each) => each.message_id === messageId && each.action === 'select')
    assert.equal(body.context.message_id, messageId)
    assert.ok(new Date(body.context.timestamp) > expiresAt(request))
  })

  test('9004: select gets a NACK, and no callback follows', async () => {
    const journey = await applyWithPan(buyer, 'meridian', pan('9004'))
    const reply = json(journey.sent)
    assert.deepEqual(reply.message, { ack: { status: 'NACK' } })
    assert.equal(reply.error.code, '30000')
    // The lender answers the messages of a conversation in order, so a callback to select would come before this answer.
    const { lender, transactionId } = journey
    await buyer.send('status', status({ refId: transactionId }), { transactionId, lender })
    await buyer.receive('on_status', journey)
    const actions = buyer.transcript
      .filter(({ body }) => JSON.parse(body).context.transaction_id === transactionId)
      .map(({ action }) => action)
    assert.ok(!actions.includes('on_select'))
  })

  test('9005, 9012: an error replaces the offer (80203) or the revised offer (80226)', async () => {
    const first = await applyWithPan(buyer, 'meridian', pan('9005'))
    assert.equal((await buyer.receive('on_select', first)).body.error.code, '80203')
    const { quote } = await proceedToQuote(buyer, 'sahyadri', pan('9012'))
    assert.equal(quote.body.error.code, '80226')
  })

  test('9006: KYC ends REJECTED although the borrower approves', async () => {
    const journey = await proceedToQuote(buyer, 'meridian', pan('9006'))
    const page = await post(formUrl(journey.quote), { outcome: 'approve' })
    assert.equal(page.status, 303)
    assert.equal(responseIn(await buyer.receive('on_status', journey)).status, 'REJECTED')
  })

  test('9007: KYC fails once with 80205, then succeeds on the same page', async () => {
    const journey = await proceedToQuote(buyer, 'meridian', pan('9007'))
    await post(formUrl(journey.quote), { outcome: 'approve' })
    const failed = await buyer.receive('on_status', journey)
    assert.equal(failed.body.error.code, '80205')
    await post(formUrl(journey.quote), { outcome: 'approve' })
    assert.equal(responseIn(await buyer.receive('on_status', journey)).status, 'APPROVED')
  })

  test('9008: the account fails once with 80206, and the same details succeed as a new submission', async () => {
    const journey = await proceedToBankForm(buyer, 'meridian', pan('9008'))
    const { bank, paymentId } = journey
    const first = await submissionIn(buyer.submit(formUrl(bank), bankAccount))
    await initWith(buyer, journey, 'FORM-BANK', first, paymentId)
    assert.equal((await buyer.receive('on_init', journey)).body.error.code, '80206')
    const second = await submissionIn(buyer.submit(formUrl(bank), bankAccount))
    assert.notEqual(second, first)
    await initWith(buyer, journey, 'FORM-BANK', second, paymentId)
    assert.equal(readOrder((await buyer.receive('on_init', journey)).body.message).form?.heading, 'EMANDATE')
  })

  test('9009, 9015: the mandate is rejected, or fails once with 80207', async () => {
    const rejected = await proceedToMandate(buyer, 'meridian', pan('9009'))
    await post(formUrl(rejected.mandate), { outcome: 'approve' })
    const callback = await buyer.receive('on_status', rejected)
    assert.equal(responseIn(callback).status, 'REJECTED')
    assert.equal(readOrder(callback.body.message).state, 'REJECTED')

    const retried = await proceedToMandate(buyer, 'sahyadri', pan('9015'))
    await post(formUrl(retried.mandate), { outcome: 'approve' })
    assert.equal((await buyer.receive('on_status', retried)).body.error.code, '80207')
    await post(formUrl(retried.mandate), { outcome: 'approve' })
    assert.equal(responseIn(await buyer.receive('on_status', retried)).status, 'COMPLETED')
  })

  test('9010: signing fails once with 80209, and a wrong one-time password does not count as an attempt', async () => {
    const journey = await proceedToAgreement(buyer, 'meridian', pan('9010'))
    const { agreement } = journey
    const wrong = await post(formUrl(agreement), { outcome: 'approve', otp: '000000' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.body.toString(), /The one-time password is wrong/)
    await post(formUrl(agreement), { outcome: 'approve', otp: '123456' })
    assert.equal((await buyer.receive('on_status', journey)).body.error.code, '80209')
    await post(formUrl(agreement), { outcome: 'approve', otp: '123456' })
    assert.equal(responseIn(await buyer.receive('on_status', journey)).status, 'APPROVED')
  })

  test('9011: the offer expires after twenty seconds', async () => {
    const journey = await applyWithPan(buyer, 'meridian', pan('9011'))
    const { body } = await buyer.receive('on_select', journey)
    assert.equal(readOrder(body.message).terms?.quoteTtl, 'PT20S')
  })

  test('9014: the disbursal is not pushed, but a status request returns it', async () => {
    const journey = await proceedToSanction(buyer, 'meridian', pan('9014'))
    const { lender, transactionId } = journey
    await until('the disbursal', async () => {
      const { messageId } = await buyer.send('status', status({ refId: transactionId }), { transactionId, lender })
      const { body } = await buyer.receive('on_status', journey)
      // Messages of a conversation arrive in order, so a pushed one would come before this answer.
      assert.equal(body.context.message_id, messageId)
      return readOrder(body.message).state === 'DISBURSED'
    })
  })

  test("the borrower's decline is final: a later approval changes nothing", async () => {
    const journey = await proceedToQuote(buyer, 'meridian', pan('4321'))
    const { lender, transactionId } = journey
    await post(formUrl(journey.quote), { outcome: 'decline' })
    assert.equal(responseIn(await buyer.receive('on_status', journey)).status, 'REJECTED')
    assert.equal((await post(formUrl(journey.quote), { outcome: 'approve' })).status, 303)
    await buyer.send('status', status({ refId: transactionId }), { transactionId, lender })
    assert.equal(responseIn(await buyer.receive('on_status', journey)).status, 'REJECTED')
  })
})

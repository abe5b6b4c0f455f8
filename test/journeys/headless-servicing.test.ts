// After the money, by the calls of the second document: news of the loan, paying a part early, closing it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invariantsOf } from '#conformance/network/v203/invariants.ts'
import { AsyncAcceptance } from '#contract/headless/fields.ts'
import { ServicingView } from '#contract/headless/journey.ts'
import type { OfferDetail } from '#contract/headless/offer.ts'
import { faultText } from '#contract/network/context.ts'
import { faults } from '#kit/http/schema.ts'
import { transcriptOf } from '#platform/network/transcript.ts'
import { newApplicant, Refused } from '#test/setup/borrower.ts'
import { answered, applyFor, begin, browse, must, offerPath, reaches, say, walk } from '#test/setup/headless.ts'
import { twoLenders } from '#test/setup/lenders.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'
import { registryKeys } from '#test/setup/transcript.ts'

const programs = await sharedPrograms()
const borrower = await begin(programs.platformUrl, programs.tenant, newApplicant())
const journey = `/journeys/${borrower.journeyId}`
await applyFor(borrower, 'ABCPE9031F')
const [card] = await answered(borrower, twoLenders)
const path = offerPath(borrower, card.offerID)

/** Asks, and gives the acceptance as it was answered. */
async function asks(what: string, body?: object) {
  const reply = await say(borrower, 'POST', `${journey}/post-disbursal/${what}`, body)
  if (reply.status !== 202) throw new Refused(what, reply)
  assert.deepEqual(faults(AsyncAcceptance, reply.body.data), [])
  assert.deepEqual([reply.body.data.pollAfterSeconds, reply.headers.get('retry-after')], [5, '5'])
  return reply.body.data.operationID as string
}
const servicingOf = async (operationID: string): Promise<ServicingView> =>
  (await must(borrower, 'GET', journey)).servicing.find((each: ServicingView) => each.operationID === operationID)
const becomes = (operationID: string, status: string) =>
  until(`${status}`, async () => {
    const found = await servicingOf(operationID)
    return found.status === status && found
  })
const operation = (operationID: string) => must(borrower, 'GET', `${journey}/operations/${operationID}`)
const detail = (): Promise<OfferDetail> => must(borrower, 'GET', path)

test('D2 §4: before the money there is nothing to ask for', async () => {
  for (const [what, body] of [
    ['status'],
    ['foreclosure'],
    ['pre-part-payment', { amount: '20000' }],
    ['missed-emi-payment', {}],
  ] as const) {
    const { status, body: answer } = await say(borrower, 'POST', `${journey}/post-disbursal/${what}`, body)
    assert.deepEqual([status, answer.error.code], [409, 'STATE_PRECONDITION_FAILED'], what)
  }
  await must(borrower, 'POST', `${path}/proceed`)
  assert.equal(await walk(borrower, card.offerID), 'DISBURSED')
})

test('D2 §2.3: a refresh is accepted, and done when the lender has answered', async () => {
  const id = await asks('status')
  await until('the answer', async () => (await operation(id)).status === 'SUCCEEDED')
  assert.deepEqual(faults(ServicingView, await servicingOf(id)), [])
})

test('D2 §4, FIS12 §18.5: a missed instalment is paid; asked for another one, the lender says that there is none', async () => {
  const id = await asks('missed-emi-payment', {})
  const { kind, redirectURL } = await becomes(id, 'LINK_READY')
  assert.equal(kind, 'MISSED_EMI_PAYMENT')
  await browse(redirectURL!)
  await becomes(id, 'PAID')
  const { reason } = await becomes(await asks('missed-emi-payment', {}), 'FAILED')
  assert.match(reason!, /no EMI is overdue/)
})

test('D2 §4: a part is repaid early: a link, the payment, and only then another schedule', async () => {
  for (const amount of ['0', '-1', '100.5'])
    assert.equal((await say(borrower, 'POST', `${journey}/post-disbursal/pre-part-payment`, { amount })).status, 400)
  const before = await detail()
  const id = await asks('pre-part-payment', { amount: '50000' })
  const again = await say(borrower, 'POST', `${journey}/post-disbursal/pre-part-payment`, { amount: '50000' })
  assert.deepEqual([again.status, again.body.error.code], [409, 'ASYNC_OPERATION_PENDING'])
  const { redirectURL, amount } = await becomes(id, 'LINK_READY')
  assert.ok(amount !== null && Number(amount) >= 50_000)
  assert.equal((await operation(id)).status, 'PENDING')
  assert.deepEqual((await detail()).installments, before.installments, 'nothing changes before it is paid')
  await browse(redirectURL!)
  const paid = await becomes(id, 'PAID')
  assert.deepEqual([paid.redirectURL, (await operation(id)).status], [null, 'SUCCEEDED'])
  assert.notDeepEqual((await detail()).installments, before.installments)
})

test('D2 §2.2: the loan is repaid whole and the journey is CLOSED', async () => {
  const id = await asks('foreclosure')
  const { redirectURL } = await becomes(id, 'LINK_READY')
  await browse(redirectURL!)
  await becomes(id, 'PAID')
  await reaches(borrower, 'CLOSED')
  const { installments } = await detail()
  assert.ok(installments.length > 0)
  for (const { status } of installments) assert.match(status, /^(PAID|CLOSED)$/)
  const late = await say(borrower, 'POST', `${journey}/post-disbursal/foreclosure`)
  assert.deepEqual([late.status, late.body.error.code], [409, 'STATE_PRECONDITION_FAILED'])
})

test('FIS12 §12.4: the conversation satisfies the invariants, and no program complained', async () => {
  const transcript = await transcriptOf(programs, programs.tenant.tenantId, borrower.journeyId)
  assert.deepEqual(invariantsOf(transcript, await registryKeys(programs)).map(faultText), [])
  assert.deepEqual(programs.complaints, [])
})

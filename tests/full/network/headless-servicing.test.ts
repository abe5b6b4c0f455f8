// Servicing by the headless API (D2): refresh, missed instalment, part payment, foreclosure.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { invariantsOf } from '@lendloom/conformance/network/v203/invariants'
import { faults } from '@lendloom/foundation/schema'
import { transcriptOf } from '@lendloom/platform/src/lenders/network/transcript.ts'
import { ServicingView } from '@lendloom/wire/headless/journey'
import type { OfferDetail } from '@lendloom/wire/headless/offer'
import { AsyncAcceptance } from '@lendloom/wire/headless/operation'
import { faultText } from '@lendloom/wire/network/context'
import { newApplicant, RequestRefused } from '#test/setup/borrower.ts'
import {
  approvePages,
  callHeadless,
  completeSteps,
  mustCall,
  offerPath,
  startHeadlessJourney,
  submitProfile,
  waitForAllCards,
  waitForStatus,
} from '#test/setup/headless.ts'
import { twoLenders } from '#test/setup/lenders.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'
import { registryKeys } from '#test/setup/transcript.ts'

const programs = await sharedPrograms()
const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant())
const journey = `/journeys/${borrower.journeyId}`
await submitProfile(borrower, 'ABCPE9031F')
const [card] = await waitForAllCards(borrower, twoLenders)
const path = offerPath(borrower, card.offerID)

/** Sends a request and returns the id of the accepted operation. */
async function requestOperation(what: string, body?: object) {
  const reply = await callHeadless(borrower, 'POST', `${journey}/post-disbursal/${what}`, body)
  if (reply.status !== 202) throw new RequestRefused(what, reply)
  assert.deepEqual(faults(AsyncAcceptance, reply.body.data), [])
  assert.equal(reply.body.data.pollAfterSeconds, 5)
  assert.equal(reply.headers.get('retry-after'), '5')
  return reply.body.data.operationID as string
}
const servicingOf = async (operationID: string): Promise<ServicingView> =>
  (await mustCall(borrower, 'GET', journey)).servicing.find((each: ServicingView) => each.operationID === operationID)
const waitForStatusOf = (operationID: string, status: string) =>
  until(`${status}`, async () => {
    const view = await servicingOf(operationID)
    return view.status === status && view
  })
const operation = (operationID: string) => mustCall(borrower, 'GET', `${journey}/operations/${operationID}`)
const detail = (): Promise<OfferDetail> => mustCall(borrower, 'GET', path)

describe('D2 §4: a loan after disbursal, one story', () => {
  test('D2 §4: servicing before disbursal is refused', async () => {
    for (const [what, body] of [
      ['status'],
      ['foreclosure'],
      ['pre-part-payment', { amount: '20000' }],
      ['missed-emi-payment', {}],
    ] as const) {
      const { status, body: answer } = await callHeadless(borrower, 'POST', `${journey}/post-disbursal/${what}`, body)
      assert.equal(status, 409, what)
      assert.equal(answer.error.code, 'STATE_PRECONDITION_FAILED', what)
    }
    await mustCall(borrower, 'POST', `${path}/proceed`)
    assert.equal(await completeSteps(borrower, card.offerID), 'DISBURSED')
  })

  test('D2 §2.3: a status refresh succeeds when the lender has answered', async () => {
    const id = await requestOperation('status')
    await until('the answer', async () => (await operation(id)).status === 'SUCCEEDED')
    assert.deepEqual(faults(ServicingView, await servicingOf(id)), [])
  })

  test('D2 §4, FIS12 §18.5: a missed instalment is paid, and a second request fails because none is overdue', async () => {
    const id = await requestOperation('missed-emi-payment', {})
    const { kind, redirectURL } = await waitForStatusOf(id, 'LINK_READY')
    assert.equal(kind, 'MISSED_EMI_PAYMENT')
    await approvePages(redirectURL!)
    await waitForStatusOf(id, 'PAID')
    const { reason } = await waitForStatusOf(await requestOperation('missed-emi-payment', {}), 'FAILED')
    assert.match(reason!, /no EMI is overdue/)
  })

  test('D2 §4: a part payment changes the schedule only after it is paid', async () => {
    for (const amount of ['0', '-1', '100.5'])
      assert.equal(
        (await callHeadless(borrower, 'POST', `${journey}/post-disbursal/pre-part-payment`, { amount })).status,
        400,
      )
    const before = await detail()
    const id = await requestOperation('pre-part-payment', { amount: '50000' })
    const again = await callHeadless(borrower, 'POST', `${journey}/post-disbursal/pre-part-payment`, {
      amount: '50000',
    })
    assert.equal(again.status, 409)
    assert.equal(again.body.error.code, 'ASYNC_OPERATION_PENDING')
    const { redirectURL, amount } = await waitForStatusOf(id, 'LINK_READY')
    assert.ok(amount !== null && Number(amount) >= 50_000)
    assert.equal((await operation(id)).status, 'PENDING')
    assert.deepEqual((await detail()).installments, before.installments, 'the schedule is unchanged before payment')
    await approvePages(redirectURL!)
    const paid = await waitForStatusOf(id, 'PAID')
    assert.equal(paid.redirectURL, null)
    assert.equal((await operation(id)).status, 'SUCCEEDED')
    assert.notDeepEqual((await detail()).installments, before.installments)
  })

  test('D2 §2.2: foreclosure repays the loan, and the journey is CLOSED', async () => {
    const id = await requestOperation('foreclosure')
    const { redirectURL } = await waitForStatusOf(id, 'LINK_READY')
    await approvePages(redirectURL!)
    await waitForStatusOf(id, 'PAID')
    await waitForStatus(borrower, 'CLOSED')
    const { installments } = await detail()
    assert.ok(installments.length > 0)
    for (const { status } of installments) assert.match(status, /^(PAID|CLOSED)$/)
    const late = await callHeadless(borrower, 'POST', `${journey}/post-disbursal/foreclosure`)
    assert.equal(late.status, 409)
    assert.equal(late.body.error.code, 'STATE_PRECONDITION_FAILED')
  })

  test('FIS12 §12.4: the conversation satisfies the invariants, and no program logged an error', async () => {
    const transcript = await transcriptOf(programs, programs.tenant.tenantId, borrower.journeyId)
    assert.deepEqual(invariantsOf(transcript, await registryKeys(programs)).map(faultText), [])
    assert.deepEqual(programs.errorLines, [])
  })
})

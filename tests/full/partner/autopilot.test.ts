// The sandbox's autopilot: advances a journey to a status by acting as the borrower.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { systemClock } from '@lendloom/foundation/clock'
import { findViolations } from '#test/oracles/judge.ts'
import { enter, newApplicant, open, openSession, proceedUntil, readView, showsScreen } from '#test/setup/borrower.ts'
import { untilJobsHaveRun } from '#test/setup/idle.ts'
import { startListener } from '#test/setup/listener.ts'
import { ask } from '#test/setup/platform.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms()
const { platformUrl, tenant } = programs
const listener = await startListener(platformUrl, tenant)

const advance = (journeyId: string, body: unknown, key: string | undefined = tenant.apiKey) =>
  ask(`${platformUrl}/api/sandbox/journeys/${journeyId}/advance`, { method: 'POST', body, ...(key && { key }) })

async function startJourney(journeyType = 'PERSONAL_LOAN') {
  const { body } = await openSession(platformUrl, tenant, newApplicant({ journeyType }))
  return enter(platformUrl, body.embedUrl)
}

const statusOrder = [
  'STARTED',
  'PROFILED',
  'OFFERED',
  'OFFER_SELECTED',
  'OFFER_ACCEPTED',
  'LENDER_REDIRECTED',
  'DISBURSED',
]

describe('advances to a status', { concurrency: 5 }, () => {
  for (const to of statusOrder.slice(1))
    test(`D1 §3: advances to ${to} through every earlier status`, async () => {
      const borrower = await startJourney()
      const reply = await advance(borrower.journeyId, { to })
      assert.equal(reply.status, 202)
      assert.deepEqual(reply.body, { journeyID: borrower.journeyId, status: 'STARTED', to })
      const arrivals = await listener.waitForArrivals(borrower.journeyId, to)
      const reached = statusOrder.slice(0, statusOrder.indexOf(to) + 1)
      // Lenders make offers on their own after the profile; every later status needs the borrower.
      const steps = arrivals.map(({ status }) => status).slice(0, to === 'PROFILED' ? 2 : undefined)
      assert.deepEqual(steps, reached)
    })

  test('D1 §3: advances to NOT_OFFERED with a PAN that every lender declines', async () => {
    const borrower = await startJourney()
    await advance(borrower.journeyId, { to: 'NOT_OFFERED' })
    const arrivals = await listener.waitForArrivals(borrower.journeyId, 'NOT_OFFERED')
    assert.equal(arrivals.length, 3)
  })

  test('D1 §3: advances to REJECTED by declining on the lender’s page', async () => {
    const borrower = await startJourney()
    await advance(borrower.journeyId, { to: 'REJECTED' })
    const arrivals = await listener.waitForArrivals(borrower.journeyId, 'REJECTED')
    assert.equal(arrivals.at(-1)!.payload.borrower.journey.kyc_status, 'FAILURE')
  })

  test('D1 §3: completes a step that the borrower has already opened', async () => {
    const borrower = await startJourney()
    await proceedUntil(borrower, 'the page of the lender', showsScreen('KYC'))
    await open(borrower, 'kyc')
    await advance(borrower.journeyId, { to: 'DISBURSED' })
    const arrivals = await listener.waitForArrivals(borrower.journeyId, 'DISBURSED')
    assert.equal(arrivals.at(-1)!.payload.borrower.journey.kyc_attempts, 1)
  })

  for (const to of ['DISBURSED', 'REJECTED', 'NOT_OFFERED'])
    test(`D1 §3, FIS12 §9.1: advances a gold loan to ${to} through a branch visit`, async () => {
      const borrower = await startJourney('GOLD_LOAN')
      await advance(borrower.journeyId, { to })
      const arrivals = await listener.waitForArrivals(borrower.journeyId, to)
      const { profile, journey } = arrivals.at(-1)!.payload.borrower
      assert.equal(profile.gold_loan!.purity, '22K')
      const kycStatuses: Record<string, string> = { DISBURSED: 'SUCCESS', REJECTED: 'FAILURE', NOT_OFFERED: 'PENDING' }
      assert.equal(journey.lender_mode, to === 'NOT_OFFERED' ? null : 'OFFLINE')
      assert.equal(journey.kyc_status, kycStatuses[to])
    })

  for (const to of ['DISBURSED', 'NOT_OFFERED'])
    test(`D1 §3, §4: advances a loan against mutual funds without a statement to ${to}`, async () => {
      const { borrowerProviderID, profile } = newApplicant()
      const path = `${platformUrl}/api/v1/hybrid/lamf/borrowers/${borrowerProviderID}/journey`
      const { body } = await ask(path, { method: 'POST', key: tenant.apiKey, body: { personal: profile } })
      const journeyId = body.data.journey_id
      assert.equal((await advance(journeyId, { to })).status, 202)
      const arrivals = await listener.waitForArrivals(journeyId, to)
      assert.equal(arrivals.length, to === 'DISBURSED' ? 7 : 3)
    })

  test('D1 §3: advances again from the status where it stopped', async () => {
    const borrower = await startJourney()
    await advance(borrower.journeyId, { to: 'OFFERED' })
    await listener.waitForArrivals(borrower.journeyId, 'OFFERED')
    await untilJobsHaveRun({ db: programs.db, clock: systemClock }, 'autopilot')
    assert.equal((await readView(borrower)).status, 'OFFERED', 'the autopilot stops there')
    const second = await advance(borrower.journeyId, { to: 'OFFER_ACCEPTED' })
    assert.equal(second.status, 202)
    assert.equal(second.body.status, 'OFFERED')
    await listener.waitForArrivals(borrower.journeyId, 'OFFER_ACCEPTED')
  })
})

test('D1 §3: an impossible transition, an unknown status and invalid bodies are refused', async () => {
  const { journeyId } = await startJourney()
  await advance(journeyId, { to: 'PROFILED' })
  await listener.waitForArrivals(journeyId, 'PROFILED')
  const backwards = await advance(journeyId, { to: 'STARTED' })
  assert.equal(backwards.status, 409)
  assert.equal(backwards.body.error.code, 'STATE_PRECONDITION_FAILED')
  const refusals = [
    [await advance(journeyId, { to: 'UNKNOWN' }), 400],
    [await advance(journeyId, {}), 400],
    [await advance(journeyId, { to: 'OFFERED', how: 'fast' }), 400],
    [await advance('not-a-uuid', { to: 'OFFERED' }), 400],
    [await advance('01930000-0000-7000-8000-0000000000aa', { to: 'OFFERED' }), 404],
    [await advance(journeyId, { to: 'OFFERED' }, ''), 401],
  ] as const
  for (const [reply, status] of refusals) assert.equal(reply.status, status, JSON.stringify(reply.body))
})

test('D1 §6: an advanced journey sends the same updates as a manual one', () => {
  assert.deepEqual(findViolations(listener), [])
  assert.deepEqual(programs.errorLines, [])
})

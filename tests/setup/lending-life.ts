// A loan of the lending partner from session to disbursal by a borrower who retries, and the checks afterwards.
import assert from 'node:assert/strict'
import { findMainCase } from '@lendloom/platform/src/lenders/partner/store.ts'
import type { Db } from '@lendloom/postgres/sql'
import type { OfferCard } from '@lendloom/wire/headless/offer'
import type { Steps } from '@lendloom/wire/headless/step'
import { application, bankAccount, newApplicant, RequestRefused } from './borrower.ts'
import {
  approvePages,
  cardsOf,
  completeSteps,
  type HeadlessBorrower,
  mustCall,
  offerPath,
  startHeadlessJourney,
} from './headless.ts'
import { retryTransient } from './patience.ts'
import { type Programs, until } from './programs.ts'

/** Retries an act; a 409 is ignored, because an earlier attempt may have succeeded without a response. */
const once = (what: string, act: () => Promise<unknown>) =>
  retryTransient(what, act).catch((error) => {
    if (!(error instanceof RequestRefused && error.reply.status === 409)) throw error
  })

/** Plays one borrower from session to disbursal, with retries, and returns the case reference. */
export async function completePartnerLoan(
  ctx: Pick<Programs, 'platformUrl' | 'tenant' | 'db'>,
  pan?: string,
): Promise<string> {
  const person = newApplicant()
  const borrower = await retryTransient('a session', () => startHeadlessJourney(ctx.platformUrl, ctx.tenant, person))
  const { profile, workProfile, address } = application(pan)
  const path = `/journeys/${borrower.journeyId}/profile`
  const work = { ...workProfile, employmentType: 'selfEmployed' }
  const bankingInformation = { ...bankAccount, accountType: 'SAVINGS' }
  await once('the profile', () =>
    mustCall(borrower, 'PUT', path, { profile, workProfile: work, address, bankingInformation }),
  )
  await once('the application', () => mustCall(borrower, 'POST', `${path}/submit`, { bureauConsent: true }))
  const { offerID } = await until('an offer of the partner', () => partnerCard(borrower), leaseExpiryMs)
  await once('the choice', () => mustCall(borrower, 'POST', `${offerPath(borrower, offerID)}/proceed`))
  await completeUntilDisbursed(borrower, offerID)
  const { tenantId } = ctx.tenant
  return (await findMainCase(ctx.db, { tenantId, journeyId: borrower.journeyId }))!.caseRef
}

/** Completes the steps; reopens a page whose opening was interrupted. */
async function completeUntilDisbursed(borrower: HeadlessBorrower, offerId: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      const end = await retryTransient('the steps', () =>
        completeSteps(borrower, offerId, ['DISBURSED', 'REJECTED'], () => {}, 6000),
      )
      return assert.equal(end, 'DISBURSED')
    } catch (error) {
      if (tries === 20 || !/not within/.test((error as Error).message)) throw error
    }
    await retryTransient('the page again', () => reopenPages(borrower, offerId))
  }
}

async function reopenPages(borrower: HeadlessBorrower, offerId: string): Promise<void> {
  const steps: Steps = await mustCall(borrower, 'GET', `${offerPath(borrower, offerId)}/steps`)
  for (const { actionRequired, resource } of Object.values(steps))
    if (actionRequired === 'AWAIT_CALLBACK' && resource.redirectURL) await approvePages(resource.redirectURL)
}

const partnerCard = async (borrower: HeadlessBorrower): Promise<OfferCard | undefined> =>
  (await retryTransient('the offers', () => cardsOf(borrower))).find(
    ({ lenderName, status }: OfferCard) => lenderName === 'Celestium Finance Limited' && status === 'OFFER_RECEIVED',
  )

/** Jobs of a killed program are retried after their lease of half a minute, and may then fail once more. */
export const leaseExpiryMs = 90_000

/** Asserts that the receiver stored and applied each event of the sender exactly once. */
export async function assertAllApplied(from: Db, to: Db, caseRef: string): Promise<void> {
  const sent = () => from<{ eventId: string; state: string }>`
    select event_id, state from outbox where case_ref = ${caseRef} order by event_id`
  const applied = () => to<{ eventId: string; outcome: string }>`
    select event_id, outcome from inbox_outcome where case_ref = ${caseRef} order by event_id`
  const stored = () => to<{ eventId: string }>`select event_id from inbox where case_ref = ${caseRef} order by event_id`
  await until(
    'every event to be delivered and applied',
    async () =>
      (await sent()).every(({ state }) => state === 'DELIVERED') && (await applied()).length === (await sent()).length,
    leaseExpiryMs,
  )
  const ids = (await sent()).map(({ eventId }) => ({ eventId }))
  assert.deepEqual(await stored(), ids)
  assert.deepEqual(
    await applied(),
    ids.map((id) => ({ ...id, outcome: 'APPLIED' })),
  )
}

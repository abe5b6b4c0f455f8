// A borrower's decisions on offers (proceed, request an amount, continue, reject): outcomes, refusals and races.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal, type RefusalKind } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import { newApplicant } from '@lendloom/tests/setup/borrower'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import type { ShownQuote } from '#platform/lending/borrower/consent.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { acceptOffer, continueWithOffer, proceedWithOffer, rejectOffer, requestAmount } from './decide-on-offer.ts'
import { closeWindow } from './lender-answers.ts'
import { quoteOf } from './offer.ts'
import { setBranches } from './store.ts'

const platform = await testPlatform()
const { ctx, tenant } = platform
const { tenantId } = tenant
const origin = { channel: 'headless', ip: '192.0.2.7' } as const
const rejection = { stage: 'OFFER_LIST', because: 'Too dear' }
const unknownOfferId = '01930000-0000-7000-8000-0000000000aa'

const withLock = <T>(journeyId: string, act: (tx: Tx, journey: Journey, at: Date) => Promise<T>): Promise<T> =>
  ctx.db.tx(async (tx) => act(tx, (await lockJourney(tx, tenantId, journeyId))!, ctx.clock()))
const proceed = (journeyId: string, offerId: string) =>
  withLock(journeyId, (tx, journey, at) => proceedWithOffer({ ...ctx, tx, at }, journey, offerId, origin))
const requestFor = (journeyId: string, offerId: string, amount: bigint) =>
  withLock(journeyId, (tx, journey, at) => requestAmount({ tx, at }, journey, offerId, amount))
const reject = (journeyId: string, offerId: string) =>
  withLock(journeyId, (tx, journey, at) => rejectOffer({ ...ctx, tx, at }, journey, offerId, rejection))
const continueJourney = (journeyId: string) =>
  withLock(journeyId, (tx, journey, at) => continueWithOffer({ ...ctx, tx, at }, journey))

const isRefusal =
  (kind: RefusalKind, details: Record<string, unknown> = {}) =>
  (error: unknown) => {
    assert.ok(error instanceof Refusal, String(error))
    assert.equal(error.kind, kind)
    for (const [name, value] of Object.entries(details)) assert.deepEqual(error.details[name], value, name)
    return true
  }
const isLockedToOtherOffer = isRefusal('locked', { proceedBoundaryState: 'LOCKED_TO_DIFFERENT_OFFER' })

const consents = (journeyId: string) =>
  ctx.db<{ purpose: string; channel: string }>`
    select purpose, channel from consent where tenant_id = ${tenantId} and journey_id = ${journeyId}`

test('D2 §3: proceed locks the journey to the offer and records one acknowledgement of the key facts', async () => {
  const { journeyId, offerIds, journey } = await journeyWithOffers(platform, [terms, terms])
  const first = await proceed(journeyId, offerIds[0]!)
  assert.equal(first.lockSource, 'headless')
  assert.ok(first.selectedAt instanceof Date)
  assert.deepEqual(await proceed(journeyId, offerIds[0]!), first, 'idempotent')
  assert.deepEqual(await consents(journeyId), [{ purpose: 'key_facts', channel: 'headless' }])
  const { status, preferredAmountPaise, preferredTenureMonths, lenderMode } = await journey()
  assert.equal(status, 'OFFER_SELECTED')
  assert.equal(preferredAmountPaise, 200_000_00n)
  assert.equal(preferredTenureMonths, 12)
  assert.equal(lenderMode, 'ONLINE')
  await assert.rejects(proceed(journeyId, offerIds[1]!), isLockedToOtherOffer)
  assert.equal((await consents(journeyId)).length, 1, 'a refusal records nothing')
})

test('D1 §3: an acceptance of terms that the lender has replaced is refused and records nothing', async () => {
  const { journeyId, offerIds, offer, journey, sendFinalTerms } = await journeyWithOffers(platform, [terms])
  const offerId = offerIds[0]!
  await withLock(journeyId, (tx, locked, at) =>
    proceedWithOffer({ ...ctx, tx, at }, locked, offerId, { channel: 'hosted', ip: null }),
  )
  const acceptAs = (quote: ShownQuote) =>
    withLock(journeyId, (tx, locked, at) =>
      acceptOffer({ ...ctx, tx, at }, locked, {
        offerId,
        quote,
        consents: [{ purpose: 'key_facts', textVersion: currentConsentVersion, language: 'en' }],
        origin: { channel: 'hosted', ip: null },
      }),
    )
  const acceptances = () => ctx.db<{ quoteId: string; termsDigest: Buffer }>`
    select quote_id, terms_digest from consent where journey_id = ${journeyId} and purpose = 'key_facts' order by given_at`
  const atChoice = await acceptances()
  await sendFinalTerms(0, terms)
  const shown = quoteOf(await offer(offerId))!
  const isReplaced = isRefusal('wrong-state', { change: 'OFFER_REPLACED' })

  await sendFinalTerms(0, { ...terms, quoteId: 'Q-9', interestRate: '96%', apr: '285.77%' })
  await assert.rejects(acceptAs(shown), isReplaced, 'another quote')
  await sendFinalTerms(0, { ...terms, interestRate: '96%', apr: '285.77%' })
  await assert.rejects(acceptAs(shown), isReplaced, 'other terms under the same id')
  assert.equal((await journey()).status, 'OFFER_SELECTED')
  assert.deepEqual(await acceptances(), atChoice, 'a refusal records nothing')

  const newQuote = quoteOf(await offer(offerId))!
  await acceptAs(newQuote)
  assert.equal((await journey()).status, 'OFFER_ACCEPTED')
  const accepted = (await acceptances()).at(-1)!
  assert.equal(accepted.quoteId, newQuote.quoteId)
  assert.equal(accepted.termsDigest.toString('hex'), newQuote.termsDigest)
})

test('D1 §3: new links and a new validity do not replace a quote', async () => {
  const { offerIds, offer, sendFinalTerms } = await journeyWithOffers(platform, [terms])
  const before = quoteOf(await offer(offerIds[0]!))
  await sendFinalTerms(0, { ...terms, quoteTtl: 'PT5M', kfsLink: 'https://lender.example/kfs?token=2' })
  assert.deepEqual(quoteOf(await offer(offerIds[0]!)), before)
})

test('D2 §3: rejects a repeated proceed with another branch', async () => {
  const { journeyId, offerIds, offer } = await journeyWithOffers(platform, [terms], 0, {
    ...newApplicant(),
    journeyType: 'GOLD_LOAN',
  })
  const branch = (id: string) => ({ id, name: id, address: `${id} road`, pincode: null, at: null })
  const branches = [branch('fort'), branch('camp')]
  const offerId = offerIds[0]!
  const proceedAt = (branchId: string | null) =>
    withLock(journeyId, (tx, journey, at) =>
      proceedWithOffer({ ...ctx, tx, at }, journey, offerId, { ...origin, branchId }),
    )
  await withLock(journeyId, async (tx, _, at) => setBranches(tx, await offer(offerId), { branches, agent: null }, at))
  await assert.rejects(proceedAt(null), isRefusal('invalid', { field: 'branchID' }))
  assert.equal((await proceedAt('fort')).branchId, 'fort')
  assert.equal((await proceedAt('fort')).branchId, 'fort')
  assert.equal((await proceedAt(null)).branchId, 'fort', 'an absent branch keeps the chosen one')
  await assert.rejects(
    proceedAt('camp'),
    isRefusal('wrong-state', { field: 'branchID', proceedBoundaryState: 'LOCKED' }),
  )
  assert.equal((await offer(offerId)).branchId, 'fort')
})

test('D2 §3: of fifty concurrent proceeds, those with one offer succeed and the others are rejected', async () => {
  const { journeyId, offerIds } = await journeyWithOffers(platform, Array(10).fill(terms))
  const attempts = Array.from({ length: 50 }, (_, i) => proceed(journeyId, offerIds[i % 10]!))
  const results = await Promise.allSettled(attempts)
  const winners = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  assert.equal(new Set(winners.map(({ offerId }) => offerId)).size, 1)
  assert.equal(winners.length, 5, 'all five proceeds with the winning offer succeed')
  for (const result of results) if (result.status === 'rejected') isLockedToOtherOffer(result.reason)
  assert.equal((await consents(journeyId)).length, 1)
  const events = await ctx.db`
    select 1 from lifecycle_event where tenant_id = ${tenantId} and journey_id = ${journeyId} and status = 'OFFER_SELECTED'`
  assert.equal(events.length, 1)
})

test('D2 §3: rejects proceed with an unknown, awaited or expired offer', async () => {
  const { journeyId, offerIds, offer } = await journeyWithOffers(platform, [{ ...terms, quoteTtl: 'PT0S' }], 1)
  await assert.rejects(proceed(journeyId, unknownOfferId), isRefusal('absent'))
  await assert.rejects(proceed(journeyId, offerIds[1]!), isRefusal('wrong-state', { offerStatus: 'OFFER_AWAITED' }))
  const expired = isRefusal('wrong-state', { validUntil: (await offer(offerIds[0]!)).validUntil!.toISOString() })
  await assert.rejects(proceed(journeyId, offerIds[0]!), expired)
  await assert.rejects(requestFor(journeyId, offerIds[0]!, 150_000_00n), expired, 'an expired offer accepts no amount')
})

test('D2 §4: the requested amount may change within the offered limits until an offer is chosen', async () => {
  const { journeyId, offerIds, journey } = await journeyWithOffers(platform, [terms, terms], 1)
  const [one, two, awaited] = offerIds as [string, string, string]
  await requestFor(journeyId, one, 150_000_00n)
  assert.equal(
    (await requestFor(journeyId, one, 120_000_00n)).requestedAmountPaise,
    120_000_00n,
    'the second request replaces the first',
  )
  await assert.rejects(requestFor(journeyId, one, 200_001_00n), isRefusal('invalid', { field: 'amount' }))
  await assert.rejects(requestFor(journeyId, one, 0n), isRefusal('invalid', { field: 'amount' }))
  await assert.rejects(
    requestFor(journeyId, awaited, 100_00n),
    isRefusal('wrong-state', { offerStatus: 'OFFER_AWAITED' }),
  )
  await assert.rejects(requestFor(journeyId, unknownOfferId, 100_00n), isRefusal('absent'))
  await proceed(journeyId, one)
  assert.equal((await journey()).preferredAmountPaise, 120_000_00n)
  await assert.rejects(
    requestFor(journeyId, one, 100_000_00n),
    isRefusal('wrong-state', { proceedBoundaryState: 'LOCKED' }),
  )
  await assert.rejects(requestFor(journeyId, two, 100_000_00n), isLockedToOtherOffer)
})

test('D2 §3: continue accepts final terms that equal the terms at the choice', async () => {
  const { journeyId, offerIds, journey, offer, sendFinalTerms } = await journeyWithOffers(platform, [terms])
  await proceed(journeyId, offerIds[0]!)
  await assert.rejects(continueJourney(journeyId), isRefusal('wrong-state'), 'the final terms have not arrived')
  await sendFinalTerms(0, { ...terms, quoteId: 'Q-2', kfsLink: 'https://lender.example/kfs/2' })
  assert.equal((await continueJourney(journeyId))?.status, 'OFFER_ACCEPTED')
  assert.equal((await offer(offerIds[0]!)).accepted, true)
  assert.equal((await continueJourney(journeyId))?.status, 'OFFER_ACCEPTED', 'idempotent')
  assert.equal((await consents(journeyId)).length, 1, 'no second acknowledgement is recorded')
  assert.equal((await journey()).changeInOffer, false)
})

test('D2 §3: continue does not accept changed terms, or terms of an offer that was chosen on our page', async () => {
  const changed = await journeyWithOffers(platform, [terms])
  await proceed(changed.journeyId, changed.offerIds[0]!)
  await changed.sendFinalTerms(0, { ...terms, interestRate: '15%' })
  assert.equal(await continueJourney(changed.journeyId), null)
  assert.equal((await changed.journey()).status, 'OFFER_SELECTED')

  const chosenOnPage = await journeyWithOffers(platform, [terms])
  await withLock(chosenOnPage.journeyId, (tx, journey, at) =>
    proceedWithOffer({ ...ctx, tx, at }, journey, chosenOnPage.offerIds[0]!, { channel: 'hosted', ip: null }),
  )
  await chosenOnPage.sendFinalTerms(0, terms)
  assert.equal(await continueJourney(chosenOnPage.journeyId), null)

  const expired = await journeyWithOffers(platform, [terms])
  await proceed(expired.journeyId, expired.offerIds[0]!)
  await expired.sendFinalTerms(0, { ...terms, quoteTtl: 'PT0S' })
  await assert.rejects(continueJourney(expired.journeyId), isRefusal('wrong-state'), 'an expired offer is rejected')
})

test('D2 §4: the journey continues after one of several offers is rejected', async () => {
  const { journeyId, offerIds, journey, offer } = await journeyWithOffers(platform, [terms, terms])
  const [one, two] = offerIds as [string, string]
  await reject(journeyId, one)
  const { status, reason, rejectedStage, rejectedBecause, rejectedAt } = await offer(one)
  assert.equal(status, 'NO_OFFER_AVAILABLE')
  assert.equal(reason, 'OFFER_TURNED_DOWN')
  assert.equal(rejectedStage, 'OFFER_LIST')
  assert.equal(rejectedBecause, 'Too dear')
  assert.equal((await journey()).status, 'OFFERED')
  await reject(journeyId, one)
  assert.deepEqual((await offer(one)).rejectedAt, rejectedAt, 'idempotent')
  await assert.rejects(proceed(journeyId, one), isRefusal('wrong-state'))
  await proceed(journeyId, two)
  await assert.rejects(reject(journeyId, unknownOfferId), isRefusal('absent'))
})

test('D2 §4: refuses to reject a lender before the first offer, and a lender that has declined', async () => {
  const early = await journeyWithOffers(platform, [], 1)
  await assert.rejects(reject(early.journeyId, early.offerIds[0]!), isRefusal('wrong-state', { status: 'PROFILED' }))
  const { journeyId, offerIds } = await journeyWithOffers(platform, [terms], 1)
  await withLock(journeyId, (tx, journey, at) => closeWindow({ ...ctx, tx, at }, journey))
  await assert.rejects(reject(journeyId, offerIds[1]!), isRefusal('wrong-state', { offerStatus: 'NO_OFFER_AVAILABLE' }))
})

test('D2 §4: rejecting the last offer ends the journey unless a lender may still offer', async () => {
  const last = await journeyWithOffers(platform, [terms])
  await reject(last.journeyId, last.offerIds[0]!)
  const { status, active, endReason } = await last.journey()
  assert.equal(status, 'REJECTED')
  assert.equal(active, false)
  assert.equal(endReason, 'ALL_OFFERS_TURNED_DOWN')

  const waiting = await journeyWithOffers(platform, [terms], 1)
  await reject(waiting.journeyId, waiting.offerIds[0]!)
  assert.equal((await waiting.journey()).status, 'OFFERED')
  await reject(waiting.journeyId, waiting.offerIds[1]!)
  assert.equal((await waiting.journey()).status, 'REJECTED', 'no lender is awaited any more')
})

test('D2 §4: rejecting the chosen offer ends the journey with a reason that depends on the progress', async () => {
  const early = await journeyWithOffers(platform, [terms, terms])
  await proceed(early.journeyId, early.offerIds[0]!)
  await assert.rejects(reject(early.journeyId, early.offerIds[1]!), isLockedToOtherOffer)
  await reject(early.journeyId, early.offerIds[0]!)
  assert.equal((await early.journey()).endReason, 'FINAL_OFFER_DECLINED')
  const laterProceed = proceed(early.journeyId, early.offerIds[1]!)
  await assert.rejects(laterProceed, { kind: 'wrong-state', message: 'this application has ended' })

  const later = await journeyWithOffers(platform, [terms])
  await proceed(later.journeyId, later.offerIds[0]!)
  await later.sendFinalTerms(0, terms)
  await continueJourney(later.journeyId)
  await reject(later.journeyId, later.offerIds[0]!)
  const { status, endReason } = await later.journey()
  assert.equal(status, 'REJECTED')
  assert.equal(endReason, 'ENDED_BY_BORROWER')
})

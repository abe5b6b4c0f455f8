// Going ahead with an offer, asking for less of it, turning it down: every guard, and the races between them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal, type RefusalKind } from '#kit/http/refusal.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lockJourney } from '#platform/journey/store.ts'
import { newApplicant } from '#test/setup/borrower.ts'
import { journeyWithOffers, terms } from '#test/setup/offered.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { askAmount, goOnWithOffer, proceedWithOffer, rejectOffer } from './decide.ts'
import { closeWindow } from './receive.ts'
import { setBranches } from './store.ts'

const platform = await testPlatform()
const { ctx, tenant } = platform
const { tenantId } = tenant
const place = { channel: 'headless', ip: '192.0.2.7' } as const
const saying = { stage: 'OFFER_LIST', because: 'Too dear' }
const nowhere = '01930000-0000-7000-8000-0000000000aa'

const locked = <T>(journeyId: string, act: (tx: Tx, journey: Journey, at: Date) => Promise<T>): Promise<T> =>
  ctx.db.tx(async (tx) => act(tx, (await lockJourney(tx, tenantId, journeyId))!, ctx.clock()))
const proceed = (journeyId: string, offerId: string) =>
  locked(journeyId, (tx, journey, at) => proceedWithOffer({ ...ctx, tx, at }, journey, offerId, place))
const ask = (journeyId: string, offerId: string, amount: bigint) =>
  locked(journeyId, (tx, journey, at) => askAmount({ tx, at }, journey, offerId, amount))
const reject = (journeyId: string, offerId: string) =>
  locked(journeyId, (tx, journey, at) => rejectOffer({ ...ctx, tx, at }, journey, offerId, saying))
const goOn = (journeyId: string) => locked(journeyId, (tx, journey, at) => goOnWithOffer({ ...ctx, tx, at }, journey))

const is =
  (kind: RefusalKind, details: Record<string, unknown> = {}) =>
  (error: unknown) => {
    assert.ok(error instanceof Refusal, String(error))
    assert.equal(error.kind, kind)
    for (const [name, value] of Object.entries(details)) assert.deepEqual(error.details[name], value, name)
    return true
  }
const elsewhere = is('locked', { proceedBoundaryState: 'LOCKED_TO_DIFFERENT_OFFER' })

const consents = (journeyId: string) =>
  ctx.db<{ purpose: string; channel: string }>`
    select purpose, channel from consent where tenant_id = ${tenantId} and journey_id = ${journeyId}`

test('D2 §3: proceed locks the journey, remembers when and where, and records the acknowledgement once', async () => {
  const { journeyId, offerIds, journey } = await journeyWithOffers(platform, [terms, terms])
  const first = await proceed(journeyId, offerIds[0]!)
  assert.equal(first.lockSource, 'headless')
  assert.ok(first.selectedAt instanceof Date)
  assert.deepEqual(await proceed(journeyId, offerIds[0]!), first, 'a second time changes nothing')
  assert.deepEqual(await consents(journeyId), [{ purpose: 'key_facts', channel: 'headless' }])
  const { status, preferredAmountPaise, preferredTenureMonths, lenderMode } = await journey()
  assert.deepEqual(
    [status, preferredAmountPaise, preferredTenureMonths, lenderMode],
    ['OFFER_SELECTED', 200_000_00n, 12, 'ONLINE'],
  )
  await assert.rejects(proceed(journeyId, offerIds[1]!), elsewhere)
  assert.equal((await consents(journeyId)).length, 1, 'a refusal records nothing')
})

test('D2 §3: who proceeds again with another branch is told that the choice stands', async () => {
  const { journeyId, offerIds, offer } = await journeyWithOffers(platform, [terms], 0, {
    ...newApplicant(),
    journeyType: 'GOLD_LOAN',
  })
  const branch = (id: string) => ({ id, name: id, address: `${id} road`, pincode: null, at: null })
  const branches = [branch('fort'), branch('camp')]
  const offerId = offerIds[0]!
  const bring = (branchId: string | null) =>
    locked(journeyId, (tx, journey, at) =>
      proceedWithOffer({ ...ctx, tx, at }, journey, offerId, { ...place, branchId }),
    )
  await locked(journeyId, async (tx, _, at) => setBranches(tx, await offer(offerId), { branches, agent: null }, at))
  await assert.rejects(bring(null), is('invalid', { field: 'branchID' }))
  assert.equal((await bring('fort')).branchId, 'fort')
  assert.equal((await bring('fort')).branchId, 'fort')
  assert.equal((await bring(null)).branchId, 'fort', 'an absent field is as it was')
  await assert.rejects(bring('camp'), is('wrong-state', { field: 'branchID', proceedBoundaryState: 'LOCKED' }))
  assert.equal((await offer(offerId)).branchId, 'fort')
})

test('D2 §3: of fifty who proceed with different offers at once one wins, the others are told', async () => {
  const { journeyId, offerIds } = await journeyWithOffers(platform, Array(10).fill(terms))
  const tries = Array.from({ length: 50 }, (_, i) => proceed(journeyId, offerIds[i % 10]!))
  const results = await Promise.allSettled(tries)
  const winners = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  assert.equal(new Set(winners.map(({ offerId }) => offerId)).size, 1)
  assert.equal(winners.length, 5, 'the same offer five times is one choice')
  for (const result of results) if (result.status === 'rejected') elsewhere(result.reason)
  assert.equal((await consents(journeyId)).length, 1)
  const events = await ctx.db`
    select 1 from lifecycle_event where tenant_id = ${tenantId} and journey_id = ${journeyId} and status = 'OFFER_SELECTED'`
  assert.equal(events.length, 1)
})

test('D2 §3: nobody proceeds with what is not there, not offered, or expired', async () => {
  const { journeyId, offerIds, offer } = await journeyWithOffers(platform, [{ ...terms, quoteTtl: 'PT0S' }], 1)
  await assert.rejects(proceed(journeyId, nowhere), is('absent'))
  await assert.rejects(proceed(journeyId, offerIds[1]!), is('wrong-state', { offerStatus: 'OFFER_AWAITED' }))
  const expired = is('wrong-state', { validUntil: (await offer(offerIds[0]!)).validUntil!.toISOString() })
  await assert.rejects(proceed(journeyId, offerIds[0]!), expired)
  await assert.rejects(ask(journeyId, offerIds[0]!, 150_000_00n), expired, 'nor asks how much of it')
})

test('D2 §4: the loan amount is kept until the choice, inside what was offered', async () => {
  const { journeyId, offerIds, journey } = await journeyWithOffers(platform, [terms, terms], 1)
  const [one, two, awaited] = offerIds as [string, string, string]
  await ask(journeyId, one, 150_000_00n)
  assert.equal(
    (await ask(journeyId, one, 120_000_00n)).requestedAmountPaise,
    120_000_00n,
    'until the choice it may change',
  )
  await assert.rejects(ask(journeyId, one, 200_001_00n), is('invalid', { field: 'amount' }))
  await assert.rejects(ask(journeyId, one, 0n), is('invalid', { field: 'amount' }))
  await assert.rejects(ask(journeyId, awaited, 100_00n), is('wrong-state', { offerStatus: 'OFFER_AWAITED' }))
  await assert.rejects(ask(journeyId, nowhere, 100_00n), is('absent'))
  await proceed(journeyId, one)
  assert.equal((await journey()).preferredAmountPaise, 120_000_00n)
  await assert.rejects(ask(journeyId, one, 100_000_00n), is('wrong-state', { proceedBoundaryState: 'LOCKED' }))
  await assert.rejects(ask(journeyId, two, 100_000_00n), elsewhere)
})

test('D2 §3: final terms that were agreed to at the choice are accepted by going on', async () => {
  const { journeyId, offerIds, journey, offer, sendFinalTerms } = await journeyWithOffers(platform, [terms])
  await proceed(journeyId, offerIds[0]!)
  await assert.rejects(goOn(journeyId), is('wrong-state'), 'not before they have come')
  await sendFinalTerms(0, { ...terms, quoteId: 'Q-2', kfsLink: 'https://lender.example/kfs/2' })
  assert.equal((await goOn(journeyId))?.status, 'OFFER_ACCEPTED')
  assert.equal((await offer(offerIds[0]!)).accepted, true)
  assert.equal((await goOn(journeyId))?.status, 'OFFER_ACCEPTED', 'and again')
  assert.equal((await consents(journeyId)).length, 1, 'the acknowledgement was given at the choice')
  assert.equal((await journey()).changeInOffer, false)
})

test('D2 §3: other terms, or a choice made where no key facts were shown, have to be accepted in so many words', async () => {
  const changed = await journeyWithOffers(platform, [terms])
  await proceed(changed.journeyId, changed.offerIds[0]!)
  await changed.sendFinalTerms(0, { ...terms, interestRate: '15%' })
  assert.equal(await goOn(changed.journeyId), null)
  assert.equal((await changed.journey()).status, 'OFFER_SELECTED')

  const elsewhere = await journeyWithOffers(platform, [terms])
  await locked(elsewhere.journeyId, (tx, journey, at) =>
    proceedWithOffer({ ...ctx, tx, at }, journey, elsewhere.offerIds[0]!, { channel: 'hosted', ip: null }),
  )
  await elsewhere.sendFinalTerms(0, terms)
  assert.equal(await goOn(elsewhere.journeyId), null)

  const late = await journeyWithOffers(platform, [terms])
  await proceed(late.journeyId, late.offerIds[0]!)
  await late.sendFinalTerms(0, { ...terms, quoteTtl: 'PT0S' })
  await assert.rejects(goOn(late.journeyId), is('wrong-state'), 'an expired one not at all')
})

test('D2 §4: one of several offers is turned down and gone, the journey goes on', async () => {
  const { journeyId, offerIds, journey, offer } = await journeyWithOffers(platform, [terms, terms])
  const [one, two] = offerIds as [string, string]
  await reject(journeyId, one)
  const { status, reason, rejectedStage, rejectedBecause, rejectedAt } = await offer(one)
  assert.deepEqual(
    [status, reason, rejectedStage, rejectedBecause],
    ['NO_OFFER_AVAILABLE', 'OFFER_TURNED_DOWN', 'OFFER_LIST', 'Too dear'],
  )
  assert.equal((await journey()).status, 'OFFERED')
  await reject(journeyId, one)
  assert.deepEqual((await offer(one)).rejectedAt, rejectedAt, 'once')
  await assert.rejects(proceed(journeyId, one), is('wrong-state'))
  await proceed(journeyId, two)
  await assert.rejects(reject(journeyId, nowhere), is('absent'))
})

test('D2 §4: there is nothing to turn down before anybody offered, nor of a lender that will not', async () => {
  const early = await journeyWithOffers(platform, [], 1)
  await assert.rejects(reject(early.journeyId, early.offerIds[0]!), is('wrong-state', { status: 'PROFILED' }))
  const { journeyId, offerIds } = await journeyWithOffers(platform, [terms], 1)
  await locked(journeyId, (tx, journey, at) => closeWindow({ ...ctx, tx, at }, journey))
  await assert.rejects(reject(journeyId, offerIds[1]!), is('wrong-state', { offerStatus: 'NO_OFFER_AVAILABLE' }))
})

test('D2 §4: with the last offer turned down the journey ends; while somebody may still offer it does not', async () => {
  const last = await journeyWithOffers(platform, [terms])
  await reject(last.journeyId, last.offerIds[0]!)
  const { status, active, endReason } = await last.journey()
  assert.deepEqual([status, active, endReason], ['REJECTED', false, 'ALL_OFFERS_TURNED_DOWN'])

  const waiting = await journeyWithOffers(platform, [terms], 1)
  await reject(waiting.journeyId, waiting.offerIds[0]!)
  assert.equal((await waiting.journey()).status, 'OFFERED')
  await reject(waiting.journeyId, waiting.offerIds[1]!)
  assert.equal((await waiting.journey()).status, 'REJECTED', 'nobody has to be waited for')
})

test('D2 §4: turning the chosen offer down ends the journey, with the words of how far it was', async () => {
  const early = await journeyWithOffers(platform, [terms, terms])
  await proceed(early.journeyId, early.offerIds[0]!)
  await assert.rejects(reject(early.journeyId, early.offerIds[1]!), elsewhere)
  await reject(early.journeyId, early.offerIds[0]!)
  assert.equal((await early.journey()).endReason, 'FINAL_OFFER_DECLINED')
  const noneLeft = proceed(early.journeyId, early.offerIds[1]!)
  await assert.rejects(noneLeft, { kind: 'wrong-state', message: 'this application has ended' })

  const later = await journeyWithOffers(platform, [terms])
  await proceed(later.journeyId, later.offerIds[0]!)
  await later.sendFinalTerms(0, terms)
  await goOn(later.journeyId)
  await reject(later.journeyId, later.offerIds[0]!)
  const { status, endReason } = await later.journey()
  assert.deepEqual([status, endReason], ['REJECTED', 'ENDED_BY_BORROWER'])
})

// Withdrawal of the consent. It is possible until an offer is accepted, and it ends the journey.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter, secondsAfter } from '@lendloom/foundation/clock'
import { enter, newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { type ConsentPurpose, currentConsentTexts, currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import type { EmbedGivenConsents } from '@lendloom/wire/hosted/embed-consents'
import { consentStateOf, consentsOf } from '#platform/api/page/consents.ts'
import { pageViewOf } from '#platform/api/page/page-view.ts'
import { recordConsents } from '#platform/lending/borrower/consent.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { continueWithOffer, proceedWithOffer } from './decide-on-offer.ts'
import { withdrawConsent } from './withdraw-consent.ts'

const platform = await testPlatform()
const { ctx, tenant, url } = platform
const { tenantId } = tenant
const origin = { channel: 'hosted', ip: '203.0.113.7' } as const

const giveConsents = (journeyId: string, purposes: ConsentPurpose[] = ['bureau', 'data_sharing']) =>
  ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    const given = purposes.map((purpose) => ({
      purpose,
      textVersion: currentConsentVersion,
      language: 'en' as const,
    }))
    await recordConsents({ ...ctx, tx, at: ctx.clock() }, journey, {
      consents: given,
      requiredPurposes: purposes,
      origin,
    })
  })
const lockedJourney = (journeyId: string) => ctx.db.tx((tx) => lockJourney(tx, tenantId, journeyId))
const withdraw = (journeyId: string, at = ctx.clock()) =>
  ctx.db.tx(async (tx) => withdrawConsent({ ...ctx, tx, at }, (await lockJourney(tx, tenantId, journeyId))!, origin))
const recordsOf = (journeyId: string) => ctx.db<{
  purpose: string
  channel: string
  withdrawnAt: Date
  ipSealed: Buffer
}>`
  select c.purpose, w.channel, w.withdrawn_at, w.ip_sealed from consent_withdrawal w
  join consent c on c.bucket = w.bucket and c.tenant_id = w.tenant_id and c.journey_id = w.journey_id and c.consent_id = w.consent_id
  where w.tenant_id = ${tenantId} and w.journey_id = ${journeyId} order by c.purpose`
const viewOfJourney = (journeyId: string) =>
  pageViewOf(ctx, { tenantId, journeyId } as Parameters<typeof pageViewOf>[1], null, ctx.clock())

test('D1 §3: a withdrawal is recorded for every consent and ends the journey', async () => {
  const { journeyId, journey, offers } = await journeyWithOffers(platform, [terms], 1)
  await giveConsents(journeyId)
  assert.equal((await viewOfJourney(journeyId)).mayWithdraw, true)
  const at = secondsAfter(ctx.clock(), 1)
  await withdraw(journeyId, at)
  const records = await recordsOf(journeyId)
  assert.deepEqual(
    records.map(({ purpose, channel, withdrawnAt }) => ({ purpose, channel, withdrawnAt })),
    ['bureau', 'data_sharing'].map((purpose) => ({ purpose, channel: 'hosted', withdrawnAt: at })),
  )
  assert.ok(
    records.every(({ ipSealed }) => !ipSealed.includes(origin.ip)),
    'the address is sealed',
  )
  const { status, active, endReason } = await journey()
  assert.equal(status, 'REJECTED')
  assert.equal(active, false)
  assert.equal(endReason, 'CONSENT_WITHDRAWN')
  const { screen, mayWithdraw, withdrawnAt, lenders } = await viewOfJourney(journeyId)
  assert.equal(screen, 'REJECTED')
  assert.equal(mayWithdraw, false)
  assert.equal(withdrawnAt, at.toISOString())
  assert.equal(lenders.filter(({ status }) => status === 'OFFER_AWAITED').length, 0, 'no lender is awaited')
  assert.equal(offers.length, 2)
  await assert.rejects(withdraw(journeyId), { kind: 'wrong-state' })
  assert.equal((await recordsOf(journeyId)).length, 2)
})

test('D1 §3: rejects a withdrawal before the first consent and after an offer is accepted', async () => {
  const { body } = await openSession(url, tenant, newApplicant())
  const { sessionToken: key, journeyId } = await enter(url, body.embedUrl)
  const tooEarly = await ask(`${url}/api/embed/consents/withdraw`, { method: 'POST', key, body: {} })
  assert.equal(tooEarly.status, 409)
  assert.equal(tooEarly.body.error.code, 'STATE_PRECONDITION_FAILED')
  assert.match(tooEarly.body.error.message, /no consent has been given/)
  assert.deepEqual(await recordsOf(journeyId), [])

  const accepted = await journeyWithOffers(platform, [terms])
  await giveConsents(accepted.journeyId)
  const withLock = async (
    act: (
      tx: Parameters<Parameters<typeof ctx.db.tx>[0]>[0],
      journey: NonNullable<Awaited<ReturnType<typeof lockJourney>>>,
    ) => Promise<unknown>,
  ) => ctx.db.tx(async (tx) => act(tx, (await lockJourney(tx, tenantId, accepted.journeyId))!))
  await withLock((tx, journey) =>
    proceedWithOffer({ ...ctx, tx, at: ctx.clock() }, journey, accepted.offerIds[0]!, {
      channel: 'headless',
      ip: null,
    }),
  )
  await accepted.sendFinalTerms(0, terms)
  await withLock((tx, journey) => continueWithOffer({ ...ctx, tx, at: ctx.clock() }, journey))
  assert.equal((await accepted.journey()).status, 'OFFER_ACCEPTED')
  assert.equal((await viewOfJourney(accepted.journeyId)).mayWithdraw, false)
  await assert.rejects(withdraw(accepted.journeyId), /only be withdrawn before an offer is accepted/)
  assert.deepEqual(await recordsOf(accepted.journeyId), [])
})

test('D1 §3: lists every consent with its text, expiry and state', async () => {
  const { body } = await openSession(url, tenant, newApplicant())
  const { sessionToken: key, journeyId } = await enter(url, body.embedUrl)
  const listConsents = async (): Promise<EmbedGivenConsents> => {
    const { status, body } = await ask(`${url}/api/embed/consents`, { key })
    assert.equal(status, 200)
    return body.consents
  }
  assert.deepEqual(await listConsents(), { given: [], atAggregator: [], atRegistrar: null })
  await giveConsents(journeyId)
  await ctx.db`update journey set search = 'OPEN' where tenant_id = ${tenantId} and journey_id = ${journeyId}`
  const { given } = await listConsents()
  assert.deepEqual(
    given
      .map(({ purpose, text, textVersion, standing, withdrawnAt }) => ({
        purpose,
        text,
        textVersion,
        standing,
        withdrawnAt,
      }))
      .sort((left, right) => left.purpose.localeCompare(right.purpose)),
    (['bureau', 'data_sharing'] as const).map((purpose) => ({
      purpose,
      text: currentConsentTexts.en[purpose],
      textVersion: currentConsentVersion,
      standing: 'ENDS',
      withdrawnAt: null,
    })),
  )
  const { lastBorrowerActAt } = (await lockedJourney(journeyId))!
  assert.ok(given.every(({ until }) => until === daysAfter(lastBorrowerActAt, 30).toISOString()))
  const withdrawn = await ask(`${url}/api/embed/consents/withdraw`, { method: 'POST', key, body: {} })
  assert.equal(withdrawn.status, 200)
  const after = await listConsents()
  assert.deepEqual(
    after.given.map(({ standing, until }) => ({ standing, until })),
    [
      { standing: 'WITHDRAWN', until: null },
      { standing: 'WITHDRAWN', until: null },
    ],
  )
  assert.ok(after.given.every(({ withdrawnAt }) => withdrawnAt !== null))
})

test('D1 §3: a consent lists the lenders that were asked, and is binding once an offer is accepted', async () => {
  const { journeyId, offers } = await journeyWithOffers(platform, [terms], 1)
  await giveConsents(journeyId)
  const view = await viewOfJourney(journeyId)
  assert.equal(offers.length, 2)
  const journeyKey = { tenantId, journeyId } as Parameters<typeof consentsOf>[2]
  const { given } = await consentsOf(ctx.db, ctx, journeyKey)
  for (const { lenders } of given)
    assert.deepEqual(
      lenders,
      view.lenders.map(({ name }) => name),
    )
  assert.ok(given.every(({ ended }) => ended === null))
  await giveConsents(journeyId, ['key_facts'])
  const accepted = await consentsOf(ctx.db, ctx, journeyKey)
  const acceptedAt = accepted.given.find(({ purpose }) => purpose === 'key_facts')!.givenAt
  assert.deepEqual(
    accepted.given.map(({ purpose, ended }) => [purpose, ended?.at ?? null]),
    [
      ['key_facts', null],
      ['data_sharing', acceptedAt],
      ['bureau', acceptedAt],
    ],
    'the consent to all lenders ends with the acceptance',
  )
  const journey = { active: true, status: 'OFFER_ACCEPTED', search: 'CLOSED', closedAt: null } as const
  assert.equal(consentStateOf(journey, { withdrawnAt: null }), 'BINDING')
  const disbursed = { ...journey, active: false, status: 'DISBURSED' } as const
  assert.equal(consentStateOf(disbursed, { withdrawnAt: null }), 'BINDING')
  assert.equal(
    consentStateOf({ ...disbursed, closedAt: new Date() }, { withdrawnAt: null }),
    'OVER',
    'the loan is closed',
  )
  assert.equal(consentStateOf({ ...journey, active: false, status: 'REJECTED' }, { withdrawnAt: null }), 'OVER')
})

test('D1 §1: serves the privacy policy, with the days until an application closes, without sign-in', async () => {
  for (const [lang, title] of [
    ['en', 'What happens to your data'],
    ['hi', 'आपकी जानकारी का क्या होता है'],
  ]) {
    const response = await fetch(`${url}/lab/privacy?lang=${lang}`)
    const page = await response.text()
    assert.equal(response.status, 200)
    assert.ok(page.includes(title!) && page.includes('30'), lang)
  }
})

// The links that take borrowers of headless apps to a lender's page: visits, final terms, languages and refusals.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { readHtml } from '@lendloom/http/html'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { consentText, currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import { readForm } from '@lendloom/wire/network/html-form'
import { lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { proceedWithOffer, rejectOffer } from '#platform/lending/offer/decide-on-offer.ts'
import { markStepFailed, markStepReady } from '#platform/lending/step/move-step.ts'
import type { StepName } from '#platform/lending/step/step.ts'
import { findStep } from '#platform/lending/step/store.ts'
import { stepLink } from './step-link.ts'

const platform = await testPlatform({ TRUSTED_PROXIES: '127.0.0.1' })
const { url, ctx, tenant } = platform
const { tenantId } = tenant
const lenderPage = 'https://lender.example/kyc/1'

const linkTo = (journeyId: string, step: StepName = 'kyc', at = ctx.clock()) =>
  `${url}/go/${stepLink(ctx.seal, { tenantId, journeyId, step }, at)}`
/** The borrower's address, as the proxy reports it. */
const clientAddress = '203.0.113.77'
const visit = async (link: string, body?: URLSearchParams, extraHeaders: Record<string, string> = {}) => {
  const headers = { 'x-forwarded-for': clientAddress, ...extraHeaders }
  const answer = await fetch(link, { redirect: 'manual', headers, ...(body && { method: 'POST', body }) })
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text(), answer }
}

/** Returns a journey whose chosen lender has sent these final terms and the URL of a KYC page. */
async function journeyWithFinalTerms(final = terms, channel: 'headless' | 'hosted' = 'headless') {
  const journeyFixture = await journeyWithOffers(platform, [terms])
  const [offerId] = journeyFixture.offerIds as [string]
  await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, tenantId, journeyFixture.journeyId))!
    await proceedWithOffer({ ...ctx, tx, at: ctx.clock() }, journey, offerId, { channel, ip: null })
  })
  await journeyFixture.sendFinalTerms(0, final)
  await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, tenantId, journeyFixture.journeyId))!
    await markStepReady({ ...ctx, tx }, journey, {
      name: 'kyc',
      page: { url: lenderPage, formId: 'F-1' },
      at: ctx.clock(),
    })
  })
  const kyc = () => findStep(ctx.db, { tenantId, journeyId: journeyFixture.journeyId }, 'kyc')
  const events = async () =>
    (
      await ctx.db<{ status: string }>`
      select status from lifecycle_event where tenant_id = ${tenantId} and journey_id = ${journeyFixture.journeyId} order by sequence`
    ).map(({ status }) => status)
  return { ...journeyFixture, offerId, kyc, events }
}

const keyFactsConsents = (journeyId: string) =>
  ctx.db<{ consentId: string; channel: string; ipSealed: Buffer | null }>`
    select consent_id, channel, ip_sealed from consent where tenant_id = ${tenantId} and journey_id = ${journeyId} order by given_at`

test('D2 §3: a visit accepts unchanged final terms and redirects to the lender', async () => {
  const { journeyId, kyc, events } = await journeyWithFinalTerms()
  const { status, location, answer } = await visit(linkTo(journeyId))
  assert.equal(status, 302)
  assert.equal(location, lenderPage)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
  assert.deepEqual((await events()).slice(3), ['OFFER_SELECTED', 'OFFER_ACCEPTED', 'LENDER_REDIRECTED'])
  assert.equal((await kyc()).attempts, 1)
  await visit(linkTo(journeyId))
  assert.equal((await kyc()).attempts, 1, 'a second visit does not count as another attempt')
  assert.equal((await events()).length, 6)
})

test('FIS12 §9.1: the final terms of a gold loan show the loan-to-value ratio', async () => {
  const { journeyId } = await journeyWithFinalTerms({ ...terms, ltvRatio: '74.07%' })
  assert.match((await visit(linkTo(journeyId))).text, /Loan to value<\/dt><dd>74\.07% of the gold/)
  const personal = await journeyWithFinalTerms({ ...terms, interestRate: '15.5%' })
  assert.doesNotMatch((await visit(linkTo(personal.journeyId))).text, /Loan to value/)
})

test('D2 §3: a visit does not accept changed terms, only the button on the page does', async () => {
  const changed = { ...terms, quoteId: 'Q-2', interestRate: '15.5%', kfsLink: 'https://lender.example/kfs/2' }
  const { journeyId, kyc, events } = await journeyWithFinalTerms(changed)
  const link = linkTo(journeyId)
  const { status, text, answer } = await visit(link)
  assert.equal(status, 200)
  const page = readHtml(text)
  assert.equal(page.all('h1')[0]!.text(), 'Your final offer')
  for (const text of [
    '15.5% a year',
    '₹2,00,000',
    '₹17,957.42, 12 times',
    '₹2,15,489.04',
    '16.3%',
    '3 days',
    '2% a month',
  ])
    assert.ok(page.text().includes(text), text)
  assert.ok(page.all('a').some(({ attributes }) => attributes.href === changed.kfsLink))
  const policy = answer.headers.get('content-security-policy')!
  assert.match(policy, /^default-src 'none'; .*; style-src 'sha256-/)
  assert.doesNotMatch(policy, /unsafe/)
  assert.equal((await events()).at(-1), 'OFFER_SELECTED', 'a visit accepts nothing')
  assert.equal((await kyc()).attempts, 0)

  const form = readForm(text, link)
  const formData = new URLSearchParams(form.fields.map(({ name, value }): [string, string] => [name, value ?? '']))
  const submitted = await visit(link, formData)
  assert.equal(submitted.status, 302)
  assert.equal(submitted.location, lenderPage)
  assert.deepEqual((await events()).slice(3), ['OFFER_SELECTED', 'OFFER_ACCEPTED', 'LENDER_REDIRECTED'])
  const [atChoice, atPage] = await keyFactsConsents(journeyId)
  assert.equal(atChoice!.channel, 'headless')
  assert.equal(atPage!.channel, 'headless')
  const ip = ctx.seal.open(atPage!.ipSealed!, `consent:${tenantId}:${atPage!.consentId}`)
  assert.equal(ip.toString(), clientAddress, "the borrower's address, not the proxy's")
  assert.equal((await visit(link, formData)).location, lenderPage, 'a second press redirects again')
  assert.equal((await keyFactsConsents(journeyId)).length, 2)
})

test('D2 §3: the button refuses terms that were not displayed and an unknown consent text', async () => {
  const { journeyId, events, sendFinalTerms } = await journeyWithFinalTerms({ ...terms, interestRate: '15%' })
  const link = linkTo(journeyId)
  const displayedFields = readForm((await visit(link)).text, link).fields.map(({ name, value }): [string, string] => [
    name,
    value ?? '',
  ])
  await sendFinalTerms(0, { ...terms, quoteId: 'Q-3', interestRate: '19%' })
  const nextPage = await visit(link, new URLSearchParams(displayedFields))
  assert.equal(nextPage.status, 200)
  assert.match(nextPage.text, /19% a year/)
  const unknownText = new URLSearchParams()
  for (const { name, value } of readForm(nextPage.text, link).fields) unknownText.set(name, value ?? '')
  unknownText.set('textVersion', '1999-01-01')
  assert.equal((await visit(link, unknownText)).status, 400)
  assert.equal((await events()).at(-1), 'OFFER_SELECTED')
})

test('D2 §3: the page and the recorded consent use the language of the browser', async () => {
  const { journeyId, events } = await journeyWithFinalTerms({ ...terms, interestRate: '15.5%' })
  const link = linkTo(journeyId)
  const hindi = { 'accept-language': 'hi-IN,hi;q=0.9,en;q=0.8' }
  const { text } = await visit(link, undefined, hindi)
  assert.equal(readHtml(text).all('html')[0]!.attributes.lang, 'hi')
  assert.equal(readHtml(text).all('h1')[0]!.text(), 'आपका अंतिम ऑफ़र')
  assert.ok(text.includes(consentText(currentConsentVersion, 'key_facts', 'hi')!))
  assert.doesNotMatch(readHtml(text).text(), /\b(?:Loan|Term|Accept|Fees|days)\b/)
  const fields = readForm(text, link).fields.map(({ name, value }): [string, string] => [name, value ?? ''])
  // The consent is recorded in the language of the page, although this request has no `accept-language`.
  assert.equal((await visit(link, new URLSearchParams(fields))).status, 302)
  assert.equal((await events()).at(-1), 'LENDER_REDIRECTED')
  const languages = await ctx.db<{ language: string }>`
    select language from consent where tenant_id = ${tenantId} and journey_id = ${journeyId} and purpose = 'key_facts' order by given_at`
  assert.equal(languages.at(-1)!.language, 'hi')
  const expired = await visit(linkTo(journeyId, 'kyc', secondsAfter(ctx.clock(), -1801)), undefined, hindi)
  assert.match(expired.text, /इस लिंक की अवधि समाप्त हो गई है/)
})

test('D2 §3: a link works for an offer that was chosen on the hosted page', async () => {
  const { journeyId } = await journeyWithFinalTerms(terms, 'hosted')
  assert.equal((await visit(linkTo(journeyId))).status, 200)
})

test('D2 §2.3: an expired, invalid or other tenant’s link shows an error page', async () => {
  const { journeyId, events } = await journeyWithFinalTerms()
  const expired = linkTo(journeyId, 'kyc', secondsAfter(ctx.clock(), -1801))
  const otherTenantToken = stepLink(
    ctx.seal,
    { tenantId: platform.secondTenant.tenantId, journeyId, step: 'kyc' },
    ctx.clock(),
  )
  for (const [link, status] of [
    [expired, 404],
    [`${url}/go/abc`, 404],
    [`${url}/go/${otherTenantToken}`, 409],
    [`${url}/go/`, 404],
    [linkTo(journeyId, 'eMandate'), 409],
  ] as const) {
    const { status: receivedStatus, text, answer } = await visit(link)
    assert.equal(receivedStatus, status, link)
    assert.match(answer.headers.get('content-type')!, /^text\/html/)
    assert.equal(readHtml(text).all('h1')[0]!.text(), 'Nothing to do here')
  }
  assert.equal((await events()).at(-1), 'OFFER_SELECTED', 'a refusal changes nothing')
})

test('D2 §2.3: a link is refused after a final failure of the step or the end of the journey', async () => {
  const failed = await journeyWithFinalTerms()
  await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, tenantId, failed.journeyId))!
    await markStepFailed(tx, journey, {
      name: 'kyc',
      problem: 'IDENTITY_NOT_VERIFIED',
      retryable: false,
      at: ctx.clock(),
    })
  })
  assert.equal((await visit(linkTo(failed.journeyId))).status, 409)

  const ended = await journeyWithFinalTerms()
  await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, tenantId, ended.journeyId))!
    await rejectOffer({ ...ctx, tx, at: ctx.clock() }, journey, ended.offerId, { stage: 'KYC', because: 'No' })
  })
  assert.equal((await visit(linkTo(ended.journeyId))).status, 409)

  const expired = await journeyWithFinalTerms()
  await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, tenantId, expired.journeyId))!
    await updateJourney(tx, journey, { active: false }, ctx.clock())
  })
  assert.equal((await visit(linkTo(expired.journeyId))).status, 409)
  assert.equal((await expired.events()).at(-1), 'OFFER_SELECTED')
})

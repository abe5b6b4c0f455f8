// The journey's view for the hosted page: active page, pending lenders, pledged funds and return URL.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faults } from '@lendloom/foundation/schema'
import { call, enter, newApplicant, openSession, tokenOf } from '@lendloom/tests/setup/borrower'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { statementsOf } from '@lendloom/tests/setup/round-trips'
import { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { pledgesFor } from '@lendloom/wire/hosted/units-to-pledge'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { findOffer, setSecurity, setSelected } from '#platform/lending/offer/store.ts'
import { storePortfolio } from '#platform/lending/portfolio/store.ts'
import { pageViewOf } from './page-view.ts'
import { isSearching } from './screen.ts'

const platform = await testPlatform()
const { ctx, tenant } = platform
const { tenantId } = tenant

async function readView(journeyId: string) {
  const read = () => pageViewOf(ctx, { tenantId, journeyId } as Parameters<typeof pageViewOf>[1], null, ctx.clock())
  const view = await read()
  // The first read fills the cache of median payout times, so only the second is counted.
  const statements = await statementsOf(ctx.db, read)
  assert.deepEqual(faults(EmbedView, view), [])
  return { view, statements }
}

test('FIS12 §10.2: a loan against funds has schemes and pledges, read with one more statement', async () => {
  const { journeyId, offerIds } = await journeyWithOffers(platform, [terms])
  const withoutFunds = await readView(journeyId)
  assert.deepEqual(
    withoutFunds.view.offers.map(({ schemes }) => schemes),
    [[]],
  )
  await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    await tx`update journey set type = 'LAMF_LOAN' where tenant_id = ${tenantId} and journey_id = ${journeyId}`
    const holding = { schemeCode: 'FLEXG', schemeName: 'Shakti Flexi Cap Fund', folio: '44', amcCode: 'SHK' }
    const mfc = { holdings: [{ ...holding, rta: 'CAMS', units: '300.000', nav: '85.0250' }] }
    await storePortfolio({ ...ctx, tx, at }, journey, { mfc })
    const offer = (await findOffer(tx, journey, offerIds[0]!))!
    const pledged = { rta: 'CAMS', amcCode: 'SHK', folioId: '44', unitsRequired: '250.125', ltv: '50%' }
    const schemes = [{ schemeCode: 'FLEXG', ...pledged }]
    await setSecurity(tx, offer, { schemes, ownPage: false, creditLine: true }, at)
    const pledges = pledgesFor(schemes, 100_000_00n, terms.principal)
    await setSelected(tx, journey, { offerId: offer.offerId, lockSource: 'hosted', branchId: null, pledges }, at)
  })
  const { view, statements } = await readView(journeyId)
  const fund = { schemeCode: 'FLEXG', name: 'Shakti Flexi Cap Fund', registrar: 'CAMS', folio: '44' }
  assert.equal(view.offers[0]!.creditLine, true)
  assert.deepEqual(view.offers[0]!.schemes, [{ ...fund, unitsRequired: '250.125', ltv: '50%', nav: '85.0250' }])
  assert.deepEqual(view.selected!.terms.schemes, view.offers[0]!.schemes)
  assert.deepEqual(view.selected!.pledges, [{ ...fund, units: '125.063' }])
  assert.equal(statements, withoutFunds.statements + 1)
})

test('D1 §3: searching is true while a lender can make an offer without an act of the borrower', async () => {
  const { journeyId } = await journeyWithOffers(platform, [terms], 1)
  const { view } = await readView(journeyId)
  assert.equal(view.searching, true, 'one lender has not answered')
  const lenderWaits = view.lenders.map(({ status, waitedSeconds }) => ({
    status,
    hasWaited: Number.isInteger(waitedSeconds),
  }))
  assert.deepEqual(
    lenderWaits.toSorted((left, right) => left.status.localeCompare(right.status)),
    [
      { status: 'OFFER_AWAITED', hasWaited: true },
      { status: 'OFFER_RECEIVED', hasWaited: false },
    ],
  )
  const answeredJourney = await journeyWithOffers(platform, [terms, terms])
  assert.equal((await readView(answeredJourney.journeyId)).view.searching, false, 'both lenders have answered')
  const awaited = [{ offerId: 'a', status: 'OFFER_AWAITED' as const }]
  const given = (standing: 'DUE' | 'CHECKING') => ({ consents: [{ offerId: 'a', standing }], isComplete: false })
  assert.equal(isSearching({ search: 'CLOSED' }, awaited, given('DUE')), false)
  assert.equal(isSearching({ search: 'CLOSED' }, awaited, given('CHECKING')), true)
  const none = { consents: [], isComplete: false }
  assert.equal(isSearching({ search: 'OPEN' }, [], none), true, 'another lender may still answer the search')
  const every = { consents: [], isComplete: true }
  assert.equal(isSearching({ search: 'OPEN' }, [], every), false, 'every lender that usually answers has')
  assert.equal(isSearching({ search: 'OPEN' }, awaited, every), true, 'one of them has not made its offer')
})

test('D1 §5: only the newest page may act, until an older one claims the journey', async () => {
  const person = newApplicant()
  const pageId = (digit: string) => ({ 'x-page-id': digit.repeat(32) })
  const openPage = async (digit: string) => {
    const { body } = await openSession(platform.url, tenant, person)
    const token = tokenOf(body.embedUrl)
    const entered = await ask(`${platform.url}/api/embed/session`, {
      method: 'POST',
      body: { token },
      headers: pageId(digit),
    })
    assert.equal(entered.body.view.elsewhere, false)
    const call = (method: string, path: string, change?: object) =>
      ask(`${platform.url}/api/embed${path}`, {
        method,
        key: entered.body.sessionToken,
        headers: pageId(digit),
        ...(change && { body: change }),
      })
    return call
  }
  const firstPage = await openPage('a')
  const secondPage = await openPage('b')
  assert.equal((await firstPage('GET', '/journey')).body.view.elsewhere, true)
  const stale = await firstPage('PUT', '/profile', { endUse: 'travel' })
  assert.equal(stale.status, 409)
  assert.equal(stale.body.error.code, 'STATE_PRECONDITION_FAILED')
  assert.match(stale.body.error.message, /open in another window/)
  assert.equal((await secondPage('GET', '/journey')).body.view.endUse, null, 'the rejected request changed nothing')
  assert.equal((await firstPage('GET', '/journey?claim=1')).body.view.elsewhere, false)
  assert.equal((await firstPage('PUT', '/profile', { endUse: 'travel' })).status, 200)
  assert.equal((await secondPage('GET', '/journey')).body.view.elsewhere, true)
})

test('D1 §4: the view has the return URL of the newest session that sent one', async () => {
  const person = newApplicant()
  const returnUrlAfter = async (fields: object) => {
    const { status, body } = await openSession(platform.url, tenant, { ...person, ...fields })
    assert.ok(status === 200 || status === 201)
    return (await enter(platform.url, body.embedUrl)).view.returnUrl
  }
  assert.equal(
    await returnUrlAfter({ returnUrl: 'https://app.example/done?order=7' }),
    'https://app.example/done?order=7',
  )
  assert.equal(
    await returnUrlAfter({}),
    'https://app.example/done?order=7',
    'a session without a URL retains the earlier one',
  )
  assert.equal(
    await returnUrlAfter({ returnUrl: 'http://127.0.0.1:9/back' }),
    'http://127.0.0.1:9/back',
    'the sandbox accepts a local http URL',
  )
  const [stored] = await ctx.db<{ text: string }>`
    select encode(return_url_sealed, 'escape') as text from journey where return_url_sealed is not null`
  assert.ok(!stored!.text.includes('app.example'), 'the URL is stored encrypted')
})

test('D1 §2.1: the response to a poll is compressed', async () => {
  const { body } = await openSession(platform.url, tenant, newApplicant())
  const { sessionToken } = await enter(platform.url, body.embedUrl)
  const { headers } = await ask(`${platform.url}/api/embed/journey`, {
    key: sessionToken,
    headers: { 'accept-encoding': 'gzip' },
  })
  assert.equal(headers.get('content-encoding'), 'gzip')
})

test('D1 §4: the view tells that the app filled in the details, until the borrower has done anything', async () => {
  const viewOf = async (profile: Record<string, string>) => {
    const { body } = await openSession(
      platform.url,
      tenant,
      newApplicant({ profile: { ...newApplicant().profile, ...profile } }),
    )
    return enter(platform.url, body.embedUrl)
  }
  assert.equal((await viewOf({})).view.prefilled, false)
  const borrower = await viewOf({ panName: 'Asha Kulkarni' })
  assert.equal(borrower.view.prefilled, true)
  await call(borrower, 'PUT', '/profile', { profile: { gender: 'female' } })
  assert.equal(borrower.view.prefilled, false)
})

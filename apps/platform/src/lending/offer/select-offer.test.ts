// The choice of units that secure a loan against mutual funds: stored and rejected choices.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal, type RefusalKind } from '@lendloom/foundation/refusal'
import { call, enter, newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { type OfferChoice, selectOffer } from './select-offer.ts'
import { findOffer, setSecurity } from './store.ts'

const platform = await testPlatform()
const { ctx, tenant } = platform
const { tenantId } = tenant
const fullChoice = { amount: terms.principal, months: 12, origin: { channel: 'hosted', ip: null } } as const
const flexi = { schemeCode: 'FLEXG', units: '250.125' }
const bond = { schemeCode: 'DEBTG', units: '400.000' }

/** An offer of two lakh rupees against 250.125 units of one fund and 400 of another. */
async function securedOffer(type = 'LAMF_LOAN') {
  const person = newApplicant()
  const { journeyId, offerIds, journey, offer } = await journeyWithOffers(platform, [terms], 0, person)
  const page = await enter(platform.url, (await openSession(platform.url, tenant, person)).body.embedUrl)
  const offerId = offerIds[0]!
  await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    await tx`update journey set type = ${type} where tenant_id = ${tenantId} and journey_id = ${journeyId}`
    const lender = { rta: 'CAMS', amcCode: 'SHK', folioId: '44', ltv: '50%' }
    const schemes = [flexi!, bond!].map(({ schemeCode, units }) => ({ ...lender, schemeCode, unitsRequired: units }))
    await setSecurity(
      tx,
      (await findOffer(tx, { tenantId, journeyId }, offerId))!,
      { schemes, ownPage: false, creditLine: false },
      at,
    )
  })
  const choose = (change: Partial<OfferChoice>) =>
    ctx.db.tx(async (tx) => {
      const locked = (await lockJourney(tx, tenantId, journeyId))!
      return selectOffer({ ...ctx, tx, at: ctx.clock() }, locked, offerId, { ...fullChoice, ...change })
    })
  const postChoice = (pledges: object[]) =>
    call(page, 'POST', `/offers/${offerId}/select`, { amount: '200000', tenureMonths: 12, pledges })
  return { choose, postChoice, journey, storedPledges: async () => (await offer(offerId)).pledges }
}

const isRefusal = (kind: RefusalKind, field: string) => (error: unknown) => {
  assert.ok(error instanceof Refusal, String(error))
  assert.equal(error.kind, kind)
  assert.equal(error.details.field, field)
  return true
}

test('FIS12 §10.2 row 4: stores the chosen units as pledges without changing the requested amount', async () => {
  const { choose, journey, storedPledges } = await securedOffer()
  await choose({
    pledges: [
      { schemeCode: 'FLEXG', units: '100.5' },
      { schemeCode: 'DEBTG', units: '0' },
    ],
  })
  assert.deepEqual(await storedPledges(), [{ schemeCode: 'FLEXG', units: '100.500' }])
  const { status, preferredAmountPaise } = await journey()
  assert.equal(status, 'OFFER_SELECTED')
  assert.equal(preferredAmountPaise, terms.principal)
})

test('the page API accepts units per scheme, and an error names the invalid field', async () => {
  const { postChoice } = await securedOffer()
  for (const [pledges, field] of [
    [[{ schemeCode: 'FLEXG', units: 'all' }], 'pledges.0.units'],
    [[flexi!, { schemeCode: 'DEBTG', units: '401' }], 'pledges.1.units'],
    [[{ units: '1' }], 'pledges.0.schemeCode'],
  ] as const) {
    const { status, body } = await postChoice([...pledges])
    assert.equal(status, 400)
    assert.equal(body.error.details.field, field)
  }
  const { status, body } = await postChoice([{ schemeCode: 'DEBTG', units: '400' }])
  assert.equal(status, 200)
  assert.equal(body.view.screen, 'FINALISING')
  assert.deepEqual(
    body.view.selected.pledges.map(({ schemeCode, units }: typeof flexi & object) => ({ schemeCode, units })),
    [{ schemeCode: 'DEBTG', units: '400.000' }],
  )
})

test('D2 §3: accepts a repeated choice, and rejects a choice with other units or another amount', async () => {
  const { choose, storedPledges } = await securedOffer()
  await choose({ pledges: [{ schemeCode: 'FLEXG', units: '100.5' }] })
  const before = await storedPledges()
  await choose({
    pledges: [
      { schemeCode: 'DEBTG', units: '0' },
      { schemeCode: 'FLEXG', units: '100.500' },
    ],
  })
  await choose({})
  await assert.rejects(
    choose({ pledges: [{ schemeCode: 'FLEXG', units: '100.501' }] }),
    isRefusal('wrong-state', 'pledges'),
  )
  await assert.rejects(choose({ pledges: [flexi!, bond!] }), isRefusal('wrong-state', 'pledges'))
  await assert.rejects(choose({ amount: 100_00n, pledges: [bond!] }), isRefusal('wrong-state', 'amount'))
  assert.deepEqual(await storedPledges(), before)
})

test('accepts a repeated choice that lists the default pledges explicitly', async () => {
  const { choose, storedPledges } = await securedOffer()
  await choose({})
  assert.deepEqual(await storedPledges(), [flexi, bond])
  await choose({ pledges: [flexi!, bond!] })
})

test('rejects units that the offer does not require', async () => {
  const { choose, journey, storedPledges } = await securedOffer()
  const units = (schemeCode: string, text: string) => ({ pledges: [flexi!, { schemeCode, units: text }] })
  await assert.rejects(choose(units('DEBTG', '400.001')), isRefusal('invalid', 'pledges.1.units'))
  await assert.rejects(choose(units('OTHER', '1')), isRefusal('invalid', 'pledges.1'))
  await assert.rejects(choose(units('FLEXG', '1')), isRefusal('invalid', 'pledges.1'))
  await assert.rejects(choose({ pledges: [] }), isRefusal('invalid', 'pledges'))
  assert.equal((await journey()).status, 'OFFERED')
  assert.deepEqual(await storedPledges(), [])
  for (const type of ['PERSONAL_LOAN', 'GOLD_LOAN'])
    await assert.rejects(
      (await securedOffer(type)).choose({ pledges: [flexi!] }),
      isRefusal('invalid', 'pledges'),
      type,
    )
})

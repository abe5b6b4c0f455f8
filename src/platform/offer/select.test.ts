// Choosing the units that secure a loan against mutual funds: what is kept of the choice, and what is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal, type RefusalKind } from '#kit/http/refusal.ts'
import { lockJourney } from '#platform/journey/store.ts'
import { call, enter, newApplicant, openSession } from '#test/setup/borrower.ts'
import { journeyWithOffers, terms } from '#test/setup/offered.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { type OfferChoice, selectOffer } from './select.ts'
import { findOffer, setSecured } from './store.ts'

const platform = await testPlatform()
const { ctx, tenant } = platform
const { tenantId } = tenant
const whole = { amount: terms.principal, months: 12, place: { channel: 'hosted', ip: null } } as const
const [flexi, bond] = [
  { schemeCode: 'FLEXG', units: '250.125' },
  { schemeCode: 'DEBTG', units: '400.000' },
]

/** Two lakh rupees, on 250.125 units of one fund and 400 of another. */
async function against(type = 'LAMF_LOAN') {
  const person = newApplicant()
  const { journeyId, offerIds, journey, offer } = await journeyWithOffers(platform, [terms], 0, person)
  const page = await enter(platform.url, (await openSession(platform.url, tenant, person)).body.embedUrl)
  const offerId = offerIds[0]!
  await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    await tx`update journey set type = ${type} where tenant_id = ${tenantId} and journey_id = ${journeyId}`
    const lender = { rta: 'CAMS', amcCode: 'SHK', folioId: '44', ltv: '50%' }
    const schemes = [flexi!, bond!].map(({ schemeCode, units }) => ({ ...lender, schemeCode, unitsRequired: units }))
    await setSecured(
      tx,
      (await findOffer(tx, { tenantId, journeyId }, offerId))!,
      { schemes, ownPage: false, creditLine: false },
      at,
    )
  })
  const choose = (more: Partial<OfferChoice>) =>
    ctx.db.tx(async (tx) => {
      const locked = (await lockJourney(tx, tenantId, journeyId))!
      return selectOffer({ ...ctx, tx, at: ctx.clock() }, locked, offerId, { ...whole, ...more })
    })
  const send = (pledges: object[]) =>
    call(page, 'POST', `/offers/${offerId}/select`, { amount: '200000', tenureMonths: 12, pledges })
  return { choose, send, journey, pledged: async () => (await offer(offerId)).pledges }
}

const is = (kind: RefusalKind, field: string) => (error: unknown) => {
  assert.ok(error instanceof Refusal, String(error))
  assert.deepEqual([error.kind, error.details.field], [kind, field])
  return true
}

test('FIS12 §10.2 row 4: the units chosen are pledged, and the amount stays the requested one', async () => {
  const { choose, journey, pledged } = await against()
  await choose({
    pledges: [
      { schemeCode: 'FLEXG', units: '100.5' },
      { schemeCode: 'DEBTG', units: '0' },
    ],
  })
  assert.deepEqual(await pledged(), [{ schemeCode: 'FLEXG', units: '100.500' }])
  const { status, preferredAmountPaise } = await journey()
  assert.deepEqual([status, preferredAmountPaise], ['OFFER_SELECTED', terms.principal])
})

test('the page names the units of each scheme, and is told which of them is wrong', async () => {
  const { send } = await against()
  for (const [pledges, field] of [
    [[{ schemeCode: 'FLEXG', units: 'all' }], 'pledges.0.units'],
    [[flexi!, { schemeCode: 'DEBTG', units: '401' }], 'pledges.1.units'],
    [[{ units: '1' }], 'pledges.0.schemeCode'],
  ] as const) {
    const { status, body } = await send([...pledges])
    assert.deepEqual([status, body.error.details.field], [400, field])
  }
  const { status, body } = await send([{ schemeCode: 'DEBTG', units: '400' }])
  assert.deepEqual([status, body.view.screen], [200, 'FINALISING'])
  assert.deepEqual(
    body.view.selected.pledges.map(({ schemeCode, units }: typeof flexi & object) => [schemeCode, units]),
    [['DEBTG', '400.000']],
  )
})

test('D2 §3: the same choice may be said again, one with other units is refused like another amount', async () => {
  const { choose, pledged } = await against()
  await choose({ pledges: [{ schemeCode: 'FLEXG', units: '100.5' }] })
  const kept = await pledged()
  await choose({
    pledges: [
      { schemeCode: 'DEBTG', units: '0' },
      { schemeCode: 'FLEXG', units: '100.500' },
    ],
  })
  await choose({})
  await assert.rejects(choose({ pledges: [{ schemeCode: 'FLEXG', units: '100.501' }] }), is('wrong-state', 'pledges'))
  await assert.rejects(choose({ pledges: [flexi!, bond!] }), is('wrong-state', 'pledges'))
  await assert.rejects(choose({ amount: 100_00n, pledges: [bond!] }), is('wrong-state', 'amount'))
  assert.deepEqual(await pledged(), kept)
})

test('what follows the amount may be said in so many words afterwards', async () => {
  const { choose, pledged } = await against()
  await choose({})
  assert.deepEqual(await pledged(), [flexi, bond])
  await choose({ pledges: [flexi!, bond!] })
})

test('units that this offer does not ask for choose nothing', async () => {
  const { choose, journey, pledged } = await against()
  const units = (schemeCode: string, text: string) => ({ pledges: [flexi!, { schemeCode, units: text }] })
  await assert.rejects(choose(units('DEBTG', '400.001')), is('invalid', 'pledges.1.units'))
  await assert.rejects(choose(units('OTHER', '1')), is('invalid', 'pledges.1'))
  await assert.rejects(choose(units('FLEXG', '1')), is('invalid', 'pledges.1'))
  await assert.rejects(choose({ pledges: [] }), is('invalid', 'pledges'))
  assert.deepEqual([(await journey()).status, await pledged()], ['OFFERED', []])
  for (const type of ['PERSONAL_LOAN', 'GOLD_LOAN'])
    await assert.rejects((await against(type)).choose({ pledges: [flexi!] }), is('invalid', 'pledges'), type)
})

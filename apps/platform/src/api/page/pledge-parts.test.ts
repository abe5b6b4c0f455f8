// Schemes, holdings and pledges on the page, with the fund names on the borrower's statement.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faults, Type } from '@lendloom/foundation/schema'
import type { Scheme } from '@lendloom/lending/pledge'
import { EmbedHolding, EmbedPledge, EmbedScheme } from '@lendloom/wire/hosted/embed-lender'
import { readPortfolio } from '@lendloom/wire/hosted/read-portfolio'
import { holdingViews, pledgeViews, schemeViews } from './fund-view.ts'

const holding = (schemeCode: string, folio: string, schemeName: string | null, amcCode = 'SHK') => ({
  schemeCode,
  folio,
  amcCode,
  rta: 'CAMS',
  units: '300.000',
  nav: '85.0250',
  ...(schemeName && { schemeName }),
})
const holdingsOf = (...holdings: object[]) => {
  const { holdings: parsed, notUnderstood } = readPortfolio({ holdings })
  assert.deepEqual(notUnderstood, [])
  return parsed
}
const scheme = (schemeCode: string, folioId: string | null, unitsRequired = '250.000'): Scheme => ({
  rta: 'CAMS',
  amcCode: 'SHK',
  schemeCode,
  folioId,
  unitsRequired,
  ltv: '50%',
})
const namesOf = (schemes: Scheme[], holdings: ReturnType<typeof holdingsOf>) => {
  const views = schemeViews(schemes, holdings)
  assert.deepEqual(faults(Type.Array(EmbedScheme), views), [])
  return views.map(({ name }) => name)
}

test('FIS12 §10.2: a scheme has the required units, and the fund name on the statement', () => {
  const holdings = holdingsOf(holding('FLEXG', '44', 'Shakti Flexi Cap Fund'))
  assert.deepEqual(schemeViews([scheme('FLEXG', '44')], holdings), [
    {
      schemeCode: 'FLEXG',
      name: 'Shakti Flexi Cap Fund',
      registrar: 'CAMS',
      folio: '44',
      unitsRequired: '250.000',
      ltv: '50%',
      nav: '85.0250',
    },
  ])
})

test('a scheme without a known name is shown by its code', () => {
  const holdings = holdingsOf(holding('MIDG', '44', null))
  assert.deepEqual(namesOf([scheme('MIDG', '44'), scheme('OTHER', '44')], holdings), ['MIDG', 'OTHER'])
  assert.deepEqual(namesOf([scheme('MIDG', '44')], []), ['MIDG'])
})

test('the folio distinguishes two fund houses that use the same scheme code', () => {
  const holdings = holdingsOf(holding('G1', '44', 'Shakti Fund'), holding('G1', '88', 'Nidhi Fund', 'NDH'))
  assert.deepEqual(namesOf([scheme('G1', '88'), scheme('G1', '44'), scheme('G1', null)], holdings), [
    'Nidhi Fund',
    'Shakti Fund',
    'G1',
  ])
})

test('a scheme has a NAV only if its holdings agree on one value', () => {
  const holdings = holdingsOf(
    holding('G1', '44', 'Shakti Fund'),
    { ...holding('G1', '88', 'Nidhi Fund', 'NDH'), nav: '12.5000' },
    holding('FLEXG', '44', null),
    holding('FLEXG', '45', null),
  )
  const schemes = [scheme('G1', '88'), scheme('G1', null), scheme('FLEXG', null), scheme('OTHER', '44')]
  assert.deepEqual(
    schemeViews(schemes, holdings).map(({ nav }) => nav),
    ['12.5000', null, '85.0250', null],
  )
})

test('pledges of one scheme in two folios are shown with their own folios', () => {
  const holdings = holdingsOf(holding('FLEXG', '44', 'Shakti Flexi Cap Fund'))
  const schemes = [scheme('FLEXG', '43', '0.000'), scheme('FLEXG', '44'), scheme('FLEXG', '45')]
  const pledges = ['100.000', '50.500'].map((units) => ({ schemeCode: 'FLEXG', units }))
  const views = pledgeViews([...pledges, { schemeCode: 'UNKNOWN', units: '1.000' }], schemes, holdings)
  assert.deepEqual(faults(Type.Array(EmbedPledge), views), [])
  assert.deepEqual(
    views.map(({ name, folio, units }) => ({ name, folio, units })),
    [
      { name: 'Shakti Flexi Cap Fund', folio: '44', units: '100.000' },
      { name: 'Shakti Flexi Cap Fund', folio: '45', units: '50.500' },
      { name: 'UNKNOWN', folio: null, units: '1.000' },
    ],
  )
})

test('FIS12 §10.1: a holding has its total value, and the value without liens and lock-ins', () => {
  const liened = { ...holding('FLEXG', '44', 'Shakti Flexi Cap Fund'), assetType: 'EQUITY', lienUnits: '100.000' }
  const locked = { ...holding('ELSSG', '45', null), assetType: 'ELSS', lockInUntil: '2026-11-30' }
  const viewsOn = (on: string) => holdingViews(holdingsOf(liened, locked), on)
  assert.deepEqual(faults(Type.Array(EmbedHolding), viewsOn('2026-11-20')), [])
  assert.deepEqual(viewsOn('2026-11-20'), [
    { name: 'Shakti Flexi Cap Fund', kind: 'equity', worth: '25507.50', free: '17005.00' },
    { name: 'ELSSG', kind: 'elss', worth: '25507.50', free: '0.00' },
  ])
  assert.equal(viewsOn('2026-12-01')[1]?.free, '25507.50')
})

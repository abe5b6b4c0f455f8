// Funds by the names that the borrower knows, and by their codes where a name would be a guess.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EmbedHolding, EmbedPledge, EmbedScheme } from '#contract/hosted/embed-lender.ts'
import { readPortfolio } from '#contract/hosted/read-portfolio.ts'
import type { Scheme } from '#contract/network/v230/pledge.ts'
import { faults, Type } from '#kit/http/schema.ts'
import { holdingParts, pledgeParts, schemeParts } from './offer-card.ts'

const held = (schemeCode: string, folio: string, schemeName: string | null, amcCode = 'SHK') => ({
  ...{ schemeCode, folio, amcCode, rta: 'CAMS', units: '300.000', nav: '85.0250' },
  ...(schemeName && { schemeName }),
})
const holdingsOf = (...holdings: object[]) => {
  const { holdings: read, notUnderstood } = readPortfolio({ holdings })
  assert.deepEqual(notUnderstood, [])
  return read
}
const scheme = (schemeCode: string, folioId: string | null, unitsRequired = '250.000'): Scheme => ({
  ...{ rta: 'CAMS', amcCode: 'SHK', schemeCode, folioId, unitsRequired, ltv: '50%' },
})
const namesOf = (schemes: Scheme[], holdings: ReturnType<typeof holdingsOf>) => {
  const parts = schemeParts(schemes, holdings)
  assert.deepEqual(faults(Type.Array(EmbedScheme), parts), [])
  return parts.map(({ name }) => name)
}

test('FIS12 §10.2: a scheme says what the lender wants, under the name of the statement', () => {
  const holdings = holdingsOf(held('FLEXG', '44', 'Shakti Flexi Cap Fund'))
  assert.deepEqual(schemeParts([scheme('FLEXG', '44')], holdings), [
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

test('where the statement does not tell, or nothing was said, the code stands for the name', () => {
  const holdings = holdingsOf(held('MIDG', '44', null))
  assert.deepEqual(namesOf([scheme('MIDG', '44'), scheme('OTHER', '44')], holdings), ['MIDG', 'OTHER'])
  assert.deepEqual(namesOf([scheme('MIDG', '44')], []), ['MIDG'])
})

test('a code that two fund houses use is told apart by the folio; without it nothing is guessed', () => {
  const holdings = holdingsOf(held('G1', '44', 'Shakti Fund'), held('G1', '88', 'Nidhi Fund', 'NDH'))
  assert.deepEqual(namesOf([scheme('G1', '88'), scheme('G1', '44'), scheme('G1', null)], holdings), [
    'Nidhi Fund',
    'Shakti Fund',
    'G1',
  ])
})

test('the NAV is told where the statement tells one, and only one', () => {
  const holdings = holdingsOf(
    held('G1', '44', 'Shakti Fund'),
    { ...held('G1', '88', 'Nidhi Fund', 'NDH'), nav: '12.5000' },
    held('FLEXG', '44', null),
    held('FLEXG', '45', null),
  )
  const navs = [scheme('G1', '88'), scheme('G1', null), scheme('FLEXG', null), scheme('OTHER', '44')]
  assert.deepEqual(
    schemeParts(navs, holdings).map(({ nav }) => nav),
    ['12.5000', null, '85.0250', null],
  )
})

test('the units of one scheme in two folios stay with their folios; a scheme that asks for none is passed over', () => {
  const holdings = holdingsOf(held('FLEXG', '44', 'Shakti Flexi Cap Fund'))
  const schemes = [scheme('FLEXG', '43', '0.000'), scheme('FLEXG', '44'), scheme('FLEXG', '45')]
  const pledges = ['100.000', '50.500'].map((units) => ({ schemeCode: 'FLEXG', units }))
  const parts = pledgeParts([...pledges, { schemeCode: 'GONE', units: '1.000' }], schemes, holdings)
  assert.deepEqual(faults(Type.Array(EmbedPledge), parts), [])
  assert.deepEqual(
    parts.map(({ name, folio, units }) => [name, folio, units]),
    [
      ['Shakti Flexi Cap Fund', '44', '100.000'],
      ['Shakti Flexi Cap Fund', '45', '50.500'],
      ['GONE', null, '1.000'],
    ],
  )
})

test('FIS12 §10.1: all that is held has its worth, and what of it is free of liens and locks', () => {
  const liened = { ...held('FLEXG', '44', 'Shakti Flexi Cap Fund'), assetType: 'EQUITY', lienUnits: '100.000' }
  const locked = { ...held('ELSSG', '45', null), assetType: 'ELSS', lockInUntil: '2026-11-30' }
  const parts = (on: string) => holdingParts(holdingsOf(liened, locked), on)
  assert.deepEqual(faults(Type.Array(EmbedHolding), parts('2026-11-20')), [])
  assert.deepEqual(parts('2026-11-20'), [
    { name: 'Shakti Flexi Cap Fund', kind: 'equity', worth: '25507.50', free: '17005.00' },
    { name: 'ELSSG', kind: 'elss', worth: '25507.50', free: '0.00' },
  ])
  assert.equal(parts('2026-12-01')[1]?.free, '25507.50')
})

// The units that a borrower chooses: of the schemes of the offer, each once, and none more than the lender asked for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scheme } from '#contract/network/v230/pledge.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { chosenPledges } from './pledge.ts'

const lamf = { type: 'LAMF_LOAN' } as const
const scheme = (schemeCode: string, unitsRequired: string, folioId = '44'): Scheme => ({
  ...{ rta: 'CAMS', amcCode: 'SHK', schemeCode, folioId, unitsRequired, ltv: '50%' },
})
const offer = { schemes: [scheme('FLEXG', '6249.000'), scheme('DEBTG', '10201.2505'), scheme('NONE', '0.000')] }
const of = (schemeCode: string, units: string) => ({ schemeCode, units })
const refused = (path: string, message?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Refusal, String(error))
  assert.deepEqual([error.kind, error.details.field], ['invalid', path])
  if (message) assert.match(error.message, message)
  return true
}

test('FIS12 §10.2 row 4: in the order of the offer, spelled in one way; none of a scheme leaves it out', () => {
  const chosen = [of('DEBTG', '10201.2505'), of('FLEXG', '12')]
  assert.deepEqual(chosenPledges(lamf, offer, chosen), [of('FLEXG', '12.000'), of('DEBTG', '10201.2505')])
  assert.deepEqual(chosenPledges(lamf, offer, [of('FLEXG', '0.0'), of('DEBTG', '0.001'), of('NONE', '0')]), [
    of('DEBTG', '0.001'),
  ])
})

test('units of a scheme in two folios are taken from the first one on, as the lender reads them', () => {
  const folios = { schemes: [scheme('FLEXG', '100', '44'), scheme('DEBTG', '5'), scheme('FLEXG', '50', '45')] }
  assert.deepEqual(chosenPledges(lamf, folios, [of('FLEXG', '120.5')]), [of('FLEXG', '100.000'), of('FLEXG', '20.500')])
  assert.throws(
    () => chosenPledges(lamf, folios, [of('FLEXG', '150.001')]),
    refused('pledges.0.units', /not be more than 150\.000/),
  )
})

test('what is wrong is named by its path', () => {
  const cases: [chosen: ReturnType<typeof of>[], path: string, message: RegExp][] = [
    [[], 'pledges', /at least one/],
    [[of('FLEXG', '0'), of('DEBTG', '0.000')], 'pledges', /at least one/],
    [[of('FLEXG', '1'), of('OTHER', '1')], 'pledges.1', /a scheme of this offer, once/],
    [[of('FLEXG', '1'), of('FLEXG', '0')], 'pledges.1', /a scheme of this offer, once/],
    [[of('FLEXG', '6249.001')], 'pledges.0.units', /not be more than 6249\.000/],
    [[of('FLEXG', '6249.000001')], 'pledges.0.units', /not be more than/],
    [[of('NONE', '0.001')], 'pledges.0.units', /not be more than 0\.000/],
    [[of('FLEXG', '1'), of('DEBTG', '-1')], 'pledges.1.units', /number of units/],
  ]
  for (const [chosen, path, message] of cases)
    assert.throws(() => chosenPledges(lamf, offer, chosen), refused(path, message), JSON.stringify(chosen))
})

test('no other kind of loan is secured by units', () => {
  for (const type of ['PERSONAL_LOAN', 'GOLD_LOAN'] as const)
    assert.throws(() => chosenPledges({ type }, offer, [of('FLEXG', '1')]), refused('pledges'))
})

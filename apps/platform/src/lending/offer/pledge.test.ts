// Validation of the units that a borrower pledges: schemes of the offer, each once, and at most the required units.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Scheme } from '@lendloom/lending/pledge'
import { chosenPledges } from './pledge.ts'

/** A loan against mutual funds (LAMF). */
const lamf = { type: 'LAMF_LOAN' } as const
const scheme = (schemeCode: string, unitsRequired: string, folioId = '44'): Scheme => ({
  rta: 'CAMS',
  amcCode: 'SHK',
  schemeCode,
  folioId,
  unitsRequired,
  ltv: '50%',
})
const offer = { schemes: [scheme('FLEXG', '6249.000'), scheme('DEBTG', '10201.2505'), scheme('NONE', '0.000')] }
const pledgeOf = (schemeCode: string, units: string) => ({ schemeCode, units })
const isInvalidAt = (path: string, message?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Refusal, String(error))
  assert.equal(error.kind, 'invalid')
  assert.equal(error.details.field, path)
  if (message) assert.match(error.message, message)
  return true
}

test('FIS12 §10.2 row 4: returns pledges in the offer’s order, with normalized units and without zero units', () => {
  const chosen = [pledgeOf('DEBTG', '10201.2505'), pledgeOf('FLEXG', '12')]
  assert.deepEqual(chosenPledges(lamf, offer, chosen), [pledgeOf('FLEXG', '12.000'), pledgeOf('DEBTG', '10201.2505')])
  assert.deepEqual(
    chosenPledges(lamf, offer, [pledgeOf('FLEXG', '0.0'), pledgeOf('DEBTG', '0.001'), pledgeOf('NONE', '0')]),
    [pledgeOf('DEBTG', '0.001')],
  )
})

test('allocates the units of a scheme to its folios in the order of the offer', () => {
  const offerWithTwoFolios = {
    schemes: [scheme('FLEXG', '100', '44'), scheme('DEBTG', '5'), scheme('FLEXG', '50', '45')],
  }
  assert.deepEqual(chosenPledges(lamf, offerWithTwoFolios, [pledgeOf('FLEXG', '120.5')]), [
    pledgeOf('FLEXG', '100.000'),
    pledgeOf('FLEXG', '20.500'),
  ])
  assert.throws(
    () => chosenPledges(lamf, offerWithTwoFolios, [pledgeOf('FLEXG', '150.001')]),
    isInvalidAt('pledges.0.units', /not be more than 150\.000/),
  )
})

test('rejects invalid pledges with the path of the fault', () => {
  const cases: [chosen: ReturnType<typeof pledgeOf>[], path: string, message: RegExp][] = [
    [[], 'pledges', /at least one/],
    [[pledgeOf('FLEXG', '0'), pledgeOf('DEBTG', '0.000')], 'pledges', /at least one/],
    [[pledgeOf('FLEXG', '1'), pledgeOf('OTHER', '1')], 'pledges.1', /a scheme of this offer, once/],
    [[pledgeOf('FLEXG', '1'), pledgeOf('FLEXG', '0')], 'pledges.1', /a scheme of this offer, once/],
    [[pledgeOf('FLEXG', '6249.001')], 'pledges.0.units', /not be more than 6249\.000/],
    [[pledgeOf('FLEXG', '6249.000001')], 'pledges.0.units', /not be more than/],
    [[pledgeOf('NONE', '0.001')], 'pledges.0.units', /not be more than 0\.000/],
    [[pledgeOf('FLEXG', '1'), pledgeOf('DEBTG', '-1')], 'pledges.1.units', /number of units/],
  ]
  for (const [chosen, path, message] of cases)
    assert.throws(() => chosenPledges(lamf, offer, chosen), isInvalidAt(path, message), JSON.stringify(chosen))
})

test('rejects pledges for products other than loans against mutual funds', () => {
  for (const type of ['PERSONAL_LOAN', 'GOLD_LOAN'] as const)
    assert.throws(() => chosenPledges({ type }, offer, [pledgeOf('FLEXG', '1')]), isInvalidAt('pledges'))
})

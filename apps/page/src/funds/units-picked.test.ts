// Units entered per fund: their loan value in rupees, and field errors.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kaveriFunds } from '@lendloom/tests/setup/embed-lamf-views'
import { canEnterUnits, loanValueOf, pledgeEntriesFrom, requiredSchemes, unitsPerFund } from './units-picked.ts'

const [flexi, bond] = kaveriFunds.schemes as [(typeof kaveriFunds.schemes)[0], (typeof kaveriFunds.schemes)[0]]
const maxLoanPaise = 593_107_00n
const enter = (...texts: string[]) =>
  pledgeEntriesFrom([flexi, bond], texts, maxLoanPaise, ({ unitsRequired }) => `up to ${unitsRequired}`)

test('FIS12 §10.2: the loan value is summed over all funds and then rounded down to the rupee', () => {
  assert.deepEqual(enter('6249', ' 0 '), {
    texts: ['6249', ' 0 '],
    errors: {},
    pledges: [{ schemeCode: 'SHK-FLEX-G', units: '6249.000' }],
    rupees: '265660',
  })
  assert.equal(enter('', '10,201.250').rupees, '327447')
  assert.equal(enter('6249.000', '10201.25').rupees, '593107')
})

test('the amount is at most the lender’s maximum, and zero without units', () => {
  assert.equal(pledgeEntriesFrom([flexi, bond], ['6249', '10201.25'], 500_000_00n, () => '').rupees, '500000')
  assert.deepEqual(enter('', '0.000'), { texts: ['', '0.000'], errors: {}, pledges: [], rupees: '0' })
})

test('an invalid or too large number has an error and prevents the sum', () => {
  for (const text of ['some', '-1', '6249.001', '1.', '.5']) {
    const { errors, rupees } = enter(text, '1')
    assert.deepEqual(errors, { units0: 'up to 6249.000' }, text)
    assert.equal(rupees, null, text)
  }
  assert.deepEqual(enter('7000', '20000').errors, { units0: 'up to 6249.000', units1: 'up to 10201.250' })
})

test('the fields start with the units that the amount requires', () => {
  assert.deepEqual(unitsPerFund([flexi, bond], 300_000_00n, maxLoanPaise), ['3160.813', '5159.904'])
  assert.deepEqual(unitsPerFund([flexi, bond], null, maxLoanPaise), [null, null])
})

test('units can be entered if every NAV and LTV is known and no two fields share a scheme', () => {
  assert.ok(canEnterUnits([flexi, bond]))
  assert.ok(!canEnterUnits([flexi, { ...bond, nav: null }]))
  assert.ok(!canEnterUnits([flexi, { ...bond, ltv: null }]))
  assert.ok(!canEnterUnits([flexi, { ...flexi, folio: '2' }]))
  assert.deepEqual(requiredSchemes([{ ...flexi, unitsRequired: '0.000' }, bond]), [bond])
})

test('FIS12 §10.2: the loan value of each fund is shown while units are entered', () => {
  assert.equal(loanValueOf(flexi, ' 6,249.000'), '265660')
  assert.equal(loanValueOf(bond, '10201.25'), '327447')
  assert.equal(loanValueOf(flexi, ''), '0')
  for (const text of ['some', '-1', '1.']) assert.equal(loanValueOf(flexi, text), null)
  assert.equal(loanValueOf({ ...flexi, nav: null }, '1'), null)
  assert.equal(loanValueOf({ ...flexi, ltv: null }, '1'), null)
})

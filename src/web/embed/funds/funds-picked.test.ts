// Units entered fund by fund: their loan value in rupees, and field errors.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kaveriFunds } from '#test/setup/embed-lamf-views.ts'
import { carriedBy, enteredOf, mayEnter, pledgedOf, shareOf } from './funds-picked.ts'

const [flexi, bond] = kaveriFunds.schemes as [(typeof kaveriFunds.schemes)[0], (typeof kaveriFunds.schemes)[0]]
const all = 593_107_00n
const entered = (...texts: string[]) =>
  enteredOf([flexi, bond], texts, all, ({ unitsRequired }) => `up to ${unitsRequired}`)

test('FIS12 §10.2: the loan value of one fund is rounded down to the rupee, and a sum is rounded once', () => {
  assert.deepEqual(entered('6249', ' 0 '), {
    texts: ['6249', ' 0 '],
    wrong: {},
    pledges: [{ schemeCode: 'SHK-FLEX-G', units: '6249.000' }],
    rupees: '265660',
  })
  assert.equal(entered('', '10,201.250').rupees, '327447')
  assert.equal(entered('6249.000', '10201.25').rupees, '593107')
})

test('the amount never exceeds the lender’s maximum, and is zero without units', () => {
  assert.equal(enteredOf([flexi, bond], ['6249', '10201.25'], 500_000_00n, () => '').rupees, '500000')
  assert.deepEqual(entered('', '0.000'), { texts: ['', '0.000'], wrong: {}, pledges: [], rupees: '0' })
})

test('an invalid or too large number has its own error, and no sum is shown', () => {
  for (const text of ['some', '-1', '6249.001', '1.', '.5']) {
    const { wrong, rupees } = entered(text, '1')
    assert.deepEqual([wrong, rupees], [{ units0: 'up to 6249.000' }, null], text)
  }
  assert.deepEqual(entered('7000', '20000').wrong, { units0: 'up to 6249.000', units1: 'up to 10201.250' })
})

test('the fields start with the units that the amount requires', () => {
  assert.deepEqual(shareOf([flexi, bond], 300_000_00n, all), ['3160.813', '5159.904'])
  assert.deepEqual(shareOf([flexi, bond], null, all), [null, null])
})

test('units can be entered if every NAV is known and no two fields share a scheme', () => {
  assert.ok(mayEnter([flexi, bond]))
  assert.ok(!mayEnter([flexi, { ...bond, nav: null }]))
  assert.ok(!mayEnter([flexi, { ...bond, ltv: null }]))
  assert.ok(!mayEnter([flexi, { ...flexi, folio: '2' }]))
  assert.deepEqual(pledgedOf([{ ...flexi, unitsRequired: '0.000' }, bond]), [bond])
})

test('FIS12 §10.2: the loan value of each fund is shown while units are entered', () => {
  assert.equal(carriedBy(flexi, ' 6,249.000'), '265660')
  assert.equal(carriedBy(bond, '10201.25'), '327447')
  assert.equal(carriedBy(flexi, ''), '0')
  for (const text of ['some', '-1', '1.']) assert.equal(carriedBy(flexi, text), null)
  assert.equal(carriedBy({ ...flexi, nav: null }, '1'), null)
  assert.equal(carriedBy({ ...flexi, ltv: null }, '1'), null)
})

// Units entered fund by fund: what may be lent on them, to the rupee, and which field is wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kaveriFunds } from '#test/setup/embed-lamf-views.ts'
import { carriedBy, enteredOf, mayEnter, pledgedOf, shareOf } from './funds-picked.ts'

const [flexi, bond] = kaveriFunds.schemes as [(typeof kaveriFunds.schemes)[0], (typeof kaveriFunds.schemes)[0]]
const all = 593_107_00n
const entered = (...texts: string[]) =>
  enteredOf([flexi, bond], texts, all, ({ unitsRequired }) => `up to ${unitsRequired}`)

test('FIS12 §10.2: what one fund carries is rounded down to the rupee, both together once', () => {
  assert.deepEqual(entered('6249', ' 0 '), {
    texts: ['6249', ' 0 '],
    wrong: {},
    pledges: [{ schemeCode: 'SHK-FLEX-G', units: '6249.000' }],
    rupees: '265660',
  })
  assert.equal(entered('', '10,201.250').rupees, '327447')
  assert.equal(entered('6249.000', '10201.25').rupees, '593107')
})

test('never more than the lender lends, and nothing on nothing', () => {
  assert.equal(enteredOf([flexi, bond], ['6249', '10201.25'], 500_000_00n, () => '').rupees, '500000')
  assert.deepEqual(entered('', '0.000'), { texts: ['', '0.000'], wrong: {}, pledges: [], rupees: '0' })
})

test('a field that is no number, or more than is asked for, has words of its own, and nothing is told of the sum', () => {
  for (const text of ['some', '-1', '6249.001', '1.', '.5']) {
    const { wrong, rupees } = entered(text, '1')
    assert.deepEqual([wrong, rupees], [{ units0: 'up to 6249.000' }, null], text)
  }
  assert.deepEqual(entered('7000', '20000').wrong, { units0: 'up to 6249.000', units1: 'up to 10201.250' })
})

test('the fields begin with the share that the amount takes', () => {
  assert.deepEqual(shareOf([flexi, bond], 300_000_00n, all), ['3160.813', '5159.904'])
  assert.deepEqual(shareOf([flexi, bond], null, all), [null, null])
})

test('units are entered where every NAV is known and every field is a scheme of its own', () => {
  assert.ok(mayEnter([flexi, bond]))
  assert.ok(!mayEnter([flexi, { ...bond, nav: null }]))
  assert.ok(!mayEnter([flexi, { ...bond, ltv: null }]))
  assert.ok(!mayEnter([flexi, { ...flexi, folio: '2' }]))
  assert.deepEqual(pledgedOf([{ ...flexi, unitsRequired: '0.000' }, bond]), [bond])
})

test('FIS12 §10.2: what each fund carries is told while it is entered', () => {
  assert.equal(carriedBy(flexi, ' 6,249.000'), '265660')
  assert.equal(carriedBy(bond, '10201.25'), '327447')
  assert.equal(carriedBy(flexi, ''), '0')
  for (const text of ['some', '-1', '1.']) assert.equal(carriedBy(flexi, text), null)
  assert.equal(carriedBy({ ...flexi, nav: null }, '1'), null)
  assert.equal(carriedBy({ ...flexi, ltv: null }, '1'), null)
})

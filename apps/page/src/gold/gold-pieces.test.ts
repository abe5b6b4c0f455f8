// Sums of jewellery entered line by line, and the gold value that an offer implies.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyLine, isComplete, type JewelleryLine, sumOf } from './gold-pieces.ts'
import { goldValue, minutesByRoad } from './gold-value.ts'

const chain: JewelleryLine = { ...emptyLine, grams: '12.405', purity: '22K' }
const bangles: JewelleryLine = { kind: 'bangle', count: '4', grams: '8.25', perPiece: true, purity: '18K' }
const rings: JewelleryLine = { kind: 'ring', count: '3', grams: '9', perPiece: false, purity: '22K' }

test('D1 §2.1: the sum has the total weight, per piece or per line, and the lowest purity', () => {
  assert.deepEqual(sumOf([chain]), { count: 1, grams: '12.405', purity: '22K', isTooMuchCoin: false })
  assert.deepEqual(sumOf([chain, bangles, rings]), {
    count: 8,
    grams: '54.405',
    purity: '18K',
    isTooMuchCoin: false,
  })
  assert.equal(sumOf([{ ...rings, grams: ' 10.00 ' }])?.grams, '10')
})

test('an incomplete line prevents the sum', () => {
  const changes: Partial<JewelleryLine>[] = [
    { grams: '' },
    { grams: '0' },
    { grams: '12,4' },
    { grams: '-1' },
    { grams: '1.2345' },
    { count: '0' },
    { count: '1.5' },
    { purity: '' },
    { purity: '23K' },
  ]
  for (const change of changes) {
    assert.equal(isComplete({ ...chain, ...change }), false, JSON.stringify(change))
    assert.equal(sumOf([rings, { ...chain, ...change }]), null)
  }
  assert.equal(sumOf([]), null)
})

test('more than 50 grams of coins exceed the regulatory limit', () => {
  const coins: JewelleryLine = { kind: 'coin', count: '5', grams: '10', perPiece: true, purity: '24K' }
  assert.equal(sumOf([coins, bangles])?.isTooMuchCoin, false)
  assert.equal(sumOf([coins, { ...coins, count: '1', grams: '0.001' }])?.isTooMuchCoin, true)
})

test('FIS12 §9.1: the gold value is the loan amount divided by the loan-to-value ratio', () => {
  const offer = { amountPrincipal: '150000.00', ltvRatio: '75%' }
  assert.deepEqual(goldValue(offer, '25'), { rupees: '200000', perGram: '8000' })
  assert.deepEqual(goldValue({ ...offer, ltvRatio: '74.07%' }, 24.5), { rupees: '202500', perGram: '8266' })
  assert.deepEqual(goldValue({ ...offer, ltvRatio: '75 %' }, null), { rupees: '200000', perGram: null })
  for (const ltvRatio of [null, '', '0%', 'three quarters'])
    assert.equal(goldValue({ ...offer, ltvRatio }, 25), null, `${ltvRatio}`)
})

test('travel time is two minutes per kilometre, rounded to whole hours from one hour on', () => {
  assert.deepEqual([10, 20, 30, 40, 140, 830].map(minutesByRoad), [20, 40, 60, 60, 300, 1680])
})

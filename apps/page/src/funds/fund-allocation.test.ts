// Splits a portfolio by kind of fund.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EmbedHolding } from '@lendloom/wire/hosted/embed-lender'
import { allocationOf, totalOf } from './fund-allocation.ts'

const holding = (kind: EmbedHolding['kind'], worth: string, free = worth): EmbedHolding => ({
  name: 'A fund',
  kind,
  worth,
  free,
})

test('FIS12 §10.1: holdings are summed by kind of fund, largest first, with ELSS as equity', () => {
  const holdings = [
    holding('debt', '100.00'),
    holding('equity', '150.05'),
    holding('elss', '50.00', '0.00'),
    holding(null, '0.01'),
  ]
  assert.deepEqual(allocationOf(holdings), [
    { kind: 'equity', worth: 200_05n, share: 667 },
    { kind: 'debt', worth: 100_00n, share: 333 },
    { kind: 'unknown', worth: 1n, share: 0 },
  ])
  assert.equal(totalOf(holdings), 300_06n)
  assert.equal(totalOf(holdings, 'free'), 250_06n)
})

test('a portfolio without value has no shares', () => {
  assert.deepEqual(allocationOf([]), [])
  assert.deepEqual(allocationOf([holding('hybrid', '0.00')]), [])
})

// Every fault scenario is listed under one ending, and each product lists only its possible journeys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractOf, productIds } from '@lendloom/lending/product/products'
import { isPossibleFor } from './fault-products.ts'
import { faultRules } from './fault-rules.ts'
import { digitsWithoutStatement, endings, findJourney, journeysOf, ordinaryDigits } from './journeys.ts'

test('docs/reference/sandbox.md: every fault scenario is listed under exactly one ending', () => {
  const listed = endings.flatMap(({ digits }) => digits)
  assert.deepEqual(
    listed.toSorted(),
    [ordinaryDigits, digitsWithoutStatement, ...faultRules.map(({ digits }) => digits)].toSorted(),
  )
})

test('docs/reference/sandbox.md, FIS12 §9.1, §10.2: each product lists its possible journeys, the ordinary one first', () => {
  for (const id of productIds) {
    const listed = endings.flatMap((ending) => journeysOf(id, ending).map(({ digits }) => digits))
    assert.equal(listed.shift(), ordinaryDigits)
    if (contractOf(id).pledgesFunds) assert.equal(listed.shift(), digitsWithoutStatement)
    const possible = faultRules
      .filter(({ digits }) => isPossibleFor(digits, contractOf(id)))
      .map(({ digits }) => digits)
    assert.deepEqual(listed.toSorted(), possible.toSorted())
  }
  assert.equal(findJourney('GOLD_LOAN', '9041')?.ending.id, 'declined')
  assert.equal(findJourney('PERSONAL_LOAN', '9041'), undefined, 'a personal loan has no branch visit')
  assert.equal(findJourney('GOLD_LOAN', '9013'), undefined, 'a gold loan is disbursed at confirmation')
  assert.equal(findJourney('LAMF_LOAN', '9071'), undefined)
})

// Everything that the sandbox can play stands under one ending, and each product has journeys that can happen to it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractOf, productIds } from '#contract/product/products.ts'
import { canHappen } from './fault-products.ts'
import { faultRules } from './fault-rules.ts'
import { digitsWithoutStatement, endings, findJourney, journeysOf, ordinaryDigits } from './journeys.ts'

test('docs/reference/sandbox.md: every fault scenario is found under one ending, and none is invented', () => {
  const listed = endings.flatMap(({ digits }) => digits)
  assert.deepEqual(
    listed.toSorted(),
    [ordinaryDigits, digitsWithoutStatement, ...faultRules.map(({ digits }) => digits)].toSorted(),
  )
})

test('docs/reference/sandbox.md, FIS12 §9.1, §10.2: each product lists what can happen to it, the ordinary journey first', () => {
  for (const id of productIds) {
    const listed = endings.flatMap((ending) => journeysOf(id, ending).map(({ digits }) => digits))
    assert.equal(listed.shift(), ordinaryDigits)
    if (contractOf(id).pledgesFunds) assert.equal(listed.shift(), digitsWithoutStatement)
    const possible = faultRules.filter(({ digits }) => canHappen(digits, contractOf(id))).map(({ digits }) => digits)
    assert.deepEqual(listed.toSorted(), possible.toSorted())
  }
  assert.equal(findJourney('GOLD_LOAN', '9041')?.ending.id, 'declined')
  assert.equal(findJourney('PERSONAL_LOAN', '9041'), undefined, 'no branch sees gold')
  assert.equal(findJourney('GOLD_LOAN', '9013'), undefined, 'confirming pays out at once')
  assert.equal(findJourney('LAMF_LOAN', '9071'), undefined)
})

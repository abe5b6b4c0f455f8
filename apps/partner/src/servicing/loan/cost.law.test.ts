// Property tests: the cost of a loan depends on how long the borrower has the money, not on how payments are split.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costLaws, interestBeyondKeyFacts } from '@lendloom/tests/setup/cost-law'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'

for (const { title, law, runs } of costLaws) test(title, () => fc.assert(law, { numRuns: roundsOf(runs) }))

test('D3 §3: a returned payment can make a loan cost more interest than its key facts say', () => {
  assert.equal(interestBeyondKeyFacts(0), 0n, 'returned on its day')
  // After its return the principal is owed for as long as agreed, in addition to the six days before.
  assert.equal(interestBeyondKeyFacts(71), 290_00n)
})

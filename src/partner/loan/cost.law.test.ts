// Property tests: the cost of a loan depends on how long the borrower has the money, not on how payments are split.

import { test } from 'node:test'
import fc from 'fast-check'
import { costLaws } from '#test/setup/cost-law.ts'
import { roundsOf } from '#test/setup/law-rounds.ts'

for (const { title, law, runs } of costLaws) test(title, () => fc.assert(law, { numRuns: roundsOf(runs) }))

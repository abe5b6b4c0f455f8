// What a loan costs follows from the days on which the borrower had the money, and not from how payments are cut.
import { test } from 'node:test'
import fc from 'fast-check'
import { costLaws } from '#test/setup/cost-law.ts'

for (const { title, law, runs } of costLaws) test(title, () => fc.assert(law, { numRuns: runs }))

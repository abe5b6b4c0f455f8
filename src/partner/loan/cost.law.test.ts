// What a loan costs follows from the days on which the borrower had the money, and not from how payments are cut.
import { test } from 'node:test'
import fc from 'fast-check'
import {
  closingCostsItsDays,
  cutsCostTheSame,
  lateCostsTheSame,
  lateNewsClosesTheSame,
  orderChangesNothing,
} from '#test/setup/cost-law.ts'

test('D3 §2.5: what a loan costs does not depend on how the money of a day is cut into receipts', () => {
  fc.assert(cutsCostTheSame, { numRuns: 1500 })
})

test('D3 §6 rule 7: two receipts of a day leave the same schedule in either order', () => {
  fc.assert(orderChangesNothing, { numRuns: 1500 })
})

test('D3 §2.5: closing on a day never costs more than interest on what was outstanding on each day, and one unit a row', () => {
  fc.assert(closingCostsItsDays, { numRuns: 3000 })
})

test('D3 §6 rule 7: what closes a loan on a day closes it however late the lender learns of it', () => {
  fc.assert(lateNewsClosesTheSame, { numRuns: 1500 })
})

test('D3 §6 rule 7: money that the bank tells of late costs what it would have cost on its day', () => {
  fc.assert(lateCostsTheSame, { numRuns: 1500 })
})

// The list of unmatched movements: a page shows the first, the CSV has all.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchedPart, unmatchedPart } from './statement-movements-part.ts'

test('D3 §2.5: a page shows 500 unmatched movements of a statement, and its CSV has all', () => {
  const mismatches = Array.from({ length: 501 }, (_, i) => ({
    reference: `R${i}`,
    valueOn: '2026-11-20',
    bank: 100n,
    books: null,
    description: '',
    caseRef: null,
    loanId: null,
  }))
  const textOf = (isWhole: boolean) => {
    const part = unmatchedPart(mismatches, { seesDescriptions: true, isWhole, today: '2026-11-27' })
    return part === false ? '' : part.text
  }
  const page = textOf(false)
  const whole = textOf(true)
  assert.match(page, /R499<.*The first 500 of 501 movements\. The CSV has all\./s)
  assert.doesNotMatch(page, /R500</)
  assert.match(whole, /R500</)
  assert.doesNotMatch(whole, /The first 500/)
  const [first, all] = [false, true].map((isWhole) => (matchedPart(mismatches, isWhole) || { text: '' }).text)
  assert.match(first!, /R499<.*The first 500 of 501 movements\. The CSV has all\./s)
  assert.match(all!, /R500</)
})

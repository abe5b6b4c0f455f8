// The console's words for codes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endReasonText, inlineLabelOf, labelOf } from './code-labels.ts'

test('D3 §3: the console says in plain words why a loan whose payout came back is cancelled', () => {
  assert.match(endReasonText('PAYOUT_RETURNED'), /^the bank sent the money back to the lender/)
  assert.equal(endReasonText('NOT_CONTINUED'), 'not continued')
})

test('a status has one name in lists, timelines, sentences and figures', () => {
  assert.deepEqual(['PROFILED', 'LENDER_REDIRECTED'].map(labelOf), ['Profile complete', 'Sent to the lender'])
  assert.equal(inlineLabelOf('PROFILED'), 'profile complete')
})

// The words of what is planned for a journey.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plannedKinds } from '@lendloom/wire/console/journey-lists'
import { labelOf } from '../ui/code-labels.ts'
import { plannedText } from './planned-texts.ts'

const none = { lender: null, check: null, isOfSearch: false }

test('timeline: every kind of planned job has words of its own', () => {
  for (const kind of plannedKinds) assert.notEqual(plannedText(kind, none), labelOf(kind), kind)
})

test('timeline: what is planned names the lender and the check', () => {
  const tulsi = { ...none, lender: 'Tulsi Credit' }
  assert.equal(plannedText('network-timer', tulsi), 'Ask Tulsi Credit again if it has not answered')
  assert.equal(plannedText('network-timer', { ...none, isOfSearch: true }), 'Close the search for offers')
  assert.equal(plannedText('offer-lapse', tulsi), 'Tulsi Credit’s offer lapses')
  assert.equal(plannedText('offer-lapse', none), 'Check whether an offer is still valid')
  assert.equal(plannedText('partner-check', { ...none, check: 'kyc' }), 'Fetch the result of the check: KYC')
})

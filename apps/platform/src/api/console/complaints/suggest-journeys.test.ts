// Suggested journeys of an unmatched complaint: the numbers in the text, masking, and who sees them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { application, openSession } from '@lendloom/tests/setup/borrower'
import { consoleUser } from '@lendloom/tests/setup/console'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { mobilesIn } from './suggest-journeys.ts'

test('finds mobile numbers in every spelling, and at most three of them', () => {
  assert.deepEqual(mobilesIn(['My number is +91 98765-43210, or 09876543211.', 'ring 9876543210']), [
    '9876543210',
    '9876543211',
  ])
  assert.deepEqual(mobilesIn(['account 123498765432101234, PIN 560001, 5876543210']), [])
  assert.equal(mobilesIn([Array.from({ length: 50 }, (_, i) => `98765432${10 + i}`).join(' ')]).length, 3)
})

test('an officer gets the journeys of the number in the text with masked names; a platform viewer gets none', async () => {
  const platform = await testPlatform({ RATE_LIMITS: 'off' })
  const { endUse: _, ...applicant } = application()
  const mobile = '9812345678'
  const person = {
    ...applicant,
    borrowerProviderID: 'by-text',
    profile: { ...applicant.profile, contactNumber: mobile },
  }
  assert.equal((await openSession(platform.url, platform.tenant, person)).status, 201)
  const officer = await consoleUser(platform, { role: 'grievance-officer' })
  const viewer = await consoleUser(platform, { role: 'viewer' })
  const { journeyId } = (await officer.ask('GET', '/journeys')).body.items[0]
  const words = 'The fee was charged twice, and the support did not return my calls in the last week. My number is'
  const request = { category: 'OTHER', text: `${words} ${mobile}.`, language: 'en', email: 'new@mail.example' }
  const { complaintId } = (await officer.ask('POST', '/complaints', request)).body
  const detail = (await officer.ask('GET', `/complaints/${complaintId}`)).body
  const [suggestion, ...others] = detail.suggestions
  assert.deepEqual(suggestion.journeyId, journeyId)
  assert.equal(others.length, 0)
  assert.match(suggestion.name, /•/)
  const queue = (await officer.ask('GET', '/complaints')).body
  const [listed] = queue.items
  assert.equal(`${listed.subject} ${listed.excerpt} ${JSON.stringify(detail)}`.includes(mobile.slice(0, 6)), false)
  assert.deepEqual((await viewer.ask('GET', `/complaints/${complaintId}`)).body.suggestions, [])
  const match = { version: detail.version, journeyId }
  assert.equal((await officer.ask('POST', `/complaints/${complaintId}/match`, match)).status, 200)
  const matched = (await officer.ask('GET', `/complaints/${complaintId}`)).body
  assert.deepEqual(matched.suggestions, [])
  assert.equal(matched.product !== null, true)
})

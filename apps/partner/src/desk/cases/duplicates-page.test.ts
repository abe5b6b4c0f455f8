// The queue of possible duplicates: the comparison, one decision, and the effect of the decision on the next check.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deskPerson } from '@lendloom/tests/setup/desk'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'

const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })
const { view, send } = await deskPerson(partner, 'Meera', 'admin')
const pendingIds = async (): Promise<string[]> => {
  const { html } = await view('/desk/duplicates')
  return [...html.matchAll(/\/desk\/duplicates\/([0-9a-f-]{36})/g)].map(([, id]) => id!)
}

test('D3 §4.1: a decision on a possible duplicate applies to the next check of the same applicant', async () => {
  const known = new TestCase(partner)
  await known.register()
  const { pan, mobile } = known.lead.borrower
  const applicant = { pan, mobile, date_of_birth: '1971-01-01', name: 'Asha Kumari' }
  for (const caseRef of ['NEW-1', 'NEW-1', 'NEW-2'])
    assert.equal((await partner.dedupe(caseRef, applicant)).body.decision, 'REVIEW_REQUIRED')
  const ids = await pendingIds()
  assert.equal(ids.length, 1, 'a repeated check of the same applicant adds no review')
  const path = `/desk/duplicates/${ids[0]}`
  const { text, html } = await view(path)
  assert.match(text, /PAN ?•••• \S{4} ?•••• \S{4} ?same/)
  assert.match(text, /Date of birth ?•••• 1971 ?•••• \d{4} ?differs/)
  assert.equal(html.includes(pan) || html.includes(mobile.slice(-10)), false, 'PAN and mobile are masked')
  const withoutReason = await send(path, { decision: 'SAME', reason: '' })
  assert.equal(withoutReason.status, 400)
  assert.match(withoutReason.html, /value="SAME" required checked/)
  const reason = 'The first lead had the day and the month of birth exchanged.'
  const answers = await Promise.all([1, 2].map(() => send(path, { decision: 'SAME', reason })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409])
  assert.deepEqual(await pendingIds(), [])
  const { body } = await partner.dedupe('NEW-3', applicant)
  assert.equal(body.match_status, 'MATCH')
  assert.equal(body.decision, 'PROCEED')
  const other = await partner.dedupe('NEW-4', { ...applicant, date_of_birth: '1972-01-01' })
  assert.equal(other.body.decision, 'REVIEW_REQUIRED', 'the decision does not apply to another applicant')
})

test('D3 §4.1: without a known borrower, the page shows only the applicant, and one decision', async () => {
  const known = new TestCase(partner)
  await known.register()
  const { pan, mobile } = known.lead.borrower
  await partner.dedupe('NEW-6', { pan, mobile, date_of_birth: '1972-01-01', name: 'Asha Kumari' })
  const [reviewId] = (await pendingIds()).slice(-1)
  await partner.db`update dedupe_review set existing_case_ref = null where review_id = ${reviewId!}`
  const list = await view('/desk/duplicates')
  assert.match(list.text, /Waiting[\s\S]*No similar borrower/)
  const { text, html } = await view(`/desk/duplicates/${reviewId}`)
  assert.match(text, /Check this applicant[\s\S]*PAN•••• \S{4}[\s\S]*Not a known borrower/)
  assert.match(
    text,
    /Decide[\s\S]*It receives this decision when it checks[\s\S]*counts as a new borrower[\s\S]*Reason, for the file/,
  )
  assert.doesNotMatch(html, /type="radio"/)
  const decision = { decision: 'DIFFERENT', reason: 'Her papers are in order.' }
  assert.equal((await send(`/desk/duplicates/${reviewId}`, decision)).status, 303)
})

test('D3 §4.1: an address without the id of a comparison is refused', async () => {
  const { status } = await view('/desk/duplicates/300eb-cbf-affaa05c----da-ab9a8-3c6d-0')
  assert.equal(status, 400)
})

test('D3 §4.1: an applicant who has the PAN of a different person is declined', async () => {
  const known = new TestCase(partner)
  await known.register()
  const applicant = { pan: known.lead.borrower.pan, mobile: '+919800000001', date_of_birth: '1980-02-02' }
  await partner.dedupe('NEW-5', applicant)
  const [reviewId] = (await pendingIds()).slice(-1)
  const decision = await send(`/desk/duplicates/${reviewId}`, { decision: 'DIFFERENT', reason: 'Another face.' })
  assert.equal(decision.status, 303)
  const { body } = await partner.dedupe('NEW-5', applicant)
  assert.equal(body.decision, 'DECLINE')
  assert.equal(body.reason_code, 'IDENTITY_OF_ANOTHER')
})

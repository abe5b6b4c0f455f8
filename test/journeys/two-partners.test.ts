// A borrower with offers of two lending partners: each asks, recommends and offers for itself, one is chosen, and it lends.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OfferCard, OfferDetail } from '#contract/headless/offer.ts'
import { sentEvents } from '#kit/messaging/outbox.ts'
import { listCases } from '#platform/exchange/store.ts'
import { application, bankAccount, newApplicant } from '#test/setup/borrower.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import {
  callHeadless,
  cardsOf,
  completeSteps,
  mustCall,
  offerPath,
  startHeadlessJourney,
} from '#test/setup/headless.ts'
import { ask } from '#test/setup/platform.ts'
import { startPrograms, until } from '#test/setup/programs.ts'

const patient = { NETWORK_SEARCH_TTL: 'PT20S', NETWORK_CALL_TTL: 'PT25S', OFFER_WINDOW_SECONDS: '60' }
const programs = await startPrograms({ partner: true, secondPartner: true, env: patient })
const names = { first: 'Celestium Finance Limited', second: 'Kaveri Capital Limited' }

test('D3 §1.1, §3: of two partners’ offers one is chosen and paid out; the other one ends and is sent nothing of the borrower', async () => {
  const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant())
  const { journeyId } = borrower
  const { profile, workProfile, address } = application('ABCPE1234F')
  const bankingInformation = { ...bankAccount, accountType: 'SAVINGS' }
  const person = { profile, workProfile: { ...workProfile, employmentType: 'selfEmployed' }, address }
  await mustCall(borrower, 'PUT', `/journeys/${journeyId}/profile`, { ...person, bankingInformation })
  await mustCall(borrower, 'POST', `/journeys/${journeyId}/profile/submit`, { bureauConsent: true })
  const [first, second] = await until('offers of both', async () => {
    const cards: OfferCard[] = await cardsOf(borrower)
    const found = [names.first, names.second].map((name) =>
      cards.find(({ lenderName, status }) => lenderName === name && status === 'OFFER_RECEIVED'),
    )
    return found.every((card) => card !== undefined) ? (found as OfferCard[]) : undefined
  })
  assert.ok(first && second)
  assert.notDeepEqual([first.interestRate, first.amountPrincipal], [second.interestRate, second.amountPrincipal])
  const detail: OfferDetail = await mustCall(borrower, 'GET', offerPath(borrower, second.offerID))
  const facts = await ask(detail.keyFactsStatementLink ?? '')
  assert.ok(facts.body.includes(names.second) && facts.body.includes('Arjun Rao'), 'its own key facts')
  assert.doesNotMatch(facts.body, /Celestium|Meera/)

  await mustCall(borrower, 'POST', `${offerPath(borrower, second.offerID)}/proceed`)
  const of = { tenantId: programs.tenant.tenantId, journeyId }
  const caseOf = async (name: string) => {
    const cases = await listCases(programs.db, of)
    const [row] = await programs.db<{ partnerId: string }>`select partner_id from lending_partner where name = ${name}`
    return cases.find(({ partnerId }) => partnerId === row!.partnerId)!
  }
  const other = await caseOf(names.first)
  assert.deepEqual([other.stage, other.endedBecause], ['ENDED', 'the borrower chose another offer'])
  const refused = await callHeadless(borrower, 'POST', `${offerPath(borrower, first.offerID)}/proceed`, {})
  assert.equal(refused.status, 409, 'the other one cannot be chosen any more')

  assert.equal(await completeSteps(borrower, second.offerID, ['DISBURSED', 'REJECTED'], deadlineMs), 'DISBURSED')
  const chosen = await until('its loan', async () => {
    const found = await caseOf(names.second)
    return found.stage === 'DISBURSED' ? found : undefined
  })
  const typesOf = async ({ caseRef }: typeof chosen) =>
    (await sentEvents(programs.db, programs.seal, { tenantId: of.tenantId, partitionKey: caseRef })).map(
      ({ type }) => type,
    )
  assert.ok((await typesOf(chosen)).includes('OFFER_DECISION_RECORDED'))
  assert.deepEqual(await typesOf(other), [], 'D3 has no message that takes a duplicate check back')
  const senders = await programs.db<{ sender: string }>`
    select distinct sender from inbox where case_ref in (${chosen.caseRef}, ${other.caseRef})`
  assert.deepEqual(senders, [{ sender: 'KAVERI' }])
  assert.equal((await caseOf(names.first)).stage, 'ENDED')
})

// A borrower has offers from two lending partners and chooses one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentEvents } from '@lendloom/event-log/outbox'
import { listCases } from '@lendloom/platform/src/lenders/partner/store.ts'
import type { OfferCard, OfferDetail } from '@lendloom/wire/headless/offer'
import { application, bankAccount, newApplicant } from '#test/setup/borrower.ts'
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

const longTimeouts = { NETWORK_SEARCH_TTL: 'PT20S', NETWORK_CALL_TTL: 'PT25S', OFFER_WINDOW_SECONDS: '60' }
const programs = await startPrograms({ partner: true, secondPartner: true, env: longTimeouts })
const names = { first: 'Celestium Finance Limited', second: 'Kaveri Capital Limited' }

test('D3 §1.1, §3: the chosen partner disburses, and the other partner’s case ends without receiving the borrower’s data', async () => {
  const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant())
  const { journeyId } = borrower
  const { profile, workProfile, address } = application('ABCPE1234F')
  const bankingInformation = { ...bankAccount, accountType: 'SAVINGS' }
  const person = { profile, workProfile: { ...workProfile, employmentType: 'selfEmployed' }, address }
  await mustCall(borrower, 'PUT', `/journeys/${journeyId}/profile`, { ...person, bankingInformation })
  await mustCall(borrower, 'POST', `/journeys/${journeyId}/profile/submit`, { bureauConsent: true })
  const [first, second] = await until('offers of both partners', async () => {
    const cards: OfferCard[] = await cardsOf(borrower)
    const both = [names.first, names.second].map((name) =>
      cards.find(({ lenderName, status }) => lenderName === name && status === 'OFFER_RECEIVED'),
    )
    return both.every((card) => card !== undefined) ? (both as OfferCard[]) : undefined
  })
  assert.ok(first && second)
  const termsOf = ({ interestRate, amountPrincipal }: typeof first) => ({ interestRate, amountPrincipal })
  assert.notDeepEqual(termsOf(first), termsOf(second))
  const detail: OfferDetail = await mustCall(borrower, 'GET', offerPath(borrower, second.offerID))
  const facts = await ask(detail.keyFactsStatementLink ?? '')
  assert.ok(
    facts.body.includes(names.second) && facts.body.includes('Arjun Rao'),
    'the key facts of the second partner',
  )
  assert.doesNotMatch(facts.body, /Celestium|Meera/)

  await mustCall(borrower, 'POST', `${offerPath(borrower, second.offerID)}/proceed`)
  const journeyKey = { tenantId: programs.tenant.tenantId, journeyId }
  const caseOf = async (name: string) => {
    const cases = await listCases(programs.db, journeyKey)
    const [row] = await programs.db<{ partnerId: string }>`select partner_id from lending_partner where name = ${name}`
    return cases.find(({ partnerId }) => partnerId === row!.partnerId)!
  }
  const other = await caseOf(names.first)
  assert.equal(other.stage, 'ENDED')
  assert.equal(other.endedBecause, 'the borrower chose another offer')
  const refused = await callHeadless(borrower, 'POST', `${offerPath(borrower, first.offerID)}/proceed`, {})
  assert.equal(refused.status, 409, 'the other offer can no longer be chosen')

  assert.equal(await completeSteps(borrower, second.offerID, ['DISBURSED', 'REJECTED']), 'DISBURSED')
  const chosen = await until('the disbursal of the chosen partner', async () => {
    const loanCase = await caseOf(names.second)
    return loanCase.stage === 'DISBURSED' ? loanCase : undefined
  })
  const typesOf = async ({ caseRef }: typeof chosen) =>
    (await sentEvents(programs.db, programs.seal, { tenantId: journeyKey.tenantId, partitionKey: caseRef })).map(
      ({ type }) => type,
    )
  assert.ok((await typesOf(chosen)).includes('OFFER_DECISION_RECORDED'))
  assert.deepEqual(await typesOf(other), [], 'D3 has no message to cancel a dedupe check')
  const senders = await programs.db<{ sender: string }>`
    select distinct sender from inbox where case_ref in (${chosen.caseRef}, ${other.caseRef})`
  assert.deepEqual(senders, [{ sender: 'KAVERI' }])
  assert.equal((await caseOf(names.first)).stage, 'ENDED')
})

// Every ending of a journey within its time limits, by the sandbox's PAN rules, and the updates that the integrator receives.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { invariantsOf } from '@lendloom/conformance/network/v203/invariants'
import { transcriptOf } from '@lendloom/platform/src/lenders/network/transcript.ts'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { findViolations } from '#test/oracles/judge.ts'
import {
  answerPage,
  type Borrower,
  bankAccount,
  browseOnly,
  call,
  consents,
  enter,
  newApplicant,
  open,
  openSession,
  type Plan,
  proceedUntil,
  readView,
  showsScreen,
} from '#test/setup/borrower.ts'
import { allLenders } from '#test/setup/lenders.ts'
import { startListener } from '#test/setup/listener.ts'
import { patientSettings, until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'
import { archiveOf, registryKeys } from '#test/setup/transcript.ts'
import { inEnglish } from '#test/setup/words.ts'

const programs = await sharedPrograms({ lenders: allLenders, env: patientSettings })
const listener = await startListener(programs.platformUrl, programs.tenant)

/** Opens the hosted page for a new borrower with these PAN digits. */
async function openJourney(digits: string, person = newApplicant()): Promise<Borrower> {
  const opened = await openSession(programs.platformUrl, programs.tenant, person)
  return enter(programs.platformUrl, opened.body.embedUrl, `ABCPE${digits}F`)
}

async function runJourney(digits: string, done: (view: EmbedView) => boolean, plan: Plan = {}): Promise<Borrower> {
  const borrower = await openJourney(digits)
  await proceedUntil(borrower, digits, done, plan)
  return borrower
}

/** Waits for the update with this status, asserts the statuses before it, and returns the journey in it. */
async function waitForEnding({ journeyId }: Borrower, status: string, before: string[]) {
  const arrivals = await listener.waitForArrivals(journeyId, status)
  assert.deepEqual(
    arrivals.map((arrival) => arrival.status),
    [...before, status],
  )
  return arrivals.at(-1)!.payload.borrower.journey
}

const statusesToRedirect = ['STARTED', 'PROFILED', 'OFFERED', 'OFFER_SELECTED', 'OFFER_ACCEPTED', 'LENDER_REDIRECTED']
/** Whether every lender has answered; a consent request counts as an answer. */
const hasEveryAnswer = ({ lenders, accountAggregator }: EmbedView): boolean =>
  lenders.length === 5 &&
  lenders.every(
    ({ status, name }) => status !== 'OFFER_AWAITED' || accountAggregator.some((each) => each.lenderName === name),
  )
const answers = ({ lenders }: EmbedView) =>
  Object.fromEntries(lenders.map(({ name, status, reason }) => [name, { status, reason: reason && inEnglish(reason) }]))
const offerWithoutReason = { status: 'OFFER_RECEIVED', reason: null }

describe('endings', { concurrency: 6 }, () => {
  test('FIS12 §11.2, §4.1, PAN 9013: a status request finds a slow disbursal, and the lender does not push it as well', async () => {
    const borrower = await runJourney('9013', showsScreen('DISBURSED'))
    await waitForEnding(borrower, 'DISBURSED', statusesToRedirect)
    const messages = await transcriptOf(programs, programs.tenant.tenantId, borrower.journeyId)
    assert.ok(
      messages.some(({ action }) => action === 'status'),
      'the platform sent a status request',
    )
    assert.deepEqual(invariantsOf(messages, await registryKeys(programs)), [])
  })

  test('D1 §2.4, PAN 9001: lenders without an offer are listed with a reason, beside lenders with offers', async () => {
    const borrower = await runJourney('9001', hasEveryAnswer, browseOnly)
    const {
      'Kaveri Bank': kaveri,
      'Tulsi Credit': tulsi,
      'Narmada Finserv': narmada,
      ...others
    } = answers(borrower.view)
    assert.deepEqual(narmada, { status: 'OFFER_AWAITED', reason: null }, 'Narmada waits for a consent')
    assert.deepEqual(others, { 'Meridian Finance': offerWithoutReason, 'Sahyadri Capital': offerWithoutReason })
    for (const { status, reason } of [kaveri!, tulsi!]) {
      assert.equal(status, 'NO_OFFER_AVAILABLE')
      assert.match(reason!, /^[A-Z][^0-9]{10,}\.$/, 'a sentence, without a code')
    }
    await proceedUntil(borrower, 'the choice', ({ status }) => status === 'OFFER_SELECTED')
    const { lenders, offers } = await waitForEnding(borrower, 'OFFER_SELECTED', statusesToRedirect.slice(0, 3))
    assert.equal(lenders.length, 5)
    assert.equal(offers.length, 2)
  })

  test('D1 §2.5.2, §2.6, PAN 9002: a journey without offers is NOT_OFFERED and lists every lender', async () => {
    const borrower = await runJourney('9002', showsScreen('NOT_OFFERED'))
    const { lenders, offers, activity_status } = await waitForEnding(borrower, 'NOT_OFFERED', ['STARTED', 'PROFILED'])
    assert.equal(lenders.length, 5)
    assert.deepEqual(offers, [])
    assert.equal(activity_status, 'INACTIVE')
    const again = await call(borrower, 'POST', '/profile/submit', { consents: [] })
    assert.ok(again.status >= 400)
  })

  test('FIS12 §3.1, PAN 9004: a NACK means no offer, without waiting for a callback', async () => {
    const borrower = await runJourney('9004', hasEveryAnswer, browseOnly)
    assert.equal(answers(borrower.view)['Meridian Finance']!.status, 'NO_OFFER_AVAILABLE')
    assert.equal(borrower.view.offers.length, 3)
    await proceedUntil(borrower, 'the choice', ({ status }) => status === 'OFFER_SELECTED')
    const { lenders } = await waitForEnding(borrower, 'OFFER_SELECTED', statusesToRedirect.slice(0, 3))
    assert.equal(lenders.length, 5, 'the lender accepted the form before its NACK')
  })

  test('FIS12 §3.2, PAN 9005: an error instead of an offer means no offer', async () => {
    const borrower = await runJourney('9005', hasEveryAnswer, browseOnly)
    assert.equal(answers(borrower.view)['Meridian Finance']!.status, 'NO_OFFER_AVAILABLE')
    assert.equal(borrower.view.offers.length, 3)
  })

  test('D1 §2.6, PAN 9006: a rejected KYC ends the journey as REJECTED, with kyc_status FAILURE after one attempt', async () => {
    const borrower = await runJourney('9006', showsScreen('REJECTED'))
    const last = await waitForEnding(borrower, 'REJECTED', statusesToRedirect)
    assert.equal(last.kyc_status, 'FAILURE')
    assert.equal(last.kyc_attempts, 1)
    assert.equal(last.decision_status, 'NOT_APPROVED')
    assert.equal(last.emandate_status, 'PENDING')
    assert.equal(last.esign_status, 'PENDING')
    assert.equal(last.lender_mode, 'ONLINE')
    assert.match(inEnglish(borrower.view.endReason), /identity/)
  })

  test('D1 §2.6: declining on the KYC page ends the journey as REJECTED', async () => {
    const borrower = await runJourney('1234', showsScreen('REJECTED'), { declinedSteps: ['kyc'] })
    const { kyc_status } = await waitForEnding(borrower, 'REJECTED', statusesToRedirect)
    assert.equal(kyc_status, 'FAILURE')
  })

  for (const [digits, what, attempts] of [
    ['9007', 'KYC', [2, 1, 1]],
    ['9015', 'the mandate', [1, 2, 1]],
    ['9010', 'the signature', [1, 1, 2]],
    ['9008', 'the bank account', [1, 1, 1]],
  ] as const)
    test(`FIS12 §3.4, PAN ${digits}: ${what} fails once with a reason, and succeeds on the second attempt`, async () => {
      const problems = new Set<string>()
      const recordProblems = (view: EmbedView): boolean => {
        for (const { problem } of Object.values(view.steps)) if (problem) problems.add(inEnglish(problem))
        return view.screen === 'DISBURSED'
      }
      const borrower = await runJourney(digits, recordProblems)
      const last = await waitForEnding(borrower, 'DISBURSED', statusesToRedirect)
      assert.equal(last.kyc_attempts, attempts[0])
      assert.equal(last.emandate_attempts, attempts[1])
      assert.equal(last.esign_attempts, attempts[2])
      assert.equal(problems.size, 1)
      assert.equal(borrower.view.steps.bankMandate.attempts, digits === '9008' ? 2 : 1)
    })

  for (const [digits, screen, step, name, attempts] of [
    ['9007', 'KYC', 'kyc', 'kyc', [2, 1, 1]],
    ['9010', 'LOAN_AGREEMENT', 'loan-agreement', 'loanAgreement', [1, 1, 2]],
  ] as const)
    test(`D1 §3, PAN ${digits}: a retry on the open page counts as another attempt`, async () => {
      const borrower = await runJourney(digits, (view) => view.screen === screen && view.steps[name].status === 'READY')
      const page = await open(borrower, step)
      await answerPage(page, 'approve')
      await until('the failure', async () => (await readView(borrower)).steps[name].status === 'FAILURE')
      await answerPage(page, 'approve')
      await until('the success', async () => (await readView(borrower)).steps[name].status === 'SUCCESS')
      await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'))
      const last = await waitForEnding(borrower, 'DISBURSED', statusesToRedirect)
      assert.equal(last.kyc_attempts, attempts[0])
      assert.equal(last.emandate_attempts, attempts[1])
      assert.equal(last.esign_attempts, attempts[2])
    })

  test('D1 §2.6, PAN 9009: a rejected mandate ends the journey, and earlier steps stay SUCCESS', async () => {
    const borrower = await runJourney('9009', showsScreen('REJECTED'))
    const last = await waitForEnding(borrower, 'REJECTED', statusesToRedirect)
    assert.equal(last.kyc_status, 'SUCCESS')
    assert.equal(last.emandate_status, 'FAILURE')
    assert.equal(last.esign_status, 'PENDING')
    assert.equal(last.emandate_attempts, 1)
  })

  test('D1 §2.6: declining the agreement ends the journey', async () => {
    const borrower = await runJourney('1234', showsScreen('REJECTED'), { declinedSteps: ['loan-agreement'] })
    const last = await waitForEnding(borrower, 'REJECTED', statusesToRedirect)
    assert.equal(last.emandate_status, 'SUCCESS')
    assert.equal(last.esign_status, 'FAILURE')
    assert.equal(last.esign_attempts, 1)
  })

  test('D1 §3, PAN 9012: the lender’s refusal of the chosen amount ends the journey as REJECTED', async () => {
    const borrower = await runJourney('9012', showsScreen('REJECTED'))
    const last = await waitForEnding(borrower, 'REJECTED', statusesToRedirect.slice(0, 4))
    assert.equal(last.kyc_status, 'PENDING')
    assert.equal(last.kyc_attempts, null)
    assert.equal(last.lender_mode, 'ONLINE')
    assert.ok(last.offers.length > 0 && last.offers.every(({ accepted }) => !accepted))
  })

  test('D1 §3: declining the final offer ends the journey as REJECTED with the borrower’s reason', async () => {
    const borrower = await runJourney('1234', showsScreen('FINAL_OFFER'))
    const { offerId } = borrower.view.selected!
    for (const [act, input, field] of [
      [`/offers/${offerId}/decline`, { reason: '2341 2341 2346' }, 'reason'],
      ['/steps/bank-mandate', { ...bankAccount, accountHolderName: '234123412346' }, 'accountHolderName'],
    ] as const) {
      const { status, body } = await call(borrower, 'POST', act, input)
      assert.equal(status, 400, 'an Aadhaar number is refused')
      assert.equal(body.error.details.field, field)
    }
    const { body } = await call(borrower, 'POST', `/offers/${offerId}/decline`, { reason: 'Too dear' })
    assert.equal(body.view.status, 'REJECTED')
    assert.equal(inEnglish(body.view.endReason), 'You declined the final offer.')
    await waitForEnding(borrower, 'REJECTED', statusesToRedirect.slice(0, 4))
    assert.equal((await call(borrower, 'POST', `/offers/${offerId}/decline`, {})).status, 409)
  })

  test('D1 §3: withdrawing the consent ends the journey, and no lender receives further messages', async () => {
    const borrower = await runJourney('1234', showsScreen('OFFERS'))
    const { status, body } = await call(borrower, 'POST', '/consents/withdraw', {})
    const answeredAt = new Date()
    assert.equal(status, 200)
    assert.equal(body.view.screen, 'REJECTED')
    assert.equal(body.view.mayWithdraw, false)
    const last = await waitForEnding(borrower, 'REJECTED', statusesToRedirect.slice(0, 3))
    assert.equal(last.activity_status, 'INACTIVE')
    assert.equal(last.decision_status, 'NOT_APPROVED')
    const sent = (await archiveOf(programs, borrower.journeyId)).filter(({ direction }) => direction === 'sent')
    assert.ok(sent.some(({ action }) => action === 'select'))
    assert.ok(new Date(body.view.withdrawnAt) <= answeredAt)
    // Messages in flight at the commit may still be sent, but none after the answer.
    assert.deepEqual(
      sent.filter(({ sentAt }) => sentAt !== null && sentAt > answeredAt).map(({ action }) => action),
      [],
    )
    const refused = await call(borrower, 'POST', '/consents/withdraw', {})
    assert.equal(refused.status, 409)
  })

  test('D1 §2.6: after a refusal the borrower asks the other lenders in a new journey, once', async () => {
    const body = consents('bureau', 'data_sharing')
    const ask = (who: Borrower) => call({ ...who }, 'POST', '/journey/other-lenders', body)
    const person = newApplicant({ callbackUrl: listener.callbackUrl })
    const borrower = await openJourney('1234', person)
    await proceedUntil(borrower, 'the offers', showsScreen('OFFERS'), browseOnly)
    assert.equal((await ask(borrower)).status, 409, 'an active journey')
    assert.equal(borrower.view.mayAskOthers, false, 'an active journey')
    await proceedUntil(borrower, 'the refusal', showsScreen('REJECTED'), { declinedSteps: ['kyc'] })
    const { lenderName: refusing } = borrower.view.selected!
    const withoutConsent = await call({ ...borrower }, 'POST', '/journey/other-lenders', consents('bureau'))
    assert.equal(withoutConsent.status, 400)

    const [first, second] = await Promise.all([ask(borrower), ask(borrower)])
    assert.equal(first.status, 200)
    assert.equal(second.status, 200)
    const { sessionToken, view } = first.body
    assert.equal(second.body.view.journeyId, view.journeyId, 'two taps open one journey')
    assert.notEqual(view.journeyId, borrower.journeyId)
    const next: Borrower = { ...borrower, sessionToken, journeyId: view.journeyId, view, answeredVisits: new Set() }
    await proceedUntil(next, 'the other offers', ({ offers, searching }) => offers.length > 0 && !searching, browseOnly)
    assert.deepEqual(
      next.view.lenders.filter(({ name }) => name === refusing),
      [],
      'the lender that refused is not asked',
    )
    assert.equal((await readView(borrower)).screen, 'REJECTED', 'the refused journey is as it was')
    await proceedUntil(next, 'a loan', showsScreen('DISBURSED'))
    await listener.waitForArrivals(next.journeyId, 'DISBURSED', ['webhook', 'callback'])
    const [started] = listener.received(next.journeyId, 'callback')
    assert.equal(started!.status, 'STARTED', 'the app learns of the new journey at the same address')
    assert.equal(started!.payload.borrower.provider_id, person.borrowerProviderID)
  })

  test('FIS12 §19.3, PAN 9072: a loan completed offline needs one page, one init and one confirm', async () => {
    const screens = new Set<string>()
    const recordScreens = ({ screen, selected }: EmbedView): boolean => {
      screens.add(selected?.visitBooked ? `${screen} pending` : screen)
      return screen === 'DISBURSED'
    }
    const borrower = await runJourney('9072', recordScreens)
    const last = await waitForEnding(borrower, 'DISBURSED', statusesToRedirect)
    assert.equal(last.kyc_status, 'SUCCESS')
    assert.equal(last.emandate_status, 'SUCCESS')
    assert.equal(last.esign_status, 'SUCCESS')
    assert.equal(last.lender_mode, 'OFFLINE')
    assert.equal(last.kyc_attempts, 1)
    assert.equal(borrower.view.bankAccount, null)
    assert.ok(screens.has('KYC pending') && !screens.has('BANK') && !screens.has('LOAN_AGREEMENT'), [...screens].join())
    const { kyc, ...otherSteps } = borrower.view.steps
    assert.equal(otherSteps.bankMandate.status, 'NOT_REQUIRED')
    assert.equal(otherSteps.eMandate.status, 'NOT_REQUIRED')
    assert.equal(otherSteps.loanAgreement.status, 'NOT_REQUIRED')
    const messages = await transcriptOf(programs, programs.tenant.tenantId, borrower.journeyId)
    assert.equal(messages.filter(({ action }) => action === 'init').length, 1)
  })

  test('FIS12 §19.3, PAN 9073: when the lender completes account and mandate offline, only the agreement is signed online', async () => {
    const borrower = await runJourney('9073', showsScreen('DISBURSED'))
    const last = await waitForEnding(borrower, 'DISBURSED', statusesToRedirect)
    assert.equal(last.kyc_status, 'SUCCESS')
    assert.equal(last.emandate_status, 'SUCCESS')
    assert.equal(last.esign_status, 'SUCCESS')
    assert.equal(last.lender_mode, 'OFFLINE')
    assert.equal(last.esign_attempts, 1)
    assert.equal(borrower.view.bankAccount, null)
    const { bankMandate, eMandate, loanAgreement } = borrower.view.steps
    assert.equal(bankMandate.status, 'NOT_REQUIRED')
    assert.equal(eMandate.status, 'NOT_REQUIRED')
    assert.equal(loanAgreement.status, 'SUCCESS')
  })

  test('FIS12 §19.3: declining the offline step ends the journey as REJECTED', async () => {
    const borrower = await runJourney('9072', showsScreen('REJECTED'), { declinedSteps: ['kyc'] })
    const { kyc_status, lender_mode } = await waitForEnding(borrower, 'REJECTED', statusesToRedirect)
    assert.equal(kyc_status, 'FAILURE')
    assert.equal(lender_mode, 'OFFLINE')
  })

  test('FIS12 §11.2, PAN 9014: a status request finds a disbursal that the lender does not push', async () => {
    const borrower = await runJourney('9014', showsScreen('DISBURSED'))
    const { offers } = await waitForEnding(borrower, 'DISBURSED', statusesToRedirect)
    assert.ok(offers.find(({ accepted }) => accepted)!.installments.length > 0)
  })
})

test('D1 §6: the updates of these journeys obey the specification, and no program logged an error', async () => {
  assert.deepEqual(findViolations(listener), [])
  assert.deepEqual(programs.errorLines, [])
})

// A credit line at a lender with one combined page, from the statement to the open line and the first drawdown.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { findViolations } from '#test/oracles/judge.ts'
import { disbursedStatuses } from '#test/oracles/lifecycle-oracle.ts'
import { call, enter, type Plan, proceedUntil, readView, showsScreen } from '#test/setup/borrower.ts'
import { fundsCases, mfc } from '#test/setup/funds.ts'
import { allLenders } from '#test/setup/lenders.ts'
import { startListener } from '#test/setup/listener.ts'
import { ask } from '#test/setup/platform.ts'
import { until } from '#test/setup/programs.ts'
import { resealAll } from '#test/setup/reseal.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'
import { inEnglish } from '#test/setup/words.ts'

const programs = await sharedPrograms({ lenders: allLenders })
const listener = await startListener(programs.platformUrl, programs.tenant)
const { startJourney, assertValidTranscript } = fundsCases(programs)

const lineRequest = { mfc, loanPreferences: { productType: 'CREDIT_LINE' } }

/** Starts a journey, chooses Tulsi's offer, and opens the hosted page. A choice ends the search, so `others` have answered before it. */
async function borrowerWithTulsi(digits: string, choice: object = {}, others: string[] = []) {
  const { callHybrid, lenders } = await startJourney(digits, lineRequest)
  await until('the other lenders', async () => {
    const names = (await lenders()).map(({ lender_name }) => lender_name)
    return others.every((name) => names.includes(name))
  })
  const tulsi = await until('the offer of Tulsi Credit', async () =>
    (await lenders()).find(({ lender_name, offers }) => lender_name === 'Tulsi Credit' && offers.length > 0),
  )
  const handover = await callHybrid('POST', `/offers/${tulsi.offers[0]!.offer_id}/hosted`, choice)
  return { tulsi, lenders, callHybrid, borrower: await enter(programs.platformUrl, handover.body.data.hosted_url) }
}

async function runJourney(digits: string, last: EmbedView['screen'], plan: Plan = {}) {
  const { borrower } = await borrowerWithTulsi(digits)
  const screens: string[] = []
  await proceedUntil(
    borrower,
    last,
    (view) => {
      if (screens.at(-1) !== view.screen) screens.push(view.screen)
      return view.screen === last
    },
    plan,
  )
  return { borrower, screens }
}

const updatesOf = async (journeyId: string, status: string) =>
  (await listener.waitForArrivals(journeyId, status)).map(({ payload }) => payload.borrower.journey)

describe('D1 §4, D1 §6.6: credit lines on the page of their lender, then a new key, one story', () => {
  describe("a credit line on the lender's own page", { concurrency: 3 }, () => {
    test('D1 §4, FIS12 §17.4, §17.5: the combined page opens the line, and the first drawdown is DISBURSED', async () => {
      const { tulsi, lenders, borrower, callHybrid } = await borrowerWithTulsi('9055', { amount: '300000' }, [
        'Narmada Finserv',
      ])
      assert.equal(tulsi.offers[0]!.amount_principal, '500000.00')
      assert.deepEqual((await lenders()).map(({ lender_name }) => lender_name).sort(), [
        'Narmada Finserv',
        'Tulsi Credit',
      ])
      await proceedUntil(borrower, 'the page', showsScreen('KYC'))
      const { steps } = borrower.view
      assert.equal(steps.bankMandate.status, 'SUCCESS')
      assert.equal(steps.eMandate.status, 'NOT_REQUIRED')
      assert.equal(steps.loanAgreement.status, 'NOT_REQUIRED')
      await proceedUntil(borrower, 'the open line', showsScreen('LINE_OPEN'))
      const limit = Number(borrower.view.creditLine!.limit)
      const updates = await updatesOf(borrower.journeyId, 'DISBURSED')
      assert.deepEqual(
        updates.map(({ status, lender_mode }) => ({ status, lender_mode })),
        disbursedStatuses.map((status, i) => ({
          status,
          lender_mode: i < disbursedStatuses.indexOf('OFFER_SELECTED') ? null : 'OFFLINE',
        })),
      )
      const last = updates.at(-1)!
      assert.equal(last.kyc_status, 'SUCCESS')
      assert.equal(last.emandate_status, 'SUCCESS')
      assert.equal(last.esign_status, 'SUCCESS')
      assert.equal(last.kyc_attempts, 1)
      assert.equal(last.emandate_attempts, 1)
      assert.equal(last.esign_attempts, 1)
      assert.deepEqual(last.offers.find(({ accepted }) => accepted)!.installments, [])
      // The lender reports a partial repayment: the figures change without a lifecycle update.
      const line = await until('a partial repayment', async () => {
        const { credit_line } = (await callHybrid('GET', '/offers')).body.data
        return Number(credit_line.utilised) < limit / 2 && Number(credit_line.utilised) > 0 && credit_line
      })
      assert.equal(Number(line.available), limit - Number(line.utilised))
      const { screen, creditLine } = await readView(borrower)
      assert.equal(screen, 'LINE_OPEN')
      assert.equal(creditLine!.used, line.utilised)
      assert.equal(creditLine!.free, line.available)
      await assertValidTranscript(borrower.journeyId)
    })

    test('D1 §3: the borrower sees one screen between the bank account and the open line', async () => {
      const { borrower, screens } = await runJourney('1251', 'LINE_OPEN')
      const due = screens.filter((screen) => /^(BANK|KYC|LIEN|E_MANDATE|LOAN_AGREEMENT)$/.test(screen))
      assert.deepEqual(due, ['BANK', 'KYC'])
      await assertValidTranscript(borrower.journeyId)
    })

    test('FIS12 §13.1: declining the combined page ends the journey and fails all its steps', async () => {
      const { borrower } = await runJourney('1252', 'REJECTED', { declinedSteps: ['kyc'] })
      assert.match(inEnglish(borrower.view.endReason), /no on the lender’s page/)
      const updates = await updatesOf(borrower.journeyId, 'REJECTED')
      assert.deepEqual(
        updates.map(({ status }) => status),
        [...disbursedStatuses.slice(0, -1), 'REJECTED'],
      )
      const last = updates.at(-1)!
      assert.equal(last.kyc_status, 'FAILURE')
      assert.equal(last.emandate_status, 'FAILURE')
      assert.equal(last.esign_status, 'FAILURE')
      assert.equal(last.lender_mode, 'OFFLINE')
      assert.equal(last.decision_status, 'NOT_APPROVED')
      await assertValidTranscript(borrower.journeyId)
    })

    test('FIS12 §3.4, PAN 9010: a signature that fails once is retried on the same page', async () => {
      const { borrower } = await runJourney('9010', 'LINE_OPEN')
      assert.equal(borrower.view.steps.kyc.attempts, 2)
      await assertValidTranscript(borrower.journeyId)
    })

    test('FIS12 §11.2, §17.5, PAN 9014: a status request finds a drawdown that the lender does not push', async () => {
      const { borrower } = await runJourney('9014', 'LINE_OPEN')
      await until('the drawdown', async () => {
        await call(borrower, 'POST', '/servicing/status')
        return Number((await readView(borrower)).creditLine!.used) > 0
      })
      await updatesOf(borrower.journeyId, 'DISBURSED')
      await assertValidTranscript(borrower.journeyId)
    })

    test('D1 §3: the sandbox advances the journey to DISBURSED', async () => {
      const { journeyId } = await startJourney('9055', lineRequest)
      const path = `/api/sandbox/journeys/${journeyId}/advance`
      const body = { to: 'DISBURSED' }
      const accepted = await ask(`${programs.platformUrl}${path}`, {
        method: 'POST',
        key: programs.tenant.apiKey,
        body,
      })
      assert.equal(accepted.status, 202)
      await listener.waitForArrivals(journeyId, 'DISBURSED')
      await assertValidTranscript(journeyId)
    })
  })

  test('D1 §6: the updates of these journeys obey the specification', () => {
    assert.deepEqual(findViolations(listener), [])
  })

  test('no program logged an error', () => {
    assert.deepEqual(programs.errorLines, [])
  })

  test('D1 §6.6: resealing moves all sealed values to the new key', async () => {
    const moved = await resealAll(programs)
    for (const column of [
      'platform portfolio.mfc_sealed',
      'platform profile.profile_sealed',
      'sandbox pledge.offered_sealed',
    ])
      assert.ok(moved.has(column), column)
  })
})

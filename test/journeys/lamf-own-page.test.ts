// A credit line with a lender that sees to everything on one page of its own, from the statement to the open line, and drawn.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EmbedView } from '#contract/hosted/embed.ts'
import { judged } from '#test/exactness/judge.ts'
import { canonical } from '#test/exactness/lifecycle-oracle.ts'
import { call, enter, goOn, type Plan, readView, shows } from '#test/setup/borrower.ts'
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
const { begun, assertCleanOnTheNetwork } = fundsCases(programs)

const aLine = { mfc, loanPreferences: { productType: 'CREDIT_LINE' } }

/** The borrower has chosen the offer of the lender with a page of its own, and is on the hosted page. */
async function chosen(digits: string, requested: object = {}) {
  const { say, lenders } = await begun(digits, aLine)
  const tulsi = await until('the offer of Tulsi Credit', async () =>
    (await lenders()).find(({ lender_name, offers }) => lender_name === 'Tulsi Credit' && offers.length > 0),
  )
  const handed = await say('POST', `/offers/${tulsi.offers[0]!.offer_id}/hosted`, requested)
  return { tulsi, lenders, say, borrower: await enter(programs.platformUrl, handed.body.data.hosted_url) }
}

/** Goes on, and gives the screens that were passed. */
async function walked(digits: string, last: EmbedView['screen'], plan: Plan = {}) {
  const { borrower } = await chosen(digits)
  const screens: string[] = []
  await goOn(
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
  (await listener.arrivalsUntil(journeyId, status)).map(({ payload }) => payload.borrower.journey)

describe("a credit line on the lender's own page", { concurrency: 3 }, () => {
  test('D1 §4, FIS12 §17.4, §17.5: hybrid, one page for everything, the open line; drawing on it is DISBURSED', async () => {
    const { tulsi, lenders, borrower, say } = await chosen('9055', { amount: '300000' })
    assert.equal(tulsi.offers[0]!.amount_principal, '500000.00')
    assert.deepEqual((await lenders()).map(({ lender_name }) => lender_name).sort(), [
      'Narmada Finserv',
      'Tulsi Credit',
    ])
    await goOn(borrower, 'the page', shows('KYC'))
    const { steps } = borrower.view
    assert.deepEqual(
      [steps.bankMandate.status, steps.eMandate.status, steps.loanAgreement.status],
      ['SUCCESS', 'NOT_REQUIRED', 'NOT_REQUIRED'],
    )
    await goOn(borrower, 'the open line', shows('LINE_OPEN'))
    const limit = Number(borrower.view.creditLine!.limit)
    const updates = await updatesOf(borrower.journeyId, 'DISBURSED')
    assert.deepEqual(
      updates.map(({ status, lender_mode }) => [status, lender_mode]),
      canonical.map((status, i) => [status, i < canonical.indexOf('OFFER_SELECTED') ? null : 'OFFLINE']),
    )
    const last = updates.at(-1)!
    assert.deepEqual([last.kyc_status, last.emandate_status, last.esign_status], Array(3).fill('SUCCESS'))
    assert.deepEqual([last.kyc_attempts, last.emandate_attempts, last.esign_attempts], [1, 1, 1])
    assert.deepEqual(last.offers.find(({ accepted }) => accepted)!.installments, [])
    // A part of what was drawn is paid back: no update of D1, and the new figures wherever they are read.
    const line = await until('a part paid back', async () => {
      const { credit_line } = (await say('GET', '/offers')).body.data
      return Number(credit_line.utilised) < limit / 2 && Number(credit_line.utilised) > 0 && credit_line
    })
    assert.equal(Number(line.available), limit - Number(line.utilised))
    const { screen, creditLine } = await readView(borrower)
    assert.deepEqual([screen, creditLine!.used, creditLine!.free], ['LINE_OPEN', line.utilised, line.available])
    await assertCleanOnTheNetwork(borrower.journeyId)
  })

  test('D1 §3: between the account and the open line the borrower meets one screen', async () => {
    const { borrower, screens } = await walked('1251', 'LINE_OPEN')
    const due = screens.filter((screen) => /^(BANK|KYC|LIEN|E_MANDATE|LOAN_AGREEMENT)$/.test(screen))
    assert.deepEqual(due, ['BANK', 'KYC'])
    await assertCleanOnTheNetwork(borrower.journeyId)
  })

  test('FIS12 §13.1: a page that is declined ends it, with one result for all that was due there', async () => {
    const { borrower } = await walked('1252', 'REJECTED', { declines: ['kyc'] })
    assert.match(inEnglish(borrower.view.endReason), /the lender's page/)
    const updates = await updatesOf(borrower.journeyId, 'REJECTED')
    assert.deepEqual(
      updates.map(({ status }) => status),
      [...canonical.slice(0, -1), 'REJECTED'],
    )
    const last = updates.at(-1)!
    assert.deepEqual([last.kyc_status, last.emandate_status, last.esign_status], Array(3).fill('FAILURE'))
    assert.deepEqual([last.lender_mode, last.decision_status], ['OFFLINE', 'NOT_APPROVED'])
    await assertCleanOnTheNetwork(borrower.journeyId)
  })

  test('FIS12 §3.4, PAN 9010: a signature that fails once is given again on the same page', async () => {
    const { borrower } = await walked('9010', 'LINE_OPEN')
    assert.equal(borrower.view.steps.kyc.attempts, 2)
    await assertCleanOnTheNetwork(borrower.journeyId)
  })

  test('FIS12 §11.2, §17.5, PAN 9014: a line that is drawn untold shows it when it is asked', async () => {
    const { borrower } = await walked('9014', 'LINE_OPEN')
    await until('the drawing', async () => {
      await call(borrower, 'POST', '/servicing/status')
      return Number((await readView(borrower)).creditLine!.used) > 0
    })
    await updatesOf(borrower.journeyId, 'DISBURSED')
    await assertCleanOnTheNetwork(borrower.journeyId)
  })

  test('D1 §3: the sandbox drives it to the money, through the same acts', async () => {
    const { journeyId } = await begun('9055', aLine)
    const path = `/api/sandbox/journeys/${journeyId}/advance`
    const body = { to: 'DISBURSED' }
    const taken = await ask(`${programs.platformUrl}${path}`, { method: 'POST', key: programs.tenant.apiKey, body })
    assert.equal(taken.status, 202)
    await listener.arrivalsUntil(journeyId, 'DISBURSED')
    await assertCleanOnTheNetwork(journeyId)
  })
})

test('D1 §6: of none of these journeys was more told than the document allows', () => {
  assert.deepEqual(judged(listener), [])
})

test('no program complained', () => {
  assert.deepEqual(programs.complaints, [])
})

test('D1 §6.6: all that was sealed moves to another key', async () => {
  const moved = await resealAll(programs)
  for (const column of [
    'platform portfolio.mfc_sealed',
    'platform profile.profile_sealed',
    'sandbox pledge.offered_sealed',
  ])
    assert.ok(moved.has(column), column)
})

// One journey per product and API to the money, and one loan of the lending partner to its first instalment. The programs run
// in this process, and the test moves their clock.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { clockFile } from '@lendloom/cli/src/installation.ts'
import { disbursedStatuses, updateFaults } from '#test/oracles/lifecycle-oracle.ts'
import { enter, gold, newApplicant, openSession, proceedUntil, showsScreen } from '#test/setup/borrower.ts'
import { fundsCases, mfc } from '#test/setup/funds.ts'
import {
  cardsOf,
  completeSteps,
  mustCall,
  offerPath,
  startHeadlessJourney,
  submitProfile,
} from '#test/setup/headless.ts'
import { startListener } from '#test/setup/listener.ts'
import { loanFromPartner, statusOf } from '#test/setup/partner-loan.ts'
import { clockAdvancer } from '#test/setup/passing.ts'
import { startPrograms, until } from '#test/setup/programs.ts'
import { assertValidMessages } from '#test/setup/transcript.ts'

const directory = mkdtempSync(join(tmpdir(), 'lendloom-smoke-'))
after(() => rmSync(directory, { recursive: true }))
const programs = await startPrograms({
  inProcess: true,
  partner: true,
  env: { CLOCK_FILE: clockFile(directory), PARTNER_STATUS_SECONDS: '5' },
})
const listener = await startListener(programs.platformUrl, programs.tenant)

/** Asserts that the webhook received the seven updates of a loan in order, each in the format of D1. */
async function assertUpdates(journeyId: string): Promise<void> {
  const arrivals = await listener.waitForArrivals(journeyId, 'DISBURSED')
  assert.deepEqual(
    arrivals.map(({ status }) => status),
    disbursedStatuses,
  )
  for (const { status, payload } of arrivals) assert.deepEqual(updateFaults(payload), [], status)
  assert.deepEqual(listener.forged, [])
}

async function hostedLoan(request: object = {}) {
  const opened = await openSession(programs.platformUrl, programs.tenant, { ...newApplicant(), ...request })
  assert.equal(opened.status, 201)
  const borrower = await enter(programs.platformUrl, opened.body.embedUrl)
  await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'))
  return borrower
}

describe('smoke', { concurrency: 3 }, () => {
  test('D1 §6.2, FIS12 §12: a hosted personal loan is disbursed', async () => {
    const borrower = await hostedLoan()
    await assertUpdates(borrower.journeyId)
    await assertValidMessages(programs, borrower.journeyId)
  })

  test('D1 §6.2, FIS12 §9.1: a hosted gold loan is disbursed', async () => {
    const borrower = await hostedLoan({ journeyType: 'GOLD_LOAN', goldLoan: { ...gold, userType: 'individual' } })
    await assertUpdates(borrower.journeyId)
    await assertValidMessages(programs, borrower.journeyId)
  })

  test('D1 §4, FIS12 §10.2: a loan against mutual funds, begun by the hybrid calls, is disbursed', async () => {
    const { startJourney, assertValidTranscript } = fundsCases(programs)
    const { callHybrid, lenders, journeyId } = await startJourney('1234', {
      mfc,
      loanPreferences: { productType: 'TERM_LOAN' },
    })
    const offer = await until('an offer', async () => (await lenders()).flatMap(({ offers }) => offers).at(0))
    const handOff = await callHybrid('POST', `/offers/${offer.offer_id}/hosted`, {})
    const borrower = await enter(programs.platformUrl, handOff.body.data.hosted_url)
    await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'))
    await assertUpdates(journeyId)
    await assertValidTranscript(journeyId)
  })

  test('D2 §2.3, §4, D1 §6.2: a personal loan by headless calls only is disbursed', async () => {
    const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant())
    await submitProfile(borrower)
    const card = await until('an offer of the network', async () =>
      (await cardsOf(borrower)).find(
        ({ status, lenderName }: { status: string; lenderName: string }) =>
          status === 'OFFER_RECEIVED' && !lenderName.startsWith('Celestium'),
      ),
    )
    await mustCall(borrower, 'POST', `${offerPath(borrower, card.offerID)}/proceed`)
    assert.equal(await completeSteps(borrower, card.offerID, ['DISBURSED', 'REJECTED']), 'DISBURSED')
    await assertUpdates(borrower.journeyId)
    await assertValidMessages(programs, borrower.journeyId)
  })
})

test('D3 §1.1 rule 7: a loan of the lending partner is disbursed, and a week later its first instalment is paid', async () => {
  const loan = await loanFromPartner(programs, { pan: 'ABCPE1234F', accountNumber: '50100123456781' })
  await assertUpdates(loan.borrower.journeyId)
  const paidOut = await statusOf(programs, loan)
  assert.equal(paidOut.loan_status, 'ACTIVE')
  const advanceClock = clockAdvancer(programs, directory)
  await advanceClock('8d', { step: '1d' })
  const status = await until('the first instalment', async () => {
    const current = await statusOf(programs, loan)
    return current.payments.some((payment) => payment.status === 'POSTED') && current
  })
  assert.equal(status.amortization_schedule!.installments[0]!.status, 'PAID')
  const [posted] = status.payments
  assert.equal(posted!.amount, status.amortization_schedule!.installments[0]!.amount)
})

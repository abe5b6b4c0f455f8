// Programs are killed and restarted during a partner's loan: no event is lost or applied twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMainCase } from '@lendloom/platform/src/lenders/partner/store.ts'
import { connect } from '@lendloom/postgres/sql'
import type { OfferCard } from '@lendloom/wire/headless/offer'
import { application, bankAccount, newApplicant } from '#test/setup/borrower.ts'
import {
  cardsOf,
  completeSteps,
  type HeadlessBorrower,
  mustCall,
  offerPath,
  startHeadlessJourney,
  waitForStatus,
} from '#test/setup/headless.ts'
import { startPrograms, until } from '#test/setup/programs.ts'

const programs = await startPrograms({
  partner: true,
  env: { PARTNER_DEDUPE_SECONDS: '60', OFFER_WINDOW_SECONDS: '60' },
})

async function newApplication(): Promise<HeadlessBorrower> {
  const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant())
  const { profile, workProfile, address } = application()
  const path = `/journeys/${borrower.journeyId}/profile`
  await mustCall(borrower, 'PUT', path, {
    profile,
    workProfile: { ...workProfile, employmentType: 'selfEmployed' },
    address,
    bankingInformation: { ...bankAccount, accountType: 'SAVINGS' },
  })
  await mustCall(borrower, 'POST', `${path}/submit`, { bureauConsent: true })
  return borrower
}

const offerOfPartner = (borrower: HeadlessBorrower): Promise<OfferCard> =>
  until('an offer of the partner', async () =>
    (await cardsOf(borrower)).find(
      ({ lenderName, status }: OfferCard) => lenderName === 'Celestium Finance Limited' && status === 'OFFER_RECEIVED',
    ),
  )

const restart = async (program: 'platform' | 'partner', downMs = 300): Promise<void> => {
  await programs.kill(program)
  await new Promise((resolve) => setTimeout(resolve, downMs))
  await programs.start(program)
}

test('D3 §6 rule 8, §7: with repeated crashes of platform and partner the loan is disbursed once', async () => {
  await programs.kill('partner')
  const borrower = await newApplication()
  await until('a duplicate check that fails', async () => {
    const failed = await programs.db`select from job where kind = 'partner-dedupe' and last_error is not null`
    return failed.length > 0
  })
  await programs.start('partner')
  const card = await offerOfPartner(borrower)
  const path = offerPath(borrower, card.offerID)
  await mustCall(borrower, 'POST', `${path}/proceed`)
  await restart('platform')
  await restart('partner')
  await waitForStatus(borrower, 'KYC_PENDING')
  assert.equal(await completeSteps(borrower, card.offerID, ['E_MANDATE_PENDING']), 'E_MANDATE_PENDING')
  await restart('partner')
  await restart('platform')
  assert.equal(await completeSteps(borrower, card.offerID, ['LOAN_AGREEMENT_PENDING']), 'LOAN_AGREEMENT_PENDING')
  const remainingSteps = completeSteps(borrower, card.offerID, ['LENDER_PROCESSING', 'DISBURSED', 'REJECTED'])
  await remainingSteps
  await restart('platform', 0)
  await restart('partner', 0)
  await waitForStatus(borrower, 'DISBURSED')

  const { tenantId } = programs.tenant
  const loanCase = (await findMainCase(programs.db, { tenantId, journeyId: borrower.journeyId }))!
  const sent = await programs.db<{ eventType: string; count: number }>`
    select event_type, count(*)::int as count from outbox where case_ref = ${loanCase.caseRef} group by event_type`
  const countByType = Object.fromEntries(sent.map(({ eventType, count }) => [eventType, count]))
  assert.equal(countByType.LEAD_SUBMITTED, 1)
  assert.equal(countByType.OFFER_DECISION_RECORDED, 1)
  assert.equal(countByType.EVENT_PROCESSING_FAILED, undefined)
  const failed =
    await programs.db`select 1 from inbox_outcome where case_ref = ${loanCase.caseRef} and outcome <> 'APPLIED'`
  assert.equal(failed.length, 0)
  const partnerDb = connect(programs.partnerDatabaseUrl, { connections: 1 })
  try {
    const disbursedCases =
      await partnerDb`select 1 from case_file where case_ref = ${loanCase.caseRef} and status = 'DISBURSED'`
    assert.equal(disbursedCases.length, 1)
    const refused =
      await partnerDb`select 1 from inbox_outcome where case_ref = ${loanCase.caseRef} and outcome <> 'APPLIED'`
    assert.equal(refused.length, 0)
  } finally {
    await partnerDb.close()
  }
})

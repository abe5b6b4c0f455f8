// Video KYC: the provider and the lender must approve before the mandate can be set up.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findMainCase, listDocuments, newestCheck } from '@lendloom/platform/src/lenders/partner/store.ts'
import type { OfferCard } from '@lendloom/wire/headless/offer'
import { application, bankAccount, newApplicant } from '#test/setup/borrower.ts'
import {
  approvePages,
  cardsOf,
  completeSteps,
  mustCall,
  offerPath,
  startHeadlessJourney,
  waitForStatus,
} from '#test/setup/headless.ts'
import { startPrograms, until } from '#test/setup/programs.ts'

const programs = await startPrograms({ partner: true, env: { PARTNER_KYC_MODE: 'VIDEO_AND_MANUAL_REVIEW' } })

async function proceedWithPartner(pan: string) {
  const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant())
  const { profile, workProfile, address } = application(pan)
  const path = `/journeys/${borrower.journeyId}/profile`
  await mustCall(borrower, 'PUT', path, {
    profile,
    workProfile: { ...workProfile, employmentType: 'selfEmployed' },
    address,
    bankingInformation: { ...bankAccount, accountType: 'SAVINGS' },
  })
  await mustCall(borrower, 'POST', `${path}/submit`, { bureauConsent: true })
  const card: OfferCard = await until('an offer of the partner', async () =>
    (await cardsOf(borrower)).find(
      ({ lenderName, status }: OfferCard) => lenderName === 'Celestium Finance Limited' && status === 'OFFER_RECEIVED',
    ),
  )
  await mustCall(borrower, 'POST', `${offerPath(borrower, card.offerID)}/proceed`)
  await waitForStatus(borrower, 'KYC_PENDING')
  const loanCase = async () =>
    (await findMainCase(programs.db, { tenantId: programs.tenant.tenantId, journeyId: borrower.journeyId }))!
  return { borrower, card, path: offerPath(borrower, card.offerID), loanCase }
}

describe('video KYC', { concurrency: 2 }, () => {
  test('D3 §1.1, §4.3: a video KYC approved by the lender is stored with its recording, and the loan is disbursed', async () => {
    const { borrower, card, loanCase } = await proceedWithPartner('ABCPE1234F')
    assert.equal(await completeSteps(borrower, card.offerID, ['DISBURSED', 'REJECTED']), 'DISBURSED')
    const check = await newestCheck(programs.db, await loanCase(), 'kyc')
    assert.equal(check!.status, 'APPROVED')
    assert.equal(check!.verified, true)
    assert.equal(check!.lenderReview, 'APPROVED')
    const documents = await until('every file is stored', async () => {
      const all = await listDocuments(programs.db, await loanCase())
      return all.every(({ state }) => state === 'STORED') && all
    })
    const recording = documents.find(({ documentType }) => documentType === 'VKYC_RECORDING')
    assert.equal(recording?.state, 'STORED')
    assert.equal(recording?.contentType, 'video/mp4')
  })

  test('D3 §6 rule 2: a KYC that the lender rejects stays pending', async () => {
    const { borrower, path, loanCase } = await proceedWithPartner('ABCPE9206F')
    await approvePages((await mustCall(borrower, 'GET', `${path}/steps/kyc`)).resource.redirectURL)
    await until(
      'the review',
      async () => (await newestCheck(programs.db, await loanCase(), 'kyc'))?.lenderReview === 'REJECTED',
    )
    const steps = await mustCall(borrower, 'GET', `${path}/steps`)
    assert.notEqual(steps.kyc.status, 'SUCCESS')
    assert.equal(steps.eMandate.status, 'PENDING')
    assert.equal(steps.eMandate.actionRequired, 'NONE')
    assert.equal((await loanCase()).stage, 'ACCEPTED')
  })
})

test('no program logged an error', () => {
  assert.deepEqual(programs.errorLines, [])
})

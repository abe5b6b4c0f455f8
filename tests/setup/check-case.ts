// A case of a lending partner whose KYC is due, as the borrower and the lender see it.
import { sentEvents } from '@lendloom/event-log/outbox'
import { urlOfCheck } from '@lendloom/platform/src/lenders/partner/reactions/checks/check-link.ts'
import { listChecks } from '@lendloom/platform/src/lenders/partner/store.ts'
import { detailsContext } from '@lendloom/platform/src/lending/borrower/borrower.ts'
import { updateProfile } from '@lendloom/platform/src/lending/profile/store.ts'
import { markStepReady } from '@lendloom/platform/src/lending/step/move-step.ts'
import { findStep } from '@lendloom/platform/src/lending/step/store.ts'
import type { TestPlatform } from './platform.ts'
import { caseAt } from './platform-case.ts'

/** Creates a case whose KYC is due. The PAN's digits select the provider's behaviour: `9153` sends no callback. */
export async function caseWithKycDue(platform: TestPlatform, stage: 'DECIDED' | 'ACCEPTED', digits: string) {
  const { ctx } = platform
  const partnerCase = await caseAt(platform, stage)
  const at = ctx.clock()
  const person = {
    personal: { mobile: '9876543210', pan: `ABCPE${digits}F`, panName: 'Asha Kulkarni', dob: '1992-02-29' },
    work: { employmentType: 'selfEmployed', companyName: 'Asha Stores', income: 85_000 },
    address: { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' },
    bank: {
      accountHolderName: 'Asha Kulkarni',
      accountNumber: '50100123456789',
      ifsc: 'HDFC0000001',
      accountType: 'saving',
    },
    gold: null,
  }
  const sealed = ctx.seal.json(person, detailsContext(partnerCase.tenantId, partnerCase.journeyId))
  const digests = { panDigest: null, emailDigest: null, officialEmailDigest: null }
  await ctx.db.tx((tx) =>
    updateProfile(tx, {
      tenantId: partnerCase.tenantId,
      journeyId: partnerCase.journeyId,
      profileSealed: sealed,
      ...digests,
      updatedAt: at,
    }),
  )
  const caseKey = { tenantId: partnerCase.tenantId, caseRef: partnerCase.ids.caseRef }
  const url = urlOfCheck(ctx, caseKey, 'kyc')
  await ctx.db.tx(async (tx) =>
    markStepReady({ ...ctx, tx }, await partnerCase.journey(), { name: 'kyc', page: { url, formId: 'kyc' }, at }),
  )
  return {
    ...partnerCase,
    visit: (kind: 'kyc' | 'mandate' | 'esign', query = '') =>
      fetch(`${urlOfCheck(ctx, caseKey, kind)}${query}`, { redirect: 'manual' }),
    checks: () => listChecks(ctx.db, caseKey),
    step: async (name: 'kyc' | 'eMandate' | 'loanAgreement') => (await findStep(ctx.db, partnerCase, name)).status,
    reports: async () =>
      (await sentEvents(ctx.db, ctx.seal, { ...caseKey, partitionKey: caseKey.caseRef })).map(({ raw }) => {
        const { event_type, data } = JSON.parse(raw.toString('utf8'))
        return `${event_type} ${data.status} ${data.verified}`
      }),
  }
}

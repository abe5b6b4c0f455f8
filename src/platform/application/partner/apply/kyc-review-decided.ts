// KYC_REVIEW_DECIDED: the lender's own review, which cannot replace the provider's word; where they disagree KYC stays pending (D3 §6 rule 2).
import { Refusal } from '#kit/http/refusal.ts'
import type { Applier } from '#platform/application/partner/applier.ts'
import { settleKyc } from '#platform/application/partner/checks/settle.ts'
import { keepCheck, newestCheck } from '#platform/exchange/store.ts'

export const onKycReviewDecided: Applier<'KYC_REVIEW_DECIDED'> = async (ctx, concerned, { data }) => {
  const { tx, at } = ctx
  const check = await newestCheck(tx, concerned.application, 'kyc')
  if (!check) throw new Refusal('wrong-state', 'KYC has not begun')
  if (check.providerReference !== data.provider_reference_id)
    throw new Refusal('wrong-state', 'the review is of another KYC than the newest one', {
      field: 'data.provider_reference_id',
    })
  const reviewed = { ...check, lenderReview: data.decision, updatedAt: at }
  await keepCheck(tx, reviewed)
  await settleKyc(ctx, concerned, reviewed)
}

// Answers search: who this lender is, what it lends, and the form with which a borrower applies (FIS12 §8.1 row 2).
import { headings, type NewPage } from '#contract/network/v203/page.ts'
import type { Assessment } from '#contract/network/v203/product.ts'
import { onSearch, readSearch } from '#contract/network/v203/search.ts'
import type { Tx } from '#kit/db/sql.ts'
import { bpsText, defaultFee, lenderOf, pageOf, settlementTerms } from '#sandbox/lender/core/order.ts'
import type { Policy } from '#sandbox/lender/core/policy.ts'
import type { BuyerRequest, Reply } from '#sandbox/lender/core/product.ts'
import { policyUnder } from '#sandbox/lender/core/product.ts'
import { stepOf } from '#sandbox/lender/core/steps.ts'
import { writeConversation } from '#sandbox/lender/core/store.ts'
import { itemOf } from './draft.ts'
import type { Policy203 } from './product.ts'

export async function answerSearch(
  tx: Tx,
  { ctx, policy, conversation, message, at }: BuyerRequest<Policy203>,
): Promise<Reply> {
  const { assessment, secondAssessment } = policy
  const finderFee = readSearch(message).fee ?? defaultFee
  const applying = stepOf(policy.product, conversation, 'PERSONAL_INFORMATION')
  const page = pageOf({ place: ctx, policy, conversation }, applying, headings)
  const content = {
    message: onSearch({
      lender: lenderOf(ctx, policy),
      product: policy.product.id,
      items: [
        { ...itemOf(policy, { assessment: null }), assessment, recommended: true, ranges: rangesOf(policy), page },
        ...(secondAssessment ? [secondItem(policy, secondAssessment, page)] : []),
      ],
      fee: finderFee,
      terms: settlementTerms(ctx, policy),
    }),
  }
  const { status } = conversation
  return { content, conversation: await writeConversation(tx, conversation, { status, finderFee }, at) }
}

/** The same form asks for either: what differs is what the lender looks at (FIS12 §19.1). */
function secondItem(policy: Policy203, assessment: Assessment, page: NewPage) {
  const ranges = rangesOf(policyUnder(policy.product, { lender: policy.slug, assessment }))
  return { ...itemOf(policy, { assessment }), assessment, recommended: false, ranges, page }
}

const rangesOf = ({ rates, tenuresMonths, amounts }: Policy) => {
  const prices = rates.map(({ annualBps }) => annualBps)
  return {
    minInterestRate: bpsText(prices.reduce((least, each) => (each < least ? each : least))),
    maxInterestRate: bpsText(prices.reduce((most, each) => (each > most ? each : most))),
    minTenureMonths: Math.min(...tenuresMonths),
    maxTenureMonths: Math.max(...tenuresMonths),
    minAmount: amounts.from,
    maxAmount: amounts.to,
  }
}

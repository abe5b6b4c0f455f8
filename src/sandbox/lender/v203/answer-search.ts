// Answers search: who this lender is, what it lends, and the form with which a borrower applies (FIS12 §8.1 row 2).
import type { Heading, NewPage } from '#contract/network/v203/page.ts'
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
  const page = pageOf<Heading>(
    ctx,
    policy,
    stepOf(policy.product, conversation, 'PERSONAL_INFORMATION'),
    conversation.conversationId,
  )
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
  const byPrice = rates.map(({ annualBps }) => annualBps).sort((a, b) => Number(a - b))
  return {
    minInterestRate: bpsText(byPrice[0]!),
    maxInterestRate: bpsText(byPrice.at(-1)!),
    minTenureMonths: tenuresMonths[0]!,
    maxTenureMonths: tenuresMonths.at(-1)!,
    minAmount: amounts.from,
    maxAmount: amounts.to,
  }
}

// The gold that secures a loan, as the key facts statement tells it.
import { longDayText } from '#kit/money/calendar.ts'
import { inr } from '#kit/money/money.ts'
import { type Conversation, type Pledge, requirePledge } from '#sandbox/lender/core/conversation.ts'
import type { Loan } from '#sandbox/lender/core/loan.ts'
import { ltvText } from '#sandbox/lender/core/order.ts'
import { type Security, upfront } from '#sandbox/lender/core/security.ts'
import { branchOf } from './branches.ts'
import type { GoldBranch } from './lending.ts'
import { gramsText, pricePerGram, publishedOn, worthOf } from './valuation.ts'

/** With the branch once it was chosen for good. */
export const goldSecurity = (conversation: Conversation, stage: 'offer' | 'final'): Security => {
  const pledge = requirePledge(conversation)
  const branch = stage === 'final' ? branchOf(conversation) : null
  return {
    kind: 'gold loan, secured by ornaments',
    paidOut: `${upfront} gold was appraised and the agreement signed at the branch`,
    title: 'The gold that you pledge',
    rows: (loan) => rowsOf(pledge, branch, loan),
  }
}

const rowsOf = (pledge: Pledge, branch: GoldBranch | null, loan: Loan): [label: string, value: string][] => [
  ['Net weight, without stones', `${gramsText(pledge.milligrams)} grams`],
  ['Purity', pledge.purity.toUpperCase()],
  [
    'Rate per gram',
    `${inr(pricePerGram(pledge.purity))}, as the bullion association published on ${longDayText(publishedOn)}`,
  ],
  ['Value', inr(worthOf(pledge))],
  ['Loan to value', ltvText(loan.principal, worthOf(pledge))],
  ['Branch', branch ? `${branch.name}, ${branch.address} ${branch.pincode}` : 'One of our branches, as you choose'],
  [
    'Return of the gold',
    'On the day on which the loan is repaid, or within 7 working days; later, ₹5,000 for each day of delay',
  ],
]

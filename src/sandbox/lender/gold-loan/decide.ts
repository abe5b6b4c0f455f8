// A lender's honest decision on gold: an offer that its value carries, or the reason why there is none; and who decides on what.
import { type Conversation, pledgeOf } from '#sandbox/lender/core/conversation.ts'
import { type Applicant, type Decision, decide, denied, entryOf, stepDown } from '#sandbox/lender/core/decide.ts'
import type { Policy } from '#sandbox/lender/core/policy.ts'
import { goldLendingOf, mostMilligrams } from './lending.ts'
import { gramsText, greatestLoan, type Pledge, worthOf } from './valuation.ts'

type Judged = Pick<Conversation, 'lender' | 'goldMilligrams' | 'goldPurity'>

/** The decision on the day `on` (in India), by what the conversation is about. */
export function judge(policy: Policy, conversation: Judged, applicant: Applicant, on: string): Decision {
  const pledge = pledgeOf(conversation)
  return pledge ? decideOnGold(policy, applicant, pledge, on) : decide(policy, applicant, on)
}

/** The offer is what the regulator lets lend on the gold, within the lender's own bounds. */
export function decideOnGold(policy: Policy, applicant: Applicant, pledge: Pledge, on: string): Decision {
  const { amounts, rates } = policy
  const least = goldLendingOf(policy.slug)!.leastMilligrams
  const entry = entryOf(policy, applicant, on)
  if ('refusal' in entry) return entry
  if (pledge.milligrams < least || pledge.milligrams > mostMilligrams)
    return denied('80227', `the gold must weigh ${gramsText(least)} to ${gramsText(mostMilligrams)} grams`)
  let principal = stepDown(greatestLoan(worthOf(pledge)), amounts.step)
  if (principal > amounts.to) principal = amounts.to
  if (principal < amounts.from) return denied('80227', 'the gold does not carry the smallest loan')
  return { offer: { principal, months: entry.months, annualBps: rates[0]!.annualBps } }
}

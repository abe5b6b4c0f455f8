// A lender's honest decision on gold: an offer that its value carries, or the reason why there is none.
import type { Pledge } from '#sandbox/lender/core/conversation.ts'
import { type Applicant, type Decision, denied, entryOf, stepDown } from '#sandbox/lender/core/decide.ts'
import type { Policy } from '#sandbox/lender/core/policy.ts'
import { mostMilligrams, requireGoldLending } from './lending.ts'
import { gramsText, greatestLoan, worthOf } from './valuation.ts'

/** The offer is what the regulator lets lend on the gold, within the lender's own bounds. */
export function decideOnGold(policy: Policy, applicant: Applicant, pledge: Pledge, on: string): Decision {
  const { amounts, rates } = policy
  const least = requireGoldLending(policy.slug).leastMilligrams
  const entry = entryOf(policy, applicant, on)
  if ('refusal' in entry) return entry
  if (pledge.milligrams < least || pledge.milligrams > mostMilligrams)
    return denied('80227', `the gold must weigh ${gramsText(least)} to ${gramsText(mostMilligrams)} grams`)
  let principal = stepDown(greatestLoan(worthOf(pledge)), amounts.step)
  if (principal > amounts.to) principal = amounts.to
  if (principal < amounts.from) return denied('80227', 'the gold does not carry the smallest loan')
  return { offer: { principal, months: entry.months, annualBps: rates[0].annualBps } }
}

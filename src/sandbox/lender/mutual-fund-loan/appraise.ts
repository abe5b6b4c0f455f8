// A lender's honest decision on a portfolio: an offer that its units carry, or the reason why there is none.

import { drawingPower, eligible, type Holding, type Part } from '#contract/hosted/portfolio.ts'
import { ownValue } from '#kit/runtime/record.ts'
import type { Applicant, Denial } from '#sandbox/lender/core/decide.ts'
import { denied, entryOf } from '#sandbox/lender/core/decide.ts'
import type { LoanRequest } from '#sandbox/lender/core/loan.ts'
import type { Policy } from '#sandbox/lender/core/policy.ts'
import { loanToValueAt } from './lending.ts'
import { unitsFor } from './portfolio.ts'

export type Appraisal = { offer: LoanRequest; offered: Part[] } | { refusal: Denial }

/**
 * Decides on the day `on` (in India). The offer is the drawing power of all that is free, over the longest tenure that age
 * allows; where that is more than the lender's most, fewer units are asked for.
 */
export function appraise(policy: Policy, applicant: Applicant, holdings: readonly Holding[], on: string): Appraisal {
  const { amounts, rates } = policy
  const loanToValueOf = loanToValueAt(policy)
  const entry = entryOf(policy, applicant, on)
  if ('refusal' in entry) return { refusal: in230(entry.refusal) }
  const available = eligible(holdings, on)
  const power = drawingPower(available, loanToValueOf)
  if (power < amounts.from) return denied('80227', 'the units that are free do not carry the smallest loan')
  const principal = power < amounts.to ? power : amounts.to
  const offered = principal === power ? available : unitsFor(principal, available, loanToValueOf)
  if (offered === null) throw new Error('the units that carry more do not carry less')
  return { offer: { principal, months: entry.months, annualBps: rates[0].annualBps }, offered }
}

/** Two codes of 2.0.3 mean something else in 2.3.0: a policy is told by 80203, a missing consent by 80230 (FIS12 §3.4). */
const codes: Record<string, string> = { 80228: '80203', 80229: '80230' }
const in230 = ({ code, message }: Denial): Denial => ({ code: ownValue(codes, code) ?? code, message })

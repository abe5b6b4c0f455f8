// The partner's sandbox rules: four digits of the PAN select the autopilot's decisions, so that testers can produce
// every outcome.

import type { SandboxRule } from '@lendloom/wire/sandbox/fault-products'

const table = [
  { digits: '9002', scenario: 'dedupe-declined', what: 'Dedupe declines: NO_MATCH, DECLINE.' },
  { digits: '9012', scenario: 'review-rejected', what: 'The manual review rejects the application.' },
  { digits: '9201', scenario: 'dedupe-declined', what: 'Dedupe declines: NO_MATCH, DECLINE.' },
  { digits: '9202', scenario: 'dedupe-ambiguous', what: 'Dedupe is not sure: AMBIGUOUS, REVIEW_REQUIRED.' },
  { digits: '9203', scenario: 'review-rejected', what: 'The manual review rejects the application.' },
  { digits: '9204', scenario: 'lower-offer', what: 'The final offer is for four fifths of what was recommended.' },
  { digits: '9205', scenario: 'short-offer', what: 'The final offer may be accepted for twenty seconds.' },
  {
    digits: '9206',
    scenario: 'kyc-review-rejected',
    what: 'The lender rejects the video KYC that its provider approves: the case stays with its KYC pending. It reviews video KYC only.',
  },
  { digits: '9207', scenario: 'slow-review', what: 'The manual review takes half a minute.' },
] as const satisfies SandboxRule[]

export type FaultScenario = (typeof table)[number]['scenario']
export const sandboxRules: readonly SandboxRule<FaultScenario>[] = table

/** Returns the scenario that a PAN selects; null if it selects none. */
export const scenarioFor = (pan: string): FaultScenario | null =>
  sandboxRules.find(({ digits }) => digits === pan.slice(5, 9))?.scenario ?? null

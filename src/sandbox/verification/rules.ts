// The providers' sandbox rules: four digits of the PAN decide what goes wrong. Those below 9100 mean the same at the lenders.

import type { SandboxRule } from '#contract/sandbox/fault-products.ts'

const table = [
  { digits: '9006', scenario: 'kyc-rejected', what: 'KYC is rejected, whatever the borrower does.' },
  { digits: '9007', scenario: 'kyc-retry', what: 'KYC fails once and may be tried again.' },
  { digits: '9009', scenario: 'mandate-rejected', what: 'The bank rejects the mandate: no such account (AP05).' },
  { digits: '9010', scenario: 'esign-retry', what: 'Signing fails once and may be tried again.' },
  { digits: '9015', scenario: 'mandate-retry', what: 'Setting up the mandate fails once and may be tried again.' },
  { digits: '9101', scenario: 'kyc-cut-off', what: 'The video call is cut off; KYC without video is as usual.' },
  { digits: '9102', scenario: 'kyc-short', what: 'The KYC link expires after five seconds.' },
  { digits: '9103', scenario: 'kyc-slow', what: 'The official takes ten times as long over a video.' },
  {
    digits: '9111',
    scenario: 'mandate-frequency',
    what: 'The bank rejects a weekly mandate (AP27), and takes one as and when presented.',
  },
  { digits: '9112', scenario: 'mandate-name', what: 'The bank rejects the mandate: name mismatch (AP08).' },
  { digits: '9113', scenario: 'mandate-slow', what: 'The bank takes ten times as long over the mandate.' },
  { digits: '9114', scenario: 'mandate-withdrawn', what: 'The borrower cancels the mandate at the bank soon after.' },
  { digits: '9121', scenario: 'esign-failed', what: 'The signature fails for good: another name on the certificate.' },
  { digits: '9122', scenario: 'esign-short', what: 'The link for signing expires after five seconds.' },
  { digits: '9141', scenario: 'statement-unreadable', what: 'The bank statement cannot be read.' },
  { digits: '9142', scenario: 'statement-forged', what: 'The bank statement turns out to be forged.' },
  { digits: '9143', scenario: 'statement-other', what: 'The bank statement is of another account.' },
  { digits: '9144', scenario: 'statement-thin', what: 'The bank statement is thin: two months, and little comes in.' },
  { digits: '9145', scenario: 'statement-bouncing', what: 'Six debits of the last three months were returned.' },
  { digits: '9146', scenario: 'statement-owing', what: 'Instalments take 72% of what comes into the account.' },
  { digits: '9151', scenario: 'callback-doubled', what: 'Every callback is sent twice.' },
  { digits: '9152', scenario: 'callback-disordered', what: 'The first callback comes after those that follow it.' },
  { digits: '9153', scenario: 'callback-lost', what: 'No callback is sent: only a look-up tells.' },
  { digits: '9154', scenario: 'callback-late', what: 'Callbacks take ten times as long.' },
  {
    digits: '9155',
    scenario: 'callback-forged',
    what: 'An unknown caller calls back first, with a good ending and a wrong signature.',
  },
] as const satisfies SandboxRule[]

export type FaultScenario = (typeof table)[number]['scenario']
export const rules: readonly SandboxRule<FaultScenario>[] = table

/** What the PAN asks of the providers; null for an ordinary borrower. */
export const scenarioFor = (pan: string): FaultScenario | null =>
  rules.find(({ digits }) => digits === pan.trim().slice(5, 9))?.scenario ?? null

// The providers' fault rules: four digits of the PAN select what goes wrong at the providers.

import type { SandboxRule } from '@lendloom/wire/sandbox/fault-products'

const ruleTable = [
  { digits: '9006', scenario: 'kyc-rejected', what: 'KYC is rejected, even if the borrower approves.' },
  { digits: '9007', scenario: 'kyc-retry', what: 'KYC fails once and may be tried again.' },
  { digits: '9009', scenario: 'mandate-rejected', what: 'The bank rejects the mandate: no such account (AP05).' },
  { digits: '9010', scenario: 'esign-retry', what: 'Signing fails once and may be tried again.' },
  { digits: '9015', scenario: 'mandate-retry', what: 'Setting up the mandate fails once and may be tried again.' },
  { digits: '9101', scenario: 'kyc-cut-off', what: 'The video call is cut off; KYC without video is as usual.' },
  { digits: '9102', scenario: 'kyc-short', what: 'The KYC link expires after five seconds.' },
  { digits: '9103', scenario: 'kyc-slow', what: 'The official takes ten times as long to review a video.' },
  {
    digits: '9111',
    scenario: 'mandate-frequency',
    what: 'The bank rejects a weekly mandate (AP27), and accepts one as and when presented.',
  },
  { digits: '9112', scenario: 'mandate-name', what: 'The bank rejects the mandate: name mismatch (AP08).' },
  { digits: '9113', scenario: 'mandate-slow', what: 'The bank takes ten times as long to register the mandate.' },
  { digits: '9114', scenario: 'mandate-withdrawn', what: 'The borrower cancels the mandate at the bank soon after.' },
  { digits: '9121', scenario: 'esign-failed', what: 'The signature fails for good: another name on the certificate.' },
  { digits: '9122', scenario: 'esign-short', what: 'The signing link expires after five seconds.' },
  { digits: '9141', scenario: 'statement-unreadable', what: 'The bank statement cannot be read.' },
  { digits: '9142', scenario: 'statement-forged', what: 'The bank statement turns out to be forged.' },
  { digits: '9143', scenario: 'statement-other', what: 'The bank statement is of another account.' },
  { digits: '9144', scenario: 'statement-thin', what: 'The bank statement has two months and low credits.' },
  { digits: '9145', scenario: 'statement-bouncing', what: 'Six debits of the last three months were returned.' },
  { digits: '9146', scenario: 'statement-owing', what: "Instalments take 72% of the account's credits." },
  { digits: '9151', scenario: 'callback-doubled', what: 'Every callback is sent twice.' },
  { digits: '9152', scenario: 'callback-disordered', what: 'The first callback arrives after the later ones.' },
  { digits: '9153', scenario: 'callback-lost', what: 'No callback is sent; only a look-up returns the result.' },
  { digits: '9154', scenario: 'callback-late', what: 'Callbacks take ten times as long.' },
  {
    digits: '9155',
    scenario: 'callback-forged',
    what: 'A forged callback arrives first, with a successful outcome and a wrong signature.',
  },
  {
    digits: '9156',
    scenario: 'reference-taken',
    what: 'The provider already has our reference, as after a restore: a request is answered by 409, and only a look-up finds it.',
  },
] as const satisfies SandboxRule[]

export type ProviderScenario = (typeof ruleTable)[number]['scenario']
/** The providers' fault rules: four digits of the PAN select the fault. Rules below 9100 have the same meaning at the lenders. */
export const rules: readonly SandboxRule<ProviderScenario>[] = ruleTable

/** The fault that a PAN selects at the providers; null if there is none. */
export const scenarioFor = (pan: string): ProviderScenario | null =>
  rules.find(({ digits }) => digits === pan.trim().slice(5, 9))?.scenario ?? null

// The bank's fault rules: four digits of the account number, or of the PAN, select the fault.

import type { SandboxRule } from '@lendloom/wire/sandbox/fault-products'

const table = [
  {
    digits: '9301',
    scenario: 'transfer-failed',
    what: 'A transfer to this account fails: the account is closed.',
  },
  {
    digits: '9302',
    scenario: 'transfer-silent',
    what: 'A transfer is carried out, but its response times out; an enquiry returns the result.',
  },
  { digits: '9303', scenario: 'transfer-slow', what: 'A transfer stays pending ten times as long.' },
  { digits: '9304', scenario: 'other-name', what: 'The account is registered under another name.' },
  { digits: '9305', scenario: 'no-account', what: 'The account does not exist.' },
  {
    digits: '9306',
    scenario: 'transfer-returned',
    what: 'A transfer succeeds, and the bank gives the money back afterwards: the account is closed.',
  },
  {
    digits: '9311',
    scenario: 'short-once',
    what: 'The first debit is returned for insufficient funds (04), later ones succeed.',
  },
  { digits: '9312', scenario: 'always-short', what: 'Every debit is returned for insufficient funds (04).' },
  { digits: '9313', scenario: 'closed', what: 'Every debit is returned: account closed (01).' },
  { digits: '9314', scenario: 'stopped', what: 'Every debit is returned: payment stopped by its owner (06).' },
  { digits: '9315', scenario: 'mandate-gone', what: 'Every debit is returned: mandate cancelled (61).' },
  { digits: '9316', scenario: 'late-return', what: 'The first debit is confirmed and returned afterwards (04).' },
  {
    digits: '9317',
    scenario: 'debit-silent',
    what: 'A debit is carried out, but its response times out; an enquiry returns the result.',
  },
  {
    digits: '9318',
    scenario: 'late-success',
    what: 'The first debit is returned after a timeout (98), and confirmed afterwards.',
  },
  {
    digits: '9319',
    scenario: 'duplicate',
    what: 'The first debit is returned as a duplicate (13), and confirmed afterwards.',
  },
  { digits: '9320', scenario: 'debit-slow', what: 'The result of a debit takes ten times as long.' },
] as const satisfies SandboxRule[]

export type BankScenario = (typeof table)[number]['scenario']
export const rules: readonly SandboxRule<BankScenario>[] = table

const byDigits = new Map(rules.map(({ digits, scenario }) => [digits, scenario]))

/** The fault for this account; the account's digits take precedence over the PAN's. Null without a fault. */
export const scenarioFor = (accountNumber: string, pan?: string): BankScenario | null =>
  byDigits.get(accountNumber.slice(-4)) ?? byDigits.get(pan?.slice(5, 9) ?? '') ?? null

export interface DebitOutcome {
  /** Delay after the previous result, as a multiple of the ordinary delay. */
  after: number
  status: 'CONFIRMED' | 'RETURNED'
  code: string | null
}

const confirmed: DebitOutcome = { after: 1, status: 'CONFIRMED', code: null }
export const returned = (code: string): DebitOutcome => ({ after: 1, status: 'RETURNED', code })

/** The results of a debit in order. `earlier` is the number of earlier debits of this account. */
export function outcomesOf(scenario: BankScenario | null, earlier: number): DebitOutcome[] {
  const isFirst = earlier === 0
  switch (scenario) {
    case 'always-short':
      return [returned('04')]
    case 'closed':
      return [returned('01')]
    case 'stopped':
      return [returned('06')]
    case 'mandate-gone':
      return [returned('61')]
    case 'debit-slow':
      return [{ ...confirmed, after: 10 }]
    case 'short-once':
      return [isFirst ? returned('04') : confirmed]
    case 'late-return':
      return isFirst ? [confirmed, { ...returned('04'), after: 3 }] : [confirmed]
    case 'late-success':
      return isFirst ? [returned('98'), { ...confirmed, after: 3 }] : [confirmed]
    case 'duplicate':
      return isFirst ? [returned('13'), { ...confirmed, after: 3 }] : [confirmed]
    default:
      return [confirmed]
  }
}

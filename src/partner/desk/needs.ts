// What needs somebody: kinds of cases that wait for people, and what each is called.

import { keysOf } from '#kit/runtime/narrow.ts'
/** In the order in which somebody should look. `why` is read after "these cases". */
export const needs = {
  review: { label: 'Applications to review', why: 'wait for a decision' },
  kyc: { label: 'KYC to review', why: 'have a KYC that we review ourselves' },
  transfer: { label: 'Transfers that failed', why: 'could not be paid out' },
  name: { label: 'Names to compare', why: 'wait for somebody to say whether the account is the borrower’s' },
  disburse: { label: 'Ready to be paid out', why: 'have everything verified' },
  hold: { label: 'Collections held', why: 'are not debited until somebody lets them go on' },
  overdue: { label: 'Loans overdue', why: 'have an instalment that was not paid in time' },
  claim: { label: 'Claims waiting', why: 'have a payment that the bank has not shown yet' },
} as const

export type Need = keyof typeof needs
export const needNames = keysOf(needs)

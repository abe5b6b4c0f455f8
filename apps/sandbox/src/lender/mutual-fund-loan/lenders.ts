// The lenders that offer loans against mutual funds, and their terms (FIS12 §10.1).

import { ownValue } from '@lendloom/foundation/record'
import { required } from '@lendloom/foundation/required'
import { type Paise, toWholeRupees } from '@lendloom/lending/money'
import {
  type Kind as FundKind,
  type LoanToValueOf,
  loanToValueByKind,
  usualLoanToValue,
} from '@lendloom/wire/hosted/portfolio'
import type { ItemCategories } from '@lendloom/wire/network/v230/categories'
import type { FaultScenario } from '@lendloom/wire/sandbox/fault-rules'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'

/** Overrides of the lender's policy for loans against mutual funds. */
export interface LamfLending
  extends Pick<LenderPolicy, 'ages' | 'amounts' | 'tenuresMonths' | 'rates' | 'fee' | 'unservedPincodes'> {
  /** The source of the holdings, the kind of product, and whether the lender completes it offline. */
  categories: ItemCategories
  title: string
  /** Loan to value by kind of fund, in hundredths of a percent. */
  ltv: Record<FundKind, bigint>
  /** The fall in value that triggers a margin call, in hundredths of a percent. */
  marginCallBps: bigint
}

const lakh = 100_000_00n
const thousand = 1_000_00n
const onlineTermLoan = { product: 'TERM_LOAN', offline: false } as const

const lendingBySlug: Record<string, LamfLending> = {
  meridian: {
    categories: { ...onlineTermLoan, portfolio: 'mfc' },
    title: 'Term loan against mutual funds, by MF Central statement',
    ages: { from: 18, until: 75 },
    amounts: { from: 25n * thousand, to: 50n * lakh, step: 100n },
    tenuresMonths: [6, 12, 24, 36],
    rates: [{ fromIncome: 0n, annualBps: 1050n }],
    fee: { bps: 50n, minimum: 500_00n, maximum: 5n * thousand },
    unservedPincodes: [],
    ltv: usualLoanToValue,
    marginCallBps: 1000n,
  },
  kaveri: {
    categories: { ...onlineTermLoan, portfolio: 'rta' },
    title: "Term loan against mutual funds, by a registrar's statement",
    ages: { from: 21, until: 70 },
    amounts: { from: 50n * thousand, to: 20n * lakh, step: 100n },
    tenuresMonths: [12, 24, 36],
    rates: [{ fromIncome: 0n, annualBps: 925n }],
    fee: { bps: 25n, minimum: 999_00n, maximum: 3n * thousand },
    unservedPincodes: ['79'],
    ltv: { equity: 5_000n, hybrid: 5_500n, elss: 5_000n, debt: 8_000n },
    marginCallBps: 750n,
  },
  sahyadri: {
    categories: { ...onlineTermLoan, portfolio: 'mfc' },
    title: 'Term loan against mutual funds, by MF Central statement',
    ages: { from: 18, until: 70 },
    amounts: { from: 10n * thousand, to: 10n * lakh, step: 100n },
    tenuresMonths: [3, 6, 12, 24],
    rates: [{ fromIncome: 0n, annualBps: 1150n }],
    fee: { bps: 100n, minimum: 250_00n, maximum: 4n * thousand },
    unservedPincodes: ['19'],
    ltv: { equity: 4_500n, hybrid: 5_000n, elss: 4_500n, debt: 7_500n },
    marginCallBps: 1000n,
  },
  narmada: {
    categories: { portfolio: 'account-aggregator', product: 'CREDIT_LINE', offline: false },
    title: 'Credit line against mutual funds, by account aggregator',
    ages: { from: 21, until: 68 },
    amounts: { from: 25n * thousand, to: 25n * lakh, step: 100n },
    tenuresMonths: [12, 24],
    rates: [{ fromIncome: 0n, annualBps: 990n }],
    fee: { bps: 40n, minimum: 500_00n, maximum: 5n * thousand },
    unservedPincodes: [],
    ltv: usualLoanToValue,
    marginCallBps: 1000n,
  },
  tulsi: {
    categories: { portfolio: 'mfc', product: 'CREDIT_LINE', offline: true },
    title: "Credit line against mutual funds, by MF Central statement, on the lender's own page",
    ages: { from: 20, until: 65 },
    amounts: { from: 10n * thousand, to: 5n * lakh, step: 100n },
    tenuresMonths: [6, 12, 24],
    rates: [{ fromIncome: 0n, annualBps: 1250n }],
    fee: { bps: 50n, minimum: 250_00n, maximum: 2n * thousand },
    unservedPincodes: [],
    ltv: { equity: 4_500n, hybrid: 5_000n, elss: 4_500n, debt: 7_500n },
    marginCallBps: 1000n,
  },
}

/** A lender's terms for loans against mutual funds; null when it offers none. */
export const lamfLendingOf = (slug: string): LamfLending | null => ownValue(lendingBySlug, slug) ?? null

/** A lender's terms for loans against mutual funds. Throws when it offers none. */
export const requireLamfLending = (slug: string): LamfLending =>
  required(lamfLendingOf(slug), `lending against mutual funds by ${slug}`)

/** The loan to value that a lender grants on a holding. */
export const loanToValueAt = ({ slug }: Pick<LenderPolicy, 'slug'>): LoanToValueOf =>
  loanToValueByKind(requireLamfLending(slug).ltv)

/** Whether the borrower completes all steps on one page of the lender. */
export const isOnOnePage = ({ slug }: Pick<LenderPolicy, 'slug'>): boolean =>
  ownValue(lendingBySlug, slug)?.categories.offline ?? false

/** Whether the lender offers a credit line, which has no instalments. */
export const isLine = ({ slug }: Pick<LenderPolicy, 'slug'>): boolean =>
  ownValue(lendingBySlug, slug)?.categories.product === 'CREDIT_LINE'

/** Fault rules under which the borrower draws on the line seconds after the sanction. */
const rulesWithDrawdown: (FaultScenario | null)[] = ['line-drawn', 'slow-disbursal', 'silent-disbursal']

/** Whether the borrower draws on the line by itself, for a demonstration. */
export const isDrawn = ({ scenario }: { scenario: FaultScenario | null }): boolean =>
  rulesWithDrawdown.includes(scenario)

/** The first drawdown: half of the limit. */
export const firstDraw = (limit: Paise): Paise => toWholeRupees(limit / 2n)

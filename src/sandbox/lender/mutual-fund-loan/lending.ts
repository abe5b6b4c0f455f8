// Which lenders also lend against mutual funds, on what terms, and how each learns what a borrower holds (FIS12 §10.1).

import {
  type Kind as FundKind,
  type LoanToValueOf,
  loanToValueByKind,
  usualLoanToValue,
} from '#contract/hosted/portfolio.ts'
import type { ItemCategories } from '#contract/network/v230/categories.ts'
import type { FaultScenario } from '#contract/sandbox/fault-rules.ts'
import { type Paise, toWholeRupees } from '#kit/money/money.ts'
import { ownValue, required } from '#kit/runtime/record.ts'
import type { LenderPolicy } from '#sandbox/lender/core/policy.ts'

/** What differs from the lender's personal loans; the rest of its policy holds here too. */
export interface LamfLending
  extends Pick<LenderPolicy, 'ages' | 'amounts' | 'tenuresMonths' | 'rates' | 'fee' | 'unservedPincodes'> {
  /** How it learns the holdings, and in what way it lends on them. */
  way: ItemCategories
  /** What borrowers call it. */
  title: string
  /** By the kind of fund, in hundredths of a percent. */
  ltv: Record<FundKind, bigint>
  /** How far the units may fall before it asks for more of them, in hundredths of a percent. */
  marginCallBps: bigint
}

const lakh = 100_000_00n
const thousand = 1_000_00n
const online = { product: 'TERM_LOAN', offline: false } as const

const lending: Record<string, LamfLending> = {
  meridian: {
    way: { ...online, portfolio: 'mfc' },
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
    way: { ...online, portfolio: 'rta' },
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
    way: { ...online, portfolio: 'mfc' },
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
    way: { portfolio: 'account-aggregator', product: 'CREDIT_LINE', offline: false },
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
    way: { portfolio: 'mfc', product: 'CREDIT_LINE', offline: true },
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

/** How a lender lends against mutual funds; null when it does not. */
export const lamfLendingOf = (slug: string): LamfLending | null => ownValue(lending, slug) ?? null

/** The same of a lender that does. */
export const requireLamfLending = (slug: string): LamfLending =>
  required(lamfLendingOf(slug), `lending against mutual funds by ${slug}`)

/** What a lender lends of the value of a holding. */
export const loanToValueAt = ({ slug }: Pick<LenderPolicy, 'slug'>): LoanToValueOf =>
  loanToValueByKind(requireLamfLending(slug).ltv)

/** Whether the borrower does everything on one page of the lender's. */
export const isOnOnePage = ({ slug }: Pick<LenderPolicy, 'slug'>): boolean =>
  ownValue(lending, slug)?.way.offline ?? false

/** Whether it lends by a line, which is drawn on later and has no instalments. */
export const isLine = ({ slug }: Pick<LenderPolicy, 'slug'>): boolean =>
  ownValue(lending, slug)?.way.product === 'CREDIT_LINE'

/** Borrowers who draw on a line some seconds after it is open; all others leave it as it is. */
const drawing: (FaultScenario | null)[] = ['line-drawn', 'slow-disbursal', 'silent-disbursal']

export const isDrawn = ({ scenario }: { scenario: FaultScenario | null }): boolean => drawing.includes(scenario)

/** What they draw: half of the limit. */
export const firstDraw = (limit: Paise): Paise => toWholeRupees(limit / 2n)

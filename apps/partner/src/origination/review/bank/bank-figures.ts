// Figures of a borrower's bank account, from a lead's statement analysis; pure (D3 §2.3 banking).

import { fits } from '@lendloom/foundation/schema'
import { checkedPaise, type Paise } from '@lendloom/lending/money'
import type { LeadSubmitted } from '@lendloom/wire/exchange/event/lead'
import { StatementInsights } from '@lendloom/wire/provider/provider-interfaces'

/** Amounts of an average month; null when the analysis does not contain them. */
export interface BankFigures {
  inflowPaise: Paise | null
  outflowPaise: Paise | null
  averageBalancePaise: Paise | null
  lowestBalancePaise: Paise | null
  salaryPaise: Paise | null
  obligationsPaise: Paise | null
  /** Complete months of the analysis. */
  months: number | null
  /** Debits returned for insufficient funds in the last three months, or in total when monthly counts are missing. */
  returnedDebits: number | null
  /** Obligations as a percentage of the inflow, or of the stated income when that is lower; rounded up to a tenth. */
  obligationsPercent: number | null
  /** Inflow as a percentage of the stated income, rounded down to a tenth. */
  inflowPercent: number | null
}

/** The measures that rules may use. */
export const measures = [
  'months',
  'returnedDebits',
  'obligationsPercent',
  'inflowPercent',
  'averageBalanceRupees',
] as const
export type Measure = (typeof measures)[number]

/** Returns the figure of a measure; null when the analysis does not contain it. */
export function figureOf(figures: BankFigures, measure: Measure): number | null {
  if (measure !== 'averageBalanceRupees') return figures[measure]
  const { averageBalancePaise } = figures
  return averageBalancePaise === null ? null : Number(averageBalancePaise / 100n)
}

const noFigures: BankFigures = {
  inflowPaise: null,
  outflowPaise: null,
  averageBalancePaise: null,
  lowestBalancePaise: null,
  salaryPaise: null,
  obligationsPaise: null,
  months: null,
  returnedDebits: null,
  obligationsPercent: null,
  inflowPercent: null,
}

const recentMonths = 3

/** Reads the figures. All are null if the report has an unknown format, because it could mean something else. */
export function figuresOf({ banking, borrower }: Pick<LeadSubmitted, 'banking' | 'borrower'>): BankFigures {
  const { report_data: insights } = banking
  if (insights === null || !fits(StatementInsights, insights)) return noFigures
  const paise = (text: string | undefined): Paise | null => (text === undefined ? null : checkedPaise(text))
  const inflowPaise = paise(insights.average_monthly_credits)
  const obligationsPaise = paise(insights.average_monthly_obligations)
  const statedPaise = borrower.monthly_income === null ? null : checkedPaise(borrower.monthly_income)
  return {
    inflowPaise,
    outflowPaise: paise(insights.average_monthly_debits),
    averageBalancePaise: paise(insights.average_closing_balance),
    lowestBalancePaise: paise(insights.lowest_balance),
    salaryPaise: paise(insights.average_monthly_salary),
    obligationsPaise,
    months: insights.months?.length ?? null,
    returnedDebits: returnedDebitsIn(insights),
    obligationsPercent: obligationsPercent(obligationsPaise, lowerIncome(inflowPaise, statedPaise)),
    inflowPercent:
      inflowPaise === null || statedPaise === null || statedPaise === 0n
        ? null
        : Number((inflowPaise * 1000n) / statedPaise) / 10,
  }
}

/** Returns the lower of inflow and stated income; null without an inflow, because stated income proves nothing. */
const lowerIncome = (inflow: Paise | null, stated: Paise | null): Paise | null =>
  inflow === null || stated === null ? inflow : inflow < stated ? inflow : stated

/**
 * Obligations as a share of an income, in percent; null if one is unknown or the income is zero. Rounded up to a tenth,
 * so that a share just above a limit never reads as the limit.
 */
export const obligationsPercent = (obligations: Paise | null, income: Paise | null): number | null =>
  obligations === null || income === null || income === 0n
    ? null
    : Number((obligations * 1000n + income - 1n) / income) / 10

function returnedDebitsIn({ months = [], returned_debits }: StatementInsights): number | null {
  const recent = months.toSorted((a, b) => (a.month < b.month ? 1 : -1)).slice(0, recentMonths)
  const counts = recent.flatMap((each) => each.returned_debits ?? [])
  const isComplete = recent.length > 0 && counts.length === recent.length
  return isComplete ? counts.reduce((sum, count) => sum + count, 0) : (returned_debits ?? null)
}

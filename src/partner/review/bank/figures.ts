// Figures of a borrower's bank account from a lead's analysis; pure (D3 §2.3 banking).
import type { LeadSubmitted } from '#contract/exchange/event/lead.ts'
import { StatementInsights } from '#contract/provider/interfaces.ts'
import { fits } from '#kit/http/schema.ts'
import { checkedPaise, type Paise } from '#kit/money/money.ts'

/** Amounts are those of an average month; null for what the analysis does not tell. */
export interface BankFigures {
  inflowPaise: Paise | null
  outflowPaise: Paise | null
  averageBalancePaise: Paise | null
  lowestBalancePaise: Paise | null
  salaryPaise: Paise | null
  obligationsPaise: Paise | null
  /** Complete months of the analysis. */
  months: number | null
  /** Debits returned for insufficient funds in the last three months, or in all when monthly counts are missing. */
  returnedDebits: number | null
  /** Obligations as a share of the inflow, in whole percent, rounded up: of the stated income when that is lower. */
  obligationsPercent: number | null
  /** Inflow as a share of the stated income, in whole percent, rounded down. */
  inflowPercent: number | null
}

/** The measures for rules. */
export const measures = [
  'months',
  'returnedDebits',
  'obligationsPercent',
  'inflowPercent',
  'averageBalanceRupees',
] as const
export type Measure = (typeof measures)[number]

/** The figure that a rule looks at; null where the analysis does not tell it. */
export const measured = (figures: BankFigures, measure: Measure): number | null =>
  measure !== 'averageBalanceRupees'
    ? figures[measure]
    : figures.averageBalancePaise === null
      ? null
      : Number(figures.averageBalancePaise / 100n)

const nothing: BankFigures = {
  ...{ inflowPaise: null, outflowPaise: null, averageBalancePaise: null, lowestBalancePaise: null },
  ...{ salaryPaise: null, obligationsPaise: null, months: null, returnedDebits: null },
  ...{ obligationsPercent: null, inflowPercent: null },
}

const recentMonths = 3

/** A report in another format gives no figures: their meaning must not be guessed. */
export function figuresOf({ banking, borrower }: Pick<LeadSubmitted, 'banking' | 'borrower'>): BankFigures {
  const { report_data: insights } = banking
  if (insights === null || !fits(StatementInsights, insights)) return nothing
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
    returnedDebits: returnedIn(insights),
    obligationsPercent: obligationsPercent(obligationsPaise, leastOf(inflowPaise, statedPaise)),
    inflowPercent:
      inflowPaise === null || statedPaise === null || statedPaise === 0n
        ? null
        : Number((inflowPaise * 100n) / statedPaise),
  }
}

/** The stated income alone proves nothing: without inflow there is no base for obligations. */
const leastOf = (inflow: Paise | null, stated: Paise | null): Paise | null =>
  inflow === null || stated === null ? inflow : inflow < stated ? inflow : stated

const obligationsPercent = (obligations: Paise | null, income: Paise | null): number | null =>
  obligations === null || income === null || income === 0n ? null : Number((obligations * 100n + income - 1n) / income)

function returnedIn({ months = [], returned_debits }: StatementInsights): number | null {
  const recent = months.toSorted((a, b) => (a.month < b.month ? 1 : -1)).slice(0, recentMonths)
  const counts = recent.flatMap((each) => each.returned_debits ?? [])
  const isWhole = recent.length > 0 && counts.length === recent.length
  return isWhole ? counts.reduce((sum, count) => sum + count, 0) : (returned_debits ?? null)
}

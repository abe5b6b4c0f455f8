// What a bank statement of the sandbox says: six whole months of an account, always the same for the same account.
import { createHash } from 'node:crypto'
import { businessDate } from '#kit/money/calendar.ts'
import { type Paise, rupees } from '#kit/money/money.ts'

export interface Month {
  /** `YYYY-MM` */
  month: string
  credits: Paise
  debits: Paise
  closing: Paise
  creditCount: number
  returnedDebits: number
}

export interface Figures {
  periodFrom: string
  periodTo: string
  months: Month[]
  /** As the analyser tells it. */
  insights: Record<string, unknown>
}

const monthCount = 6

export function figuresOf(accountNumber: string, at: Date): Figures {
  const drawn = createHash('sha256').update(`statement ${accountNumber}`).digest()
  const draw = (i: number, span: number): bigint => BigInt(drawn[i % drawn.length]! % span)
  const months: Month[] = []
  let balance: Paise = (20_000n + draw(0, 200) * 100n) * 100n
  for (const [i, month] of monthsBefore(at).entries()) {
    const credits = (90_000n + draw(2 * i + 1, 90) * 1_000n) * 100n
    const debits = (credits * (80n + draw(2 * i + 2, 15))) / 100n
    balance += credits - debits
    months.push({
      month,
      credits,
      debits,
      closing: balance,
      creditCount: 18 + Number(draw(i + 15, 20)),
      returnedDebits: 0,
    })
  }
  const periodFrom = `${months[0]!.month}-01`
  const periodTo = lastDay(months.at(-1)!.month)
  return { periodFrom, periodTo, months, insights: insightsOf(months) }
}

function insightsOf(months: Month[]): Record<string, unknown> {
  const mean = (of: (month: Month) => Paise): string =>
    rupees(months.reduce((sum, each) => sum + of(each), 0n) / BigInt(months.length))
  return {
    average_monthly_credits: mean(({ credits }) => credits),
    average_monthly_debits: mean(({ debits }) => debits),
    average_closing_balance: mean(({ closing }) => closing),
    returned_debits: months.reduce((sum, { returnedDebits }) => sum + returnedDebits, 0),
    months: months.map(({ month, credits, debits, closing, creditCount }) => ({
      month,
      credits: rupees(credits),
      debits: rupees(debits),
      closing_balance: rupees(closing),
      credit_count: creditCount,
    })),
  }
}

/** The whole months before this one in India, oldest first. */
function monthsBefore(at: Date): string[] {
  const today = businessDate(at)
  const [year, month] = today.split('-').map(Number) as [number, number]
  return Array.from({ length: monthCount }, (_, i) =>
    new Date(Date.UTC(year, month - 1 - monthCount + i, 1)).toISOString().slice(0, 7),
  )
}

function lastDay(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

// What a bank statement of the sandbox says: six whole months of an account, always the same for the same account.
import { createHash } from 'node:crypto'
import { businessDate, plusDays } from '#kit/money/calendar.ts'
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
  const draw = (i: number, span: number): bigint => BigInt(drawn.readUInt8(i % drawn.length) % span)
  const months: Month[] = []
  let balance: Paise = (20_000n + draw(0, 200) * 100n) * 100n
  const today = businessDate(at)
  for (let i = 0; i < monthCount; i++) {
    const credits = (90_000n + draw(2 * i + 1, 90) * 1_000n) * 100n
    const debits = (credits * (80n + draw(2 * i + 2, 15))) / 100n
    balance += credits - debits
    months.push({
      month: monthStart(today, monthCount - i).slice(0, 7),
      credits,
      debits,
      closing: balance,
      creditCount: 18 + Number(draw(i + 15, 20)),
      returnedDebits: 0,
    })
  }
  const periodFrom = monthStart(today, monthCount)
  const periodTo = plusDays(monthStart(today, 0), -1)
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

/** The first day of the month that lies `back` months before that of the day. */
function monthStart(day: string, back: number): string {
  const start = new Date(`${day.slice(0, 7)}-01T00:00:00.000Z`)
  start.setUTCMonth(start.getUTCMonth() - back)
  return start.toISOString().slice(0, 10)
}

// The figures of a sandbox bank statement: whole months, stable per account and fault rule.
import { createHash } from 'node:crypto'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { type Paise, rupees } from '@lendloom/lending/money'
import type { StatementInsights } from '@lendloom/wire/provider/provider-interfaces'
import type { ProviderScenario } from './fault-rules.ts'

export interface StatementMonth {
  /** `YYYY-MM` */
  month: string
  credits: Paise
  debits: Paise
  closing: Paise
  lowest: Paise
  salary: Paise
  obligations: Paise
  creditCount: number
  returnedDebits: number
}

export interface StatementFigures {
  periodFrom: string
  periodTo: string
  months: StatementMonth[]
  /** The analyser's report. */
  insights: StatementInsights
}

/** The profile of an account: months, credits as a share of an ordinary income, instalments, and returned debits. */
interface AccountProfile {
  months: number
  creditsPercent: bigint
  obligationsPercent: bigint
  returnedDebits: (monthsAgo: number) => number
}

const ordinaryProfile: AccountProfile = {
  months: 6,
  creditsPercent: 100n,
  obligationsPercent: 18n,
  returnedDebits: () => 0,
}
const profiles: Partial<Record<ProviderScenario, AccountProfile>> = {
  'statement-thin': { ...ordinaryProfile, months: 2, creditsPercent: 15n, obligationsPercent: 0n },
  'statement-bouncing': { ...ordinaryProfile, returnedDebits: (monthsAgo) => (monthsAgo <= 3 ? 2 : 0) },
  'statement-owing': { ...ordinaryProfile, obligationsPercent: 72n },
}

/** Returns the figures of an account up to the last whole month. */
export function figuresOf(accountNumber: string, scenario: ProviderScenario | null, at: Date): StatementFigures {
  const profile = (scenario && profiles[scenario]) ?? ordinaryProfile
  const digest = createHash('sha256').update(`statement ${accountNumber}`).digest()
  const draw = (i: number, span: number): bigint => BigInt(digest.readUInt8(i % digest.length) % span)
  const months: StatementMonth[] = []
  let balance: Paise = ((20_000n + draw(0, 200) * 100n) * 100n * profile.creditsPercent) / 100n
  const today = businessDate(at)
  for (let i = 0; i < profile.months; i++) {
    const monthsAgo = profile.months - i
    const credits = ((90_000n + draw(2 * i + 1, 90) * 1_000n) * profile.creditsPercent * 100n) / 100n
    const debits = (credits * (80n + draw(2 * i + 2, 15))) / 100n
    const opening = balance
    balance += credits - debits
    months.push({
      month: monthStart(today, monthsAgo).slice(0, 7),
      credits,
      debits,
      closing: balance,
      lowest: (opening * (20n + draw(i + 7, 40))) / 100n,
      salary: 0n,
      obligations: (credits * profile.obligationsPercent) / 100n,
      creditCount: profile.creditsPercent === 100n ? 18 + Number(draw(i + 15, 20)) : 2,
      returnedDebits: profile.returnedDebits(monthsAgo),
    })
  }
  const periodFrom = monthStart(today, profile.months)
  const periodTo = plusDays(monthStart(today, 0), -1)
  return { periodFrom, periodTo, months, insights: insightsOf(months) }
}

/** The mean of a figure over the months. */
export const meanOf = (months: StatementMonth[], figureOf: (month: StatementMonth) => Paise): Paise =>
  months.reduce((sum, each) => sum + figureOf(each), 0n) / BigInt(months.length)

/** Counts the returned debits of all months. */
export const countReturnedDebits = (months: StatementMonth[]): number =>
  months.reduce((sum, each) => sum + each.returnedDebits, 0)

const lowestBalance = (months: StatementMonth[]): Paise =>
  months.reduce((lowestSoFar, { lowest }) => (lowest < lowestSoFar ? lowest : lowestSoFar), months[0]?.lowest ?? 0n)

function insightsOf(months: StatementMonth[]): StatementInsights {
  const mean = (figureOf: (month: StatementMonth) => Paise): string => rupees(meanOf(months, figureOf))
  return {
    average_monthly_credits: mean(({ credits }) => credits),
    average_monthly_debits: mean(({ debits }) => debits),
    average_closing_balance: mean(({ closing }) => closing),
    lowest_balance: rupees(lowestBalance(months)),
    average_monthly_salary: mean(({ salary }) => salary),
    average_monthly_obligations: mean(({ obligations }) => obligations),
    returned_debits: countReturnedDebits(months),
    months: months.map(({ month, credits, debits, closing, creditCount, returnedDebits }) => ({
      month,
      credits: rupees(credits),
      debits: rupees(debits),
      closing_balance: rupees(closing),
      credit_count: creditCount,
      returned_debits: returnedDebits,
    })),
  }
}

/** The first day of the month that is `monthsAgo` months before the month of `day`. */
function monthStart(day: string, monthsAgo: number): string {
  const start = new Date(`${day.slice(0, 7)}-01T00:00:00.000Z`)
  start.setUTCMonth(start.getUTCMonth() - monthsAgo)
  return start.toISOString().slice(0, 10)
}

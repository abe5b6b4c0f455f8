// The dashboard's queries over loans, payments and stored month-ends.

import type { Paise } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import type { AssetClass } from '#partner/servicing/loan/class/asset-class.ts'

export interface LentMonth {
  /** The first day of the month. */
  month: string
  loans: number
  paise: Paise
}

/** Disbursed loan amounts by month, before fees, without payouts that the bank gave back. */
export const lentByMonth = (db: Run, from: string, to: string) => db<LentMonth>`
  select date_trunc('month', disbursed_on::timestamp)::date as month, count(*)::int as loans,
    sum((terms->>'amountPaise')::bigint)::bigint as paise
  from loan where status <> 'CANCELLED' and disbursed_on between ${from}::date and ${to}::date group by 1 order by 1`

export interface ClassOfMonth {
  endedOn: string
  assetClass: AssetClass
  loans: number
  principalPaise: Paise
}

/** The loans by asset class on the last closed day of each month, without written-off loans. */
export const classesByMonth = (db: Run, from: string, to: string) => db<ClassOfMonth>`
  select ended_on, asset_class, loans, principal_paise from business_day_class
  where ended_on in (select max(ended_on) from business_day where ended_on between ${from}::date and ${to}::date
    group by date_trunc('month', ended_on::timestamp))
  order by ended_on`

export interface DemandMonth {
  monthEnd: string
  duePaise: Paise
  collectedPaise: Paise
}

export const demandByMonth = (db: Run, from: string, to: string) => db<DemandMonth>`
  select month_end, due_paise, collected_paise from portfolio_month
  where month_end between ${from}::date and ${to}::date order by month_end`

/** Payments of borrowers, less reversals, by month of the value date. */
export const receivedByMonth = (db: Run, from: string, to: string) => db<{ month: string; paise: Paise }>`
  select date_trunc('month', value_on::timestamp)::date as month,
    sum(case when status = 'REVERSED' then -amount_paise else amount_paise end)::bigint as paise
  from payment where value_on between ${from}::date and ${to}::date and status in ('POSTED', 'TAKEN_BACK', 'REVERSED')
  group by 1`

export interface Vintage {
  monthEnd: string
  lentMonth: string
  loans: number
  lentPaise: Paise
  latePaise: Paise
}

export const vintages = (db: Run, from: string, to: string) => db<Vintage>`
  select month_end, lent_month, loans, lent_paise, late_paise from portfolio_vintage
  where lent_month >= ${from}::date and month_end <= ${to}::date order by lent_month, month_end`

export interface Roll {
  monthEnd: string
  fromState: string
  toState: string
  loans: number
  principalPaise: Paise
}

/** How principal moved between states in the last stored month up to a day. */
export const lastRolls = (db: Run, to: string) => db<Roll>`
  select month_end, from_state, to_state, loans, principal_paise from portfolio_roll
  where month_end = (select max(month_end) from portfolio_month where month_end <= ${to}::date)`

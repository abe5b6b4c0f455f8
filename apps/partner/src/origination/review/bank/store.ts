// Tables of bank data: case_bank_review (sealed except for the decision), bank_rule_set.

import { businessDate } from '@lendloom/lending/calendar'
import { oneRow, type Run, type Tx } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import type { LeadSubmitted } from '@lendloom/wire/exchange/event/lead'
import type { Context, TxContext } from '#partner/context.ts'
import type { BankFigures } from './bank-figures.ts'
import { type BankReview, reviewBankData } from './review-bank-data.ts'
import { type BankRules, readBankRules } from './settings.ts'

const context = (caseRef: string): string => `case_bank_review:${caseRef}`

/** Amounts are strings, because JSON has no bigint. */
type ReviewJson = { figures: { [Name in keyof BankFigures]: string | number | null } } & Pick<BankReview, 'findings'>

/** Reviews the bank data of a new case by the current rules, and stores the result. */
export async function reviewBank(
  { tx, seal, config, at }: Pick<TxContext, 'tx' | 'seal' | 'config' | 'at'>,
  caseRef: string,
  lead: LeadSubmitted,
): Promise<void> {
  const rules = await bankRulesOn(tx, config, businessDate(at))
  const { decision, reasonCode, figures, findings } = reviewBankData(lead, rules, at)
  const text = JSON.stringify({ figures, findings }, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  const reviewSealed = seal.bytes(Buffer.from(text), context(caseRef))
  await tx`insert into case_bank_review ${tx({ caseRef, decision, reasonCode, reviewSealed, judgedAt: at })}`
}

/** Returns the rules for a business day: the rules saved at the desk, or before these the rules of the settings. */
export async function bankRulesOn(db: Run, config: Context['config'], on: string): Promise<BankRules> {
  const [row] = await db<{ rules: string }>`
    select rules from bank_rule_set where from_on <= ${on}::date order by from_on desc limit 1`
  return row ? readBankRules(row.rules) : config.PARTNER_BANK_RULES
}

/** Returns the days later than `after` on which saved rules start. */
export async function bankRuleDays(db: Run, after: string): Promise<string[]> {
  const rows = await db<{ fromOn: string }>`
    select from_on from bank_rule_set where from_on > ${after}::date order by from_on`
  return rows.map(({ fromOn }) => fromOn)
}

/** Saves rules that start on a day; replaces saved rules with the same start. */
export async function saveBankRules(tx: Tx, fromOn: string, rules: BankRules): Promise<void> {
  const text = JSON.stringify(rules)
  await tx`
    insert into bank_rule_set (from_on, rules) values (${fromOn}, ${text})
    on conflict (from_on) do update set rules = excluded.rules`
}

type BankReviewRow = Pick<BankReview, 'decision' | 'reasonCode'> & { reviewSealed: Buffer; judgedAt: Date }

export interface StoredBankReview extends BankReview {
  judgedAt: Date
}

export async function bankReviewOf(db: Run, seal: Seal, caseRef: string): Promise<StoredBankReview> {
  const rows = await db<BankReviewRow>`
    select decision, reason_code, review_sealed, judged_at from case_bank_review where case_ref = ${caseRef}`
  const { decision, reasonCode, reviewSealed, judgedAt } = oneRow(rows)
  const { figures, findings } = seal.openJson<ReviewJson>(reviewSealed, context(caseRef))
  return { decision, reasonCode, judgedAt, findings, figures: readFigures(figures) }
}

function readFigures(json: ReviewJson['figures']): BankFigures {
  const paise = (value: string | number | null) => (value === null ? null : BigInt(value))
  const count = (value: string | number | null) => (value === null ? null : Number(value))
  return {
    inflowPaise: paise(json.inflowPaise),
    outflowPaise: paise(json.outflowPaise),
    averageBalancePaise: paise(json.averageBalancePaise),
    lowestBalancePaise: paise(json.lowestBalancePaise),
    salaryPaise: paise(json.salaryPaise),
    obligationsPaise: paise(json.obligationsPaise),
    months: count(json.months),
    returnedDebits: count(json.returnedDebits),
    obligationsPercent: count(json.obligationsPercent),
    inflowPercent: count(json.inflowPercent),
  }
}

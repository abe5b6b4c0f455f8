// Tables of bank data: case_bank_review (a lead's bank review, sealed except for the decision), bank_rule_set.
import type { LeadSubmitted } from '#contract/exchange/event/lead.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { businessDate } from '#kit/money/calendar.ts'
import type { Context, TxContext } from '#partner/context.ts'
import type { BankFigures } from './figures.ts'
import { type BankReview, judge } from './judge.ts'
import { type BankRules, readBankRules } from './settings.ts'

const context = (caseRef: string): string => `case_bank_review:${caseRef}`

/** Amounts as text, for JSON has no bigint. */
type ReviewJson = { figures: { [Name in keyof BankFigures]: string | number | null } } & Pick<BankReview, 'findings'>

/** Reviews the bank data of a new case by the current rules, and stores the result. */
export async function reviewBank(
  { tx, seal, config, at }: Pick<TxContext, 'tx' | 'seal' | 'config' | 'at'>,
  caseRef: string,
  lead: LeadSubmitted,
): Promise<void> {
  const rules = await bankRulesOn(tx, config, businessDate(at))
  const { decision, reasonCode, figures, findings } = judge(lead, rules, at)
  const text = JSON.stringify({ figures, findings }, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  const reviewSealed = seal.bytes(Buffer.from(text), context(caseRef))
  await tx`insert into case_bank_review ${tx({ caseRef, decision, reasonCode, reviewSealed, judgedAt: at })}`
}

/** The rules that hold on a business day: the desk's, and before it wrote any down those of the settings. */
export async function bankRulesOn(db: Run, config: Context['config'], on: string): Promise<BankRules> {
  const [row] = await db<{ rules: string }>`
    select rules from bank_rule_set where from_on <= ${on}::date order by from_on desc limit 1`
  return row ? readBankRules(row.rules) : config.PARTNER_BANK_RULES
}

/** The days after this one from which other rules hold. */
export async function bankRuleDays(db: Run, after: string): Promise<string[]> {
  const rows = await db<{ fromOn: string }>`
    select from_on from bank_rule_set where from_on > ${after}::date order by from_on`
  return rows.map(({ fromOn }) => fromOn)
}

/** In the place of those that begin on the same day. */
export async function saveBankRules(tx: Tx, fromOn: string, rules: BankRules): Promise<void> {
  const text = JSON.stringify(rules)
  await tx`
    insert into bank_rule_set (from_on, rules) values (${fromOn}, ${text})
    on conflict (from_on) do update set rules = excluded.rules`
}

type BankReviewRow = Pick<BankReview, 'decision' | 'reasonCode'> & { reviewSealed: Buffer; judgedAt: Date }

export interface KeptBankReview extends BankReview {
  judgedAt: Date
}

/** Null for a case from before the rules existed. */
export async function bankReviewOf(db: Run, seal: Seal, caseRef: string): Promise<KeptBankReview | null> {
  const [row] = await db<BankReviewRow>`
    select decision, reason_code, review_sealed, judged_at from case_bank_review where case_ref = ${caseRef}`
  if (!row) return null
  const { decision, reasonCode, reviewSealed, judgedAt } = row
  const { figures, findings } = seal.openJson<ReviewJson>(reviewSealed, context(caseRef))
  return { decision, reasonCode, judgedAt, findings, figures: readFigures(figures) }
}

function readFigures(written: ReviewJson['figures']): BankFigures {
  const paise = (value: string | number | null) => (value === null ? null : BigInt(value))
  const count = (value: string | number | null) => (value === null ? null : Number(value))
  return {
    inflowPaise: paise(written.inflowPaise),
    outflowPaise: paise(written.outflowPaise),
    averageBalancePaise: paise(written.averageBalancePaise),
    lowestBalancePaise: paise(written.lowestBalancePaise),
    salaryPaise: paise(written.salaryPaise),
    obligationsPaise: paise(written.obligationsPaise),
    months: count(written.months),
    returnedDebits: count(written.returnedDebits),
    obligationsPercent: count(written.obligationsPercent),
    inflowPercent: count(written.inflowPercent),
  }
}

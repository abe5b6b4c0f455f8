// Table case_bank_review: what the bank data of a lead came to, sealed but for the decision.
import type { LeadSubmitted } from '#contract/exchange/event/lead-submitted.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Run } from '#kit/db/sql.ts'
import type { TxContext } from '#partner/context.ts'
import type { BankFigures } from './figures.ts'
import { type BankReview, judge } from './judge.ts'

const context = (caseRef: string): string => `case_bank_review:${caseRef}`

/** Amounts as text, for JSON has no bigint. */
type Written = { figures: { [Name in keyof BankFigures]: string | number | null } } & Pick<BankReview, 'findings'>

/** Holds the bank data of a new case against the rules that are in force, and keeps what came of it. */
export async function reviewBank(
  { tx, seal, config, at }: Pick<TxContext, 'tx' | 'seal' | 'config' | 'at'>,
  caseRef: string,
  lead: LeadSubmitted,
): Promise<void> {
  const { decision, reasonCode, figures, findings } = judge(lead, config.PARTNER_BANK_RULES, at)
  const text = JSON.stringify({ figures, findings }, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  const reviewSealed = seal.bytes(Buffer.from(text), context(caseRef))
  await tx`insert into case_bank_review ${tx({ caseRef, decision, reasonCode, reviewSealed, judgedAt: at })}`
}

type Row = Pick<BankReview, 'decision' | 'reasonCode'> & { reviewSealed: Buffer; judgedAt: Date }

export interface KeptBankReview extends BankReview {
  judgedAt: Date
}

/** Null for a case that came before there were rules for bank data. */
export async function bankReviewOf(db: Run, seal: Seal, caseRef: string): Promise<KeptBankReview | null> {
  const [row] = await db<Row>`
    select decision, reason_code, review_sealed, judged_at from case_bank_review where case_ref = ${caseRef}`
  if (!row) return null
  const { decision, reasonCode, reviewSealed, judgedAt } = row
  const { figures, findings } = seal.openJson<Written>(reviewSealed, context(caseRef))
  return { decision, reasonCode, judgedAt, findings, figures: readFigures(figures) }
}

function readFigures(written: Written['figures']): BankFigures {
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

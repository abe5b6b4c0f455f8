// English texts about debits: why a debit is not requested or on hold.
import { isKeyOf } from '#kit/runtime/record.ts'
import type { HoldReason } from '#partner/collection/hold.ts'
import type { DebitBlock } from '#partner/collection/plan.ts'
import type { HoldLine } from '#partner/desk/store.ts'

const debitBlockTexts: Record<DebitBlock, string> = {
  OUTSIDE_HOURS: 'the bank accepts no debits at this hour',
  NOTHING_DUE: 'nothing is due',
  NOTICE_TOO_SHORT: 'the borrower has not had the schedule long enough',
  ATTEMPT_PENDING: 'a debit or a claim is pending',
  MANDATE_NOT_ACTIVE: 'there is no active mandate',
  MANDATE_NOT_VALID: 'the mandate does not cover today',
  MANDATE_FREQUENCY: 'the mandate allows one debit in seven days',
  ON_HOLD: 'debits of this case are on hold',
  NO_COLLECTION_DAY: 'no debits are presented on this day',
  TOO_SOON: 'the last debit was returned recently',
  TOO_MANY_ATTEMPTS: 'the maximum number of tries is reached',
}

export const debitBlockText = (why: DebitBlock): string => debitBlockTexts[why]

/** Describes the result of a debit check. */
export const debitCheckText = (outcome: string): string =>
  outcome === 'PREPARED'
    ? 'debit requested'
    : `no debit: ${isKeyOf(debitBlockTexts, outcome) ? debitBlockTexts[outcome] : outcome}`

/** Describes why debits are on hold: a reason that a person chose, or a return code of the bank. */
export const holdReason = (code: string): string =>
  isKeyOf(holdReasons, code) ? holdReasons[code] : `Return code ${code}`
export const holdReasons: Record<HoldReason, string> = {
  DISPUTE: 'The borrower disputes it',
  ILLNESS_OR_DEATH: 'Illness or death',
  LEGAL: 'A court or an authority',
  PROMISED: 'The borrower promised to pay another way',
  OTHER: 'Another reason',
}

/** The effect of a hold, and what ends it. */
export const holdPolicyTexts: Record<HoldLine['policy'], string> = {
  'new-mandate': 'No debits under this mandate until there is a new one or someone releases them.',
  stop: 'No debits until someone releases them.',
  review: 'No debits until someone has checked.',
}

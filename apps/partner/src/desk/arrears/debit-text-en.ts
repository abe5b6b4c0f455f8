// English texts about debits: why no debit is requested, why a debit was returned, and why debits are on hold.

import { isKeyOf } from '@lendloom/foundation/record'
import { returnCodes } from '@lendloom/wire/exchange/return-code-text'
import type { HoldLine } from '#partner/desk/books/payments-store.ts'
import type { HoldReason } from '#partner/servicing/collection/debit/debit-hold.ts'
import type { DebitBlock } from '#partner/servicing/collection/debit/plan-debit.ts'

const debitBlockTexts: Record<DebitBlock, string> = {
  OUTSIDE_HOURS: 'the bank accepts no debits at this hour',
  NOTHING_DUE: 'nothing is due',
  NOTICE_TOO_SHORT: 'the borrower received the schedule too recently',
  NOT_ANNOUNCED: 'the bank has not sent the borrower a notice of this debit',
  ANNOUNCED_TOO_LATE: 'the bank’s notice to the borrower is less than 24 hours old',
  ANNOUNCEMENT_REFUSED: 'the bank refused the notice: the mandate is paused or has ended',
  ATTEMPT_PENDING: 'a debit or a claim is pending',
  MANDATE_NOT_ACTIVE: 'there is no active mandate',
  MANDATE_NOT_VALID: 'the mandate does not cover today',
  MANDATE_FREQUENCY: 'the mandate allows one debit in seven days',
  ON_HOLD: 'debits of this case are on hold',
  NO_COLLECTION_DAY: 'no debits are presented on this day',
  TOO_SOON: 'the last debit was returned recently',
  TOO_MANY_ATTEMPTS: 'the maximum number of attempts is reached',
}

export const debitBlockText = (block: DebitBlock): string => debitBlockTexts[block]

export const debitCheckText = (outcome: string): string =>
  outcome === 'PREPARED'
    ? 'debit requested'
    : `no debit: ${isKeyOf(debitBlockTexts, outcome) ? debitBlockTexts[outcome] : outcome}`

/** Describes why debits are on hold. The code is either a reason that a person chose or a return code of the bank. */
export const holdReasonText = (code: string): string =>
  isKeyOf(holdReasons, code) ? holdReasons[code] : returnCodeText(code)
export const holdReasons: Record<HoldReason, string> = {
  DISPUTE: 'The borrower disputes the debit',
  ILLNESS_OR_DEATH: 'Illness or death',
  LEGAL: 'A court or an authority',
  PROMISED: 'The borrower promised to pay another way',
  OTHER: 'Another reason',
}

export const newHoldText = (reasonCode: string, actor: string | undefined): string =>
  `${actor === undefined ? 'debits went' : `${actor} put debits`} on hold after you opened the page: ${holdReasonText(reasonCode)}`

export const holdPolicyTexts: Record<HoldLine['policy'], string> = {
  'new-mandate': 'No debits under this mandate until there is a new mandate or a staff member releases them.',
  stop: 'No debits until a staff member releases them.',
  review: 'No debits until a staff member has reviewed the case.',
}

/** Describes a return code of the bank, for example `Mandate cancelled (61)`. */
export const returnCodeText = (code: string): string =>
  isKeyOf(returnCodes, code) ? `${returnCodes[code]} (${code})` : `Return code ${code}`

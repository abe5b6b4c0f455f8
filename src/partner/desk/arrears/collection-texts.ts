// English texts about debits: why no debit is requested, why a debit was returned, and why debits are on hold.
import { isKeyOf } from '#kit/runtime/record.ts'
import type { HoldReason } from '#partner/collection/hold.ts'
import type { DebitBlock } from '#partner/collection/plan.ts'
import type { HoldLine } from '#partner/desk/store.ts'

const debitBlockTexts: Record<DebitBlock, string> = {
  OUTSIDE_HOURS: 'the bank accepts no debits at this hour',
  NOTHING_DUE: 'nothing is due',
  NOTICE_TOO_SHORT: 'the borrower received the schedule too recently',
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

/** What a hold stops, and what ends the hold. */
export const holdPolicyTexts: Record<HoldLine['policy'], string> = {
  'new-mandate': 'No debits under this mandate until there is a new mandate or a staff member releases them.',
  stop: 'No debits until a staff member releases them.',
  review: 'No debits until a staff member has reviewed the case.',
}

const returnCodes = {
  '01': 'Account closed',
  '02': 'No such account',
  '03': 'Account description differs',
  '04': 'Insufficient funds',
  '05': 'No arrangement with the bank for this debit',
  '06': 'Payment stopped by the account holder',
  '07': 'Payment stopped by a court',
  '08': 'Mandate not received',
  '11': 'Invalid IFSC or MICR code',
  '12': 'Frequency differs from the mandate',
  '13': 'Duplicate debit',
  '14': 'Mandate expired',
  '15': 'Amount differs from the mandate',
  '16': 'Name differs from the account holder',
  '17': 'Returned at the customer’s request',
  '21': 'Mandate invalid or inactive',
  '22': 'Mandate does not allow debits',
  '23': 'Account differs from the mandate',
  '24': 'Bank differs from the mandate',
  '25': 'Currency differs from the mandate',
  '26': 'Amount exceeds the mandate',
  '27': 'Amount differs from the mandate',
  '28': 'Mandate not valid yet',
  '29': 'Mandate ended',
  '30': 'Mandate belongs to another lender',
  '31': 'Duplicate reference number',
  '51': 'KYC documents pending at the bank',
  '52': 'Documents of an account holder who came of age are pending',
  '53': 'Account inoperative',
  '54': 'Account dormant',
  '55': 'Account without balance or transactions',
  '56': 'Small account: the first transaction must be at its branch',
  '57': 'Amount exceeds the account’s limit per debit',
  '58': 'Account’s limit of debits reached',
  '59': 'Network failure at the bank',
  '60': 'Account holder deceased',
  '61': 'Mandate cancelled',
  '68': 'Account blocked or frozen',
  '69': 'Account holder insolvent or of unsound mind',
  '70': 'Account holder must visit the branch',
  '98': 'Bank did not respond in time',
}

/** Describes a return code of the bank, for example `Mandate cancelled (61)`. */
export const returnCodeText = (code: string): string =>
  isKeyOf(returnCodes, code) ? `${returnCodes[code]} (${code})` : `Return code ${code}`

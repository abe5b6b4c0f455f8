// The form in which the borrower chooses amount and term within the offer (FIS12 §8.1, F2).

import { parse, Type } from '@lendloom/foundation/schema'
import { type Paise, rupees } from '@lendloom/lending/money'
import type { AnswersTo, amountFields } from '@lendloom/wire/network/form-fields'
import type { FieldPresentation } from '#sandbox/lender/core/form.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import type { LoanRequest } from '#sandbox/lender/core/lending-decision.ts'
import { rupeesIn } from './profile-fields.ts'

const Choice = Type.Object({
  requestAmount: Type.String({
    pattern: '^\\s*\\d{1,9}(?:\\.\\d{1,2})?\\s*$',
    'x-says': 'must be an amount of rupees',
  }),
  requestTerm: Type.String({ pattern: '^\\s*\\d{1,3}(?:\\s*months?)?\\s*$', 'x-says': 'must be a number of months' }),
})

/** The fields of the amount form: amount and term within the offer (FIS12 §8.1, F2). */
export const amountPresentation = (
  { amounts, tenuresMonths }: LenderPolicy,
  offered: LoanRequest,
): Record<string, FieldPresentation> => ({
  requestAmount: {
    label: 'Amount',
    hint: 'in rupees',
    min: wholeRupees(amounts.from),
    max: wholeRupees(offered.principal),
    value: wholeRupees(offered.principal),
  },
  requestTerm: {
    label: 'Term',
    hint: 'in months',
    min: String(tenuresMonths[0]),
    max: String(offered.months),
    value: String(offered.months),
  },
})

const wholeRupees = (amount: Paise): string => rupees(amount).slice(0, -3)

/** Parses the posted choice. Throws `invalid`. Does not check the limits of the offer. */
export function choiceFrom(posted: AnswersTo<typeof amountFields>): { principal: Paise; months: number } {
  const { requestAmount, requestTerm } = parse(Choice, posted)
  return { principal: rupeesIn(requestAmount), months: Number.parseInt(requestTerm, 10) }
}

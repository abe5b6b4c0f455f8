// The amount form: what the borrower wants of what was offered (FIS12 §8.1, F2).
import type { AnswersTo, amountFields } from '#contract/network/form-fields.ts'
import { parse, Type } from '#kit/http/schema.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import type { Shown } from '#sandbox/lender/core/form.ts'
import type { LoanRequest } from '#sandbox/lender/core/loan.ts'
import type { Policy } from '#sandbox/lender/core/policy.ts'
import { rupeesIn } from './profile-fields.ts'

const Choice = Type.Object({
  requestAmount: Type.String({
    pattern: '^\\s*\\d{1,9}(?:\\.\\d{1,2})?\\s*$',
    'x-says': 'must be an amount of rupees',
  }),
  requestTerm: Type.String({ pattern: '^\\s*\\d{1,3}(?:\\s*months?)?\\s*$', 'x-says': 'must be a number of months' }),
})

export const amountShown = ({ amounts, tenuresMonths }: Policy, offered: LoanRequest): Record<string, Shown> => ({
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

/** The choice as it was posted. Throws a `Refusal` of kind `invalid`; whether it is within the offer is not asked here. */
export function choiceFrom(posted: AnswersTo<typeof amountFields>): { principal: Paise; months: number } {
  const { requestAmount, requestTerm } = parse(Choice, posted)
  return { principal: rupeesIn(requestAmount), months: Number.parseInt(requestTerm, 10) }
}

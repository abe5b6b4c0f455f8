// Reads the fields of the forms of acts that need a second person. Throws `invalid` with the name of an invalid field.

import { Refusal } from '@lendloom/foundation/refusal'
import { uuidPattern } from '@lendloom/foundation/uuid'
import { businessDate } from '@lendloom/lending/calendar'
import { storedIfscPattern } from '@lendloom/wire/identifier'
import type { Context } from '#partner/context.ts'
import { dayIn, paiseIn, percentIn, readField, referencePattern } from '#partner/desk/parts/read-fields.ts'
import { productTerms } from '#partner/origination/review/offer.ts'
import { finalTerms, type LoanTerms, type ProposedTerms } from '#partner/origination/terms/terms.ts'
import type { ReceiptKey } from '#partner/servicing/collection/receipt/store.ts'
import type { ExitRequest } from '#partner/servicing/loan/accept-exit-request.ts'

/** The term that every offer on the exchange has (D3 §2.4). */
const tenureWeeks = 22

export const readTerms = (config: Context['config'], form: URLSearchParams): ProposedTerms => ({
  ...productTerms(config, paiseIn(form, 'amount'), tenureWeeks),
  annualRatePercent: percentIn(form, 'annualRatePercent'),
  feePercent: percentIn(form, 'feePercent'),
  taxPercent: percentIn(form, 'taxPercent'),
  otherChargesPaise: paiseIn(form, 'otherCharges'),
})

/** The terms of an offer's form, as an offer would have them. */
export const termsOfForm = (config: Context['config'], form: URLSearchParams): LoanTerms =>
  finalTerms(readTerms(config, form), config.PARTNER_ROUNDING)

export const readValidDays = (form: URLSearchParams): number => Number(readField(form, 'validDays', /^[1-9]\d?$/))

export const readWaiver = (form: URLSearchParams) => ({
  penalty: paiseIn(form, 'penalty'),
  charges: paiseIn(form, 'charges'),
  interest: paiseIn(form, 'interest'),
})

export const readSettlement = (form: URLSearchParams) => ({
  paise: paiseIn(form, 'amount'),
  until: dayIn(form, 'until'),
})

export const readPaymentId = (form: URLSearchParams): string => readField(form, 'payment', new RegExp(uuidPattern))

export const readTransferId = (form: URLSearchParams): string => readField(form, 'transfer', new RegExp(uuidPattern))

/** The receipt of a posting or of a returned transfer. Both forms are on the receipt's page, which adds the key. */
export const readReceiptKey = (form: URLSearchParams): ReceiptKey => ({
  provider: readField(form, 'provider', /^.{1,100}$/),
  receiptId: readField(form, 'receiptId', /^.{1,200}$/),
})

export function readExitRequest(form: URLSearchParams, at: Date): ExitRequest {
  const today = businessDate(at)
  return {
    requestedOn: dayIn(form, 'requestedOn'),
    reference: form.get('reference')?.trim() ? requestNumberIn(form, today) : null,
    today,
  }
}

/** The number of a complaint at the platform: `GR`, year and month, then characters that are not confusable. */
const complaintNumber = /^GR-(\d\d)(0[1-9]|1[0-2])-[2-9A-HJKMNP-TV-Z]{5}$/

/** Reads the number of a request. A number of the platform must be possible today; the lender’s own have any format. */
function requestNumberIn(form: URLSearchParams, today: string): string {
  const reference = readField(form, 'reference', referencePattern)
  if (!/^GR-/i.test(reference)) return reference
  const [number, year, month] = complaintNumber.exec(reference.toUpperCase()) ?? []
  if (number === undefined || `20${year}-${month}` > today.slice(0, 7))
    throw new Refusal(
      'invalid',
      'this cannot be a request number: after GR come the year and month of the request, then five characters',
      {
        field: 'reference',
      },
    )
  return number
}

/** Throws `invalid` for a field that does not have the format of the bank. */
export const readAccount = (form: URLSearchParams) => ({
  holder_name: readField(form, 'holder', /^\S.{1,99}$/),
  account_number: readField(form, 'number', /^[0-9A-Za-z]{5,35}$/),
  ifsc: readField(form, 'ifsc', new RegExp(storedIfscPattern)),
})

// What a borrower sends with the form about a payment: the claim, and perhaps a picture, whose content is looked at (D3 §4.3).
import { documentTypes } from '#contract/exchange/document.ts'
import { paiseFrom } from '#kit/money/money.ts'
import type { Proof } from '#platform/application/partner/claiming.ts'
import { type Claim, claimMethods } from '#platform/servicing/claim.ts'
import { readForm } from './form.ts'

const rule = documentTypes.PAYMENT_SCREENSHOT

/** The form whole; its fields are far smaller than its picture. */
export const mostFormBytes = rule.maxBytes + 64 * 1024
export const proofTypes: readonly string[] = rule.contentTypes

/** Refused: `malformed` it is no form · `invalid` the picture is none. What the claim lacks is told when it is taken. */
export async function readClaimForm(raw: Buffer, contentType: string): Promise<{ claim: Claim; proof: Proof | null }> {
  const { text, file } = await readForm(raw, contentType)
  const claim: Claim = {
    amount: paiseFrom(text('amount')) ?? 0n,
    method: claimMethods.find((method) => method === text('method')) ?? 'UPI',
    transactionReference: text('transactionReference'),
    paidOn: /^\d{4}-\d{2}-\d{2}$/.test(text('paidOn')) ? text('paidOn') : '9999-12-31',
  }
  return { claim, proof: await file('proof', rule, 'must be a PNG, a JPEG or a PDF of at most 5 MiB') }
}

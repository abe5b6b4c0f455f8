// What a borrower sends with the form about a payment: the claim, and perhaps a picture, whose content is looked at (D3 §4.3).
import { documentTypes } from '#contract/exchange/document.ts'
import { BadContent, checkContent } from '#kit/files/file-content.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { paiseFrom } from '#kit/money/money.ts'
import type { Proof } from '#platform/application/partner/claiming.ts'
import { type Claim, claimMethods } from '#platform/servicing/claim.ts'

const { contentTypes, maxBytes } = documentTypes.PAYMENT_SCREENSHOT

/** The form whole; its fields are far smaller than its picture. */
export const mostFormBytes = maxBytes + 64 * 1024
export const proofTypes: readonly string[] = contentTypes

/** Refused: `malformed` it is no form · `invalid` the picture is none. What the claim lacks is told when it is taken. */
export async function readClaimForm(raw: Buffer, contentType: string): Promise<{ claim: Claim; proof: Proof | null }> {
  const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => {
      throw new Refusal('malformed', 'this is not a form')
    })
  const text = (name: string): string => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const claim: Claim = {
    amount: paiseFrom(text('amount')) ?? 0n,
    method: claimMethods.find((method) => method === text('method')) ?? 'UPI',
    transactionReference: text('transactionReference'),
    paidOn: /^\d{4}-\d{2}-\d{2}$/.test(text('paidOn')) ? text('paidOn') : '9999-12-31',
  }
  const file = form.get('proof')
  return { claim, proof: typeof file === 'string' || file === null || file.size === 0 ? null : await proofIn(file) }
}

async function proofIn(file: File): Promise<Proof> {
  const fault = { path: 'proof', message: 'must be a PNG, a JPEG or a PDF of at most 5 MiB' }
  const check = proofTypes.includes(file.type) && file.size <= maxBytes ? checkContent(file.type) : undefined
  if (!check) throw invalid(fault)
  const bytes = Buffer.from(await file.arrayBuffer())
  try {
    check.write(bytes)
    check.end()
  } catch (error) {
    if (error instanceof BadContent) throw invalid(fault)
    throw error
  }
  return { bytes, contentType: file.type }
}

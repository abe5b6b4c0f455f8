// Links that nobody can guess: an address names its conversation and proves, by a keyed digest, that we made it.
import { timingSafeEqual } from 'node:crypto'
import { base62, formatUuid, fromBase62, uuidBytes } from '#kit/id.ts'
import type { Seal } from '#kit/seal.ts'

/** What a link opens. Each purpose has links of its own: a form's link does not open a document. */
export type Purpose =
  | 'profile'
  | 'amount'
  | 'bank'
  | 'kyc'
  | 'mandate'
  | 'agreement'
  | 'offer-key-facts'
  | 'final-key-facts'
  | 'agreement-document'
  | 'payment'

const macLength = 16

/** The last part of an address, for a conversation or a payment in one: 43 letters and digits, half of them a secret. Nothing is stored, so links outlive restarts. */
export function linkToken(seal: Seal, purpose: Purpose, conversationId: string): string {
  return base62(Buffer.concat([uuidBytes(conversationId), mac(seal, purpose, conversationId)]))
}

/** The conversation a token opens for this purpose; null for any text we did not make. */
export function conversationOfLink(seal: Seal, purpose: Purpose, token: string): string | null {
  const bytes = fromBase62(token, 16 + macLength)
  if (!bytes) return null
  const conversationId = formatUuid(bytes.subarray(0, 16))
  return timingSafeEqual(bytes.subarray(16), mac(seal, purpose, conversationId)) ? conversationId : null
}

const mac = (seal: Seal, purpose: Purpose, conversationId: string): Buffer =>
  seal.digest(conversationId, `lender link ${purpose}`).subarray(0, macLength)

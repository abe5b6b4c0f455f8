// The unguessable addresses of a lender's pages and papers.
import type { Seal } from '#kit/crypto/seal.ts'
import { idOfToken, secretToken } from '#sandbox/core/secret-link.ts'

/** What a link opens. Each purpose has links of its own: a form's link does not open a document. */
export type Purpose =
  | 'profile'
  | 'amount'
  | 'bank'
  | 'customer'
  | 'kyc'
  | 'lien'
  | 'line'
  | 'mandate'
  | 'agreement'
  | 'visit'
  | 'offline'
  | 'kyc-offline'
  | 'offer-key-facts'
  | 'final-key-facts'
  | 'agreement-document'
  | 'sanction-letter'
  | 'payment'

/** The last part of an address, for a conversation or a payment in one. */
export const linkToken = (seal: Seal, purpose: Purpose, conversationId: string): string =>
  secretToken(seal, placeOf(purpose), conversationId)

/** The conversation a token opens for this purpose; null for any text we did not make. */
export const conversationOfLink = (seal: Seal, purpose: Purpose, token: string): string | null =>
  idOfToken(seal, placeOf(purpose), token)

const placeOf = (purpose: Purpose): string => `lender link ${purpose}`

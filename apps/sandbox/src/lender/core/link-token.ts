// Unguessable link tokens for a lender's pages and documents.
import type { Seal } from '@lendloom/seal/seal'
import { idOfToken, secretToken } from '#sandbox/core/secret-link.ts'

/** The target of a link. Tokens are per purpose: a form's link does not open a document. */
export type LinkPurpose =
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
  | 'journey'
  | 'kyc-offline'
  | 'offer-key-facts'
  | 'final-key-facts'
  | 'agreement-document'
  | 'sanction-letter'
  | 'payment'

export const linkToken = (seal: Seal, purpose: LinkPurpose, id: string): string =>
  secretToken(seal, sealPurpose(purpose), id)

/** The conversation or payment id in a token for this purpose; null for a forged token. */
export const idOfLink = (seal: Seal, purpose: LinkPurpose, token: string): string | null =>
  idOfToken(seal, sealPurpose(purpose), token)

const sealPurpose = (purpose: LinkPurpose): string => `lender link ${purpose}`

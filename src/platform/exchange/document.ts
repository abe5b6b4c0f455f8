// A file for the partner, from the moment it is expected until the partner has stored it; pure (D3 §4.3).
import type { DocumentType } from '#contract/exchange/document.ts'

export interface PartnerDocument {
  tenantId: string
  caseRef: string
  documentReferenceId: string
  /** One for every try: the partner knows a repeated upload by it. */
  requestId: string
  documentType: DocumentType
  fileName: string
  contentType: string
  providerReference: string | null
  /** The bytes, when they are kept here; null when `sourceSealed` says where the provider has them. */
  bytesSealed: Buffer | null
  sourceSealed: Buffer | null
  state: 'WAITING' | 'STORED' | 'REFUSED'
  documentId: string | null
  sha256: string | null
  refusedBecause: string | null
  createdAt: Date
  storedAt: Date | null
}

type Place = Pick<PartnerDocument, 'tenantId' | 'caseRef' | 'documentReferenceId'>

/** Where what is sealed of a file belongs to. */
export const documentContext = (what: 'bytes' | 'source', { tenantId, caseRef, documentReferenceId }: Place): string =>
  `partner_document.${what}:${tenantId}:${caseRef}:${documentReferenceId}`

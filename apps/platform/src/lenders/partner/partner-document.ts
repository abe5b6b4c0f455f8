// A file for the partner, which is uploaded until the partner has stored or refused it (D3 §4.3).

import type { DocumentType } from '@lendloom/wire/exchange/document'

/** A file for the partner (D3 §4.3). */
export interface PartnerDocument {
  tenantId: string
  caseRef: string
  documentReferenceId: string
  /** The same id for every attempt, so that the partner recognises a repeated upload. */
  requestId: string
  documentType: DocumentType
  fileName: string
  contentType: string
  providerReference: string | null
  /** The file's bytes; null if the provider has them (`sourceSealed`) or the partner has stored the file. */
  bytesSealed: Buffer | null
  sourceSealed: Buffer | null
  state: 'WAITING' | 'STORED' | 'REFUSED'
  documentId: string | null
  refusedBecause: string | null
  createdAt: Date
  storedAt: Date | null
}

/** The binding context of a file's sealed values. */
export const documentContext = (
  what: 'bytes' | 'source',
  { tenantId, caseRef, documentReferenceId }: Pick<PartnerDocument, 'tenantId' | 'caseRef' | 'documentReferenceId'>,
): string => `partner_document.${what}:${tenantId}:${caseRef}:${documentReferenceId}`

// A document: one file of a case, for one reference, and what must be the same when its upload is repeated (D3 §4.3).
import { createHash } from 'node:crypto'
import type { DocumentType } from '#contract/exchange/document.ts'

/** What the manifest of a lead announces. */
export interface ExpectedDocument {
  documentReferenceId: string
  documentType: DocumentType
}

export interface StoredDocument extends ExpectedDocument {
  caseRef: string
  documentId: string
  requestId: string
  /** The client who sent it. */
  uploader: string
  providerReferenceId: string | null
  fileName: string
  contentType: string
  sizeBytes: number
  /** The digest of the plain bytes, hexadecimal. */
  sha256: string
  /** Under which the file store keeps it. */
  objectName: string
  storedAt: Date
}

/** What an upload says of its file, before any byte of it. */
export interface Upload extends ExpectedDocument {
  sender: string
  /** In lower case, as the database gives it back. */
  requestId: string
  caseRef: string
  leadId: string
  loanId: string
  providerReferenceId: string | null
}

/** Equal for two uploads exactly when they agree in identifiers, document type and bytes. */
export function contentDigest(upload: Upload, sha256: string): Buffer {
  const { caseRef, leadId, loanId, documentReferenceId, documentType, providerReferenceId } = upload
  const content = [caseRef, leadId, loanId, documentReferenceId, documentType, providerReferenceId, sha256]
  return createHash('sha256').update(JSON.stringify(content)).digest()
}

/**
 * The name of the file in the store. It is made of the request and its content alone, so a request that is repeated after
 * its file was stored and its row was not finds the file again.
 */
export const objectNameOf = ({ sender, requestId }: Upload, content: Buffer): string =>
  createHash('sha256')
    .update(JSON.stringify([sender, requestId]))
    .update(content)
    .digest('hex')

export const fileNameContext = (documentId: string): string => `stored_document ${documentId}`

// A document of a case, as announced, uploaded and stored, with its digests and names.

import { createHash } from 'node:crypto'
import { type ContentDigest, contentDigest } from '@lendloom/seal/content-digest'
import type { Seal } from '@lendloom/seal/seal'
import type { DocumentType } from '@lendloom/wire/exchange/document'

/** A file announced in a lead's manifest. */
export interface ExpectedDocument {
  documentReferenceId: string
  documentType: DocumentType
}

export interface StoredDocument extends ExpectedDocument {
  caseRef: string
  documentId: string
  requestId: string
  /** The client that sent the file. */
  uploader: string
  providerReferenceId: string | null
  fileName: string
  contentType: string
  sizeBytes: number
  /** SHA-256 of the plain bytes, in hexadecimal. */
  sha256: string
  /** The name in the file store. */
  objectName: string
  storedAt: Date
}

export interface Upload extends ExpectedDocument {
  sender: string
  /** A UUID in lower case, as in the database. */
  requestId: string
  caseRef: string
  leadId: string
  loanId: string
  providerReferenceId: string | null
}

export const uploadDigestPurpose = 'document request'

/** Returns a digest of the ids, the document type and the bytes of an upload. */
export function uploadDigest(seal: Seal, upload: Upload, sha256: string): ContentDigest {
  const { caseRef, leadId, loanId, documentReferenceId, documentType, providerReferenceId } = upload
  const content = [caseRef, leadId, loanId, documentReferenceId, documentType, providerReferenceId, sha256]
  return contentDigest(seal, JSON.stringify(content), uploadDigestPurpose)
}

/**
 * Returns the name of a file in the file store. The name depends only on the request and its content, so that a
 * repeated request finds the file if storing the row failed.
 */
export const objectNameOf = ({ sender, requestId }: Upload, { keyed }: ContentDigest): string =>
  createHash('sha256')
    .update(JSON.stringify([sender, requestId]))
    .update(keyed)
    .digest('hex')

export const fileNameContext = (documentId: string): string => `stored_document ${documentId}`

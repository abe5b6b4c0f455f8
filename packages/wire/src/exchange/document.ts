// The upload of one file, and the permitted types and sizes (D3 §4.3).

import { keysOf } from '@lendloom/foundation/record'
import { OneOf, type Static, Type, Uuid } from '@lendloom/foundation/schema'
import { Count, Id, Instant, LoanId, Reference, Text } from './fields.ts'

const MiB = 1024 * 1024
const pdf = 'application/pdf'

export interface DocumentRule {
  contentTypes: readonly string[]
  maxBytes: number
  /** Whether a PDF may have an owner password. It opens without it, but asks its readers not to change it. */
  mayHaveOwnerPassword: boolean
}

/** Documents that people read. */
const pdfRule = { contentTypes: [pdf], maxBytes: 20 * MiB, mayHaveOwnerPassword: true }
/** Reports, which programs read too. */
const reportRule = { ...pdfRule, contentTypes: [pdf, 'application/json'] }
/** Documents that are signed, and that signers and verifiers must be able to change and to take apart. */
const signedRule = { ...pdfRule, mayHaveOwnerPassword: false }

/** What a file of each document type may be. */
export const documentTypes = {
  BUREAU_REPORT: reportRule,
  BANK_ANALYSIS_REPORT: reportRule,
  BANK_STATEMENT: pdfRule,
  AADHAAR_VERIFICATION_PDF: pdfRule,
  PAN_VERIFICATION_PDF: pdfRule,
  KYC_REPORT: pdfRule,
  SIGNED_LOAN_AGREEMENT: signedRule,
  MANDATE_DOCUMENT: signedRule,
  VKYC_RECORDING: { ...pdfRule, contentTypes: ['video/mp4'], maxBytes: 250 * MiB },
  PAYMENT_SCREENSHOT: { ...pdfRule, contentTypes: [pdf, 'image/png', 'image/jpeg'], maxBytes: 5 * MiB },
} as const satisfies Record<string, DocumentRule>

export type DocumentType = keyof typeof documentTypes
export const documentTypeNames = keysOf(documentTypes)
/** The largest permitted file of any type, in bytes. */
export const maxFileBytes = Math.max(...Object.values(documentTypes).map(({ maxBytes }) => maxBytes))
export const DocumentType = OneOf(documentTypeNames)

/** A manifest entry: the expected file, and later the received one. */
export const ManifestEntry = Type.Object({ document_reference_id: Id, document_type: DocumentType })
export type ManifestEntry = Static<typeof ManifestEntry>

/** The fields of the form, all but `file`. */
export const DocumentForm = Type.Object({
  request_id: Uuid,
  external_reference_id: Id,
  celestium_lead_id: Id,
  celestium_loan_id: LoanId,
  document_reference_id: Id,
  document_type: DocumentType,
  provider_reference_id: Type.Optional(Reference),
})
export type DocumentForm = Static<typeof DocumentForm>

/** 201 for the first upload, 200 for a repeat. */
export const DocumentReply = Type.Object({
  request_id: Uuid,
  external_reference_id: Id,
  celestium_lead_id: Id,
  celestium_loan_id: LoanId,
  document_reference_id: Id,
  document_id: Id,
  document_type: DocumentType,
  file_name: Text(255),
  content_type: OneOf([...new Set(Object.values(documentTypes).flatMap(({ contentTypes }) => [...contentTypes]))]),
  size_bytes: Count,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', 'x-says': 'must be a SHA-256 digest in lower-case hexadecimal' }),
  status: Type.Literal('STORED'),
  stored_at: Instant,
})
export type DocumentReply = Static<typeof DocumentReply>

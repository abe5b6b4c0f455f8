// POST /documents: one file for one reference of a case, answered when it is whole, checked and on the disk (D3 §4.3).

import { DocumentForm, DocumentReply, largestFile } from '#contract/exchange/document.ts'
import { requireIdempotencyKey } from '#contract/exchange/envelope.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import { refuseUnkeepable } from '#kit/http/body.ts'
import { type FilePart, readForm } from '#kit/http/multipart.ts'
import { faults, parse } from '#kit/http/schema.ts'
import { answer } from '#kit/http/server.ts'
import { required } from '#kit/runtime/record.ts'
import { route } from '#partner/context.ts'
import { admitUpload, keepDocument } from '#partner/document/keep-document.ts'
import type { StoredDocument, Upload } from '#partner/document/store.ts'
import { checkRule, type FileIntake, takeFile } from '#partner/document/take-file.ts'
import { clientBearer } from './credential.ts'

/** The form's size besides its file. */
const formBytes = 256 * 1024

export const uploadDocument = route({
  method: 'POST',
  path: '/documents',
  section: 'D3 §4.3',
  summary: 'Upload one file as multipart/form-data; the same request again is the same answer',
  auth: clientBearer,
  accepts: 'stream',
  maxBytes: largestFile + formBytes,
  reply: { 200: DocumentReply, 201: DocumentReply },
  async handle({ who: { sender }, headers, stream, at }, ctx) {
    let begun: { part: FilePart; taking: FileIntake } | undefined
    const uploadIn = (fields: FormFields): Upload => {
      const form = readDocumentForm(fields)
      requireIdempotencyKey(headers, form.request_id)
      return uploadOf(form, sender)
    }
    /** Before the file's first byte, if the fields precede it. */
    const admit = async (fields: FormFields): Promise<void> => {
      if (faults(DocumentForm, fields).length === 0) await admitUpload(ctx.db, uploadIn(fields))
    }
    try {
      const fields = await readForm(required(stream, 'the body of a route that takes a stream'), headers, {
        fileField: 'file',
        take(part) {
          const claimed = { documentType: part.fields.document_type, contentType: part.contentType }
          const taking = takeFile({ store: ctx.store, scanner: ctx.scanner, admit: () => admit(part.fields) }, claimed)
          begun = { part, taking }
          return taking.sink
        },
      })
      const upload = uploadIn(fields)
      const { part, taking } = required(begun, 'the file of a form that was read')
      const { fileName, contentType } = part
      const file = taking.taken()
      checkRule(upload.documentType, contentType, file.sizeBytes)
      const documentId = uuidv7(at.getTime())
      const kept = await keepDocument(ctx, { ...upload, documentId, fileName, contentType, file }, ctx.clock())
      const headersOfAnswer: Record<string, string> = kept.replayed ? { 'idempotent-replayed': 'true' } : {}
      return answer(kept.replayed ? 200 : 201, wireDocument(kept.document, upload), headersOfAnswer)
    } finally {
      await begun?.taking.drop()
    }
  },
})

type FormFields = Readonly<Record<string, string>>

function readDocumentForm(fields: FormFields): DocumentForm {
  refuseUnkeepable(fields)
  return parse(DocumentForm, fields)
}

const uploadOf = (form: DocumentForm, sender: string): Upload => ({
  sender,
  requestId: form.request_id.toLowerCase(),
  caseRef: form.external_reference_id,
  leadId: form.celestium_lead_id,
  loanId: form.celestium_loan_id,
  documentReferenceId: form.document_reference_id,
  documentType: form.document_type,
  providerReferenceId: form.provider_reference_id ?? null,
})

const wireDocument = (document: StoredDocument, { leadId, loanId }: Upload): DocumentReply => ({
  request_id: document.requestId,
  external_reference_id: document.caseRef,
  celestium_lead_id: leadId,
  celestium_loan_id: loanId,
  document_reference_id: document.documentReferenceId,
  document_id: document.documentId,
  document_type: document.documentType,
  file_name: document.fileName,
  content_type: document.contentType,
  size_bytes: document.sizeBytes,
  sha256: document.sha256,
  status: 'STORED',
  stored_at: document.storedAt.toISOString(),
})

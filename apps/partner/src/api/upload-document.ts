// POST /documents: stores one file under one reference, and answers when the file is checked and durable (D3 §4.3).

import { required } from '@lendloom/foundation/required'
import { faults, parse } from '@lendloom/foundation/schema'
import { refuseUnstorable } from '@lendloom/http/body'
import { type FilePart, readForm } from '@lendloom/http/multipart'
import { answer } from '@lendloom/http/server'
import { uuidv7 } from '@lendloom/seal/id'
import { DocumentForm, DocumentReply, maxFileBytes } from '@lendloom/wire/exchange/document'
import { requireIdempotencyKey } from '@lendloom/wire/exchange/envelope'
import { route } from '#partner/context.ts'
import type { StoredDocument, Upload } from '#partner/origination/document/document.ts'
import { checkTypeRule, type FileIntake, receiveFile } from '#partner/origination/document/receive-file.ts'
import { admitUpload, storeDocument } from '#partner/origination/document/store-document.ts'
import { clientBearer } from './platform-auth.ts'

/** Maximum size of the form without its file. */
const maxFormBytes = 256 * 1024

export const uploadDocument = route({
  method: 'POST',
  path: '/documents',
  section: 'D3 §4.3',
  summary: 'Upload one file as multipart/form-data; idempotent by request_id',
  auth: clientBearer,
  accepts: 'stream',
  maxBytes: maxFileBytes + maxFormBytes,
  reply: { 200: DocumentReply, 201: DocumentReply },
  async handle({ who: { sender }, headers, stream, at }, ctx) {
    let intake: { part: FilePart; fileIntake: FileIntake } | undefined
    const readUpload = (fields: FormFields): Upload => {
      const form = readDocumentForm(fields)
      requireIdempotencyKey(headers, form.request_id)
      return uploadOf(form, sender)
    }
    /** Checks the upload before the file's first byte, if the fields precede the file. */
    const admit = async (fields: FormFields): Promise<void> => {
      if (faults(DocumentForm, fields).length === 0) await admitUpload(ctx.db, readUpload(fields))
    }
    try {
      const fields = await readForm(required(stream, 'the body of a route that takes a stream'), headers, {
        fileField: 'file',
        openSink(part) {
          const claimedTypes = { documentType: part.fields.document_type, contentType: part.contentType }
          const fileIntake = receiveFile(
            { store: ctx.store, scanner: ctx.scanner, admit: () => admit(part.fields) },
            claimedTypes,
          )
          intake = { part, fileIntake }
          return fileIntake.sink
        },
      })
      const upload = readUpload(fields)
      const { part, fileIntake } = required(intake, 'the file of a complete form')
      const { fileName, contentType } = part
      const file = fileIntake.receivedFile()
      checkTypeRule(upload.documentType, contentType, file)
      const documentId = uuidv7(at.getTime())
      const result = await storeDocument(ctx, { ...upload, documentId, fileName, contentType, file }, ctx.clock())
      const answerHeaders: Record<string, string> = result.isReplayed ? { 'idempotent-replayed': 'true' } : {}
      return answer(result.isReplayed ? 200 : 201, wireDocument(result.document, upload), answerHeaders)
    } finally {
      await intake?.fileIntake.drop()
    }
  },
})

type FormFields = Readonly<Record<string, string>>

function readDocumentForm(fields: FormFields): DocumentForm {
  refuseUnstorable(fields)
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

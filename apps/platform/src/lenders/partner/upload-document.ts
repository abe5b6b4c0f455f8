// Streams one file to the partner by POST /documents. Retries use the same request id (D3 §4.3).
import { Readable } from 'node:stream'
import { jsonIn } from '@lendloom/foundation/json'
import { firstFault, fits } from '@lendloom/foundation/schema'
import type { HttpAnswer } from '@lendloom/http/client'
import { DocumentReply } from '@lendloom/wire/exchange/document'
import { ErrorBody } from '@lendloom/wire/exchange/error'
import { callPartner, type ExchangeContext, UnusableAnswer } from './call-partner.ts'
import type { PartnerCase } from './loan-case.ts'
import type { PartnerDocument } from './partner-document.ts'

/** The content of a file, in memory or as a stream. */
export interface FileContent {
  bytes: Buffer | Readable
  sizeBytes: number
  sha256: string
}

/** The partner rejected the file, so it is not retried. */
export class FileRejection extends Error {}

/** Long enough for a connection of 50 kB a second. A small file whose answer is lost is sent again after a minute. */
const timeoutFor = (sizeBytes: number): number => Math.min(60_000 + Math.ceil(sizeBytes / 50), 15 * 60_000)

/** Uploads a file. Throws `RetryablePartnerError`, `FileRejection`, or `UnusableAnswer` if the answer is invalid. */
export async function uploadDocument(
  ctx: ExchangeContext,
  loanCase: Pick<PartnerCase, 'caseRef' | 'leadId' | 'loanId'>,
  document: PartnerDocument,
  content: FileContent,
): Promise<DocumentReply> {
  const boundary = `lendloom-${document.requestId}`
  const [head, tail] = multipartFrame(boundary, loanCase, document)
  const answer = await callPartner(ctx, {
    method: 'POST',
    path: '/documents',
    headers: {
      'idempotency-key': document.requestId,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + content.sizeBytes + tail.length),
    },
    body: Readable.from(multipartBody(head, content.bytes, tail), { objectMode: false }),
    timeoutMs: timeoutFor(content.sizeBytes),
  })
  if (answer.status !== 200 && answer.status !== 201) throw new FileRejection(refusalIn(answer))
  return requireConfirmation(answer, document, content)
}

function requireConfirmation(answer: HttpAnswer, document: PartnerDocument, content: FileContent): DocumentReply {
  const reply = jsonIn(answer.body)
  if (!fits(DocumentReply, reply))
    throw new UnusableAnswer(`the answer to an upload is invalid: ${firstFault(DocumentReply, reply)}`)
  const isSameFile =
    reply.request_id === document.requestId &&
    reply.document_reference_id === document.documentReferenceId &&
    reply.sha256 === content.sha256
  if (!isSameFile) throw new UnusableAnswer('the partner confirms that it stored another file')
  return reply
}

function refusalIn(answer: HttpAnswer): string {
  const body = jsonIn(answer.body)
  if (!fits(ErrorBody, body)) return `answered ${answer.status}`
  const { code, message } = body.error
  return `answered ${answer.status} ${code}: ${message}`.slice(0, 300)
}

async function* multipartBody(head: Buffer, bytes: Buffer | Readable, tail: Buffer): AsyncGenerator<Buffer> {
  yield head
  if (Buffer.isBuffer(bytes)) yield bytes
  else yield* bytes
  yield tail
}

function multipartFrame(
  boundary: string,
  { caseRef, leadId, loanId }: Pick<PartnerCase, 'caseRef' | 'leadId' | 'loanId'>,
  document: PartnerDocument,
): [Buffer, Buffer] {
  if (leadId === null || loanId === null) throw new Error(`the case ${caseRef} is not registered yet`)
  const fields: Record<string, string | null> = {
    request_id: document.requestId,
    external_reference_id: caseRef,
    celestium_lead_id: leadId,
    celestium_loan_id: loanId,
    document_reference_id: document.documentReferenceId,
    document_type: document.documentType,
    provider_reference_id: document.providerReference,
  }
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    value === null ? [] : [`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`],
  )
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${document.fileName}"\r\ncontent-type: ${document.contentType}\r\n\r\n`
  return [Buffer.from(parts.join('') + file), Buffer.from(`\r\n--${boundary}--\r\n`)]
}

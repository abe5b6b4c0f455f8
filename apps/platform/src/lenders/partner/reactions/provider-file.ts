// A file at a provider that the partner shall get: its registration for the upload, and its download (D3 §4.3).

import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { ownValue } from '@lendloom/foundation/record'
import { required } from '@lendloom/foundation/required'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { type DocumentType, documentTypes } from '@lendloom/wire/exchange/document'
import type { Context, TxContext } from '#platform/context.ts'
import type { PartnerCase } from '#platform/lenders/partner/loan-case.ts'
import { documentContext, type PartnerDocument } from '#platform/lenders/partner/partner-document.ts'
import { insertDocument } from '#platform/lenders/partner/store.ts'
import { type FileContent, FileRejection } from '#platform/lenders/partner/upload-document.ts'
import { adapterNamed } from '#platform/providers/adapters.ts'

/** A file at a provider, with its size and hash. */
export interface FileSource {
  from: 'bureau' | 'bank-statement' | 'kyc' | 'mandate' | 'esign'
  /** Absent in old rows, which belong to the adapter `lendloom`. */
  adapter?: string
  reference: string
  fileId: string
  sizeBytes: number
  sha256: string
}

const download = (ctx: Context, source: FileSource): Promise<Readable> =>
  adapterNamed(source.from, source.adapter ?? 'lendloom').download(ctx, source.reference, source)

/** Registers a provider's file for upload to the partner. */
export async function registerFile(
  ctx: TxContext,
  { tenantId, caseRef }: PartnerCase,
  { type, contentType, ...source }: FileSource & { type: DocumentType; contentType: string },
): Promise<PartnerDocument> {
  const { tx, at } = ctx
  const documentReferenceId = uuidv7(at.getTime(), bucketOf(caseRef))
  const documentKey = { tenantId, caseRef, documentReferenceId }
  const document: PartnerDocument = {
    ...documentKey,
    requestId: uuidv4(bucketOf(caseRef)),
    documentType: type,
    fileName: `${type.toLowerCase().replaceAll('_', '-')}.${ownValue(extensions, contentType) ?? 'pdf'}`,
    contentType,
    providerReference: source.reference,
    bytesSealed: null,
    sourceSealed: ctx.seal.json(source, documentContext('source', documentKey)),
    state: 'WAITING',
    documentId: null,
    refusedBecause: null,
    createdAt: at,
    storedAt: null,
  }
  await insertDocument(tx, document)
  return document
}

const extensions: Record<string, string> = {
  'application/pdf': 'pdf',
  'application/json': 'json',
  'video/mp4': 'mp4',
  'image/png': 'png',
  'image/jpeg': 'jpg',
}

/** Reads a file from the database or the provider. Throws `FileRejection` for a file that is too large. */
export async function readFileContent(ctx: Context, document: PartnerDocument): Promise<FileContent> {
  if (document.bytesSealed) {
    const bytes = ctx.seal.open(document.bytesSealed, documentContext('bytes', document))
    return { bytes, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  }
  const source = ctx.seal.openJson<FileSource>(
    required(document.sourceSealed, 'the source of a document'),
    documentContext('source', document),
  )
  if (source.sizeBytes > documentTypes[document.documentType].maxBytes)
    throw new FileRejection(`the provider's file of ${source.sizeBytes} bytes is larger than the partner accepts`)
  const bytes = await download(ctx, source)
  return { bytes, sizeBytes: source.sizeBytes, sha256: source.sha256 }
}

// Receives one file as a stream: limits its size, checks its content, scans it for malware and writes it as a draft.

import { Writable } from 'node:stream'
import { BadContent, beginCheck, type FileCheck } from '@lendloom/files/file-content'
import type { Scan, Scanner } from '@lendloom/files/malware'
import type { FileDraft, ObjectStore } from '@lendloom/files/object-store'
import { isOneOf } from '@lendloom/foundation/record'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { documentTypeNames, documentTypes } from '@lendloom/wire/exchange/document'

export interface ReceivedFile {
  draft: FileDraft
  sizeBytes: number
  /** SHA-256 of the plain bytes, in hexadecimal. */
  sha256: string
  /** Whether it is a PDF with an owner password. */
  hasOwnerPassword: boolean
}

export interface FileIntake {
  /** Receives the bytes. If a check fails, drops the draft and fails with the refusal. */
  sink: Writable
  /** Returns the checked file, which is still a draft. Call it only after the sink has finished. */
  receivedFile(): ReceivedFile
  /** Drops the file, unless it was stored. */
  drop(): Promise<void>
}

export interface FileClaim {
  /** Undefined if the sender puts the fields after the file. */
  documentType: string | undefined
  contentType: string
}

export interface IntakeDeps {
  store: ObjectStore
  scanner: Scanner
  /** Checks the upload before its file is read. */
  admit(): Promise<void>
}

/** Bytes to buffer before applying backpressure to the sender. */
const bufferBytes = 4 << 20

/**
 * Starts receiving a file. Refused: `unsupported-media` for a type or content that is not allowed · `too-large` above
 * the limit of the type · `invalid` for a corrupt, harmful or empty file · `upstream` if the scanner is down.
 */
export function receiveFile({ store, scanner, admit }: IntakeDeps, claimed: FileClaim): FileIntake {
  const maxBytes = maxBytesOf(claimed)
  let check: FileCheck | undefined
  let draft: FileDraft | undefined
  let scan: Scan | undefined
  let sizeBytes = 0
  let file: ReceivedFile | undefined

  async function open(): Promise<void> {
    await admit()
    scan = await scanner.begin()
    check = beginCheck(claimed.contentType)
    draft = store.draft()
  }
  const requireOpened = () => ({
    check: required(check, 'the check of an incoming file'),
    scan: required(scan, 'the scan of an incoming file'),
    draft: required(draft, 'the draft of an incoming file'),
  })
  async function write(chunks: Buffer[]): Promise<void> {
    const { check, scan, draft } = requireOpened()
    const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
    sizeBytes += bytes
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
    // The content check gets the chunks as one, because the sender may send very small chunks.
    await mapContentError(check.write(Buffer.concat(chunks, bytes)))
    await scan.write(chunks)
    await draft.append(chunks)
  }
  async function finish(): Promise<void> {
    if (sizeBytes === 0) throw badFile('is empty')
    const { check, scan, draft } = requireOpened()
    const written = await draft.finish()
    const { hasOwnerPassword } = await mapContentError(check.end(draft.read))
    const virus = await scan.end()
    if (virus !== null) throw badFile('was rejected by the malware scanner')
    file = { draft, ...written, hasOwnerPassword }
  }
  async function drop(): Promise<void> {
    check?.close()
    scan?.abort()
    await draft?.drop()
  }

  const sink = sinkOf({ open, write, finish, drop })
  return { sink, receivedFile: () => required(file, 'a completely received file'), drop }
}

/** The steps of receiving a file; a step starts when the previous step has finished. */
interface IntakeSteps {
  open(): Promise<void>
  write(chunks: Buffer[]): Promise<void>
  finish(): Promise<void>
  drop(): Promise<void>
}

const sinkOf = ({ open, write, finish, drop }: IntakeSteps): Writable =>
  new Writable({
    highWaterMark: bufferBytes,
    decodeStrings: true,
    construct: (done) => void open().then(() => done(), done),
    write: (chunk, _encoding, done) => void write([chunk]).then(() => done(), done),
    writev: (chunks, done) => void write(chunks.map(({ chunk }) => chunk)).then(() => done(), done),
    final: (done) => void finish().then(() => done(), done),
    destroy: (error, done) =>
      void (error ? drop() : Promise.resolve()).then(
        () => done(error),
        () => done(error),
      ),
  })

/** Returns the size limit of the type; for an unknown type, the highest limit of the types that allow this content. */
function maxBytesOf({ documentType, contentType }: FileClaim): number {
  const knownType = documentTypeNames.find((name) => name === documentType)
  const rules = (knownType ? [knownType] : documentTypeNames)
    .map((name) => documentTypes[name])
    .filter(({ contentTypes }) => isOneOf<string>(contentTypes, contentType))
  if (rules.length === 0) throw notAllowed(knownType)
  return Math.max(...rules.map(({ maxBytes }) => maxBytes))
}

/** Checks a received file against the rule of its document type. Throws as `receiveFile`. */
export function checkTypeRule(
  documentType: keyof typeof documentTypes,
  contentType: string,
  { sizeBytes, hasOwnerPassword }: Pick<ReceivedFile, 'sizeBytes' | 'hasOwnerPassword'>,
): void {
  const { contentTypes, maxBytes, mayHaveOwnerPassword } = documentTypes[documentType]
  if (!isOneOf<string>(contentTypes, contentType)) throw notAllowed(documentType)
  if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
  if (hasOwnerPassword && !mayHaveOwnerPassword)
    throw badFile(`has an owner password, which a ${documentType} must not have`)
}

const atFile = (message: string) => ({ field: 'file', fields: [{ path: 'file', message }] })
const tooLarge = (maxBytes: number): Refusal =>
  new Refusal('too-large', 'the file is too large', atFile(`must not be larger than ${maxBytes >> 20} MiB`))
const badFile = (message: string): Refusal => invalid({ path: 'file', message })
function notAllowed(documentType: keyof typeof documentTypes | undefined): Refusal {
  const allowed = documentType ? documentTypes[documentType].contentTypes : []
  const message = documentType ? `must be ${allowed.join(' or ')}` : 'has a content type that no document type allows'
  return new Refusal('unsupported-media', `file ${message}`, atFile(message))
}

async function mapContentError<T>(check: Promise<T>): Promise<T> {
  try {
    return await check
  } catch (error) {
    if (!(error instanceof BadContent)) throw error
    throw error.kind === 'other'
      ? new Refusal('unsupported-media', `the file ${error.message}`, atFile(error.message))
      : badFile(error.message)
  }
}

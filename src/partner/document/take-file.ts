// One incoming file: limited, checked, scanned, digested and written, with a few mebibytes of memory.

import { Writable } from 'node:stream'
import { documentTypeNames, documentTypes } from '#contract/exchange/document.ts'
import { BadContent, beginCheck, type FileCheck } from '#kit/files/file-content.ts'
import type { Scan, Scanner } from '#kit/files/malware.ts'
import type { FileDraft, ObjectStore } from '#kit/files/object-store.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { isOneOf, required } from '#kit/runtime/record.ts'

export interface TakenFile {
  draft: FileDraft
  sizeBytes: number
  /** The digest of the plain bytes, hexadecimal. */
  sha256: string
}

export interface FileIntake {
  /** Takes the bytes. It fails with the refusal that ends the upload; then the draft is dropped already. */
  sink: Writable
  /** The file, when the sink has finished: checked, clean, and not yet kept. */
  taken(): TakenFile
  /** Releases the file; a kept one stays. */
  drop(): Promise<void>
}

export interface FileClaim {
  /** Unknown where the sender puts its fields behind the file. */
  documentType: string | undefined
  contentType: string
}

export interface IntakeDeps {
  store: ObjectStore
  scanner: Scanner
  /** Refuses before the first byte. */
  admit(): Promise<void>
}

/** The bytes that wait for the disk before the sender is made to wait. */
const waitingBytes = 4 << 20

/**
 * Begins to take a file. Refused: `unsupported-media` a type or content that is not allowed · `too-large` longer than its
 * type may be · `invalid` corrupt, harmful or empty · `upstream` the scanner is away.
 */
export function takeFile({ store, scanner, admit }: IntakeDeps, claimed: FileClaim): FileIntake {
  const maxBytes = mostBytesOf(claimed)
  let check: FileCheck | undefined
  let draft: FileDraft | undefined
  let scan: Scan | undefined
  let sizeBytes = 0
  let file: TakenFile | undefined

  async function open(): Promise<void> {
    await admit()
    scan = await scanner.begin()
    check = beginCheck(claimed.contentType)
    draft = store.draft()
  }
  const begun = () => ({
    check: required(check, 'the check of a file that comes in'),
    scan: required(scan, 'the scan of a file that comes in'),
    draft: required(draft, 'the draft of a file that comes in'),
  })
  async function take(chunks: Buffer[]): Promise<void> {
    const { check, scan, draft } = begun()
    const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
    sizeBytes += bytes
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
    // A sender decides how small its pieces are: many of them are checked together.
    await examined(check.write(Buffer.concat(chunks, bytes)))
    await scan.write(chunks)
    await draft.append(chunks)
  }
  async function finish(): Promise<void> {
    if (sizeBytes === 0) throw badFile('is empty')
    const { check, scan, draft } = begun()
    await examined(check.end())
    const found = await scan.end()
    if (found !== null) throw badFile('was refused by the malware scanner')
    file = { draft, ...(await draft.finish()) }
  }
  async function drop(): Promise<void> {
    check?.close()
    scan?.abort()
    await draft?.drop()
  }

  const sink = sinkOf({ open, take, finish, drop })
  return { sink, taken: () => required(file, 'a file that has come in whole'), drop }
}

/** The steps of taking a file, each ending before the next one begins. */
interface Steps {
  open(): Promise<void>
  take(chunks: Buffer[]): Promise<void>
  finish(): Promise<void>
  drop(): Promise<void>
}

const sinkOf = ({ open, take, finish, drop }: Steps): Writable =>
  new Writable({
    highWaterMark: waitingBytes,
    decodeStrings: true,
    construct: (done) => void open().then(() => done(), done),
    write: (chunk, _encoding, done) => void take([chunk]).then(() => done(), done),
    writev: (chunks, done) => void take(chunks.map(({ chunk }) => chunk)).then(() => done(), done),
    final: (done) => void finish().then(() => done(), done),
    destroy: (error, done) =>
      void (error ? drop() : Promise.resolve()).then(
        () => done(error),
        () => done(error),
      ),
  })

/** The size limit of a type, or of any type that allows this content. */
function mostBytesOf({ documentType, contentType }: FileClaim): number {
  const known = documentTypeNames.find((name) => name === documentType)
  const rules = (known ? [known] : documentTypeNames)
    .map((name) => documentTypes[name])
    .filter(({ contentTypes }) => isOneOf<string>(contentTypes, contentType))
  if (rules.length === 0) throw notAllowed(known)
  return Math.max(...rules.map(({ maxBytes }) => maxBytes))
}

/** Checks a file that came before its fields, once the type is known. */
export function checkRule(documentType: keyof typeof documentTypes, contentType: string, sizeBytes: number): void {
  const { contentTypes, maxBytes } = documentTypes[documentType]
  if (!isOneOf<string>(contentTypes, contentType)) throw notAllowed(documentType)
  if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
}

const atFile = (message: string) => ({ field: 'file', fields: [{ path: 'file', message }] })
const tooLarge = (maxBytes: number): Refusal =>
  new Refusal('too-large', 'the file is too large', atFile(`must not be larger than ${maxBytes >> 20} MiB`))
const badFile = (message: string): Refusal => invalid({ path: 'file', message })
function notAllowed(documentType: keyof typeof documentTypes | undefined): Refusal {
  const allowed = documentType ? documentTypes[documentType].contentTypes : []
  const message = documentType ? `must be ${allowed.join(' or ')}` : 'is of a type that no document has'
  return new Refusal('unsupported-media', `file ${message}`, atFile(message))
}

async function examined(check: Promise<void>): Promise<void> {
  try {
    await check
  } catch (error) {
    if (!(error instanceof BadContent)) throw error
    throw error.kind === 'other'
      ? new Refusal('unsupported-media', `the file ${error.message}`, atFile(error.message))
      : badFile(error.message)
  }
}

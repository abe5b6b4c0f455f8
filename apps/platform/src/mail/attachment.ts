// Attachments of mails: verifies their type, scans them for malware and stores them sealed.

import { BadContent, checkFile, likelyType } from '@lendloom/files/file-content'
import type { Scanner } from '@lendloom/files/malware'
import { ownValue } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Run } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import type { Context, TxContext } from '#platform/context.ts'
import { findFile, insertFile } from './store.ts'

export interface MailFile {
  name: string
  /** The claimed media type. */
  type: string
  bytes: Buffer
}

/**
 * The verified media type and a name that fits it, or the reason for the rejection. `isCostly`: the check took too much
 * time or memory.
 */
export type FileCheck = { type: string; name: string; why: null } | { type: null; why: string; isCostly?: true }

export const rejectFile = (why: string): FileCheck => ({ type: null, why })

/** Size limit of a file in a mail, in bytes. */
const maxFileBytes = 10 << 20

const typesByEnding: Record<string, string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  mp4: 'video/mp4',
  txt: 'text/plain',
  csv: 'text/plain',
  ics: 'text/plain',
  eml: 'text/plain',
}
/**
 * Gives the name an ending of the type, unless it has one. A computer opens a file by its ending, and would run a text
 * that is named `.hta` or `.bat`.
 */
function fittingName(name: string, type: string): string {
  if (typeByEnding(name) === type) return name
  const [ending] = Object.entries(typesByEnding).find(([, each]) => each === type) ?? []
  return `${name}.${ending}`
}

const typeByEnding = (name: string): string | undefined =>
  ownValue(typesByEnding, name.toLowerCase().split('.').at(-1) ?? '')

const fileTypes: readonly string[] = [...new Set(Object.values(typesByEnding))]

/** Scans a file for malware and checks its size, type and content. Throws `upstream` if the scanner is unavailable. */
export async function examineFile(scanner: Scanner, { name, type, bytes }: MailFile): Promise<FileCheck> {
  if (bytes.length === 0) return rejectFile('is empty')
  if (bytes.length > maxFileBytes) return rejectFile(`is larger than ${maxFileBytes >> 20} MiB`)
  // Every file is scanned before its type is checked, so that the reply does not tell an attacker to try another format.
  const scan = await scanner.begin()
  try {
    await scan.write([bytes])
    if ((await scan.end()) !== null) return rejectFile('was rejected by the malware scanner')
  } finally {
    scan.abort()
  }
  const mediaType = typeOf(name, likelyType(bytes, type))
  if (mediaType === undefined)
    return rejectFile('has a type that is not accepted; send PDF, PNG, JPEG, MP4 or plain text')
  const fault = await contentFault(mediaType, bytes)
  if (fault === null) return { type: mediaType, name: fittingName(name, mediaType), why: null }
  return { ...rejectFile(fault.message), ...(fault.kind === 'costly' && { isCostly: true }) }
}

/** Types that say nothing: Windows calls a CSV file a file of Excel. */
const vagueTypes = ['', 'application/octet-stream', 'application/vnd.ms-excel']

/** Returns the accepted media type, or undefined. The file ending decides for a vague type. */
function typeOf(name: string, type: string): string | undefined {
  const media = type.toLowerCase().split(';')[0]?.trim() ?? ''
  if (fileTypes.includes(media)) return media
  if (media === 'image/jpg') return 'image/jpeg'
  // A mail that is forwarded as a file: an officer reads its source.
  if (media === 'message/rfc822' || media === 'application/ics') return 'text/plain'
  // Such as a table or an invitation. HTML is no text to read.
  if (media.startsWith('text/') && media !== 'text/html') return 'text/plain'
  if (!vagueTypes.includes(media)) return undefined
  return typeByEnding(name)
}

async function contentFault(type: string, bytes: Buffer): Promise<BadContent | null> {
  if (type === 'text/plain') return isText(bytes) ? null : new BadContent('other', 'is not plain text')
  try {
    await checkFile(type, bytes)
    return null
  } catch (error) {
    if (error instanceof BadContent) return error
    throw error
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a text has none of these
const controlCharacter = /[\u0000-\u0008\u000e-\u001f]/

/** Text in UTF-8, in UTF-16 with its mark, or in windows-1252: as the editors of Windows and old programs save it. */
function isText(bytes: Buffer): boolean {
  const mark = bytes.toString('hex', 0, 2)
  if (mark === 'fffe') return isTextIn('utf-16le', bytes)
  if (mark === 'feff') return isTextIn('utf-16be', bytes)
  if (isTextIn('utf-8', bytes)) return true
  // Every byte is a character of windows-1252, so a text in it is known by what it lacks.
  const text = bytes.toString('latin1')
  return !controlCharacter.test(text) && !/[\x81\x8d\x8f\x90\x9d]/.test(text)
}

function isTextIn(encoding: string, bytes: Buffer): boolean {
  try {
    return !new TextDecoder(encoding, { fatal: true }).decode(bytes).includes('\0')
  } catch {
    return false
  }
}

const sealContext = (tenantId: string, fileId: string): string => `mail_file:${tenantId}:${fileId}`

/** Stores a checked file in the caller's transaction, and returns the file's key. */
export async function storeMailFile(
  { tx, at, seal }: Pick<TxContext, 'tx' | 'at' | 'seal'>,
  tenantId: string,
  bytes: Buffer,
): Promise<string> {
  const fileId = uuidv7(at.getTime())
  const contentSealed = seal.bytes(bytes, sealContext(tenantId, fileId))
  await insertFile(tx, { tenantId, fileId, contentSealed, sizeBytes: bytes.length, createdAt: at })
  return `${tenantId}/${fileId}`
}

/** Returns the bytes of a stored file. The caller checks the permission. Throws `absent` for an unknown key. */
export async function readFile({ db, seal }: Pick<Context, 'seal'> & { db: Run }, objectKey: string): Promise<Buffer> {
  const [, tenantId, fileId] = /^([0-9a-f-]{36})\/([0-9a-f-]{36})$/.exec(objectKey) ?? []
  const row = tenantId && fileId ? await findFile(db, { tenantId, fileId }) : undefined
  if (!tenantId || !fileId || !row) throw new Refusal('absent', 'there is no such file')
  return seal.open(row.contentSealed, sealContext(tenantId, fileId))
}

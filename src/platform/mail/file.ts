// Files of mails: checked for their real type and scanned, then stored sealed with the mail.

import { uuidv7 } from '#kit/crypto/id.ts'
import type { Run } from '#kit/db/sql.ts'
import { BadContent, checkFile } from '#kit/files/file-content.ts'
import type { Scanner } from '#kit/files/malware.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { ownValue } from '#kit/runtime/record.ts'
import type { Context, TxContext } from '#platform/context.ts'
import { findFile, insertFile } from './store.ts'

export interface GivenFile {
  name: string
  /** The claimed media type. */
  type: string
  bytes: Buffer
}

/** The verified media type, or the reason for the rejection. */
export type FileCheck = { type: string; why: null } | { type: null; why: string; isCostly?: true }

export const turnedAway = (why: string): FileCheck => ({ type: null, why })

/** Size limit of a file in a mail, in bytes. */
const maxFileBytes = 10 << 20

const typesByEnding: Record<string, string> = {
  ...{ pdf: 'application/pdf', png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg' },
  ...{ mp4: 'video/mp4', txt: 'text/plain' },
}
const fileTypes: readonly string[] = [...new Set(Object.values(typesByEnding))]

/**
 * Examines a file outside a transaction: type, size and content, then the malware scan. Throws `upstream` while the
 * scanner is unavailable.
 */
export async function examineFile(scanner: Scanner, { name, type, bytes }: GivenFile): Promise<FileCheck> {
  if (bytes.length === 0) return turnedAway('is empty')
  if (bytes.length > maxFileBytes) return turnedAway(`is larger than ${maxFileBytes >> 20} MiB`)
  // Every file is scanned, so that the sender of a virus does not learn to try another format.
  const scan = await scanner.begin()
  try {
    await scan.write([bytes])
    if ((await scan.end()) !== null) return turnedAway('was refused by the malware scanner')
  } finally {
    scan.abort()
  }
  const claimed = typeOf(name, type)
  if (claimed === undefined)
    return turnedAway('is of a kind that is not accepted: send PDF, PNG, JPEG, MP4 or plain text')
  const fault = await faultIn(claimed, bytes)
  if (fault === null) return { type: claimed, why: null }
  return { ...turnedAway(fault.message), ...(fault.kind === 'costly' && { isCostly: true }) }
}

/** Mail programs often send `application/octet-stream`, or a wrong image type. */
function typeOf(name: string, type: string): string | undefined {
  const media = type.toLowerCase().split(';')[0]?.trim() ?? ''
  if (fileTypes.includes(media)) return media
  if (media === 'image/jpg') return 'image/jpeg'
  if (media !== 'application/octet-stream' && media !== '') return undefined
  return ownValue(typesByEnding, name.toLowerCase().split('.').at(-1) ?? '')
}

async function faultIn(type: string, bytes: Buffer): Promise<BadContent | null> {
  if (type === 'text/plain') return isText(bytes) ? null : new BadContent('other', 'is not plain text in UTF-8')
  try {
    await checkFile(type, bytes)
    return null
  } catch (error) {
    if (error instanceof BadContent) return error
    throw error
  }
}

function isText(bytes: Buffer): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0')
  } catch {
    return false
  }
}

const sealContext = (tenantId: string, fileId: string): string => `mail_file:${tenantId}:${fileId}`

/** Stores a checked file in the caller's transaction, and returns its key. */
export async function keepFile(
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

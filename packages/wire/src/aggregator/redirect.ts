// Writes and reads the redirect to an account aggregator: its consent page's address with encrypted, timestamped fields.

import { createCipheriv, createDecipheriv, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { secondsAfter } from '@lendloom/foundation/clock'

/** The requestor: a lender itself, or a service provider on behalf of lenders. */
type RequestorType = 'FIU' | 'LSP'

export interface Redirection {
  /** Unique to this redirection; the aggregator returns it. */
  txnId: string
  /** Our session; the aggregator returns it unchanged. */
  sessionId: string
  /** The borrower's handle at the aggregator: `9999988888@aa`, or a chosen name. */
  userId: string
  returnUrl: string
  /** The consent handles to decide on. */
  handles: string[]
}

export interface Requestor {
  id: string
  type: RequestorType
  secret: string
}

export interface Redirect {
  url: string
  reqdate: string
  expiresAt: Date
}

/** Builds the address, valid for three minutes from `at`. `fieldsText` explains `escaped`. */
export async function redirectTo(
  webViewUrl: string,
  { id, type, secret }: Requestor,
  { txnId, sessionId, userId, returnUrl, handles }: Redirection,
  { at, escaped }: { at: Date; escaped: boolean },
): Promise<Redirect> {
  const reqdate = stampOf(at)
  const fields = fieldsText(
    [
      ['txnid', txnId],
      ['sessionid', sessionId],
      ['userid', userId],
      ['redirect', returnUrl],
      ...handles.map((handle): [string, string] => ['srcref', handle]),
    ],
    escaped,
  )
  const url = new URL(webViewUrl)
  url.searchParams.set('fi', veil(id, reqdate))
  url.searchParams.set('requestorType', veil(type, reqdate))
  url.searchParams.set('reqdate', reqdate)
  url.searchParams.set('ecreq', await encryptFields(fields, secret, reqdate))
  return { url: url.href, reqdate, expiresAt: secondsAfter(at, freshMs / 1000) }
}

export interface RedirectQuery {
  fi: string
  reqdate: string
  ecreq: string
  requestorType?: string | undefined
}

/** The claimed requestor, unverified: selects the secret. */
export const requestorIn = ({ fi, reqdate }: RedirectQuery): string => unveil(fi, reqdate)

/** Why an aggregator rejects a redirection. */
export type RedirectFault = 'stale' | 'unreadable' | 'incomplete'

/** Decrypts and parses a redirection with its requestor's secret. */
export async function readRedirect(
  query: RedirectQuery,
  secret: string,
  now: Date,
): Promise<Redirection | { fault: RedirectFault }> {
  if (!isFresh(query.reqdate, now)) return { fault: 'stale' }
  const text = await decryptFields(query.ecreq, secret, query.reqdate)
  if (text === null) return { fault: 'unreadable' }
  const fields = fieldsOf(text)
  const first = (key: string): string | undefined => fields.get(key)?.[0]
  const txnId = first('txnid')
  const sessionId = first('sessionid')
  const userId = first('userid')
  const returnUrl = first('redirect')
  const handles = fields.get('srcref')?.filter(Boolean) ?? []
  if (!txnId || !sessionId || !userId || !returnUrl || handles.length === 0) return { fault: 'incomplete' }
  return { txnId, sessionId, userId, returnUrl, handles }
}

const derive = promisify(pbkdf2)
const rounds = 65_536
/** Required by the guideline, which has no MAC either: the content is a claim, not a proof. */
const zeroIv = Buffer.alloc(16)

/** The key for one stamp: a tenth of a second of work, off the main thread; not cached. */
export const keyFor = (secret: string, stamp: string): Promise<Buffer> =>
  derive(secret, Buffer.from(stamp), rounds, 32, 'sha256')

/** AES-256-CBC, as URL-safe Base64 with padding. */
export async function encryptFields(plain: string, secret: string, stamp: string): Promise<string> {
  const cipher = createCipheriv('aes-256-cbc', await keyFor(secret, stamp), zeroIv)
  const bytes = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

/** Decrypts either Base64 alphabet. Returns null if the secret or stamp is wrong. */
export async function decryptFields(text: string, secret: string, stamp: string): Promise<string | null> {
  const decipher = createDecipheriv('aes-256-cbc', await keyFor(secret, stamp), zeroIv)
  try {
    const bytes = Buffer.concat([decipher.update(Buffer.from(restorePluses(text), 'base64')), decipher.final()])
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Obfuscates an id: XOR with the stamp's digits, then standard Base64. Not encryption: the rule is public. */
export const veil = (id: string, stamp: string): string => xor(Buffer.from(id), stamp).toString('base64')

export const unveil = (text: string, stamp: string): string =>
  xor(Buffer.from(restorePluses(text), 'base64'), stamp).toString('utf8')

/** Restores each plus that a URL parser read as a space; Base64 contains no spaces. */
const restorePluses = (text: string): string => text.replaceAll(' ', '+')

/** An empty stamp changes nothing. */
function xor(bytes: Buffer, stamp: string): Buffer {
  const key = Buffer.from(stamp)
  if (key.length === 0) return bytes
  return Buffer.from(bytes.map((byte, i) => byte ^ key.readUInt8(i % key.length)))
}

/** One entry for each value, in the order in which they are written. */
export type RedirectFields = [key: string, value: string][]

/**
 * Writes the pairs. The guideline escapes only a return address with parameters; some aggregators escape every value,
 * so `escaped` is a setting per aggregator. Characters that would break the pairs are always escaped.
 */
export const fieldsText = (fields: RedirectFields, escaped: boolean): string =>
  fields
    .map(([key, value]) => `${key}=${escaped || /[&=%?#]/.test(value) ? encodeURIComponent(value) : value}`)
    .join('&')

/** Parses the pairs of either spelling. A badly escaped value is used as it is. */
export function fieldsOf(text: string): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const pair of text.split('&').filter(Boolean)) {
    const at = pair.indexOf('=')
    const [key, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
    values.set(key, [...(values.get(key) ?? []), unescapeValue(value)])
  }
  return values
}

function unescapeValue(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** How far a stamp may be from the reader's clock, either way. */
const freshMs = 180_000

const twoDigits = (part: number): string => String(part).padStart(2, '0')

/** `ddMMyyyyHHmmss` and the tenth of the second, as running aggregators write it. */
export const stampOf = (at: Date): string =>
  twoDigits(at.getUTCDate()) +
  twoDigits(at.getUTCMonth() + 1) +
  String(at.getUTCFullYear()).padStart(4, '0') +
  twoDigits(at.getUTCHours()) +
  twoDigits(at.getUTCMinutes()) +
  twoDigits(at.getUTCSeconds()) +
  Math.floor(at.getUTCMilliseconds() / 100)

interface StampReading {
  at: number
  /** How much later the true instant may be: the format with milliseconds omits the seconds. */
  slackMs: number
}

/**
 * The possible instants of a stamp; empty for an invalid one. The specification's text means seconds and a tenth, its
 * example milliseconds of the minute: both have 15 digits, so both are accepted.
 */
export function readingsOf(stamp: string): StampReading[] {
  if (!/^\d{15}$/.test(stamp)) return []
  const numberAt = (from: number, to: number): number => Number(stamp.slice(from, to))
  const day = numberAt(0, 2)
  const month = numberAt(2, 4)
  const year = numberAt(4, 8)
  const hour = numberAt(8, 10)
  const minute = numberAt(10, 12)
  const rest = numberAt(12, 15)
  const base = new Date(0)
  base.setUTCFullYear(year, month - 1, day)
  base.setUTCHours(hour, minute)
  const isReal =
    base.getUTCDate() === day && base.getUTCMonth() === month - 1 && base.getUTCHours() === hour && minute <= 59
  if (!isReal) return []
  const inMilliseconds = { at: base.getTime() + rest, slackMs: 60_000 }
  const inSeconds = { at: base.getTime() + rest * 100, slackMs: 0 }
  return rest < 600 ? [inSeconds, inMilliseconds] : [inMilliseconds]
}

/** Whether any reading of a stamp is within three minutes of now. */
export const isFresh = (stamp: string, now: Date): boolean =>
  readingsOf(stamp).some(({ at, slackMs }) => now.getTime() >= at - freshMs && now.getTime() <= at + slackMs + freshMs)

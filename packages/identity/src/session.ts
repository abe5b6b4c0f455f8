// The sessions of people who signed in: how one begins, is found in a request and ends (after twelve hours, or after an
// hour without use, in real time), its cookies, and the browser that a person sees in the list of their sessions.

import { secondsAfter } from '@lendloom/foundation/clock'
import { isSecure, type RequestHeaders, tokenCookie, tokenIn } from '@lendloom/http/session-cookie'
import { networkOf } from '@lendloom/http/sign-in-limit'
import { randomOctets, uuidv7 } from '@lendloom/seal/id'
import { digestOf, sameDigest } from '@lendloom/seal/token'
import { mintToken, readToken } from './cookie-token.ts'
import { tenantKeyOf } from './person.ts'
import { insertSession, listSessions, storeDevice, touchSession } from './session/store.ts'
import type {
  PersonKey,
  SessionProof,
  SessionState,
  StaffContext,
  StaffPerson,
  StaffProgram,
  StaffWrite,
} from './sign-in-program.ts'

const sessionSeconds = 12 * 3600
const idleSeconds = 3600
/** Minimum time between two updates of `usedAt`. */
const touchSeconds = 60
const deviceSeconds = 365 * 86_400

/** A session that was last used at or before this instant has expired. */
const unusedSince = (at: Date): Date => secondsAfter(at, -idleSeconds)

/** Where a person signs in from. */
export interface BrowserClient {
  address: string
  headers: RequestHeaders
}

/** What is stored about the browser of a session. */
interface KnownClient {
  network: string
  browser: string
  /** When the person signed in by the program's clock, as the audit log has it; absent in earlier sessions. */
  signedInAt?: string
}

const clientContext = (tenantId: string, sessionId: string): string => `person_session:${tenantId}:${sessionId}`

type CookieSettings = Pick<StaffProgram<StaffPerson>, 'name' | 'publicUrl'>

/**
 * How a person proved their identity at the start of a session. `device` is their browser, if known; `expiresAt` by default
 * twelve hours later.
 */
export interface SessionStart {
  proof: SessionProof
  device?: Buffer | null
  expiresAt?: Date
  /** Of a command line: the sessions that it ends with. */
  allowedBy?: string[]
}

/** Starts a session and returns the session cookie and, for a new browser, the device cookie. */
export async function beginSession<Person extends StaffPerson>(
  ctx: Pick<StaffWrite<Person>, 'tx' | 'at' | 'realClock' | 'seal'> & { staff: CookieSettings },
  { tenantId, personId }: PersonKey,
  { address, headers }: BrowserClient,
  {
    proof,
    device: knownDevice = null,
    expiresAt = secondsAfter(ctx.realClock(), sessionSeconds),
    allowedBy = [],
  }: SessionStart,
): Promise<{ cookies: string[]; sessionId: string }> {
  const { tx, seal, staff } = ctx
  const at = ctx.realClock()
  const { token, id: sessionId, digest } = mintToken(tenantId, uuidv7(at.getTime()))
  const client: KnownClient = {
    network: networkOf(address),
    browser: browserOf(headers['user-agent']),
    signedInAt: ctx.at.toISOString(),
  }
  const clientSealed = seal.json(client, clientContext(tenantId, sessionId))
  const row = {
    tenantId,
    sessionId,
    personId,
    digest,
    clientSealed,
    proof,
    allowedBy,
    createdAt: at,
    usedAt: at,
    expiresAt,
  }
  await insertSession(tx, row, unusedSince(at))
  const device = randomOctets(32).toString('base64url')
  await storeDevice(tx, { tenantId, personId }, knownDevice ?? digestOf(device), at)
  const session = staffCookie(staff, cookieName(staff), token, sessionSeconds)
  const cookies = knownDevice
    ? [session]
    : [session, staffCookie(staff, deviceCookieName(staff), device, deviceSeconds)]
  return { cookies, sessionId }
}

/** With the prefix `__Host-`, browsers accept the cookie only from this host over https. */
const cookieName = ({ name, publicUrl }: CookieSettings): string => (isSecure(publicUrl) ? `__Host-${name}` : name)
const deviceCookieName = (staff: CookieSettings): string => `${cookieName(staff)}-device`

const staffCookie = ({ publicUrl }: CookieSettings, name: string, value: string, seconds: number): string =>
  tokenCookie({ name, value, seconds, publicUrl })

/** The cookie that clears the session cookie in the browser. */
export const clearedCookie = (staff: CookieSettings): string => staffCookie(staff, cookieName(staff), '', 0)

const openIdCookieName = (staff: CookieSettings): string => `${cookieName(staff)}-openid`

/** The cookie of a sign-in at the OpenID provider; browsers send it when the provider redirects them back. */
export const openIdCookie = (staff: CookieSettings, value: string, seconds: number): string =>
  tokenCookie({ name: openIdCookieName(staff), value, seconds, publicUrl: staff.publicUrl, isSentOnReturn: true })

export const openIdCookieIn = (staff: CookieSettings, headers: RequestHeaders): string | undefined =>
  tokenIn(headers, openIdCookieName(staff))

/** Returns the digest of the request's device cookie; undefined without one. */
export function deviceOf(staff: CookieSettings, headers: RequestHeaders): Buffer | undefined {
  const token = tokenIn(headers, deviceCookieName(staff))
  return token === undefined ? undefined : digestOf(token)
}

/** The session of a request: its person, and how and when it was started. */
export interface OpenSession<Person> {
  person: Person
  proof: SessionProof
  createdAt: Date
}

export const isOpen = ({ expiresAt, usedAt }: Pick<SessionState, 'expiresAt' | 'usedAt'>, at: Date): boolean =>
  expiresAt > at && usedAt > unusedSince(at)

/** Returns the session of a request; null when there is none or it has expired. */
export async function sessionIn<Person extends StaffPerson>(
  ctx: Pick<StaffContext<Person>, 'db' | 'staff' | 'realClock'>,
  headers: RequestHeaders,
): Promise<OpenSession<Person> | null> {
  const token = tokenIn(headers, cookieName(ctx.staff))
  const sessionToken = token === undefined ? null : readToken(token)
  if (!sessionToken) return null
  const { tenantId, id: sessionId, digest } = sessionToken
  const found = await ctx.staff.findBySession(ctx.db, tenantId, sessionId)
  if (!found || !sameDigest(found.session.digest, digest)) return null
  const at = ctx.realClock()
  const { account, session } = found
  if (!isOpen(session, at)) return null
  if (session.usedAt <= secondsAfter(at, -touchSeconds)) await touchSession(ctx.db, tenantId, sessionId, at)
  const { proof, createdAt } = session
  return { person: account.inSession(sessionId), proof, createdAt }
}

/** Whether a session is still open. The check does not count as use of the session. */
export async function isSessionOpen<Person extends StaffPerson>(
  { db, realClock, staff }: Pick<StaffContext<Person>, 'db' | 'realClock' | 'staff'>,
  { tenantId, sessionId }: Pick<StaffPerson, 'tenantId' | 'sessionId'>,
): Promise<boolean> {
  const found = await staff.findBySession(db, tenantKeyOf(tenantId), sessionId)
  return found !== undefined && isOpen(found.session, realClock())
}

/**
 * Lists the open sessions of a person, newest first. `currentId` is the session of the request. `signedInAt` is by the
 * program's clock, which a sandbox may have moved since; the other times are real.
 */
export async function openSessionsOf(
  { db, seal, realClock }: Pick<StaffContext<StaffPerson>, 'db' | 'seal' | 'realClock'>,
  key: PersonKey,
  currentId: string,
) {
  const at = realClock()
  const rows = await listSessions(db, key, at, unusedSince(at))
  return rows.map(({ tenantId, sessionId, clientSealed, createdAt, usedAt, expiresAt, allowedBy }) => {
    const client = seal.openJson<KnownClient>(clientSealed, clientContext(tenantId, sessionId))
    return {
      allowedBySessionId: allowedBy.at(-1) ?? null,
      sessionId,
      signedInAt: client.signedInAt ? new Date(client.signedInAt) : createdAt,
      usedAt,
      expiresAt,
      isCurrent: sessionId === currentId,
      network: client.network,
      browser: client.browser,
    }
  })
}

const browsers: [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
  ['Lendloom command line', /^lendloom-cli\//],
]
const systems: [name: string, pattern: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/** The browser and operating system of a session: `Chrome, Android`; `Unknown browser` for an unrecognized header. */
export function browserOf(userAgent: string | string[] | undefined): string {
  const text = String(userAgent ?? '').slice(0, 500)
  const names = [browsers, systems].map((list) => list.find(([, pattern]) => pattern.test(text))?.[0])
  return names.filter((name) => name !== undefined).join(', ') || 'Unknown browser'
}

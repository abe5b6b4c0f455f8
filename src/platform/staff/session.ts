// Sessions of the console: a cookie for twelve hours, ended an hour after its last use, or by its owner; they age in real time.

import { uuidv7 } from '#kit/crypto/id.ts'
import { randomOctets } from '#kit/crypto/random.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { digestOf, sameDigest } from '#kit/crypto/secret.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Auth } from '#kit/http/server.ts'
import { isSecure, type RequestHeaders, refuseOtherSites, tokenCookie, tokenIn } from '#kit/http/session-cookie.ts'
import { networkOf } from '#kit/http/sign-in-limit.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import type { Context, TxContext } from '#platform/context.ts'
import { browserOf } from './browser.ts'
import { commandLineIn } from './command-line.ts'
import { mintConsoleToken, readConsoleToken } from './console-token.ts'
import { type ConsolePerson, type Identity, keptUnder, type Role, tenantIn } from './person.ts'
import { findSession, insertSession, keepDevice, touchSession } from './session/store.ts'
import type { PersonKey, PersonRow } from './store.ts'

const sessionSeconds = 12 * 3600
const idleSeconds = 3600
/** How often its use is noted. */
const touchSeconds = 60
const deviceSeconds = 365 * 86_400

/** Sessions that were last used then or before have ended. */
export const unusedSince = (at: Date): Date => secondsAfter(at, -idleSeconds)

/** Where somebody signs in from. */
export interface Client {
  address: string
  headers: RequestHeaders
}

/** What is kept of it. */
export interface KnownClient {
  network: string
  browser: string
}

export const clientPlace = (tenantId: string, sessionId: string): string => `person_session:${tenantId}:${sessionId}`

export const identityOf = (seal: Seal, { tenantId, personId, identitySealed }: IdentityRow): Identity =>
  seal.openJson<Identity>(identitySealed, identityPlace(tenantId, personId))
type IdentityRow = Pick<PersonRow, 'tenantId' | 'personId' | 'identitySealed'>
export const identityPlace = (tenantId: string, personId: string): string => `person:${tenantId}:${personId}`

/** Begins a session, and gives its cookies: of the session and, in a browser that was not known, of the device. */
export async function beginSession(
  ctx: Pick<TxContext, 'tx' | 'realClock' | 'seal' | 'config'>,
  { tenantId, personId }: PersonKey,
  { address, headers }: Client,
  knownDevice: Buffer | null = null,
): Promise<{ cookies: string[]; sessionId: string }> {
  const { tx, seal, config } = ctx
  const at = ctx.realClock()
  const { token, id: sessionId, digest } = mintConsoleToken(tenantId, uuidv7(at.getTime()))
  const known: KnownClient = { network: networkOf(address), browser: browserOf(headers['user-agent']) }
  const clientSealed = seal.json(known, clientPlace(tenantId, sessionId))
  const expiresAt = secondsAfter(at, sessionSeconds)
  const row = { tenantId, sessionId, personId, digest, clientSealed, createdAt: at, usedAt: at, expiresAt }
  await insertSession(tx, row, unusedSince(at))
  const device = randomOctets(32).toString('base64url')
  await keepDevice(tx, { tenantId, personId }, knownDevice ?? digestOf(device), at)
  const session = consoleCookie(config, cookieName(config), token, sessionSeconds)
  const cookies = knownDevice
    ? [session]
    : [session, consoleCookie(config, deviceCookieName(config), device, deviceSeconds)]
  return { cookies, sessionId }
}

type Published = Pick<Context['config'], 'PUBLIC_URL'>

/** Under https browsers take a cookie of such a name only from the host itself, over https, and for all of its paths. */
const cookieName = ({ PUBLIC_URL }: Published): string => (isSecure(PUBLIC_URL) ? '__Host-console' : 'console')
const deviceCookieName = (config: Published): string => `${cookieName(config)}-device`

const consoleCookie = ({ PUBLIC_URL }: Published, name: string, value: string, seconds: number): string =>
  tokenCookie({ name, value, seconds, path: '/', publicUrl: PUBLIC_URL })

/** The cookie that takes the place of one whose session has ended. */
export const endedCookie = (config: Published): string => consoleCookie(config, cookieName(config), '', 0)

const tripCookieName = (config: Published): string => `${cookieName(config)}-openid`

/** What a browser keeps of its way to the OpenID provider; it is sent when that leads back here, from another site. */
export const tripCookie = (config: Published, value: string, seconds: number): string =>
  tokenCookie({
    ...{ name: tripCookieName(config), value, seconds, path: '/', publicUrl: config.PUBLIC_URL },
    isSentOnReturn: true,
  })

export const tripIn = (config: Published, headers: RequestHeaders): string | undefined =>
  tokenIn(headers, tripCookieName(config))

/** What the device of a request is kept under; undefined in a browser that has none. */
export function deviceOf(config: Published, headers: RequestHeaders): Buffer | undefined {
  const token = tokenIn(headers, deviceCookieName(config))
  return token === undefined ? undefined : digestOf(token)
}

/** Whoever is signed in by this request; null when nobody is, or their session has ended. */
async function personIn(ctx: Context, headers: RequestHeaders): Promise<ConsolePerson | null> {
  const token = tokenIn(headers, cookieName(ctx.config))
  const given = token === undefined ? null : readConsoleToken(token)
  if (!given) return null
  const { tenantId, id: sessionId, digest } = given
  const found = await findSession(ctx.db, tenantId, sessionId)
  if (!found || !sameDigest(found.digest, digest)) return null
  const at = ctx.realClock()
  if (found.expiresAt <= at || found.usedAt <= unusedSince(at)) return null
  if (found.usedAt <= secondsAfter(at, -touchSeconds)) await touchSession(ctx.db, tenantId, sessionId, at)
  const { personId, role } = found
  return { ...identityOf(ctx.seal, { ...found, tenantId }), personId, role, tenantId: tenantIn(tenantId), sessionId }
}

/** Whether somebody's session goes on; to ask is no use of it. */
export async function goesOn(
  { db, realClock }: Pick<Context, 'db' | 'realClock'>,
  { tenantId, sessionId }: Pick<ConsolePerson, 'tenantId' | 'sessionId'>,
): Promise<boolean> {
  const found = await findSession(db, keptUnder(tenantId), sessionId)
  const at = realClock()
  return found !== undefined && found.expiresAt > at && found.usedAt > unusedSince(at)
}

/**
 * The command line, or the person who is signed in, with one of these roles; with any where none is given. Refused as `bad-session` when nobody is, and
 * as `forbidden` with another role, or when a page of another site asks.
 */
export const inConsole = (...roles: Role[]): Auth<Context, ConsolePerson> => ({
  scheme: null,
  async check(arrival, ctx) {
    refuseOtherSites(arrival.headers, ctx.config.PUBLIC_URL)
    const person = commandLineIn(arrival, ctx) ?? (await personIn(ctx, arrival.headers))
    if (!person) throw new Refusal('bad-session', 'sign in first')
    if (roles.length > 0 && !roles.includes(person.role))
      throw new Refusal('forbidden', `this takes the role ${roles.join(' or ')}, and yours is ${person.role}`)
    return person
  },
})

/** As `inConsole`, for people of the platform alone: to people of a tenant it looks absent. */
export const ofPlatform = (...roles: Role[]): Auth<Context, ConsolePerson> => ({
  scheme: null,
  async check(arrival, ctx) {
    const person = await inConsole(...roles).check(arrival, ctx)
    if (person.tenantId !== null) throw new Refusal('absent', 'there is nothing at this address')
    return person
  },
})

/** Anybody, but only from a page of our own. */
export const fromOwnPage: Auth<Context, null> = {
  scheme: null,
  check({ headers }, { config }) {
    refuseOtherSites(headers, config.PUBLIC_URL)
    return null
  },
}

/** What somebody's rows are kept under. */
export const keyOf = ({ tenantId, personId }: Pick<ConsolePerson, 'tenantId' | 'personId'>): PersonKey => ({
  tenantId: keptUnder(tenantId),
  personId,
})

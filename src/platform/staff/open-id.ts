// Signing in to the console by an OpenID provider: it says who somebody is, and they come in only if they were let in here.

import type { OpenIdProblem } from '#contract/console/staff.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { sameDigest } from '#kit/crypto/secret.ts'
import { OpenIdFailure, type OpenIdIdentity, type OpenIdTrip } from '#kit/http/open-id.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import type { Context, TxContext } from '#platform/context.ts'
import { type Actor, noteStaffAct } from './audit.ts'
import {
  deleteLink,
  deleteLinks,
  findLinked,
  insertLink,
  listLinks,
  type OpenIdAccount,
  type OpenIdLinkRow,
  touchLink,
} from './open-id/store.ts'
import { type ConsolePerson, emailDigest, emailOf, tenantIn } from './person.ts'
import type { FailureRow } from './session/store.ts'
import { beginSession, type Client, keyOf } from './session.ts'
import { noteFailure, personOf, type SignedIn } from './sign-in.ts'
import { findByEmail, findPerson, type PersonKey, type PersonRow } from './store.ts'

/** As long as somebody may take at the provider. */
export const tripSeconds = 600

interface KeptTrip extends OpenIdTrip {
  /** Where in the console they wanted to be. */
  next: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

const tripPlace = 'open-id trip'

/** Where to send somebody, and what their browser keeps of it. Refused: `absent` without a provider · `rate-limited` · `upstream`. */
export async function beginOpenId(
  ctx: Context,
  { address, next }: { address: string; next: string },
  at: Date,
): Promise<{ url: string; trip: string }> {
  if (!ctx.openId) throw new Refusal('absent', 'there is no OpenID provider')
  ctx.signIns.limitAddress(address, at)
  try {
    const { url, trip } = await ctx.openId.begin(at)
    const kept: KeptTrip = { ...trip, next, expiresAt: secondsAfter(at, tripSeconds).getTime() }
    return { url, trip: ctx.seal.json(kept, tripPlace).toString('base64url') }
  } catch (error) {
    if (!(error instanceof OpenIdFailure)) throw error
    ctx.log.warn({ error }, 'the OpenID provider cannot be used')
    throw new Refusal('upstream', `${ctx.config.OPENID_NAME} cannot be reached: try again, or use your password`)
  }
}

/** Null when it was not begun in this browser, or too long ago. */
function openTrip(seal: Seal, sealed: string | undefined, state: unknown, at: Date): KeptTrip | null {
  if (sealed === undefined) return null
  try {
    const trip = seal.openJson<KeptTrip>(Buffer.from(sealed, 'base64url'), tripPlace)
    const isSame = sameDigest(Buffer.from(trip.state), Buffer.from(String(state)))
    return isSame && trip.expiresAt > at.getTime() ? trip : null
  } catch {
    // Of another key, or nothing that we gave out.
    return null
  }
}

export interface OpenIdReturn extends Client {
  /** As the provider sent it. */
  query: Record<string, unknown>
  /** What the browser kept. */
  trip: string | undefined
}

/** The person with the cookies of their session and where they wanted to be, or why they do not get in. What fails is recorded. */
export async function signInByOpenId(
  ctx: Context,
  back: OpenIdReturn,
  at: Date,
): Promise<(SignedIn & { next: string }) | OpenIdProblem> {
  const trip = openTrip(ctx.seal, back.trip, back.query.state, at)
  if (!ctx.openId || !trip) return 'expired'
  const failed = (outcome: FailureRow['outcome'], email = '', found?: PersonRow) =>
    noteFailure(ctx, found, { email: emailOf(email), address: back.address }, { outcome, at })
  try {
    ctx.signIns.limitAddress(back.address, at)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (ctx.signIns.isRecorded(at)) await failed('LIMITED')
    return 'limited'
  }
  let identity: OpenIdIdentity
  try {
    identity = await ctx.openId.finish(back.query, trip, at)
  } catch (error) {
    if (!(error instanceof OpenIdFailure)) throw error
    ctx.log.warn({ error }, 'nobody came back from the OpenID provider')
    if (error.reason === 'unproven') await failed('OPENID_UNPROVEN')
    return error.reason
  }
  const signedIn = await ctx.db.tx((tx) => enter({ ...ctx, tx, at }, identity, back))
  if ('cookies' in signedIn) return { ...signedIn, next: trip.next }
  await failed(outcomes[signedIn.problem], identity.email, signedIn.found)
  return signedIn.problem
}

type Turned = Extract<OpenIdProblem, 'unverified' | 'domain' | 'unknown' | 'other-account'>
interface TurnedAway {
  problem: Turned
  /** Whose address it is. */
  found?: PersonRow
}
const outcomes: Record<Turned, FailureRow['outcome']> = {
  unverified: 'OPENID_UNVERIFIED',
  domain: 'OPENID_DOMAIN',
  unknown: 'OPENID_UNKNOWN',
  'other-account': 'OPENID_OTHER_ACCOUNT',
}

async function enter(ctx: TxContext, identity: OpenIdIdentity, client: Client): Promise<SignedIn | TurnedAway> {
  const { tx, at, config } = ctx
  const { issuer, subject, email, methods } = identity
  if (!identity.isEmailVerified) return { problem: 'unverified' }
  if (!speaksFor(config.OPENID_DOMAINS, email)) return { problem: 'domain' }
  const account = { issuer, subjectDigest: ctx.seal.digest(`${issuer} ${subject}`, 'person.open_id') }
  const found = await personBehind(ctx, account, email)
  if (!('personId' in found)) return found
  const { cookies, sessionId } = await beginSession(ctx, found, client)
  await touchLink(tx, account, at)
  const person = personOf(ctx, found, sessionId)
  const detail = { openId: issuer, ...(methods.length > 0 && { amr: methods.join(' ') }) }
  await noteStaffAct(ctx, person, { act: 'SIGNED_IN', subject: sessionId, detail })
  return { person, cookies }
}

/** The provider speaks for these domains alone. */
function speaksFor(domains: string[], email: string): boolean {
  const at = email.lastIndexOf('@')
  return at > 0 && (domains.includes('*') || domains.includes(email.slice(at + 1).toLowerCase()))
}

/**
 * Whoever has this account; else whoever has this address, whose account it is from now on. Somebody with another account at
 * the provider is not taken over by whoever gets their address there.
 */
async function personBehind(ctx: TxContext, account: OpenIdAccount, email: string): Promise<PersonRow | TurnedAway> {
  const { tx, at, seal } = ctx
  const linked = await findLinked(tx, account)
  const person = linked && (await findPerson(tx, linked.tenantId, linked.personId))
  if (person) return person
  const found = await findByEmail(tx, emailDigest(seal, email))
  if (!found) return { problem: 'unknown' }
  const linkId = uuidv7(at.getTime())
  if (!(await insertLink(tx, found, { ...account, linkId, createdAt: at, usedAt: at })))
    return { problem: 'other-account', found }
  const by = personOf(ctx, found, '')
  await noteStaffAct(ctx, by, { act: 'OPENID_LINKED', subject: linkId, detail: { openId: account.issuer } })
  return found
}

/** Refused as `absent` where the person has no such account. */
export async function unlinkOpenId(ctx: Context, who: ConsolePerson, linkId: string, at: Date): Promise<void> {
  await ctx.db.tx(async (tx) => {
    if (!(await deleteLink(tx, keyOf(who), linkId))) throw new Refusal('absent', 'there is no such account')
    await noteStaffAct({ tx, at }, who, { act: 'OPENID_UNLINKED', subject: linkId })
  })
}

/** Unlinks whatever somebody has at providers, and gives what that was; nothing where there is none. */
export async function unlinkAllOpenId(
  { tx, at }: Pick<TxContext, 'tx' | 'at'>,
  who: Actor,
  person: PersonKey,
): Promise<OpenIdLinkRow[]> {
  const links = await listLinks(tx, person)
  await deleteLinks(tx, person)
  for (const { linkId: subject } of links)
    await noteStaffAct({ tx, at }, who, { act: 'OPENID_UNLINKED', subject, tenantId: tenantIn(person.tenantId) })
  return links
}

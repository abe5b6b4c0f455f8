// Signs in by an OpenID provider: the provider identifies the person, and only people who were added here may enter.

import { uuidv7 } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { sameDigest } from '#kit/crypto/token.ts'
import type { Run } from '#kit/db/sql.ts'
import { OpenIdFailure, type OpenIdIdentity, type OpenIdTrip } from '#kit/http/open-id.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { type BrowserMemory, openFromBrowser, sealForBrowser } from './kept.ts'
import type { OpenIdProblem } from './lists.ts'
import { deleteLink, findLinked, insertLink, type OpenIdAccount, touchLink } from './open-id/store.ts'
import { emailOf, keyOf } from './person.ts'
import type { StaffAccount, StaffContext, StaffPerson, StaffWrite } from './program.ts'
import type { FailureRow } from './session/store.ts'
import { type BrowserClient, beginSession } from './session.ts'
import {
  lockUnchanged,
  noteCodeRequested,
  noteFailure,
  prepareTrial,
  type SignInResult,
  verifyTrialCode,
} from './sign-in.ts'

/** Time limit for the sign-in at the provider. */
export const tripSeconds = 600

interface KeptTrip extends OpenIdTrip, BrowserMemory {
  /** The page that the person wanted to open. */
  next: string
}

const tripPlace = 'open-id trip'

/** A person whom the provider identified and who still owes a code; stored in their browser. */
interface KeptIdentity extends BrowserMemory {
  identity: OpenIdIdentity
  next: string
}

const identitySealContext = 'open-id identity'

/**
 * Returns the address to redirect to, and the cookie for the browser. Throws `absent` without a provider, `rate-limited`, or
 * `upstream` if the provider is unreachable.
 */
export async function beginOpenId<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  { address, next }: { address: string; next: string },
  at: Date,
): Promise<{ url: string; trip: string }> {
  if (!ctx.openId) throw new Refusal('absent', 'there is no OpenID provider')
  ctx.signIns.limitAddress(address, at)
  try {
    const { url, trip } = await ctx.openId.begin(at)
    const kept: KeptTrip = { ...trip, next, expiresAt: secondsAfter(at, tripSeconds).getTime() }
    return { url, trip: sealForBrowser(ctx.seal, kept, tripPlace) }
  } catch (error) {
    if (!(error instanceof OpenIdFailure)) throw error
    ctx.log.warn({ error }, 'the OpenID provider cannot be used')
    throw new Refusal('upstream', `${ctx.staff.openIdName} cannot be reached: try again, or use your password`)
  }
}

/** Returns null when the sign-in was not started in this browser, or too long ago. */
function openTrip(seal: Seal, sealed: string | undefined, state: unknown, at: Date): KeptTrip | null {
  const trip = openFromBrowser<KeptTrip>(seal, sealed, tripPlace, at)
  return trip && sameDigest(Buffer.from(trip.state), Buffer.from(String(state))) ? trip : null
}

export interface OpenIdReturn extends BrowserClient {
  /** As the provider sent it. */
  query: Record<string, unknown>
  /** The browser's cookie. */
  trip: string | undefined
}

/** The person owes a code of their second factor; `kept` is stored in their browser until then. */
export interface CodeChallenge {
  needs: 'code'
  kept: string
}

/**
 * The person with their session cookies and destination; or a request for a code; or why sign-in failed. Failures are
 * recorded.
 */
export async function signInByOpenId<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  back: OpenIdReturn,
  at: Date,
): Promise<(SignInResult<Person> & { next: string }) | CodeChallenge | OpenIdProblem> {
  const trip = openTrip(ctx.seal, back.trip, back.query.state, at)
  if (!ctx.openId || !trip) return 'expired'
  const failed = (outcome: FailureRow['outcome'], email = '', found?: StaffAccount<Person>) =>
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
    ctx.log.warn({ error }, 'the sign-in at the OpenID provider failed')
    if (error.reason === 'unproven') await failed('OPENID_UNPROVEN')
    return error.reason
  }
  const signedIn = await ctx.db.tx((tx) => enter({ ...ctx, tx, at }, identity, back, null))
  if ('cookies' in signedIn) return { ...signedIn, next: trip.next }
  if (signedIn.problem === 'code') {
    await noteCodeRequested(ctx, signedIn.found, 'openid', at)
    const kept: KeptIdentity = { identity, next: trip.next, expiresAt: secondsAfter(at, tripSeconds).getTime() }
    return { needs: 'code', kept: sealForBrowser(ctx.seal, kept, identitySealContext) }
  }
  await failed(outcomes[signedIn.problem], identity.email, signedIn.found)
  return signedIn.problem
}

export interface OpenIdCode extends BrowserClient {
  code: string
  /** The browser's cookie. */
  kept: string | undefined
}

/**
 * The person whom the provider identified, after a code of their second factor; null for a wrong code. Refused:
 * `bad-session` when the sign-in was started elsewhere or too long ago · `rate-limited` after some wrong codes.
 */
export async function finishOpenId<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  client: OpenIdCode,
  at: Date,
): Promise<(SignInResult<Person> & { next: string }) | null> {
  const kept = openFromBrowser<KeptIdentity>(ctx.seal, client.kept, identitySealContext, at)
  const found = kept && (await findIdentified(ctx, ctx.db, kept.identity)).found
  if (!found) throw expiredSignIn()
  const { code, address, headers } = client
  const trial = await prepareTrial(ctx, { email: emailOf(kept.identity.email), found, address, headers })
  if (!(await verifyTrialCode(ctx, { ...trial, found, code, isSecondStep: true }, at))) return null
  const proven = { known: trial.guesser.device, by: found }
  const signedIn = await ctx.db.tx((tx) => enter({ ...ctx, tx, at }, kept.identity, client, proven))
  if ('cookies' in signedIn) return { ...signedIn, next: kept.next }
  throw new Refusal('bad-session', 'this account of the provider does not sign in here')
}

type SignInRejection = Extract<OpenIdProblem, 'unverified' | 'domain' | 'unknown' | 'other-account'>
interface RejectedSignIn<Person> {
  problem: SignInRejection
  /** The owner of the address. */
  found?: StaffAccount<Person>
}
interface PendingCode<Person> {
  problem: 'code'
  found: StaffAccount<Person>
}
const outcomes: Record<SignInRejection, FailureRow['outcome']> = {
  unverified: 'OPENID_UNVERIFIED',
  domain: 'OPENID_DOMAIN',
  unknown: 'OPENID_UNKNOWN',
  'other-account': 'OPENID_OTHER_ACCOUNT',
}

const expiredSignIn = (): Refusal => new Refusal('bad-session', 'that took too long: sign in again')

/**
 * `proven`: the second factor was given, in a browser that may be remembered. Refused as `bad-session` when the person
 * changed meanwhile, for example by a reset.
 */
async function enter<Person extends StaffPerson>(
  ctx: StaffWrite<Person>,
  identity: OpenIdIdentity,
  client: BrowserClient,
  proven: { known: Buffer | null; by: StaffAccount<Person> } | null,
): Promise<SignInResult<Person> | RejectedSignIn<Person> | PendingCode<Person>> {
  const { tx, at, staff } = ctx
  const { issuer, email, methods } = identity
  if (!identity.isEmailVerified) return { problem: 'unverified' }
  if (!mayIdentify(staff.openIdDomains, email)) return { problem: 'domain' }
  const { account, found, isLinked } = await findIdentified(ctx, tx, identity)
  if (!found) return { problem: 'unknown' }
  if (!(await lockUnchanged(ctx, { ...found, totpSealed: (proven?.by ?? found).totpSealed }))) throw expiredSignIn()
  if (found.totpSealed && !staff.openIdReplacesSecondFactor && !proven) return { problem: 'code', found }
  if (!isLinked && !(await link(ctx, account, found))) return { problem: 'other-account', found }
  const start = { proof: proven ? 'CODE' : 'OPENID', device: proven?.known ?? null } as const
  const { cookies, sessionId } = await beginSession(ctx, found, client, start)
  await touchLink(tx, account, at)
  const person = found.within(sessionId)
  const detail = { openId: issuer, ...(methods.length > 0 && { amr: methods.join(' ') }) }
  await staff.note(ctx, person, { act: 'SIGNED_IN', subject: sessionId, detail })
  return { person, cookies }
}

/** Whether the provider may identify addresses of this domain. */
function mayIdentify(domains: string[], email: string): boolean {
  const at = email.lastIndexOf('@')
  return at > 0 && (domains.includes('*') || domains.includes(email.slice(at + 1).toLowerCase()))
}

/** The person linked to this account; else the person with this address, who is linked at the first sign-in. */
async function findIdentified<Person extends StaffPerson>(
  { seal, staff }: Pick<StaffContext<Person>, 'seal' | 'staff'>,
  db: Run,
  { issuer, subject, email }: OpenIdIdentity,
) {
  const account: OpenIdAccount = { issuer, subjectDigest: seal.digest(`${issuer} ${subject}`, 'person.open_id') }
  const linked = await findLinked(db, account)
  const person = linked && (await staff.findPerson(db, linked))
  return { account, found: person ?? (await staff.findByEmail(db, email)), isLinked: person !== undefined }
}

/**
 * False where the person has another account at the provider: a new owner of their address there does not take them
 * over.
 */
async function link<Person extends StaffPerson>(
  ctx: StaffWrite<Person>,
  account: OpenIdAccount,
  found: StaffAccount<Person>,
): Promise<boolean> {
  const { tx, at } = ctx
  const linkId = uuidv7(at.getTime())
  if (!(await insertLink(tx, found, { ...account, linkId, createdAt: at, usedAt: at }))) return false
  await ctx.staff.note(ctx, found.within(''), {
    act: 'OPENID_LINKED',
    subject: linkId,
    detail: { openId: account.issuer },
  })
  return true
}

/** Throws `absent` if the person has no such account. */
export async function unlinkOpenId<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  who: StaffPerson,
  linkId: string,
  at: Date,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    if (!(await deleteLink(tx, keyOf(who), linkId))) throw new Refusal('absent', 'there is no such account')
    await ctx.staff.note({ tx, at }, who, { act: 'OPENID_UNLINKED', subject: linkId })
  })
}

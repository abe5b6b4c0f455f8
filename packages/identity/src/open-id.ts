// Sign-in by an OpenID provider, which identifies the person. Only people with an account here may sign in.

import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { OpenIdFailure, type OpenIdIdentity, type OpenIdRequest } from '@lendloom/http/open-id-connect'
import { networkOf } from '@lendloom/http/sign-in-limit'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import { digestOf, sameDigest } from '@lendloom/seal/token'
import { type BrowserMemory, openFromBrowser, sealForBrowser } from './browser-memory.ts'
import { deleteLink, findLinked, insertLink, type OpenIdAccount, touchLink } from './open-id/store.ts'
import { lockOwnAccount } from './own-account.ts'
import { useChallenge } from './passkey/store.ts'
import { emailOf, keyOf, noTenant } from './person.ts'
import { findOwnAccount } from './second-factor.ts'
import { deleteDevices, deleteOtherSessions, deleteSessions, type FailureRow } from './session/store.ts'
import { type BrowserClient, beginSession } from './session.ts'
import { addGuesser, lockUnchanged, noteCodeRequested, noteFailure, type SignInResult, verifyCode } from './sign-in.ts'
import type { OpenIdProblem } from './sign-in-failures.ts'
import type { StaffAccount, StaffContext, StaffPerson, StaffWrite } from './sign-in-program.ts'

/** Time limit for the sign-in at the provider. */
export const openIdSeconds = 600

interface StoredRequest extends OpenIdRequest, BrowserMemory {
  /** The page that the person wanted to open. */
  next: string
}

const requestContext = 'open-id trip'

/** The identity of a person who must still enter a code; stored in their browser. */
interface StoredIdentity extends BrowserMemory {
  identity: OpenIdIdentity
  next: string
  /** The state of the request. */
  state: string
}

const identityContext = 'open-id identity'

/**
 * Returns the address to redirect to, and the value of the browser's cookie. Throws `absent` without a provider,
 * `rate-limited`, or `upstream` if the provider is unreachable.
 */
export async function beginOpenId<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  { address, next }: { address: string; next: string },
  at: Date,
): Promise<{ url: string; sealedRequest: string }> {
  if (!ctx.openId) throw new Refusal('absent', 'there is no OpenID provider')
  ctx.signIns.limitAddress(address, at)
  try {
    const { url, request } = await ctx.openId.begin(at)
    const stored: StoredRequest = { ...request, next, expiresAt: secondsAfter(at, openIdSeconds).getTime() }
    return { url, sealedRequest: sealForBrowser(ctx.seal, stored, requestContext) }
  } catch (error) {
    if (!(error instanceof OpenIdFailure)) throw error
    ctx.log.warn({ error }, 'the OpenID provider cannot be used')
    throw new Refusal('upstream', `${ctx.staff.openIdName} cannot be reached: try again, or use your password`)
  }
}

/** Opens the stored request; null when the sign-in was started in another browser, or too long ago. */
function openRequest(seal: Seal, sealed: string | undefined, state: unknown, at: Date): StoredRequest | null {
  const request = openFromBrowser<StoredRequest>(seal, sealed, requestContext, at)
  return request && sameDigest(Buffer.from(request.state), Buffer.from(String(state))) ? request : null
}

/** Marks a step of a sign-in used, like the challenge of a passkey; returns false when it was used before. */
const useStep = (tx: Tx, step: string, at: Date): Promise<boolean> => {
  const expiresAt = secondsAfter(at, openIdSeconds)
  return useChallenge(tx, { tenantId: noTenant, challengeDigest: digestOf(step), expiresAt }, at)
}

export interface OpenIdReturn extends BrowserClient {
  /** The query parameters with which the provider redirected the browser. */
  query: Record<string, unknown>
  /** The value of the browser's cookie. */
  sealedRequest: string | undefined
}

/** The person must enter a code of their second factor; until then their browser stores `sealedIdentity`. */
export interface CodeChallenge {
  needs: 'code'
  sealedIdentity: string
}

/** Returns the signed-in person and the next page, a request for a code, or the problem. Records failures. */
export async function signInByOpenId<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  client: OpenIdReturn,
  at: Date,
): Promise<(SignInResult<Person> & { next: string }) | CodeChallenge | OpenIdProblem> {
  const request = openRequest(ctx.seal, client.sealedRequest, client.query.state, at)
  if (!ctx.openId || !request) return 'expired'
  const recordFailure = (outcome: FailureRow['outcome'], email = '', found?: StaffAccount<Person>) =>
    noteFailure(ctx, found, { email: emailOf(email), address: client.address }, { outcome, at })
  try {
    ctx.signIns.limitAddress(client.address, at)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (ctx.signIns.isRecorded(at)) await recordFailure('LIMITED')
    return 'limited'
  }
  let identity: OpenIdIdentity
  try {
    identity = await ctx.openId.finish(client.query, request, at)
  } catch (error) {
    if (!(error instanceof OpenIdFailure)) throw error
    ctx.log.warn({ error }, 'the sign-in at the OpenID provider failed')
    if (error.reason === 'unproven') await recordFailure('OPENID_UNPROVEN')
    return error.reason
  }
  const signedIn = await ctx.db.tx(async (tx) =>
    // The browser keeps the request until it is answered, so a copy of it could finish again.
    (await useStep(tx, request.state, at)) ? signInIdentified({ ...ctx, tx, at }, identity, client, null) : null,
  )
  if (!signedIn) return 'expired'
  if ('cookies' in signedIn) return { ...signedIn, next: request.next }
  if (signedIn.problem === 'code') {
    await noteCodeRequested(ctx, signedIn.found, 'openid', at)
    const stored: StoredIdentity = {
      identity,
      next: request.next,
      state: request.state,
      expiresAt: secondsAfter(at, openIdSeconds).getTime(),
    }
    return { needs: 'code', sealedIdentity: sealForBrowser(ctx.seal, stored, identityContext) }
  }
  await recordFailure(outcomes[signedIn.problem], identity.email, signedIn.found)
  return signedIn.problem
}

export interface OpenIdCode extends BrowserClient {
  code: string
  /** The value of the browser's cookie. */
  sealedIdentity: string | undefined
}

/**
 * Signs in the person whom the provider identified, with a code of the second factor; returns null for a wrong code.
 * Throws `bad-session` when the sign-in was started in another browser or too long ago, `rate-limited` after some wrong
 * codes.
 */
export async function finishOpenId<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  client: OpenIdCode,
  at: Date,
): Promise<(SignInResult<Person> & { next: string }) | null> {
  const stored = openFromBrowser<StoredIdentity>(ctx.seal, client.sealedIdentity, identityContext, at)
  const found = stored && (await findIdentified(ctx, ctx.db, stored.identity)).found
  if (!found) throw expiredSignIn()
  const { code, address, headers } = client
  const attempt = await addGuesser(ctx, { email: emailOf(stored.identity.email), found, address, headers })
  if (!(await verifyCode(ctx, { ...attempt, found, code, isSecondStep: true }, at))) return null
  const codeProof = { device: attempt.guesser.device, person: found }
  const signedIn = await ctx.db.tx(async (tx) => {
    if (!(await useStep(tx, `code ${stored.state}`, at))) throw expiredSignIn()
    return signInIdentified({ ...ctx, tx, at }, stored.identity, client, codeProof)
  })
  if ('cookies' in signedIn) return { ...signedIn, next: stored.next }
  throw new Refusal('bad-session', 'this account of the provider cannot sign in here')
}

type SignInRejection = Extract<OpenIdProblem, 'unverified' | 'domain' | 'unknown' | 'other-account'>
interface RejectedSignIn<Person> {
  problem: SignInRejection
  /** The owner of the e-mail address. */
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
 * `codeProof` is the person who entered a right code, and their browser if known. Throws `bad-session` when their
 * password or second factor changed meanwhile.
 */
async function signInIdentified<Person extends StaffPerson>(
  ctx: StaffWrite<Person>,
  identity: OpenIdIdentity,
  client: BrowserClient,
  codeProof: { device: Buffer | null; person: StaffAccount<Person> } | null,
): Promise<SignInResult<Person> | RejectedSignIn<Person> | PendingCode<Person>> {
  const { tx, at, staff } = ctx
  const { issuer, email, methods } = identity
  if (!identity.isEmailVerified) return { problem: 'unverified' }
  if (!mayIdentify(staff.openIdDomains, email)) return { problem: 'domain' }
  const { account, found, isLinked } = await findIdentified(ctx, tx, identity)
  if (!found) return { problem: 'unknown' }
  if (!(await lockUnchanged(ctx, { ...found, totpSealed: (codeProof?.person ?? found).totpSealed })))
    throw expiredSignIn()
  if (found.totpSealed && !staff.openIdReplacesSecondFactor && !codeProof) return { problem: 'code', found }
  const device = codeProof?.device ?? null
  if (!isLinked && !(await linkAccount(ctx, account, found, { address: client.address, device })))
    return { problem: 'other-account', found }
  const start = { proof: codeProof ? 'CODE' : 'OPENID', device } as const
  const { cookies, sessionId } = await beginSession(ctx, found, client, start)
  await touchLink(tx, account, at)
  const person = found.inSession(sessionId)
  const detail = { openId: issuer, ...(methods.length > 0 && { amr: methods.join(' ') }) }
  await staff.note(ctx, person, { act: 'SIGNED_IN', subject: sessionId, detail })
  return { person, cookies }
}

/** Whether the provider may identify addresses of this domain. */
function mayIdentify(domains: string[], email: string): boolean {
  const at = email.lastIndexOf('@')
  return at > 0 && (domains.includes('*') || domains.includes(email.slice(at + 1).toLowerCase()))
}

/** Finds the person who is linked to the account, else the person with the account's e-mail address. */
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
 * Links an account. Its holder may be another person, so this ends other sessions, forgets other browsers and mails the
 * owner. Returns false when the person is linked to another account of the provider: otherwise a new owner of the
 * person's e-mail address at the provider could take over the account here.
 */
async function linkAccount<Person extends StaffPerson>(
  ctx: StaffWrite<Person>,
  account: OpenIdAccount,
  found: StaffAccount<Person>,
  { address, device }: { address: string; device: Buffer | null },
): Promise<boolean> {
  const { tx, at } = ctx
  const linkId = uuidv7(at.getTime())
  if (!(await insertLink(tx, found, { ...account, linkId, createdAt: at, usedAt: at }))) return false
  await deleteSessions(tx, found)
  await deleteDevices(tx, found, device)
  await ctx.staff.note(ctx, found.inSession(''), {
    act: 'OPENID_LINKED',
    subject: linkId,
    detail: { openId: account.issuer },
  })
  await ctx.staff.mailNotice(ctx, found, { about: 'openid-linked', network: networkOf(address), at, ends: null })
  return true
}

/**
 * Unlinks an account, and ends other sessions, which may have begun with it. Throws `absent` if the caller is not linked
 * to this account.
 */
export async function unlinkOpenId<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  caller: StaffPerson,
  { linkId, address }: { linkId: string; address: string },
  at: Date,
): Promise<void> {
  const key = keyOf(caller)
  const found = await findOwnAccount(ctx.db, ctx.staff, key)
  await ctx.db.tx(async (tx) => {
    await lockOwnAccount(ctx, tx, { found, sessionId: caller.sessionId })
    if (!(await deleteLink(tx, key, linkId))) throw new Refusal('absent', 'there is no such account')
    await deleteOtherSessions(tx, key, caller.sessionId)
    await ctx.staff.note({ tx, at }, caller, { act: 'OPENID_UNLINKED', subject: linkId })
    const network = networkOf(address)
    await ctx.staff.mailNotice({ tx, at }, found, { about: 'openid-unlinked', network, at, ends: null })
  })
}

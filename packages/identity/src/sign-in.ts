// Sign-in with e-mail address and password, and with a code if the second factor is on.

import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { uuidv7 } from '@lendloom/seal/id'
import { isPassword } from '@lendloom/seal/password'
import type { Seal } from '@lendloom/seal/seal'
import { type BrowserMemory, openFromBrowser, sealForBrowser } from './browser-memory.ts'
import { checkCode, checkPassword, type Guesser, withOpenMethods } from './guess-lock.ts'
import { emailOf, noTenant } from './person.ts'
import { acceptsCode } from './second-factor.ts'
import { type FailureRow, findDevice, insertFailure } from './session/store.ts'
import { type BrowserClient, beginSession, deviceOf } from './session.ts'
import type { PersonKey, SessionProof, StaffAccount, StaffContext, StaffPerson, StaffWrite } from './sign-in-program.ts'

export interface SignInCredentials extends BrowserClient {
  email: string
  password: string
  code?: string | undefined
}

export interface SignInResult<Person> {
  person: Person
  cookies: string[]
}

/** A sign-in attempt: its account, if it exists, and its origin. */
interface AccountAttempt<Person> extends BrowserClient {
  email: string
  found: StaffAccount<Person> | undefined
  guesser: Guesser
}

/** The person must still enter a code; the ticket proves for ten minutes that the password was right. */
export interface CodeTicket {
  ticket: string
}

/**
 * Returns the signed-in person; a ticket if only the code is missing; otherwise `wrong`. An unknown address takes as
 * long as a known one. Throws `rate-limited` after some wrong passwords or codes. Records failures.
 */
export async function signIn<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  credentials: SignInCredentials,
  at: Date,
): Promise<SignInResult<Person> | CodeTicket | 'wrong'> {
  const email = emailOf(credentials.email)
  const found = await ctx.staff.findByEmail(ctx.db, email)
  const attempt = await addGuesser(ctx, { ...credentials, email, found })
  try {
    ctx.signIns.limit({ email, ...attempt.guesser }, at)
    const isRight = await checkPassword(ctx, { ...attempt, at }, () =>
      isPassword(credentials.password, found?.passwordHash),
    )
    if (!found || !isRight) return await recordWrong(ctx, attempt, 'WRONG', at)
  } catch (error) {
    throw await recordIfLimited(ctx, attempt, { secret: 'password', error, at })
  }
  if (!found.totpSealed)
    return (
      (await startSession(ctx, found, { ...attempt, proof: 'PASSWORD' }, at)) ?? recordWrong(ctx, attempt, 'WRONG', at)
    )
  if (credentials.code !== undefined)
    return signInByCode(ctx, { ...attempt, found, code: credentials.code, isSecondStep: false }, at)
  await noteCodeRequested(ctx, found, 'password', at)
  return { ticket: ticketOf(ctx.seal, found, at) }
}

/** The second step of `signIn`. Returns `expired` if the ticket is too old, or the password was changed. */
export async function finishSignIn<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  { ticket, code, ...client }: CodeTicket & BrowserClient & { code: string },
  at: Date,
): Promise<SignInResult<Person> | 'wrong' | 'expired'> {
  const opened = openFromBrowser<Ticket>(ctx.seal, ticket, ticketContext, at)
  const found = opened && (await ctx.staff.findPerson(ctx.db, opened))
  if (!found?.totpSealed || found.passwordHash !== opened?.passwordHash) return 'expired'
  const attempt = await addGuesser(ctx, { ...client, email: found.email, found })
  return signInByCode(ctx, { ...attempt, found, code, isSecondStep: true }, at)
}

async function signInByCode<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  attempt: CodeAttempt<Person>,
  at: Date,
): Promise<SignInResult<Person> | 'wrong'> {
  if (!(await verifyCode(ctx, attempt, at))) return 'wrong'
  return (
    (await startSession(ctx, attempt.found, { ...attempt, proof: 'CODE' }, at)) ??
    recordWrong(ctx, attempt, 'WRONG', at)
  )
}

interface CodeAttempt<Person> extends AccountAttempt<Person> {
  found: StaffAccount<Person>
  code: string
  /** Whether the code is in a second request, which is limited by network address instead of by e-mail address. */
  isSecondStep: boolean
}

/** Returns whether the code is right. Throws `rate-limited` after some wrong codes. Records failures. */
export async function verifyCode<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  attempt: CodeAttempt<Person>,
  at: Date,
): Promise<boolean> {
  const { found, guesser, code, isSecondStep } = attempt
  try {
    if (isSecondStep && !guesser.device) ctx.signIns.limitAddress(attempt.address, at)
    const isRight = await checkCode(ctx, { found, guesser, at }, () =>
      acceptsCode(ctx.db, ctx.seal, found, { code, at: ctx.realClock() }),
    )
    if (!isRight) await recordWrong(ctx, attempt, 'WRONG_CODE', at)
    return isRight
  } catch (error) {
    throw await recordIfLimited(ctx, attempt, { secret: 'code', error, at })
  }
}

/** Adds the guesser to an attempt. Guesses in a known browser of the person are counted separately. */
export async function addGuesser<Person extends StaffPerson>(
  { db, staff }: StaffContext<Person>,
  { email, found, address, headers }: Omit<AccountAttempt<Person>, 'guesser'>,
): Promise<AccountAttempt<Person>> {
  const device = deviceOf(staff, headers)
  // Queried for unknown addresses too, so that the time taken does not reveal which addresses exist.
  const isKnown = device !== undefined && (await findDevice(db, found ?? unknownPerson, device))
  return { email, found, address, headers, guesser: { address, device: found && device && isKnown ? device : null } }
}

async function recordWrong<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  attempt: AccountAttempt<Person>,
  outcome: FailureRow['outcome'],
  at: Date,
): Promise<'wrong'> {
  await noteFailure(ctx, attempt.found, attempt, { outcome, at })
  return 'wrong'
}

/** Records a rate-limited attempt and returns its refusal; returns any other error unchanged. */
async function recordIfLimited<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  attempt: AccountAttempt<Person>,
  { secret, error, at }: { secret: 'password' | 'code'; error: unknown; at: Date },
): Promise<unknown> {
  if (!(error instanceof Refusal)) return error
  if (ctx.signIns.isRecorded(at)) await noteFailure(ctx, attempt.found, attempt, { outcome: 'LIMITED', at })
  return withOpenMethods(ctx, error, { secret, isKnown: attempt.guesser.device !== null })
}

const ticketSeconds = 600
const ticketContext = 'sign-in ticket'

interface Ticket extends PersonKey, BrowserMemory {
  passwordHash: string
}

function ticketOf(seal: Seal, { tenantId, personId, passwordHash }: Omit<Ticket, 'expiresAt'>, at: Date): string {
  const ticket: Ticket = { tenantId, personId, passwordHash, expiresAt: secondsAfter(at, ticketSeconds).getTime() }
  return sealForBrowser(seal, ticket, ticketContext)
}

/** Starts a session; returns null when the password or the second factor changed during the check. */
const startSession = <Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  found: StaffAccount<Person>,
  { proof, guesser, ...client }: BrowserClient & { proof: SessionProof; guesser: Guesser },
  at: Date,
): Promise<SignInResult<Person> | null> =>
  ctx.db.tx(async (tx) => {
    const writeCtx = { ...ctx, tx, at }
    if (!(await lockUnchanged(writeCtx, found))) return null
    const { cookies, sessionId } = await beginSession(writeCtx, found, client, { proof, device: guesser.device })
    const person = found.inSession(sessionId)
    await ctx.staff.note(writeCtx, person, { act: 'SIGNED_IN', subject: sessionId })
    return { person, cookies }
  })

/** Locks a person; returns false when the person was removed, or password or second factor changed since the read. */
export async function lockUnchanged<Person extends StaffPerson>(
  { tx, staff }: Pick<StaffWrite<Person>, 'tx' | 'staff'>,
  found: StaffAccount<Person>,
): Promise<boolean> {
  if (!(await staff.lockIfPasswordUnchanged(tx, found))) return false
  const { totpSealed = null } = (await staff.findPerson(tx, found)) ?? {}
  return totpSealed?.toString('hex') === found.totpSealed?.toString('hex')
}

/** Records that the first proof was right and a code was requested, so that admins see guesses at codes. */
export const noteCodeRequested = <Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  found: StaffAccount<Person>,
  firstProof: 'password' | 'openid',
  at: Date,
): Promise<void> =>
  ctx.db.tx((tx) =>
    ctx.staff.note({ tx, at }, found.inSession(''), {
      act: 'CODE_REQUESTED',
      subject: found.personId,
      detail: { way: firstProof },
    }),
  )

const unknownPerson: PersonKey = { tenantId: noTenant, personId: noTenant }

/** Records a failed attempt, with the e-mail address as typed or as the OpenID provider reports it. */
export async function noteFailure<Person extends StaffPerson>(
  { db, seal, log, staff }: StaffContext<Person>,
  found: StaffAccount<Person> | undefined,
  { email, address }: Pick<SignInCredentials, 'email' | 'address'>,
  { outcome, at }: Pick<FailureRow, 'outcome' | 'at'>,
): Promise<void> {
  const failureId = uuidv7(at.getTime())
  const tenantId = found?.tenantId ?? noTenant
  log.warn({ failureId, outcome }, 'a sign-in failed')
  const detail = { email: email.slice(0, 254), address }
  const detailSealed = seal.json(detail, failureContext(tenantId, failureId))
  await db.tx(async (tx) => {
    await insertFailure(tx, { tenantId, failureId, personId: found?.personId ?? null, detailSealed, outcome, at })
    await staff.noteFailure?.({ tx, at }, { failureId, address, outcome })
  })
}

const failureContext = (tenantId: string, failureId: string): string => `sign_in_failure:${tenantId}:${failureId}`

/** Returns the e-mail address and the network address of a failed attempt. */
export const failureDetail = (seal: Seal, { tenantId, failureId, detailSealed }: FailureRow) =>
  seal.openJson<{ email: string; address: string }>(detailSealed, failureContext(tenantId, failureId))

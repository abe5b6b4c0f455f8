// Signing in with e-mail and password, and a code where the second factor is on.

import { uuidv7 } from '#kit/crypto/id.ts'
import { isPassword } from '#kit/crypto/password.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { checkCode, checkPassword, type Guesser, withOpenMethods } from './guess.ts'
import { type BrowserMemory, openFromBrowser, sealForBrowser } from './kept.ts'
import { emailOf, noTenant } from './person.ts'
import type { PersonKey, SessionProof, StaffAccount, StaffContext, StaffPerson, StaffWrite } from './program.ts'
import { acceptsCode } from './second-factor.ts'
import { type FailureRow, findDevice, insertFailure } from './session/store.ts'
import { type BrowserClient, beginSession, deviceOf } from './session.ts'

/** The input of a sign-in. */
export interface Attempt extends BrowserClient {
  email: string
  password: string
  code?: string | undefined
}

export interface SignInResult<Person> {
  person: Person
  cookies: string[]
}

/** A sign-in attempt: its account and origin. */
interface Trial<Person> extends BrowserClient {
  email: string
  found: StaffAccount<Person> | undefined
  guesser: Guesser
}

/** The person whose password was right still owes a code; the ticket proves the password for some minutes. */
export interface CodeTicket {
  ticket: string
}

/**
 * Returns the person with their session cookies; a ticket if the password is right and the code is missing; `wrong` otherwise,
 * which takes as long for an unknown address. Throws `rate-limited` after some wrong ones. Failures are recorded.
 */
export async function signIn<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  attempt: Attempt,
  at: Date,
): Promise<SignInResult<Person> | CodeTicket | 'wrong'> {
  const email = emailOf(attempt.email)
  const found = await ctx.staff.findByEmail(ctx.db, email)
  const trial = await prepareTrial(ctx, { ...attempt, email, found })
  try {
    ctx.signIns.limit({ email, ...trial.guesser }, at)
    const isRight = await checkPassword(ctx, { ...trial, at }, () => isPassword(attempt.password, found?.passwordHash))
    if (!found || !isRight) return await wrong(ctx, trial, 'WRONG', at)
  } catch (error) {
    throw await recordIfLimited(ctx, trial, { secret: 'password', error, at })
  }
  if (!found.totpSealed)
    return (await startSession(ctx, found, { ...trial, proof: 'PASSWORD' }, at)) ?? wrong(ctx, trial, 'WRONG', at)
  if (attempt.code !== undefined) return byCode(ctx, { ...trial, found, code: attempt.code, isSecondStep: false }, at)
  await noteCodeRequested(ctx, found, 'password', at)
  return { ticket: ticketOf(ctx.seal, found, at) }
}

/** The second step of `signIn`. `expired`: the ticket is too old, or the password was changed since. */
export async function finishSignIn<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  { ticket, code, ...client }: CodeTicket & BrowserClient & { code: string },
  at: Date,
): Promise<SignInResult<Person> | 'wrong' | 'expired'> {
  const given = openFromBrowser<Ticket>(ctx.seal, ticket, ticketPlace, at)
  const found = given && (await ctx.staff.findPerson(ctx.db, given))
  if (!found?.totpSealed || found.passwordHash !== given?.passwordHash) return 'expired'
  const trial = await prepareTrial(ctx, { ...client, email: found.email, found })
  return byCode(ctx, { ...trial, found, code, isSecondStep: true }, at)
}

async function byCode<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  trial: CodeTrial<Person>,
  at: Date,
): Promise<SignInResult<Person> | 'wrong'> {
  if (!(await verifyTrialCode(ctx, trial, at))) return 'wrong'
  return (await startSession(ctx, trial.found, { ...trial, proof: 'CODE' }, at)) ?? wrong(ctx, trial, 'WRONG', at)
}

/** An attempt to enter a code. */
interface CodeTrial<Person> extends Trial<Person> {
  found: StaffAccount<Person>
  code: string
  /** Whether the first step, counted with its name, was a request of its own: codes are counted by person and address. */
  isSecondStep: boolean
}

/** Returns whether the code is right. Throws `rate-limited` after some wrong ones. Failures are recorded. */
export async function verifyTrialCode<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  trial: CodeTrial<Person>,
  at: Date,
): Promise<boolean> {
  const { found, guesser, code, isSecondStep } = trial
  try {
    if (isSecondStep && !guesser.device) ctx.signIns.limitAddress(trial.address, at)
    const isRight = await checkCode(ctx, { found, guesser, at }, () =>
      acceptsCode(ctx.db, ctx.seal, found, { code, at: ctx.realClock() }),
    )
    if (!isRight) await wrong(ctx, trial, 'WRONG_CODE', at)
    return isRight
  } catch (error) {
    throw await recordIfLimited(ctx, trial, { secret: 'code', error, at })
  }
}

/** Adds the guesser to an attempt: known browsers of the person are counted separately. */
export async function prepareTrial<Person extends StaffPerson>(
  { db, staff }: StaffContext<Person>,
  { email, found, address, headers }: Omit<Trial<Person>, 'guesser'>,
): Promise<Trial<Person>> {
  const device = deviceOf(staff, headers)
  // Looked up whether the address exists or not, so that the time taken does not reveal it.
  const isKnown = device !== undefined && (await findDevice(db, found ?? unknownPerson, device))
  return { email, found, address, headers, guesser: { address, device: found && device && isKnown ? device : null } }
}

async function wrong<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  trial: Trial<Person>,
  outcome: FailureRow['outcome'],
  at: Date,
): Promise<'wrong'> {
  await noteFailure(ctx, trial.found, trial, { outcome, at })
  return 'wrong'
}

/** Records a rate-limited attempt and returns its refusal; returns any other error unchanged. */
async function recordIfLimited<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  trial: Trial<Person>,
  { secret, error, at }: { secret: 'password' | 'code'; error: unknown; at: Date },
): Promise<unknown> {
  if (!(error instanceof Refusal)) return error
  if (ctx.signIns.isRecorded(at)) await noteFailure(ctx, trial.found, trial, { outcome: 'LIMITED', at })
  return withOpenMethods(ctx, error, { secret, isKnown: trial.guesser.device !== null })
}

const ticketSeconds = 600
const ticketPlace = 'sign-in ticket'

interface Ticket extends PersonKey, BrowserMemory {
  passwordHash: string
}

function ticketOf(seal: Seal, { tenantId, personId, passwordHash }: Omit<Ticket, 'expiresAt'>, at: Date): string {
  const ticket: Ticket = { tenantId, personId, passwordHash, expiresAt: secondsAfter(at, ticketSeconds).getTime() }
  return sealForBrowser(seal, ticket, ticketPlace)
}

/** Starts a session after a right password; null when the password or the second factor changed during the check. */
const startSession = <Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  found: StaffAccount<Person>,
  { proof, guesser, ...client }: BrowserClient & { proof: SessionProof; guesser: Guesser },
  at: Date,
): Promise<SignInResult<Person> | null> =>
  ctx.db.tx(async (tx) => {
    const within = { ...ctx, tx, at }
    if (!(await lockUnchanged(within, found))) return null
    const { cookies, sessionId } = await beginSession(within, found, client, { proof, device: guesser.device })
    const person = found.within(sessionId)
    await ctx.staff.note(within, person, { act: 'SIGNED_IN', subject: sessionId })
    return { person, cookies }
  })

/** Locks a person; returns false when they were removed or their password or second factor changed since they were read. */
export async function lockUnchanged<Person extends StaffPerson>(
  { tx, staff }: Pick<StaffWrite<Person>, 'tx' | 'staff'>,
  found: StaffAccount<Person>,
): Promise<boolean> {
  if (!(await staff.hold(tx, found))) return false
  const { totpSealed = null } = (await staff.findPerson(tx, found)) ?? {}
  return totpSealed?.toString('hex') === found.totpSealed?.toString('hex')
}

/** Records that the first proof was right and a code is requested, so that admins see guesses at codes. */
export const noteCodeRequested = <Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  found: StaffAccount<Person>,
  firstProof: 'password' | 'openid',
  at: Date,
): Promise<void> =>
  ctx.db.tx((tx) =>
    ctx.staff.note({ tx, at }, found.within(''), {
      act: 'CODE_REQUESTED',
      subject: found.personId,
      detail: { way: firstProof },
    }),
  )

/** A key without rows. */
const unknownPerson: PersonKey = { tenantId: noTenant, personId: noTenant }

/** Records a failed try, with the address as typed or as the OpenID provider reports it. */
export async function noteFailure<Person extends StaffPerson>(
  { db, seal, log, staff }: StaffContext<Person>,
  found: StaffAccount<Person> | undefined,
  { email, address }: Pick<Attempt, 'email' | 'address'>,
  { outcome, at }: Pick<FailureRow, 'outcome' | 'at'>,
): Promise<void> {
  const failureId = uuidv7(at.getTime())
  const tenantId = found?.tenantId ?? noTenant
  log.warn({ failureId, outcome }, 'a sign-in failed')
  const detail = { email: email.slice(0, 254), address }
  const detailSealed = seal.json(detail, failurePlace(tenantId, failureId))
  await db.tx(async (tx) => {
    await insertFailure(tx, { tenantId, failureId, personId: found?.personId ?? null, detailSealed, outcome, at })
    await staff.noteFailure?.({ tx, at }, { failureId, address, outcome })
  })
}

const failurePlace = (tenantId: string, failureId: string): string => `sign_in_failure:${tenantId}:${failureId}`

/** Returns the e-mail address and the network address of a failed attempt. */
export const failureDetail = (seal: Seal, { tenantId, failureId, detailSealed }: FailureRow) =>
  seal.openJson<{ email: string; address: string }>(detailSealed, failurePlace(tenantId, failureId))

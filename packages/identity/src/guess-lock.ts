// Counts guesses at passwords and codes. Several wrong guesses lock a sign-in method, and the person is mailed.

import { Refusal } from '@lendloom/foundation/refusal'
import { networkOf } from '@lendloom/http/sign-in-limit'
import type { Run } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import {
  clearAllGuesses,
  clearGuesses,
  codeLimit,
  countGuess,
  type Guess,
  type GuessKey,
  type GuessLimit,
  isTemporaryPause,
  passwordLimit,
  secondsUntil,
} from './guess-count.ts'
import { passkeyOrigin } from './passkey/relying-party.ts'
import { emailOf, noTenant, tenantIn } from './person.ts'
import type { PersonKey, StaffAccount, StaffContext, StaffPerson } from './sign-in-program.ts'

export interface Guesser {
  address: string
  /** A browser in which the person has signed in before. Guesses from other browsers do not lock it out. */
  device: Buffer | null
}

/** Guesses within a session are counted separately, so that they do not lock out sign-ins. */
export const guesserIn = ({ sessionId }: { sessionId: string }, address: string): Guesser => ({
  address,
  device: Buffer.from(sessionId),
})

const deviceSuffix = ({ device }: Guesser): string => (device ? ` ${device.toString('hex')}` : '')

/** Guesses for unknown addresses also count, so that the answers do not reveal which accounts exist. */
const passwordKey = (seal: Seal, email: string, guesser: Guesser): GuessKey => ({
  tenantId: noTenant,
  subject: `password ${seal.digest(emailOf(email), 'person.email').toString('hex')}${deviceSuffix(guesser)}`,
})

const codeKey = ({ tenantId, personId }: PersonKey, guesser: Guesser): GuessKey => ({
  tenantId,
  subject: `code ${personId}${deviceSuffix(guesser)}`,
})

/** Clears the counted guesses at codes after a password change or the removal of the second factor. */
export const forgetCodeGuesses = (db: Run, person: PersonKey): Promise<void> =>
  clearAllGuesses(db, codeKey(person, { address: '', device: null }))

interface GuessCheck<Person> {
  key: GuessKey
  limit: GuessLimit
  secret: 'password' | 'code'
  found: StaffAccount<Person> | undefined
  guesser: Guesser
}

/** Counts a guess and returns whether it is right. Throws `rate-limited` during a lockout. */
async function checkGuess<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  checked: GuessCheck<Person>,
  at: Date,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  const { key, limit, found } = checked
  const guess = await countGuess(ctx.db, key, limit, at)
  if (!guess.isAllowed) throw lockoutRefusal(guess.pausedUntil, at)
  if (await isRight()) {
    await clearGuesses(ctx.db, key)
    return true
  }
  if (found && guess.pausedUntil) await mailLockout(ctx, found, { ...checked, guess, until: guess.pausedUntil, at })
  return false
}

const lockoutRefusal = (until: Date, at: Date): Refusal =>
  new Refusal(
    'rate-limited',
    isTemporaryPause(until, at) ? 'too many wrong tries' : 'too many wrong tries: this sign-in method is locked',
    {
      retryAfterSeconds: isTemporaryPause(until, at) ? secondsUntil(until, at) : 86_400,
    },
  )

export interface SecretCheck<Person> {
  email: string
  found: StaffAccount<Person> | undefined
  guesser: Guesser
  at: Date
}

/** Returns whether a password is right. Throws `rate-limited` during a lockout. */
export const checkPassword = <Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  { email, found, guesser, at }: SecretCheck<Person>,
  isRight: () => Promise<boolean>,
): Promise<boolean> =>
  checkGuess(
    ctx,
    { key: passwordKey(ctx.seal, email, guesser), limit: passwordLimit, secret: 'password', found, guesser },
    at,
    isRight,
  )

/** Returns whether a code is right. Throws `rate-limited` during a lockout. */
export const checkCode = <Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  { found, guesser, at }: Omit<SecretCheck<Person>, 'email' | 'found'> & { found: StaffAccount<Person> },
  isRight: () => Promise<boolean>,
): Promise<boolean> =>
  checkGuess(ctx, { key: codeKey(found, guesser), limit: codeLimit, secret: 'code', found, guesser }, at, isRight)

interface Lockout<Person> extends GuessCheck<Person> {
  guess: Extract<Guess, { isAllowed: true }>
  until: Date
  at: Date
}

/** Mails the person at the first lockout of passwords, and at every lockout of codes. */
async function mailLockout<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  found: StaffAccount<Person>,
  { secret, guesser, guess, until, at }: Lockout<Person>,
): Promise<void> {
  if (secret === 'password' && !guess.isFirstPause) return
  const { tenantId, personId } = found
  const network = networkOf(guesser.address)
  const ends = isTemporaryPause(until, at) ? until : null
  const openMethods = openSignInMethods(ctx, { secret, isKnown: guesser.device !== null })
  await ctx.db.tx(async (tx) => {
    await ctx.staff.mailNotice({ tx, at }, found, { about: 'pause', secret, network, at, ends, openMethods })
    const detail = { secret, network, until: ends?.toISOString() ?? 'reset' }
    const actor = { personId, tenantId: tenantIn(tenantId) }
    await ctx.staff.note({ tx, at }, actor, { act: 'SIGN_IN_PAUSED', subject: personId, detail })
  })
}

/** Returns the sign-in methods that stay open while one is locked. */
export function openSignInMethods(
  { staff, openId }: Pick<StaffContext<StaffPerson>, 'openId'> & { staff: SignInMethods },
  { secret, isKnown }: { secret: 'password' | 'code'; isKnown: boolean },
): string[] {
  const byOpenId = openId !== null && (secret === 'password' || staff.openIdReplacesSecondFactor)
  return [
    ...(isKnown ? [] : ['a browser in which you have signed in before']),
    ...(passkeyOrigin(staff) === null ? [] : ['a passkey']),
    ...(byOpenId ? [`signing in with ${staff.openIdName}`] : []),
  ]
}

type SignInMethods = Pick<StaffContext<StaffPerson>['staff'], 'publicUrl' | 'openIdName' | 'openIdReplacesSecondFactor'>

/** Adds to a refusal the sign-in methods that stay open. */
export function withOpenMethods(
  ctx: Parameters<typeof openSignInMethods>[0],
  refusal: Refusal,
  guess: Parameters<typeof openSignInMethods>[1],
): Refusal {
  const methods = openSignInMethods(ctx, guess)
  const hint = methods.length > 0 ? `; these sign-in methods stay open: ${methods.join(', ')}` : ''
  return new Refusal(refusal.kind, `${refusal.message}${hint}`, refusal.details)
}

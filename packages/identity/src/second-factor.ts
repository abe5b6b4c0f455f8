// The second factor: one-time codes from an authenticator app, and ten recovery codes.

import { daysAfter } from '@lendloom/foundation/clock'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { networkOf } from '@lendloom/http/sign-in-limit'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { randomOctets } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import { checkCode, forgetCodeGuesses, type Guesser, guesserIn } from './guess-lock.ts'
import { deleteLinks } from './open-id/store.ts'
import { limitOwnGuesses, lockOwnAccount, requirePassword } from './own-account.ts'
import { deletePasskeys } from './passkey/store.ts'
import { keyOf } from './person.ts'
import {
  confirmTotp,
  removeTotp,
  useRecoveryCode,
  useTotpStep,
  writePendingTotp,
  writeRecoveryCodes,
} from './second-factor/store.ts'
import { deleteDevices, deleteOtherSessions, deleteSessions, withdrawProof, writeProof } from './session/store.ts'
import { type BrowserClient, deviceOf } from './session.ts'
import type { PersonKey, StaffAccount, StaffContext, StaffPerson } from './sign-in-program.ts'
import { base32, otpauthUri, stepOf } from './totp.ts'

/** The length of SHA-1 output; RFC 4226 §4 requires at least 16 bytes. */
const secretBytes = 20
const recoveryCount = 10
const issuer = 'Lendloom'

const secretContext = ({ tenantId, personId }: PersonKey): string => `person_totp:${tenantId}:${personId}`
const isTotp = (code: string): boolean => /^\s*\d{3} ?\d{3}\s*$/.test(code)

/**
 * Returns a new secret, which takes effect when the caller enters one of its codes. Throws `wrong-state` if the second
 * factor is on, `invalid` at `password`, `rate-limited` after some wrong passwords.
 */
export async function offerSecondFactor<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  caller: StaffPerson,
  credentials: { password: string; address: string },
  at: Date,
): Promise<{ secret: string; uri: string }> {
  const key = keyOf(caller)
  if ((await findOwnAccount(ctx.db, ctx.staff, key)).totpSealed) throw alreadyOn()
  await requirePassword(ctx, caller, credentials, at)
  const secret = randomOctets(secretBytes)
  await writePendingTotp(ctx.db, key, ctx.seal.bytes(secret, secretContext(key)))
  return { secret: base32(secret), uri: otpauthUri(secret, issuer, caller.email) }
}

interface EnteredCode {
  code: string
  /** The caller's address. */
  address: string
}

interface FirstCode extends EnteredCode, BrowserClient {
  /** Whether the caller has proven more than the password, which another person may know. */
  isIdentityProven: boolean
  /** The passkeys that the caller confirms to be theirs. */
  keepPasskeyIds?: string[] | undefined
}

/**
 * Activates the new secret and returns the recovery codes. The caller may be another person who knows the password, so
 * this ends other sessions, forgets other browsers and mails the owner. Removes the passkeys that the caller does not
 * confirm, because they sign in without a code. Unless `isIdentityProven`, codes can confirm decisions only after a day.
 * Throws `wrong-state` without a new secret, `invalid` at `code`, `rate-limited` after some
 * wrong codes.
 */
export async function confirmSecondFactor<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  caller: StaffPerson,
  { code, address, headers, isIdentityProven, keepPasskeyIds = [] }: FirstCode,
  at: Date,
): Promise<string[]> {
  limitOwnGuesses(ctx, caller, at)
  const { seal } = ctx
  const key = keyOf(caller)
  const found = await findOwnAccount(ctx.db, ctx.staff, key)
  const { totpSealed, totpPendingSealed } = found
  if (totpSealed) throw alreadyOn()
  if (!totpPendingSealed) throw new Refusal('wrong-state', 'there is no new secret to confirm')
  const step = isTotp(code) ? stepOf(seal.open(totpPendingSealed, secretContext(key)), code, ctx.realClock()) : null
  const isRight = await checkCode(ctx, { found, guesser: guesserIn(caller, address), at }, async () => step !== null)
  if (!isRight || step === null) throw wrongCode()
  const codes = Array.from({ length: recoveryCount }, () => recoveryCodeFrom(randomOctets(7)))
  const digests = codes.map((each) => recoveryDigest(seal, key, each))
  await ctx.db.tx(async (tx) => {
    await lockOwnAccount(ctx, tx, { found, sessionId: caller.sessionId })
    const decidesAt = daysAfter(ctx.realClock(), isIdentityProven ? 0 : 1)
    if (!(await confirmTotp(tx, key, { step, sealed: totpPendingSealed, decidesAt })))
      throw new Refusal('wrong-state', 'the new secret was replaced: start again')
    await deleteOtherSessions(tx, key, caller.sessionId)
    await deleteDevices(tx, key, deviceOf(ctx.staff, headers) ?? null)
    const passkeysRemoved = await deletePasskeys(tx, key, keepPasskeyIds)
    await writeRecoveryCodes(tx, key, digests)
    await writeProof(tx, key, caller.sessionId, 'CODE')
    const detail = { passkeysRemoved }
    await ctx.staff.note({ tx, at }, caller, { act: 'SECOND_FACTOR_ON', subject: caller.personId, detail })
    await ctx.staff.mailNotice({ tx, at }, found, { about: 'factor-on', network: networkOf(address), at, ends: null })
  })
  return codes
}

/** Throws `wrong-state` when the second factor is off, `invalid` at `code`, `rate-limited` after some wrong codes. */
export async function dropSecondFactor<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  caller: StaffPerson,
  { code, address }: EnteredCode,
  at: Date,
): Promise<void> {
  limitOwnGuesses(ctx, caller, at)
  const key = keyOf(caller)
  const found = await findOwnAccount(ctx.db, ctx.staff, key)
  if (!found.totpSealed) throw new Refusal('wrong-state', 'the second factor is off')
  await requireCode(ctx, found, { code, guesser: guesserIn(caller, address) }, at)
  await ctx.db.tx(async (tx) => {
    await lockOwnAccount(ctx, tx, { found, sessionId: caller.sessionId })
    await removeTotp(tx, key)
    await withdrawProof(tx, key, 'CODE')
    await ctx.staff.note({ tx, at }, caller, { act: 'SECOND_FACTOR_OFF', subject: caller.personId })
    await ctx.staff.mailNotice({ tx, at }, found, { about: 'factor-off', network: networkOf(address), at, ends: null })
  })
}

/** Throws `invalid` at `code` unless the code is right, `rate-limited` after some wrong codes. */
export async function requireCode<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  found: StaffAccount<Person>,
  { code, guesser }: { code: string; guesser: Guesser },
  at: Date,
): Promise<void> {
  const isRight = await checkCode(ctx, { found, guesser, at }, () =>
    acceptsCode(ctx.db, ctx.seal, found, { code, at: ctx.realClock() }),
  )
  if (!isRight) throw wrongCode()
}

/**
 * Removes every factor of a person who lost one: second factor, recovery codes, passkeys and linked OpenID accounts,
 * which may belong to another person. The person's sessions end.
 */
export async function removeFactors(tx: Tx, key: PersonKey): Promise<void> {
  await removeTotp(tx, key)
  await deletePasskeys(tx, key)
  await deleteLinks(tx, key)
  await forgetCodeGuesses(tx, key)
  await deleteSessions(tx, key)
}

/** Whether the code is a current code of the person's app or a recovery code; each works once. */
export async function acceptsCode(
  db: Run,
  seal: Seal,
  person: Pick<StaffAccount<unknown>, 'tenantId' | 'personId' | 'totpSealed'>,
  { code, at }: { code: string; at: Date },
): Promise<boolean> {
  if (!person.totpSealed) return false
  if (!isTotp(code)) return useRecoveryCode(db, person, recoveryDigest(seal, person, code), at)
  const step = stepOf(seal.open(person.totpSealed, secretContext(person)), code, at)
  return step !== null && useTotpStep(db, person, step)
}

/** Ten base32 digits, fifty random bits, in two groups. */
function recoveryCodeFrom(random: Uint8Array): string {
  const text = base32(random)
  return `${text.slice(0, 5)}-${text.slice(5, 10)}`
}

const recoveryDigest = (seal: Seal, { tenantId, personId }: PersonKey, code: string): Buffer =>
  seal.digest(`${tenantId}:${personId}:${code.replaceAll(/[\s-]/g, '').toUpperCase()}`, 'person.recovery_code')

/** Throws `bad-session` if the person was removed. */
export async function findOwnAccount<Person extends StaffPerson>(
  db: Run,
  staff: StaffContext<Person>['staff'],
  key: PersonKey,
): Promise<StaffAccount<Person>> {
  const found = await staff.findPerson(db, key)
  if (!found) throw new Refusal('bad-session', 'sign in first')
  return found
}

const alreadyOn = (): Refusal => new Refusal('wrong-state', 'the second factor is already on')
const wrongCode = (): Refusal => invalid({ path: 'code', message: 'is wrong, or was used before' })

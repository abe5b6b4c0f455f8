// Passkeys: keys on a person's device, with which the person signs in without a password or code.

import { secondsAfter } from '@lendloom/foundation/clock'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { networkOf } from '@lendloom/http/sign-in-limit'
import { formatUuid, randomOctets, uuidBytes, uuidv7 } from '@lendloom/seal/id'
import {
  creationOptions,
  newCredential,
  type PasskeyAnswer,
  type PasskeyProof,
  requestOptions,
  verifyAnswer,
} from '@lendloom/seal/passkey'
import type { Seal } from '@lendloom/seal/seal'
import { digestOf, sameDigest } from '@lendloom/seal/token'
import { guesserIn } from './guess-lock.ts'
import { lockOwnAccount, requirePassword } from './own-account.ts'
import { partyOf } from './passkey/relying-party.ts'
import {
  deletePasskey,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
  touchPasskey,
  useChallenge,
} from './passkey/store.ts'
import { keyOf } from './person.ts'
import { findOwnAccount, requireCode } from './second-factor.ts'
import { deleteDevices, deleteOtherSessions, withdrawProof, writeProof } from './session/store.ts'
import { type BrowserClient, beginSession, deviceOf } from './session.ts'
import { lockUnchanged, type SignInResult } from './sign-in.ts'
import type { PersonKey, StaffContext, StaffPerson } from './sign-in-program.ts'

const challengeSeconds = 300
const randomBytes = 16
const expiryBytes = 6

/**
 * Returns the browser's options for a new passkey. If the second factor is on, a code is required, because the passkey
 * will replace password and code. Throws `invalid` at `code`, and as `requirePassword` and `partyOf`.
 */
export async function offerPasskey<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  caller: StaffPerson,
  { password, code, address }: { password: string; code?: string | undefined; address: string },
  at: Date,
) {
  const party = partyOf(ctx.staff)
  const key = keyOf(caller)
  const [found, existing] = await Promise.all([findOwnAccount(ctx.db, ctx.staff, key), listPasskeys(ctx.db, key)])
  await requirePassword(ctx, caller, { password, address }, at)
  if (found.totpSealed) {
    if (code === undefined) throw invalid({ path: 'code', message: 'is required, because your second factor is on' })
    await requireCode(ctx, found, { code, guesser: guesserIn(caller, address) }, at)
  }
  const owner = {
    handle: handleOf(key),
    account: caller.email,
    name: caller.name,
    credentialIds: existing.map(({ credentialId }) => credentialId),
  }
  return creationOptions(party, owner, challengeFor(ctx.seal, caller.sessionId, at))
}

interface NewPasskey extends BrowserClient {
  name: string
  response: PasskeyProof
}

/**
 * Stores a new passkey. The caller may be another person who knows the password, so this ends other sessions, forgets
 * other browsers and mails the owner. Throws `invalid` at `response`, `wrong-state` when the passkey is already stored.
 */
export async function addPasskey<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  caller: StaffPerson,
  { name, response, address, headers }: NewPasskey,
  at: Date,
): Promise<PasskeyRow> {
  const challenge = challengeVerifier(ctx.seal, caller.sessionId, at)
  const credential = await newCredential(response, { party: partyOf(ctx.staff), isChallenge: challenge.isOurs })
  if (!credential) throw invalid({ path: 'response', message: 'does not prove a passkey' })
  const row: PasskeyRow = {
    ...keyOf(caller),
    passkeyId: uuidv7(at.getTime()),
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: BigInt(credential.counter),
    name: name.trim(),
    createdAt: at,
    usedAt: null,
  }
  const found = await findOwnAccount(ctx.db, ctx.staff, row)
  await ctx.db.tx(async (tx) => {
    await lockOwnAccount(ctx, tx, { found, sessionId: caller.sessionId })
    const isNew = await useChallenge(tx, { ...challenge.verified(), tenantId: row.tenantId }, at)
    if (!isNew || !(await insertPasskey(tx, row)))
      throw new Refusal('wrong-state', 'this passkey is already registered')
    await deleteOtherSessions(tx, row, caller.sessionId)
    await deleteDevices(tx, row, deviceOf(ctx.staff, headers) ?? null)
    await writeProof(tx, row, caller.sessionId, 'PASSKEY')
    await ctx.staff.note({ tx, at }, caller, { act: 'PASSKEY_ADDED', subject: row.passkeyId })
    const network = networkOf(address)
    await ctx.staff.mailNotice({ tx, at }, found, { about: 'passkey-added', network, at, ends: null })
  })
  return row
}

/**
 * Removes a passkey, and ends other sessions, which may have begun with it. Throws `absent` if the person has no such
 * passkey.
 */
export async function removePasskey<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  caller: StaffPerson,
  { passkeyId, address }: { passkeyId: string; address: string },
  at: Date,
): Promise<void> {
  const key = keyOf(caller)
  const found = await findOwnAccount(ctx.db, ctx.staff, key)
  await ctx.db.tx(async (tx) => {
    await lockOwnAccount(ctx, tx, { found, sessionId: caller.sessionId })
    if (!(await deletePasskey(tx, key, passkeyId))) throw new Refusal('absent', 'there is no such passkey')
    await deleteOtherSessions(tx, key, caller.sessionId)
    await withdrawProof(tx, key, 'PASSKEY')
    await ctx.staff.note({ tx, at }, caller, { act: 'PASSKEY_REMOVED', subject: passkeyId })
    const network = networkOf(address)
    await ctx.staff.mailNotice({ tx, at }, found, { about: 'passkey-removed', network, at, ends: null })
  })
}

const signInPurpose = 'sign-in'

/** Returns the browser's options for signing in. Throws as `partyOf`. */
export const passkeyRequest = <Person extends StaffPerson>(ctx: StaffContext<Person>, at: Date) =>
  requestOptions(partyOf(ctx.staff), challengeFor(ctx.seal, signInPurpose, at))

export interface PasskeyAttempt extends BrowserClient {
  response: PasskeyAnswer
}

/** Returns the person with their session cookies; null for an invalid passkey or an answer that was used before. */
export async function signInByPasskey<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  attempt: PasskeyAttempt,
  at: Date,
): Promise<SignInResult<Person> | null> {
  const { response } = attempt
  const key = keyOfHandle(response.response.userHandle)
  const found = key && (await findPasskey(ctx, key, response.id))
  if (!found) return null
  const { person, passkey } = found
  const challenge = challengeVerifier(ctx.seal, signInPurpose, at)
  const credential = { id: passkey.credentialId, publicKey: passkey.publicKey, counter: Number(passkey.counter) }
  const counter = await verifyAnswer(credential, response, { party: partyOf(ctx.staff), isChallenge: challenge.isOurs })
  if (counter === null) return null
  return ctx.db.tx(async (tx) => {
    const writeCtx = { ...ctx, tx, at }
    if (!(await lockUnchanged(writeCtx, person))) return null
    if (!(await useChallenge(tx, { ...challenge.verified(), tenantId: key.tenantId }, at))) return null
    if (!(await touchPasskey(tx, passkey, counter, at))) return null
    const { cookies, sessionId } = await beginSession(writeCtx, key, attempt, { proof: 'PASSKEY' })
    const signedIn = person.inSession(sessionId)
    await ctx.staff.note(writeCtx, signedIn, {
      act: 'SIGNED_IN',
      subject: sessionId,
      detail: { passkey: passkey.passkeyId },
    })
    return { person: signedIn, cookies }
  })
}

async function findPasskey<Person extends StaffPerson>(
  { db, staff }: StaffContext<Person>,
  key: PersonKey,
  credentialId: string,
) {
  const [person, passkeys] = await Promise.all([staff.findPerson(db, key), listPasskeys(db, key)])
  const passkey = passkeys.find((each) => each.credentialId === credentialId)
  return person && passkey && { person, passkey }
}

const handleOf = ({ tenantId, personId }: PersonKey): Buffer =>
  Buffer.concat([uuidBytes(tenantId), uuidBytes(personId)])

function keyOfHandle(userHandle: string | undefined): PersonKey | null {
  const bytes = Buffer.from(userHandle ?? '', 'base64url')
  if (bytes.length !== 32) return null
  return { tenantId: formatUuid(bytes.subarray(0, 16)), personId: formatUuid(bytes.subarray(16)) }
}

/** Creates a challenge of random bytes, an expiry and our MAC over both. Only used challenges need a row. */
function challengeFor(seal: Seal, purpose: string, at: Date): Buffer {
  const head = Buffer.concat([randomOctets(randomBytes), Buffer.alloc(expiryBytes)])
  head.writeUIntBE(secondsAfter(at, challengeSeconds).getTime(), randomBytes, expiryBytes)
  return Buffer.concat([head, macOf(seal, purpose, head)])
}

const macOf = (seal: Seal, purpose: string, head: Buffer): Buffer =>
  seal.digest(`${purpose}:${head.toString('hex')}`, 'passkey challenge')

/** `isOurs` verifies the challenge of an answer. `verified` returns the verified challenge, to be stored as used. */
function challengeVerifier(seal: Seal, purpose: string, at: Date) {
  let verifiedChallenge: { challengeDigest: Buffer; expiresAt: Date } | undefined
  return {
    isOurs(challenge: string): boolean {
      const bytes = Buffer.from(challenge, 'base64url')
      const head = bytes.subarray(0, randomBytes + expiryBytes)
      if (head.length < randomBytes + expiryBytes) return false
      const expiresAt = new Date(head.readUIntBE(randomBytes, expiryBytes))
      if (expiresAt <= at || !sameDigest(bytes.subarray(head.length), macOf(seal, purpose, head))) return false
      verifiedChallenge = { challengeDigest: digestOf(bytes.toString('hex')), expiresAt }
      return true
    },
    verified() {
      if (!verifiedChallenge) throw new Error('the challenge of the answer was never verified')
      return verifiedChallenge
    },
  }
}

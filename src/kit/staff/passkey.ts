// Passkeys: keys on a person's device, with which the person signs in without a password or code.

import { formatUuid, randomOctets, uuidBytes, uuidv7 } from '#kit/crypto/id.ts'
import {
  creationOptions,
  newCredential,
  type PasskeyAnswer,
  type PasskeyProof,
  requestOptions,
  verifyAnswer,
} from '#kit/crypto/passkey.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { digestOf, sameDigest } from '#kit/crypto/token.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { lockOwnAccount, requirePassword } from './own-account.ts'
import { partyOf } from './passkey/party.ts'
import {
  deletePasskey,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
  touchPasskey,
  useChallenge,
} from './passkey/store.ts'
import { keyOf } from './person.ts'
import type { PersonKey, StaffContext, StaffPerson } from './program.ts'
import { withdrawProof, writeProof } from './session/store.ts'
import { type BrowserClient, beginSession } from './session.ts'
import { lockUnchanged, type SignInResult } from './sign-in.ts'

const challengeSeconds = 300
const [randomBytes, expiryBytes] = [16, 6]

/** Returns the browser's options for a new passkey. Throws as `requirePassword` and `partyOf`. */
export async function offerPasskey<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  caller: StaffPerson,
  credentials: { password: string; address: string },
  at: Date,
) {
  const party = partyOf(ctx.staff)
  const key = keyOf(caller)
  const existing = await listPasskeys(ctx.db, key)
  await requirePassword(ctx, caller, credentials, at)
  const owner = {
    handle: handleOf(key),
    account: caller.email,
    name: caller.name,
    credentialIds: existing.map(({ credentialId }) => credentialId),
  }
  return creationOptions(party, owner, challengeFor(ctx.seal, caller.sessionId, at))
}

/** Stores a new passkey. Throws `invalid` at `response`, `wrong-state` when the passkey is already stored. */
export async function addPasskey<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  caller: StaffPerson,
  { name, response }: { name: string; response: PasskeyProof },
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
  const found = await ctx.staff.findPerson(ctx.db, row)
  await ctx.db.tx(async (tx) => {
    await lockOwnAccount(ctx, tx, { found, sessionId: caller.sessionId })
    const isNew = await useChallenge(tx, { ...challenge.verified(), tenantId: row.tenantId }, at)
    if (!isNew || !(await insertPasskey(tx, row)))
      throw new Refusal('wrong-state', 'this passkey is already registered')
    await writeProof(tx, row, caller.sessionId, 'PASSKEY')
    await ctx.staff.note({ tx, at }, caller, { act: 'PASSKEY_ADDED', subject: row.passkeyId })
  })
  return row
}

/** Throws `absent` if the person has no such passkey. */
export async function removePasskey<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  caller: StaffPerson,
  passkeyId: string,
  at: Date,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    if (!(await deletePasskey(tx, keyOf(caller), passkeyId))) throw new Refusal('absent', 'there is no such passkey')
    await withdrawProof(tx, keyOf(caller), 'PASSKEY')
    await ctx.staff.note({ tx, at }, caller, { act: 'PASSKEY_REMOVED', subject: passkeyId })
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

// Passkeys: a key of the device, unlocked by fingerprint, face or PIN, instead of password and code.

import { formatUuid, randomOctets, uuidBytes, uuidv7 } from '#kit/crypto/id.ts'
import {
  creationOptions,
  newCredential,
  type PasskeyAnswer,
  type PasskeyProof,
  requestOptions,
  signedBy,
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
const [noiseBytes, timeBytes] = [16, 6]

/** Returns the browser's options for a new passkey. Throws `invalid` at `password`, `wrong-state` without a domain name. */
export async function offerPasskey<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  who: StaffPerson,
  given: { password: string; address: string },
  at: Date,
) {
  const party = partyOf(ctx.staff)
  const key = keyOf(who)
  const known = await listPasskeys(ctx.db, key)
  await requirePassword(ctx, who, given, at)
  const owner = {
    handle: handleOf(key),
    account: who.email,
    name: who.name,
    credentialIds: known.map(({ credentialId }) => credentialId),
  }
  return creationOptions(party, owner, challengeFor(ctx.seal, who.sessionId, at))
}

/** Stores a new passkey. Throws `invalid` at `response`, `wrong-state` when it is already stored. */
export async function addPasskey<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  who: StaffPerson,
  { name, response }: { name: string; response: PasskeyProof },
  at: Date,
): Promise<PasskeyRow> {
  const challenge = challengeVerifier(ctx.seal, who.sessionId, at)
  const credential = await newCredential(response, { party: partyOf(ctx.staff), isChallenge: challenge.isOurs })
  if (!credential) throw invalid({ path: 'response', message: 'does not prove a passkey' })
  const row: PasskeyRow = {
    ...keyOf(who),
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
    await lockOwnAccount(ctx, tx, { found, sessionId: who.sessionId })
    const isNew = await useChallenge(tx, { ...challenge.used(), tenantId: row.tenantId }, at)
    if (!isNew || !(await insertPasskey(tx, row)))
      throw new Refusal('wrong-state', 'this passkey is already registered')
    await writeProof(tx, row, who.sessionId, 'PASSKEY')
    await ctx.staff.note({ tx, at }, who, { act: 'PASSKEY_ADDED', subject: row.passkeyId })
  })
  return row
}

/** Throws `absent` if the person has no such passkey. */
export async function removePasskey<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  who: StaffPerson,
  passkeyId: string,
  at: Date,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    if (!(await deletePasskey(tx, keyOf(who), passkeyId))) throw new Refusal('absent', 'there is no such passkey')
    await withdrawProof(tx, keyOf(who), 'PASSKEY')
    await ctx.staff.note({ tx, at }, who, { act: 'PASSKEY_REMOVED', subject: passkeyId })
  })
}

const signingIn = 'sign-in'

/** Returns the browser's options for signing in. Throws `wrong-state` without a domain name. */
export const passkeyRequest = <Person extends StaffPerson>(ctx: StaffContext<Person>, at: Date) =>
  requestOptions(partyOf(ctx.staff), challengeFor(ctx.seal, signingIn, at))

export interface PasskeyAttempt extends BrowserClient {
  response: PasskeyAnswer
}

/** Returns the person with their session cookies; null when the passkey is not theirs or the answer was used before. */
export async function signInByPasskey<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  attempt: PasskeyAttempt,
  at: Date,
): Promise<SignInResult<Person> | null> {
  const { response } = attempt
  const key = keyIn(response.response.userHandle)
  const found = key && (await findPasskey(ctx, key, response.id))
  if (!found) return null
  const { person, passkey } = found
  const challenge = challengeVerifier(ctx.seal, signingIn, at)
  const credential = { id: passkey.credentialId, publicKey: passkey.publicKey, counter: Number(passkey.counter) }
  const counter = await signedBy(credential, response, { party: partyOf(ctx.staff), isChallenge: challenge.isOurs })
  if (counter === null) return null
  return ctx.db.tx(async (tx) => {
    const within = { ...ctx, tx, at }
    if (!(await lockUnchanged(within, person))) return null
    if (!(await useChallenge(tx, { ...challenge.used(), tenantId: key.tenantId }, at))) return null
    if (!(await touchPasskey(tx, passkey, counter, at))) return null
    const { cookies, sessionId } = await beginSession(within, key, attempt, { proof: 'PASSKEY' })
    const signedIn = person.within(sessionId)
    await ctx.staff.note(within, signedIn, {
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

function keyIn(userHandle: string | undefined): PersonKey | null {
  const bytes = Buffer.from(userHandle ?? '', 'base64url')
  if (bytes.length !== 32) return null
  return { tenantId: formatUuid(bytes.subarray(0, 16)), personId: formatUuid(bytes.subarray(16)) }
}

/** A random value, its expiry and our MAC over both, so that an unused challenge needs no row. */
function challengeFor(seal: Seal, purpose: string, at: Date): Buffer {
  const head = Buffer.concat([randomOctets(noiseBytes), Buffer.alloc(timeBytes)])
  head.writeUIntBE(secondsAfter(at, challengeSeconds).getTime(), noiseBytes, timeBytes)
  return Buffer.concat([head, proofOf(seal, purpose, head)])
}

const proofOf = (seal: Seal, purpose: string, head: Buffer): Buffer =>
  seal.digest(`${purpose}:${head.toString('hex')}`, 'passkey challenge')

/** Verifies the challenge in an answer, and returns the record that makes it single-use. */
function challengeVerifier(seal: Seal, purpose: string, at: Date) {
  let recognized: { challengeDigest: Buffer; expiresAt: Date } | undefined
  return {
    isOurs(challenge: string): boolean {
      const bytes = Buffer.from(challenge, 'base64url')
      const head = bytes.subarray(0, noiseBytes + timeBytes)
      if (head.length < noiseBytes + timeBytes) return false
      const expiresAt = new Date(head.readUIntBE(noiseBytes, timeBytes))
      if (expiresAt <= at || !sameDigest(bytes.subarray(head.length), proofOf(seal, purpose, head))) return false
      recognized = { challengeDigest: digestOf(bytes.toString('hex')), expiresAt }
      return true
    },
    used() {
      if (!recognized) throw new Error('an answer was proven without its challenge')
      return recognized
    },
  }
}

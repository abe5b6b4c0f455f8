// WebAuthn passkeys: options for the browser, and verification of its answers.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

/** The browser's `PublicKeyCredential.toJSON()` after `create` (proof) and after `get` (answer). */
export type PasskeyProof = RegistrationResponseJSON
export type PasskeyAnswer = AuthenticationResponseJSON

// Loaded on first use, because the library takes long to load and few people have a passkey.
const library = () => import('@simplewebauthn/server')

/** The site that requests a passkey: its name, and the origin of its pages. */
export interface RelyingParty {
  id: string
  origin: string
  name: string
}

export interface PasskeyCredential {
  id: string
  publicKey: Buffer
  counter: number
}

export interface CredentialOwner {
  /** Returned by the device at sign-in: at most 64 bytes, without personal data. */
  handle: Buffer
  account: string
  name: string
  /** The person's existing credentials, so that a device is not registered twice. */
  credentialIds: string[]
}

/** Returns the options of `navigator.credentials.create` as JSON. */
export async function creationOptions({ id, name }: RelyingParty, owner: CredentialOwner, challenge: Buffer) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpID: id,
    rpName: name,
    userID: new Uint8Array(owner.handle),
    userName: owner.account,
    userDisplayName: owner.name,
    challenge: new Uint8Array(challenge),
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: owner.credentialIds.map((each) => ({ id: each })),
  })
}

/** Returns the options of `navigator.credentials.get` as JSON. The device offers all its passkeys for the site. */
export async function requestOptions({ id }: RelyingParty, challenge: Buffer) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: id,
    challenge: new Uint8Array(challenge),
    userVerification: 'required',
  })
}

interface PasskeyExpectation {
  party: RelyingParty
  /** Whether we issued this challenge (base64url). */
  isChallenge(challenge: string): boolean
}

/** Verifies a new passkey and returns its credential; null for an invalid proof. */
export async function newCredential(
  response: PasskeyProof,
  { party, isChallenge }: PasskeyExpectation,
): Promise<PasskeyCredential | null> {
  const { verifyRegistrationResponse } = await library()
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: isChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    })
    if (!verified) return null
    const { id, publicKey, counter } = registrationInfo.credential
    return { id, publicKey: Buffer.from(publicKey), counter }
  } catch {
    // The library throws for an invalid proof.
    return null
  }
}

/** Verifies an answer and returns the new counter of the credential; null for an invalid answer. */
export async function verifyAnswer(
  { id, publicKey, counter }: PasskeyCredential,
  response: PasskeyAnswer,
  { party, isChallenge }: PasskeyExpectation,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: isChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id, publicKey: new Uint8Array(publicKey), counter },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}

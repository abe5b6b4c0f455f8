// Passkeys in the browser: WebAuthn's data as JSON, also in browsers without that conversion.
import { ApiError, post } from './api.ts'

/** Whether the browser supports passkeys on this origin. */
export const hasPasskeys = (origin: string | null | undefined): boolean =>
  'PublicKeyCredential' in window && origin === location.origin

/** A new passkey of this device, as the API takes it. Throws `ApiError`, also when none was made. */
export async function createPasskey(password: string): Promise<object> {
  const json = await post<PublicKeyCredentialCreationOptionsJSON>('/passkeys/options', { password })
  const publicKey =
    'parseCreationOptionsFromJSON' in PublicKeyCredential
      ? PublicKeyCredential.parseCreationOptionsFromJSON(json)
      : creationFrom(json)
  return answerOf(navigator.credentials.create({ publicKey }))
}

interface PasskeyOptions {
  /** Offers passkeys in the list of the field for the email address instead of in a window. */
  isQuiet?: boolean
  signal?: AbortSignal
}

/** Proof of a passkey to sign in with, as the API takes it. Throws `ApiError`, also when none was chosen. */
export async function getPasskey({ isQuiet = false, signal }: PasskeyOptions = {}): Promise<object> {
  const json = await post<PublicKeyCredentialRequestOptionsJSON>('/sign-in/passkey/options')
  const publicKey =
    'parseRequestOptionsFromJSON' in PublicKeyCredential
      ? PublicKeyCredential.parseRequestOptionsFromJSON(json)
      : requestFrom(json)
  const mediation = isQuiet ? ('conditional' as const) : ('optional' as const)
  return answerOf(navigator.credentials.get({ publicKey, mediation, ...(signal && { signal }) }))
}

/** Whether the browser offers passkeys in the list of a field. */
export const canBeQuiet = async (): Promise<boolean> =>
  'isConditionalMediationAvailable' in PublicKeyCredential &&
  (await PublicKeyCredential.isConditionalMediationAvailable())

async function answerOf(pending: Promise<Credential | null>): Promise<object> {
  let credential: Credential | null
  try {
    credential = await pending
  } catch (error) {
    const isThere = error instanceof DOMException && error.name === 'InvalidStateError'
    throw noPasskey(isThere ? 'This device already has your passkey.' : 'No passkey was used. Try again.')
  }
  if (!(credential instanceof PublicKeyCredential)) throw noPasskey('This browser returned no passkey.')
  return 'toJSON' in credential ? withoutNulls(credential.toJSON()) : jsonOf(credential)
}

const noPasskey = (message: string): ApiError => new ApiError(message, { status: 0, code: 'NO_PASSKEY' })

/** Some password managers send null for fields that the standard omits. */
const withoutNulls = (value: object): object =>
  JSON.parse(JSON.stringify(value, (_name, each: unknown) => (each === null ? undefined : each)))

// Browsers from before 2025

const bytesOf = (base64url: string): ArrayBuffer =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0)).buffer

const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const creationFrom = ({ rp, user, challenge, ...json }: PublicKeyCredentialCreationOptionsJSON) => ({
  rp,
  user: { ...user, id: bytesOf(user.id) },
  challenge: bytesOf(challenge),
  pubKeyCredParams: json.pubKeyCredParams,
  excludeCredentials: (json.excludeCredentials ?? []).map(({ id }) => ({
    id: bytesOf(id),
    type: 'public-key' as const,
  })),
  ...(json.timeout !== undefined && { timeout: json.timeout }),
  authenticatorSelection: {
    residentKey: 'required' as const,
    requireResidentKey: true,
    userVerification: 'required' as const,
  },
})

const requestFrom = ({ challenge, rpId, timeout }: PublicKeyCredentialRequestOptionsJSON) => ({
  challenge: bytesOf(challenge),
  userVerification: 'required' as const,
  ...(rpId !== undefined && { rpId }),
  ...(timeout !== undefined && { timeout }),
})

function jsonOf({ id, rawId, response }: PublicKeyCredential): object {
  const common = { id, rawId: textOf(rawId), type: 'public-key', clientExtensionResults: {} }
  const clientDataJSON = textOf(response.clientDataJSON)
  if (response instanceof AuthenticatorAttestationResponse)
    return { ...common, response: { clientDataJSON, attestationObject: textOf(response.attestationObject) } }
  if (!(response instanceof AuthenticatorAssertionResponse)) throw noPasskey('This browser returned no passkey.')
  const { authenticatorData, signature, userHandle } = response
  return {
    ...common,
    response: {
      ...{ clientDataJSON, authenticatorData: textOf(authenticatorData), signature: textOf(signature) },
      ...(userHandle && { userHandle: textOf(userHandle) }),
    },
  }
}

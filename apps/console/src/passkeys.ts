// Creates and uses passkeys. Converts WebAuthn data to JSON itself if the browser cannot.
import { ApiError, post } from './api.ts'

/** Whether the browser supports passkeys on this origin. */
export const hasPasskeys = (origin: string | null | undefined): boolean =>
  'PublicKeyCredential' in window && origin === location.origin

/** Creates a passkey on this device; returns the API's request data. Throws `ApiError`, also if the user cancels. */
export async function createPasskey(proof: { password: string; code?: string }): Promise<object> {
  const json = await post<PublicKeyCredentialCreationOptionsJSON>('/passkeys/options', proof)
  const publicKey =
    'parseCreationOptionsFromJSON' in PublicKeyCredential
      ? PublicKeyCredential.parseCreationOptionsFromJSON(json)
      : creationFrom(json)
  return responseOf(navigator.credentials.create({ publicKey }))
}

interface PasskeyOptions {
  /** Offers passkeys in the email field's autofill list instead of a dialog. */
  isAutofill?: boolean
  signal?: AbortSignal
}

/** Signs a sign-in challenge with a passkey; returns the API's request data. Throws `ApiError`, also if the user cancels. */
export async function getPasskey({ isAutofill = false, signal }: PasskeyOptions = {}): Promise<object> {
  const json = await post<PublicKeyCredentialRequestOptionsJSON>('/sign-in/passkey/options')
  const publicKey =
    'parseRequestOptionsFromJSON' in PublicKeyCredential
      ? PublicKeyCredential.parseRequestOptionsFromJSON(json)
      : requestFrom(json)
  const mediation = isAutofill ? ('conditional' as const) : ('optional' as const)
  return responseOf(navigator.credentials.get({ publicKey, mediation, ...(signal && { signal }) }))
}

/** Whether the browser can offer passkeys in an autofill list. */
export const supportsAutofill = async (): Promise<boolean> =>
  'isConditionalMediationAvailable' in PublicKeyCredential &&
  (await PublicKeyCredential.isConditionalMediationAvailable())

async function responseOf(pending: Promise<Credential | null>): Promise<object> {
  let credential: Credential | null
  try {
    credential = await pending
  } catch (error) {
    const isDuplicate = error instanceof DOMException && error.name === 'InvalidStateError'
    throw noPasskey(isDuplicate ? 'This device already has your passkey.' : 'No passkey was used. Try again.')
  }
  if (!(credential instanceof PublicKeyCredential)) throw noPasskey('This browser returned no passkey.')
  return 'toJSON' in credential ? withoutNulls(credential.toJSON()) : jsonOf(credential)
}

const noPasskey = (message: string): ApiError => new ApiError(message, { status: 0, code: 'NO_PASSKEY' })

/** Some password managers send null for fields that the standard omits. */
const withoutNulls = (value: object): object =>
  JSON.parse(JSON.stringify(value, (_name, each: unknown) => (each === null ? undefined : each)))

// Conversions for browsers without WebAuthn's JSON methods (before 2025).

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
      clientDataJSON,
      authenticatorData: textOf(authenticatorData),
      signature: textOf(signature),
      ...(userHandle && { userHandle: textOf(userHandle) }),
    },
  }
}

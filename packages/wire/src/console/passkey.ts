// Schemas of the console API: passkeys. Options and responses are the JSON of WebAuthn level 3.

import { AnyObject, Closed, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { Id } from '#wire/basic-schemas.ts'
import { Code, TypedPassword } from './staff.ts'

const Base64Url = Type.String({ maxLength: 10_000, pattern: '^[\\w-]*$', 'x-says': 'must be base64url' })

const credentialFields = {
  id: Base64Url,
  rawId: Base64Url,
  type: Type.Literal('public-key'),
  authenticatorAttachment: Type.Optional(OneOf(['platform', 'cross-platform'])),
  clientExtensionResults: AnyObject,
}

/** `PublicKeyCredential.toJSON()` after `create`. */
const PasskeyProof = Closed({
  ...credentialFields,
  response: Closed({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    authenticatorData: Type.Optional(Base64Url),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20 })),
    publicKeyAlgorithm: Type.Optional(Type.Integer()),
    publicKey: Type.Optional(Base64Url),
  }),
})

/** `PublicKeyCredential.toJSON()` after `get`. */
const PasskeyAnswer = Closed({
  ...credentialFields,
  response: Closed({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Type.Optional(Base64Url),
  }),
})

/** A passkey replaces password and code, so a code is required if the second factor is on. */
export const NewPasskeyRequest = Closed({ password: TypedPassword, code: Type.Optional(Code) })

export const PasskeyRequest = Closed({
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '\\S',
    'x-says': 'must be a name of at most 100 characters',
  }),
  response: PasskeyProof,
})
export const PasskeySignInRequest = Closed({ response: PasskeyAnswer })

export const Passkey = Closed({
  passkeyId: Id,
  name: Type.String(),
  createdAt: Type.String(),
  usedAt: orNull(Type.String()),
})
export type Passkey = Static<typeof Passkey>
export const Passkeys = Closed({ items: Type.Array(Passkey), next: orNull(Type.String()) })
export type Passkeys = Static<typeof Passkeys>
export const PasskeyParams = Closed({ passkeyId: Id })

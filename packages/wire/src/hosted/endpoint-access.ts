// What an endpoint's server demands beside the signature: headers of its own, or a token by OAuth client credentials.

import { Closed, Nullable, type Static, Type } from '@lendloom/foundation/schema'
import { Text } from '#wire/basic-schemas.ts'

const visible = {
  pattern: '^[\\x21-\\x7e]+(?: +[\\x21-\\x7e]+)*$',
  'x-says': 'must be visible ASCII characters on one line',
}

/** A header that each delivery has. The value is sealed where it is stored, and shown masked. */
export const AccessHeader = Closed({
  name: Type.String({
    pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$",
    'x-says': 'must be the name of a header, of at most 64 characters',
  }),
  value: Type.String({ minLength: 1, maxLength: 2000, ...visible }),
})

/** RFC 6749 §4.4: the client authenticates with HTTP Basic. */
export const ClientCredentials = Closed({
  tokenUrl: Type.String({ minLength: 1, maxLength: 2000, 'x-says': 'must be an https URL of at most 2000 characters' }),
  clientId: Type.String({ minLength: 1, maxLength: 200, ...visible }),
  clientSecret: Type.String({ minLength: 1, maxLength: 1000, ...visible }),
  scope: Type.Optional(Type.String({ minLength: 1, maxLength: 500, ...visible })),
})

export const maxHeaders = 10

/** Left out, an endpoint keeps what it has; null or an empty list removes it. */
export const accessFields = {
  headers: Type.Optional(Nullable(Type.Array(AccessHeader, { maxItems: maxHeaders }))),
  clientCredentials: Type.Optional(Nullable(ClientCredentials)),
}
const AccessRequest = Closed(accessFields)
export type AccessRequest = Static<typeof AccessRequest>

/** What is shown of it: of a value at most its last four characters, of the credentials no secret. */
export const shownAccessFields = {
  headers: Type.Array(Closed({ name: Text, value: Text })),
  clientCredentials: Nullable(Closed({ tokenUrl: Text, clientId: Text, scope: Nullable(Text) })),
}
const ShownAccess = Closed(shownAccessFields)
export type ShownAccess = Static<typeof ShownAccess>

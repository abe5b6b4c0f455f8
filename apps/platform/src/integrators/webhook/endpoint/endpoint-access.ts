// What an endpoint's server demands beside the signature: sealed to be stored, masked to be shown, opened to be sent.

import { type FieldError, invalid } from '@lendloom/foundation/refusal'
import type { Seal } from '@lendloom/seal/seal'
import type { AccessRequest, ShownAccess } from '@lendloom/wire/hosted/endpoint-access'

export interface EndpointAccess {
  headers: { name: string; value: string }[]
  /** RFC 6749 §4.4. */
  clientCredentials: { tokenUrl: string; clientId: string; clientSecret: string; scope: string | null } | null
}

export const noAccess: EndpointAccess = { headers: [], clientCredentials: null }

interface EndpointKey {
  tenantId: string
  endpointId: string
}

const contextOf = ({ tenantId, endpointId }: EndpointKey): string => `webhook_endpoint.access:${tenantId}:${endpointId}`

/** Seals the access to be stored; null for none. */
export const sealedAccess = (seal: Seal, key: EndpointKey, access: EndpointAccess): Buffer | null =>
  access.headers.length === 0 && access.clientCredentials === null ? null : seal.json(access, contextOf(key))

export const openAccess = (seal: Seal, key: EndpointKey & { accessSealed: Buffer | null }): EndpointAccess =>
  key.accessSealed === null ? noAccess : seal.openJson<EndpointAccess>(key.accessSealed, contextOf(key))

/** The access after a request: what the request leaves out stays. */
export const changedAccess = (
  before: EndpointAccess,
  { headers, clientCredentials }: AccessRequest,
): EndpointAccess => ({
  headers: headers === undefined ? before.headers : (headers ?? []),
  clientCredentials:
    clientCredentials === undefined
      ? before.clientCredentials
      : clientCredentials && { ...clientCredentials, scope: clientCredentials.scope ?? null },
})

/** Headers that the platform or HTTP sets; a receiver must be able to trust that the signature's are ours. */
const ownHeaders =
  /^(?:webhook-.*|lendloom-.*|x-correlation-id|traceparent|tracestate|content-.*|host|user-agent|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|accept-encoding)$/i

/** Throws `invalid` for a header that the platform sets, a name that is given twice, and a token beside `Authorization`. */
export function requireSendable({ headers, clientCredentials }: EndpointAccess): void {
  const names = headers.map(({ name }) => name.toLowerCase())
  const faults = names.flatMap((name, i): FieldError[] => {
    const path = `headers.${i}.name`
    if (ownHeaders.test(name)) return [{ path, message: 'is a header that the platform sets' }]
    if (names.indexOf(name) < i) return [{ path, message: 'is given twice' }]
    if (name === 'authorization' && clientCredentials)
      return [{ path, message: 'cannot be given beside client credentials, whose token it has' }]
    return []
  })
  const [first, ...others] = faults
  if (first) throw invalid(first, ...others)
}

/**
 * Throws `invalid` at `url` if an endpoint with secrets moves to another server without new ones: whoever may change the
 * address would read at the new one what is shown masked.
 */
export function requireNewAccess(
  before: { url: string; access: EndpointAccess },
  after: { url: string },
  { headers, clientCredentials }: AccessRequest,
): void {
  if (new URL(before.url).origin === new URL(after.url).origin) return
  const keepsHeaders = before.access.headers.length > 0 && headers === undefined
  const keepsClient = before.access.clientCredentials !== null && clientCredentials === undefined
  if (keepsHeaders || keepsClient)
    throw invalid({
      path: 'url',
      message: 'is another server: give the headers and client credentials of the endpoint again, or remove them',
    })
}

/** A shorter one is no secret, and hiding it would hide ordinary text. */
const minSecretLength = 4
/** Of a header such as `Bearer …` the part longer than any scheme is the secret. One that is cut off is known by as much. */
const minPartLength = 7

/** What an answer must not show, in the forms in which a server may write it; the longest first. */
function secretForms(access: EndpointAccess, sent: Record<string, string>): string[] {
  const values = [...Object.values(sent), access.clientCredentials?.clientSecret ?? '']
  const parts = values.flatMap((value) => value.split(/\s+/)).filter(({ length }) => length >= minPartLength)
  const secrets = [...values.filter(({ length }) => length >= minSecretLength), ...parts]
  const forms = secrets.flatMap((each) => [each, JSON.stringify(each).slice(1, -1), encodeURIComponent(each)])
  return [...new Set(forms.map(bytesOf))].sort((one, other) => other.length - one.length)
}

/** The bytes of a text, one character each, so that an answer in any encoding keeps what is not hidden. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')

/**
 * Hides an endpoint's secrets in what its server, or its token server, has answered: a server may repeat what it was
 * sent, and the answer is shown to people who see the secrets masked. Also hides one that is cut off at the end.
 */
export function withoutSecrets(answer: Buffer, access: EndpointAccess, sent: Record<string, string>): Buffer {
  const forms = secretForms(access, sent)
  const whole = forms.reduce((text, form) => text.replaceAll(form, bytesOf(hidden)), answer.toString('latin1'))
  return Buffer.from(
    forms.reduce((text, form) => withoutCut(text, form), whole),
    'latin1',
  )
}

function withoutCut(text: string, secret: string): string {
  for (let length = secret.length - 1; length >= minPartLength; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + bytesOf(hidden)
  return text
}

const hidden = '••••'
const maskedTail = 4
const minMaskedLength = 16

const masked = (value: string): string => `${hidden}${value.length < minMaskedLength ? '' : value.slice(-maskedTail)}`

/** What people and the API are shown. */
export const shownAccess = ({ headers, clientCredentials }: EndpointAccess): ShownAccess => ({
  headers: headers.map(({ name, value }) => ({ name, value: masked(value) })),
  clientCredentials: clientCredentials && {
    tokenUrl: clientCredentials.tokenUrl,
    clientId: clientCredentials.clientId,
    scope: clientCredentials.scope,
  },
})

// The common interface of verification providers: requests, answers, callbacks, refusals, and agreed settings.

import { secret, text } from '@lendloom/foundation/config'
import type { Refusal, RefusalKind } from '@lendloom/foundation/refusal'
import { Nullable, parse, type Static, type TSchema, Type, Uuid } from '@lendloom/foundation/schema'
import { readJson } from '@lendloom/http/body'
import { type Answer, answer } from '@lendloom/http/route'
import { BusinessDate as Day, Instant } from '#wire/exchange/fields.ts'
import { mobilePattern, personPanPattern } from '#wire/identifier.ts'
import { sign, verify } from '#wire/webhook/signature.ts'

export { Day, Instant }
export const Text = Type.String({ minLength: 1, maxLength: 300 })
export const Rupees = Type.String({ pattern: '^\\d{1,13}\\.\\d{2}$', 'x-says': 'must be rupees with two decimals' })
const Url = Type.String({ pattern: '^https?://', maxLength: 2000, 'x-says': 'must be an http address' })

export const ProviderApplicant = Type.Object({
  full_name: Text,
  pan: Type.String({ pattern: personPanPattern, 'x-says': 'must be the PAN of a person' }),
  date_of_birth: Day,
  mobile: Type.String({ pattern: mobilePattern, 'x-says': 'must be an Indian mobile number' }),
})
export type ProviderApplicant = Static<typeof ProviderApplicant>

/**
 * Every request has the client's own reference, which identifies repetitions: the same request returns the existing one,
 * and another one is refused with 409 REFERENCE_REUSED. The client then looks its reference up with `ReferenceQuery`.
 */
export const requestFields = {
  client_reference: Text,
  callback_url: Url,
  /** The borrower's return address; it proves nothing. Null keeps the borrower on the provider's page. */
  return_url: Nullable(Url),
  /** How long the borrower's page is open; an hour by default. */
  page_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 * 86_400 })),
}

export const ProviderFile = Type.Object({
  file_id: Uuid,
  kind: Text,
  content_type: Text,
  size_bytes: Type.Integer({ minimum: 0 }),
  /** The digest of the bytes, lower-case hexadecimal. */
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
export type ProviderFile = Static<typeof ProviderFile>

/** The query of `GET /requests`, which returns the report on the request with the client's reference, or 404. */
export const ReferenceQuery = Type.Object({ client_reference: Text })

/** The report on a looked-up reference also has the request, as the client sent it, so that the client can compare it. */
export const FoundRequest = Type.Object({
  request: Type.Intersect([ReferenceQuery, Type.Record(Type.String(), Type.Unknown())]),
})

/** Fields of every answer. `updated_at` only increases, so it identifies the later of two answers. */
export const reportFields = {
  id: Uuid,
  client_reference: Text,
  reason_code: Nullable(Text),
  created_at: Instant,
  updated_at: Instant,
  /** The borrower's page. */
  page_url: Url,
  page_expires_at: Instant,
  files: Type.Array(ProviderFile),
}

/** Fields of every answer about a request. */
export const RequestReport = Type.Object(reportFields)
export type RequestReport = Static<typeof RequestReport>

export const Received = Type.Object({ file_id: Uuid, sha256: Text, size_bytes: Type.Integer() })

export const ProviderError = Type.Object({
  error: Type.Object({ code: Type.String(), message: Type.String() }),
})

const wire: Record<RefusalKind, [status: number, code: string]> = {
  malformed: [400, 'BAD_REQUEST'],
  invalid: [422, 'INVALID'],
  'bad-api-key': [401, 'UNAUTHORIZED'],
  'bad-session': [401, 'UNAUTHORIZED'],
  'bad-credential': [401, 'UNAUTHORIZED'],
  forbidden: [403, 'FORBIDDEN'],
  absent: [404, 'NOT_FOUND'],
  'wrong-method': [405, 'WRONG_METHOD'],
  'wrong-state': [409, 'WRONG_STATE'],
  locked: [409, 'WRONG_STATE'],
  pending: [409, 'PENDING'],
  'reused-key': [409, 'REFERENCE_REUSED'],
  'too-large': [413, 'TOO_LARGE'],
  'unsupported-media': [415, 'UNSUPPORTED_MEDIA'],
  'rate-limited': [429, 'RATE_LIMITED'],
  damaged: [500, 'INTERNAL'],
  upstream: [503, 'UNAVAILABLE'],
}

export function refusedByProvider(refusal: Refusal | 'bug'): Answer {
  if (refusal === 'bug') return answer(500, { error: { code: 'INTERNAL', message: 'an internal error' } })
  const [status, code] = wire[refusal.kind]
  const { fields = [] } = refusal.details
  return answer(status, { error: { code, message: refusal.message, fields } })
}

/** Shared secrets and limits of a provider and its client; the defaults are the sandbox's. */
export const sharedProviderSettings = {
  KYC_CREDENTIAL: secret('What the identity provider is called with', 'sandbox-kyc-key-of-lendloom'),
  KYC_CALLBACK_SECRET: secret(
    'What the identity provider signs its callbacks with',
    'whsec_c2FuZGJveC1reWMtY2FsbGJhY2stc2VjcmV0LTE=',
  ),
  MANDATE_CREDENTIAL: secret('What the mandate provider is called with', 'sandbox-mandate-key-of-lendloom'),
  MANDATE_CALLBACK_SECRET: secret(
    'What the mandate provider signs its callbacks with',
    'whsec_c2FuZGJveC1tYW5kYXRlLWNhbGxiYWNrLXNlY3JldC0x',
  ),
  ESIGN_CREDENTIAL: secret('What the e-sign provider is called with', 'sandbox-esign-key-of-lendloom'),
  ESIGN_CALLBACK_SECRET: secret(
    'What the e-sign provider signs its callbacks with',
    'whsec_c2FuZGJveC1lc2lnbi1jYWxsYmFjay1zZWNyZXQtMQ==',
  ),
  STATEMENT_CREDENTIAL: secret('What the statement analyser is called with', 'sandbox-statement-key-of-lendloom'),
  STATEMENT_CALLBACK_SECRET: secret(
    'What the statement analyser signs its callbacks with',
    'whsec_c2FuZGJveC1zdGF0ZW1lbnQtY2FsbGJhY2stc2VjcmV0LTE=',
  ),
  MFC_CLIENT_ID: text('What MF Central knows us by', 'lendloom'),
  MFC_CLIENT_SECRET: secret(
    'What MF Central gives us its tokens for; until it is set, no statement of mutual funds is fetched outside the sandbox',
    'sandbox-mfc-secret-of-lendloom',
  ),
  MFC_USERNAME: text('Our user at MF Central', 'lendloom'),
  MFC_PASSWORD: secret('Its password', 'sandbox-mfc-password-of-lendloom'),
  MFC_ENCRYPTION_KEY: secret('What messages to and from MF Central are encrypted with', 'sandbox-mfc-key-of-lendloom'),
  MFC_ENCRYPTION_IV: text('The initial vector of these messages: 16 characters', 'globalaesvectors'),
  MFC_URL_KEY: secret(
    'What the addresses are encrypted with that send borrowers to MF Central: 32 characters',
    'sandbox-mfc-address-key-32-chars',
  ),
  BUREAU_CREDENTIAL: secret('What the credit bureau is called with', 'sandbox-bureau-key-of-lendloom'),
}

/** The callback of a change: `data` equals the response to a status request at that time. */
const Callback = Type.Object({ event_id: Uuid, sent_at: Instant, data: Type.Unknown() })

/** The bytes of a callback; every attempt sends the same ones with a new signature. */
export const callbackBody = (eventId: string, at: Date, data: object): Buffer =>
  Buffer.from(JSON.stringify({ event_id: eventId, sent_at: at.toISOString(), data }))

export const signCallback = (secret: string, eventId: string, at: Date, body: Buffer): Record<string, string> => ({
  'content-type': 'application/json',
  ...sign([secret], eventId, at, body),
})

/**
 * Verifies and parses a callback. Throws `bad-credential`, before parsing, if the signature is wrong or older than 300 s;
 * `malformed` or `invalid` if the body does not have the provider's format.
 */
export function readCallback<T extends TSchema>(
  data: T,
  secret: string,
  { raw, headers, at }: { raw: Buffer; headers: Record<string, string | string[] | undefined>; at: Date },
): { eventId: string; data: Static<T> } {
  verify(secret, headers, raw, at)
  const callback = parse(Callback, readJson(raw))
  return { eventId: callback.event_id, data: parse(data, callback.data, 'data') }
}

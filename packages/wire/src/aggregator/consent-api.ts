// Schemas of the aggregator's consent API (request, status, fetch) and signed bodies (ReBIT 2.x).

import { fieldsOf } from '@lendloom/foundation/record'
import { faults, fits, OneOf, type Static, type TSchema, Type } from '@lendloom/foundation/schema'
import { readJson } from '@lendloom/http/body'
import { detachedSignature, isSignedBy, type KeyOf, type Signer } from '@lendloom/seal/jws'

/** The interface is labelled 2.1.0, but its bodies state 2.0.0. */
const version = '2.0.0'

const Text = Type.String({ minLength: 1 })
const Instant = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?(?:Z|[+-]\\d{2}:?\\d{2})$',
  'x-says': 'must be an ISO 8601 instant',
})
const Common = { ver: Text, timestamp: Instant, txnid: Text }

const consentTypes = ['PROFILE', 'SUMMARY', 'TRANSACTIONS'] as const

/** The requested consent: its requestor, borrower, purpose, duration and months. */
export const ConsentDetail = Type.Object({
  consentStart: Instant,
  consentExpiry: Instant,
  consentMode: OneOf(['VIEW', 'STORE', 'QUERY', 'STREAM']),
  fetchType: OneOf(['ONETIME', 'PERIODIC']),
  consentTypes: Type.Array(OneOf([...consentTypes]), { minItems: 1 }),
  fiTypes: Type.Array(Text, { minItems: 1 }),
  DataConsumer: Type.Object({ id: Text, type: Type.Optional(Text) }),
  Customer: Type.Object({
    id: Text,
    Identifiers: Type.Optional(Type.Array(Type.Object({ type: Text, value: Text }))),
  }),
  Purpose: Type.Object({
    code: Text,
    refUri: Type.Optional(Text),
    text: Text,
    Category: Type.Optional(Type.Object({ type: Text })),
  }),
  FIDataRange: Type.Object({ from: Instant, to: Instant }),
  DataLife: Type.Object({ unit: OneOf(['MONTH', 'YEAR', 'DAY', 'INF']), value: Type.Number() }),
  Frequency: Type.Object({ unit: OneOf(['HOUR', 'DAY', 'MONTH', 'YEAR', 'INF']), value: Type.Number() }),
})
export type ConsentDetail = Static<typeof ConsentDetail>

/** POST /Consent, by the lender. */
export const ConsentRequest = Type.Object({ ...Common, ConsentDetail })
export const ConsentReply = Type.Object({
  ...Common,
  ConsentHandle: Text,
  Customer: Type.Optional(Type.Object({ id: Text })),
})

/** READY and APPROVED both mean that an artefact can be fetched. */
const handleStatuses = ['PENDING', 'READY', 'APPROVED', 'REJECTED', 'FAILED', 'EXPIRED'] as const
export type HandleStatus = (typeof handleStatuses)[number]

/** POST /Consent/handle */
export const HandleRequest = Type.Object({ ...Common, ConsentHandle: Text })
export const HandleReply = Type.Object({
  ...Common,
  ConsentHandle: Text,
  ConsentStatus: Type.Object({ id: Type.Optional(Type.String()), status: OneOf([...handleStatuses]) }),
})

const artefactStatuses = ['ACTIVE', 'PAUSED', 'REVOKED', 'EXPIRED'] as const
export type ArtefactStatus = (typeof artefactStatuses)[number]

/** POST /Consent/fetch */
export const FetchRequest = Type.Object({ ...Common, consentId: Text })
export const FetchReply = Type.Object({
  ...Common,
  consentId: Text,
  status: OneOf([...artefactStatuses]),
  createTimestamp: Instant,
  /** A compact JWS of the aggregator over the consent and the accounts. */
  signedConsent: Text,
})

export const ConsentAccount = Type.Object({
  fiType: Text,
  fipId: Text,
  accType: Text,
  linkRefNumber: Text,
  maskedAccNumber: Text,
})
export type ConsentAccount = Static<typeof ConsentAccount>

/** The content of the signed consent: the requested detail, and the shared accounts. */
export const SignedConsent = Type.Object({
  ...ConsentDetail.properties,
  DataProvider: Type.Optional(Type.Object({ id: Text, type: Text })),
  Accounts: Type.Array(ConsentAccount, { minItems: 1 }),
})
export type SignedConsent = Static<typeof SignedConsent>

/** The body of every error response. */
export const ApiError = Type.Object({
  ver: Text,
  timestamp: Instant,
  txnid: Type.Optional(Type.String()),
  errorCode: Text,
  errorMsg: Type.Optional(Type.String()),
})

/** The directory's entry for an aggregator: its addresses and keys. */
export const EntityReply = Type.Object({
  entityinfo: Type.Object({
    id: Text,
    name: Text,
    baseurl: Type.Optional(Text),
    webviewurl: Type.Optional(Text),
    keys: Type.Array(Type.Object({ kid: Text, kty: Text, n: Text, e: Text })),
  }),
})
export type Entity = Static<typeof EntityReply>['entityinfo']

/** A body and the detached signature of exactly its bytes (ReBIT 2.x). */
export interface SignedBody {
  body: string
  signature: string
}

/** Adds version, time and transaction to the content, and signs the bytes. */
export async function signedBody(
  content: object,
  { txnId, at }: { txnId: string; at: Date },
  signer: Signer,
): Promise<SignedBody> {
  const body = JSON.stringify({ ver: version, timestamp: at.toISOString(), txnid: txnId, ...content })
  return { body, signature: await detachedSignature(body, signer) }
}

export type ReadFault = 'not signed' | 'not readable' | 'of another version'

/** Verifies a body's signature by a key of its sender, and parses it by `schema`. */
export async function readSigned<T extends TSchema>(
  schema: T,
  body: Buffer,
  signature: string | undefined,
  keyOf: KeyOf,
): Promise<{ value: Static<T> } | { fault: ReadFault; at?: string }> {
  if (!(await isSignedBy(body, signature, keyOf))) return { fault: 'not signed' }
  let value: unknown
  try {
    value = readJson(body)
  } catch {
    return { fault: 'not readable' }
  }
  if (!fits(schema, value)) return { fault: 'not readable', at: faults(schema, value)[0]?.path }
  return fieldsOf(value).ver === version ? { value } : { fault: 'of another version' }
}

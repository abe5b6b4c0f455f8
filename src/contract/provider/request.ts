// What every verification provider is asked and answers alike: whom it is about, where to call back, and which files came of it.
import { BusinessDate as Day, Instant } from '#contract/exchange/fields.ts'
import { mobilePattern, personPanPattern } from '#contract/identifier.ts'
import { Nullable, type Static, Type, Uuid } from '#kit/http/schema.ts'

export { Day, Instant }
export const Text = Type.String({ minLength: 1, maxLength: 300 })
/** Rupees with two decimals. */
export const Rupees = Type.String({ pattern: '^\\d{1,13}\\.\\d{2}$', 'x-says': 'must be rupees with two decimals' })
const Url = Type.String({ pattern: '^https?://', maxLength: 2000, 'x-says': 'must be an http address' })

export const Applicant = Type.Object({
  full_name: Text,
  pan: Type.String({ pattern: personPanPattern, 'x-says': 'must be the PAN of a person' }),
  date_of_birth: Day,
  mobile: Type.String({ pattern: mobilePattern, 'x-says': 'must be an Indian mobile number' }),
})
export type Applicant = Static<typeof Applicant>

/** What every request has: the client's own name for it, by which a repetition is recognized. */
export const requestFields = {
  client_reference: Text,
  /** Where signed callbacks are posted. */
  callback_url: Url,
  /** Where the borrower's browser is sent in the end; it proves nothing. Null leaves the borrower on our page. */
  return_url: Nullable(Url),
  /** How long the borrower's page is open; an hour unless told. */
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

/** What every answer has. `updated_at` only ever grows, so of two answers the later one is known by it. */
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

/** What every answer about a request says. */
export const RequestReport = Type.Object(reportFields)
export type RequestReport = Static<typeof RequestReport>

export const Received = Type.Object({ file_id: Uuid, sha256: Text, size_bytes: Type.Integer() })

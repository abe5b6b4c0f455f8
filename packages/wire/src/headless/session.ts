// POST /sessions and /sessions/refresh (D2 §2.3, §4), and the headers and API version of every call.

import { isOneOf, ownValue } from '@lendloom/foundation/record'
import { invalid } from '@lendloom/foundation/refusal'
import { Closed, OneOf, type Static, Type, Uuid } from '@lendloom/foundation/schema'
import { Instant, Text } from '#wire/basic-schemas.ts'
import { BorrowerProviderID } from '#wire/hosted/create-session.ts'
import { ContactNumber, Email, FreeText, Pan } from '#wire/hosted/profile.ts'
import { JourneyType } from './enums.ts'
import { JourneyView } from './journey.ts'

export const SessionProfile = Closed({
  contactNumber: ContactNumber,
  pan: Type.Optional(Pan),
  panName: Type.Optional(FreeText()),
  personalemail: Type.Optional(Email),
})

export const SessionRequest = Closed({
  borrowerExternalID: BorrowerProviderID,
  /** Of several active journeys, the newest of this type is returned. */
  journeyType: Type.Optional(JourneyType),
  profile: SessionProfile,
})
export type SessionRequest = Static<typeof SessionRequest>

const tokens = {
  /** `st_…`: authenticates the borrower's app. */
  sessionToken: Text,
  /** `rt_…`: exchanges the token pair for a new one, once. */
  refreshToken: Text,
  sessionExpiresAt: Instant,
  refreshExpiresAt: Instant,
}

export const HeadlessSession = Closed({
  borrowerID: Uuid,
  borrowerExternalID: Text,
  ...tokens,
  activeJourney: Type.Union([JourneyView, Type.Null()]),
})
export type HeadlessSession = Static<typeof HeadlessSession>

export const RefreshResult = Closed(tokens)
export type RefreshResult = Static<typeof RefreshResult>

/** Versions of the headless API: dates, pinned per API key at its first use, chosen by a header (D2 §9). */
export const latestVersion = '2026-11-01'
const apiVersions = [latestVersion] as const
export type ApiVersion = (typeof apiVersions)[number]

export const versionHeader = 'x-lendloom-api-version'

const isVersion = (text: unknown): text is ApiVersion => isOneOf(apiVersions, text)

/** Returns the requested version; null without the header (the API key's version applies). Throws `invalid` for an unknown version. */
export function requestedVersion(headers: Record<string, string | string[] | undefined>): ApiVersion | null {
  const requested = ownValue(headers, versionHeader)
  if (requested === undefined) return null
  if (isVersion(requested)) return requested
  const refusal = invalid({ path: 'X-Lendloom-API-Version', message: `must be one of ${apiVersions.join(', ')}` })
  refusal.details.supported = apiVersions
  throw refusal
}

/** Version header of responses sent before authentication. */
export const headerVersion = (headers: Record<string, string | string[] | undefined>): ApiVersion => {
  const requested = ownValue(headers, versionHeader)
  return isVersion(requested) ? requested : latestVersion
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  required: true,
  description:
    'Repeating a request with the same key has one effect and returns the same answer; other content with a used key returns 422.',
  schema: Type.String({ pattern: '^"?[!#-~]{1,255}"?$' }),
}

const version = {
  name: 'X-Lendloom-API-Version',
  required: false,
  description: 'The version of this call; by default, the version pinned to the API key at its first use.',
  schema: OneOf([...apiVersions]),
}

const correlation = {
  name: 'X-Correlation-ID',
  required: false,
  description: 'Echoed as `correlationID` and in the header of the same name; generated if absent.',
  schema: Type.String({ pattern: '^[!-~]{1,128}$' }),
}

/** Headers of headless API calls besides their token, for the OpenAPI document (D2 §8, §9). */
export const headlessHeaders = (method: string) =>
  method === 'GET' ? [version, correlation] : [idempotencyKey, version, correlation]

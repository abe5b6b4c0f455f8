// Versions of the headless API: dates, pinned per API key at its first use, chosen by a header (D2 §9).

import { invalid } from '#kit/http/refusal.ts'
import { isOneOf } from '#kit/runtime/narrow.ts'
import { ownValue } from '#kit/runtime/record.ts'

export const latestVersion = '2026-11-01'
export const apiVersions = [latestVersion] as const
export type ApiVersion = (typeof apiVersions)[number]

export const versionHeader = 'x-lendloom-api-version'

const isVersion = (text: unknown): text is ApiVersion => isOneOf(apiVersions, text)

/** The version that a request asks for; null when it leaves that to its key. Refused as `invalid` with the versions there are. */
export function requestedVersion(headers: Record<string, string | string[] | undefined>): ApiVersion | null {
  const requested = ownValue(headers, versionHeader)
  if (requested === undefined) return null
  if (isVersion(requested)) return requested
  const refusal = invalid({ path: 'X-Lendloom-API-Version', message: `must be one of ${apiVersions.join(', ')}` })
  refusal.details.supported = apiVersions
  throw refusal
}

/** The version that an answer is told to be of before anybody has looked at the caller. */
export const headerVersion = (headers: Record<string, string | string[] | undefined>): ApiVersion => {
  const requested = ownValue(headers, versionHeader)
  return isVersion(requested) ? requested : latestVersion
}

// Deprecation of a route: the headers that announce its end (RFC 9745, RFC 8594).

import { requireDay } from './day-parameter.ts'

export interface Deprecation {
  /** The day from which clients should use the replacement. */
  since: string
  /** The day before which the route is not removed. */
  sunset: string
  /** The operation id of the replacement. */
  replacement: string
  /** The address of the page that says how to migrate. */
  link: string
}

/** How long clients have to migrate, at least. */
const minimumNoticeDays = 365
const dayMs = 86_400_000

/** The headers of every answer of a deprecated route. Throws if clients have less time than we promise. */
export function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  const [sinceMs = 0, sunsetMs = 0] = [since, sunset].map((day) => Date.parse(requireDay('deprecated', day)))
  if (sunsetMs - sinceMs < minimumNoticeDays * dayMs)
    throw new Error(
      `a route deprecated since ${since} needs a sunset at least ${minimumNoticeDays} days later, not ${sunset}`,
    )
  return {
    deprecation: `@${sinceMs / 1000}`,
    sunset: new Date(sunsetMs).toUTCString(),
    link: `<${link}>; rel="deprecation"; type="text/html"`,
  }
}

export const deprecationText = ({ since, sunset, replacement }: Omit<Deprecation, 'link'>): string =>
  `Deprecated since ${since}, removed no earlier than ${sunset}: use \`${replacement}\`.`

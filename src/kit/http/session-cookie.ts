// Cookies that keep people signed in: read and written as tokens, and taken from pages of our own alone.
import { Refusal } from './refusal.ts'

export type RequestHeaders = Record<string, string | string[] | undefined>

/** The token that a cookie of the request holds; undefined where there is none, or what it holds is no token. */
export function tokenIn({ cookie: cookies }: RequestHeaders, name: string): string | undefined {
  const [, token] = new RegExp(`(?:^|; )${name}=([\\w-]{43,3000})(?:;|$)`).exec(String(cookies ?? '')) ?? []
  return token
}

export interface TokenCookie {
  name: string
  value: string
  /** How long the browser keeps it; 0 takes it away. */
  seconds: number
  /** Where browsers reach the program: under https the cookie is never sent without it. */
  publicUrl: string
  /** Whether it is sent along when somebody comes back from another site, as a cookie that only says what was begun may be. */
  isSentOnReturn?: boolean
}

/** A cookie that no script reads, and that no other site has sent along unless `isSentOnReturn`. */
export function tokenCookie({ name, value, seconds, publicUrl, isSentOnReturn }: TokenCookie): string {
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  return `${name}=${value}; Path=/; HttpOnly; SameSite=${isSentOnReturn ? 'Lax' : 'Strict'}; Max-Age=${seconds}${secure}`
}

export const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:')

/**
 * From a page of somebody else nothing is taken: refused as `forbidden`. Browsers say by themselves whether a request is
 * from one of our own, by whichever name they reached us; of those that do not, the origin must be the one that we are
 * known by.
 */
export function refuseOtherSites({ origin, 'sec-fetch-site': site }: RequestHeaders, publicUrl: string): void {
  const isOurs =
    site === undefined
      ? origin === undefined || origin === new URL(publicUrl).origin
      : site === 'same-origin' || site === 'none'
  if (!isOurs) throw new Refusal('forbidden', 'this was asked from another site')
}

// Session cookies: read and written as tokens, and accepted only from our own pages.
import { Refusal } from './refusal.ts'

export type RequestHeaders = Record<string, string | string[] | undefined>

/** The token in a cookie of the request; undefined when the cookie is absent or does not hold a token. */
export function tokenIn({ cookie: cookies }: RequestHeaders, name: string): string | undefined {
  const [, token] = new RegExp(`(?:^|; )${name}=([\\w-]{43,3000})(?:;|$)`).exec(String(cookies ?? '')) ?? []
  return token
}

export interface TokenCookie {
  name: string
  value: string
  /** Lifetime in the browser; 0 deletes the cookie. */
  seconds: number
  /** The program's public address: under https the cookie is always Secure. */
  publicUrl: string
  /**
   * Whether the cookie is sent when the person returns from another site; allowed for a cookie that only identifies a
   * started process.
   */
  isSentOnReturn?: boolean
}

/** A cookie that scripts cannot read and other sites cannot trigger, unless `isSentOnReturn`. */
export function tokenCookie({ name, value, seconds, publicUrl, isSentOnReturn }: TokenCookie): string {
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  return `${name}=${value}; Path=/; HttpOnly; SameSite=${isSentOnReturn ? 'Lax' : 'Strict'}; Max-Age=${seconds}${secure}`
}

export const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:')

/**
 * Refuses requests that another site's page has sent, as `forbidden`. Browsers mark requests as same-origin, under any
 * name of ours; for those that do not, the origin must be our public one.
 */
export function refuseOtherSites({ origin, 'sec-fetch-site': site }: RequestHeaders, publicUrl: string): void {
  const isOurs =
    site === undefined
      ? origin === undefined || origin === new URL(publicUrl).origin
      : site === 'same-origin' || site === 'none'
  if (!isOurs) throw new Refusal('forbidden', 'the request came from another site')
}

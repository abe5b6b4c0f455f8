// Reads and writes token cookies, and refuses requests that pages of other sites send.
import { Refusal } from '@lendloom/foundation/refusal'

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
  /** The public address of the program. With https the cookie is Secure. */
  publicUrl: string
  /**
   * Whether the cookie is also sent when the person returns from another site (`SameSite=Lax`). Allowed only for a
   * cookie that identifies a started process, such as a sign-in at a provider.
   */
  isSentOnReturn?: boolean
}

/** Returns a `Set-Cookie` value for a cookie that scripts cannot read. */
export function tokenCookie({ name, value, seconds, publicUrl, isSentOnReturn }: TokenCookie): string {
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  return `${name}=${value}; Path=/; HttpOnly; SameSite=${isSentOnReturn ? 'Lax' : 'Strict'}; Max-Age=${seconds}${secure}`
}

export const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:')

/**
 * Throws `forbidden` for a request that a page of another site sent. Without `Sec-Fetch-Site`, an `Origin` header must
 * equal our public origin.
 */
export function refuseOtherSites({ origin, 'sec-fetch-site': site }: RequestHeaders, publicUrl: string): void {
  const isOurs =
    site === undefined
      ? origin === undefined || origin === new URL(publicUrl).origin
      : site === 'same-origin' || site === 'none'
  if (!isOurs) throw new Refusal('forbidden', 'the request came from another site')
}

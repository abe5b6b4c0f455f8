// Access tokens by OAuth 2.0 client credentials (RFC 6749 §4.4): fetched once, and kept while they are valid.

import { call, UnreachableError } from './client.ts'
import type { EgressPolicy } from './egress-policy.ts'
import { type Configuration, loadClient } from './oauth-library.ts'

export interface TokenClient {
  tokenUrl: string
  clientId: string
  clientSecret: string
  scope: string | null
}

interface TokenLimits {
  timeoutMs: number
  egress: EgressPolicy
}

/** No token was issued; the message names the reason without a secret, and may be shown. */
export class TokenError extends Error {}

interface KeptToken {
  token: string
  until: number
}

/** A token is renewed this long before it expires, but a short one after half its time. */
const marginMs = 60_000
/** How long a token without a period is kept. */
const defaultMs = 300_000
/** A token that is said to be valid for longer is asked for again anyway. */
const longestMs = 86_400_000
/** Beyond so many clients all are asked for again. */
const maxKept = 4096

/** What a header may have: visible ASCII, of a length that servers take. */
const sendable = /^[\x21-\x7e]{1,8192}$/

/** Keeps tokens by client. Calls for the same token at the same time share one request. */
export interface TokenKeeper {
  /** Throws `TokenError`. */
  tokenOf(client: TokenClient, limits: TokenLimits, at: Date): Promise<string>
  /** Drops a token that a server has refused. */
  forget(client: TokenClient): void
}

export function tokenKeeper(): TokenKeeper {
  const kept = new Map<string, KeptToken>()
  const asked = new Map<string, Promise<KeptToken>>()
  const keyOf = ({ tokenUrl, clientId, clientSecret, scope }: TokenClient) =>
    JSON.stringify([tokenUrl, clientId, clientSecret, scope])
  return {
    async tokenOf(client, limits, at) {
      const key = keyOf(client)
      const known = kept.get(key)
      if (known && known.until > at.getTime()) return known.token
      const pending = asked.get(key) ?? requestToken(client, limits, at).finally(() => asked.delete(key))
      asked.set(key, pending)
      const fresh = await pending
      if (kept.size >= maxKept) kept.clear()
      kept.set(key, fresh)
      return fresh.token
    },
    forget: (client) => void kept.delete(keyOf(client)),
  }
}

async function requestToken(client: TokenClient, limits: TokenLimits, at: Date): Promise<KeptToken> {
  const { access_token: token, expires_in: seconds } = await grantOf(client, limits).catch((error) => {
    throw new TokenError(`no access token: ${whyRefused(error)}`, { cause: error })
  })
  if (!sendable.test(token)) throw new TokenError('no access token: the token server gave one that no header may have')
  return { token, until: at.getTime() + keptMs(seconds) }
}

async function grantOf(client: TokenClient, limits: TokenLimits) {
  const { clientCredentialsGrant } = await loadClient()
  return clientCredentialsGrant(
    await configurationOf(client, limits),
    client.scope === null ? {} : { scope: client.scope },
  )
}

function keptMs(seconds: number | undefined): number {
  if (seconds === undefined) return defaultMs
  const validMs = seconds * 1000
  return Math.min(Math.max(validMs - marginMs, validMs / 2), longestMs)
}

async function configurationOf(
  { tokenUrl, clientId, clientSecret }: TokenClient,
  { timeoutMs, egress }: TokenLimits,
): Promise<Configuration> {
  const client = await loadClient()
  // Only the token endpoint is used, so that its address stands for the issuer.
  const server = { issuer: tokenUrl, token_endpoint: tokenUrl }
  const configuration = new client.Configuration(server, clientId, {}, client.ClientSecretBasic(clientSecret))
  configuration.timeout = timeoutMs / 1000
  configuration[client.customFetch] = async (url, { headers, body }) => {
    const answer = await call({ method: 'POST', url, headers: { ...headers }, body: String(body), timeoutMs, egress })
    return new Response(new Uint8Array(answer.body), {
      status: answer.status,
      headers: { 'content-type': String(answer.headers['content-type'] ?? '') },
    })
  }
  if (egress !== 'public') client.allowInsecureRequests(configuration)
  return configuration
}

function whyRefused(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof UnreachableError) return `the token server: ${each.message}`
    const { status, error: code } = each as { status?: unknown; error?: unknown }
    // RFC 6749 §5.2 allows these characters. Others could not be stored, or would not be what they look like.
    if (typeof code === 'string') return `the token server refused: ${code.replace(/[^\x20-\x7e]/g, '').slice(0, 60)}`
    if (typeof status === 'number') return `the token server answered ${status}`
    if (each.cause instanceof Response) return `the token server answered ${each.cause.status}`
  }
  return 'the token server gave an invalid answer'
}

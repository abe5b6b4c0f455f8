// OpenID Connect sign-in: sends the browser to a provider (Authorization Code with PKCE) and verifies the identity that
// the provider returns.

import { isObject } from '@lendloom/foundation/record'
import { call, UnreachableError } from './client.ts'
import { type ClientAuth, type Configuration, type IDToken, loadClient } from './oauth-library.ts'

export interface OpenIdProvider {
  /** The URL that identifies the issuer. Its metadata is at `/.well-known/openid-configuration` under this URL. */
  issuer: string
  clientId: string
  /** Empty for a public client, which has no secret. */
  clientSecret: string
  /** The redirect URI, exactly as it is registered at the provider. */
  returnUrl: string
  /** Whether plain http is allowed; only for a provider on the local machine. */
  allowsHttp: boolean
}

/** The secrets of a sign-in, which we keep while the person is at the provider. */
export interface OpenIdRequest {
  state: string
  nonce: string
  verifier: string
}

/** The identity that the provider asserts. */
export interface OpenIdIdentity {
  issuer: string
  /** The permanent id that the issuer gives to the person. */
  subject: string
  /** Empty when the provider returns no address. */
  email: string
  isEmailVerified: boolean
  /** The authentication methods (`amr`, RFC 8176); empty when the provider returns none. */
  methods: string[]
}

/** `away`: no answer. `declined`: the provider or the person refused. `unproven`: the provider's answer is invalid. */
export class OpenIdFailure extends Error {
  readonly reason: 'away' | 'declined' | 'unproven'

  constructor(reason: OpenIdFailure['reason'], cause: unknown) {
    super(`the OpenID provider: ${cause instanceof Error ? cause.message : reason}`, { cause })
    this.reason = reason
  }
}

export interface OpenId {
  /** Returns the address of the redirect to the provider, and the state to keep. Throws `OpenIdFailure`. */
  begin(at: Date): Promise<{ url: string; request: OpenIdRequest }>
  /**
   * Returns the identity when the browser returns from the provider. Verifies the state, and the signature and nonce of
   * the ID token. Throws `OpenIdFailure`.
   */
  finish(query: Record<string, unknown>, request: OpenIdRequest, at: Date): Promise<OpenIdIdentity>
}

const timeoutMs = 8000
/** How long the provider's metadata is cached. */
const metadataMs = 3_600_000

/** Returns a client that caches the provider's metadata and keys. */
export function openId(provider: OpenIdProvider): OpenId {
  let cached: { until: number; configuration: Configuration } | undefined
  async function configurationAt(at: Date): Promise<Configuration> {
    if (cached && at.getTime() < cached.until) return cached.configuration
    const configuration = await discover(provider)
    cached = { until: at.getTime() + metadataMs, configuration }
    return configuration
  }
  return {
    begin: (at) => withOpenIdFailure(async () => buildRedirect(provider, await configurationAt(at))),
    finish: (query, request, at) =>
      withOpenIdFailure(async () => verifyReturn(provider, await configurationAt(at), query, request)),
  }
}

async function discover({ issuer, clientId, clientSecret, allowsHttp }: OpenIdProvider): Promise<Configuration> {
  const client = await loadClient()
  const execute = [client.enableNonRepudiationChecks, ...(allowsHttp ? [client.allowInsecureRequests] : [])]
  const options = { [client.customFetch]: limitedFetch, timeout: timeoutMs / 1000, execute }
  return client.discovery(new URL(issuer), clientId, {}, await clientAuthFor(clientSecret), options)
}

/** Chooses an authentication method that the provider supports; OpenID Connect Discovery §3 defines the default. */
async function clientAuthFor(secret: string): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost, None } = await loadClient()
  if (secret === '') return None()
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret)
    authenticate(server, ...rest)
  }
}

/** Like `fetch`, with the limits of all outgoing calls. */
async function limitedFetch(
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown },
): Promise<Response> {
  if (method !== 'GET' && method !== 'POST') throw new UnreachableError(`${method} is not supported`)
  const options = body === undefined || body === null ? {} : { body: String(body) }
  const answer = await call({ method, url, headers: { ...headers }, ...options, timeoutMs })
  if (answer.status >= 500) throw new UnreachableError(`the provider answered ${answer.status}`)
  const type = answer.headers['content-type']
  return new Response(answer.status === 204 ? null : new Uint8Array(answer.body), {
    status: answer.status,
    headers: { 'content-type': String(type ?? '') },
  })
}

async function buildRedirect({ returnUrl }: OpenIdProvider, configuration: Configuration) {
  const client = await loadClient()
  const request = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  }
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: returnUrl,
    response_type: 'code',
    scope: 'openid email',
    state: request.state,
    nonce: request.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(request.verifier),
    code_challenge_method: 'S256',
  })
  return { url: url.href, request }
}

async function verifyReturn(
  { returnUrl }: OpenIdProvider,
  configuration: Configuration,
  query: Record<string, unknown>,
  { state, nonce, verifier }: OpenIdRequest,
): Promise<OpenIdIdentity> {
  const client = await loadClient()
  const currentUrl = new URL(returnUrl)
  for (const [name, value] of Object.entries(query)) currentUrl.searchParams.set(name, String(value))
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
  const tokens = await client.authorizationCodeGrant(configuration, currentUrl, checks)
  const claims = tokens.claims()
  if (!claims) throw new Error('the provider returned no ID token')
  // Many providers put the email address into the ID token; others return it only from the userinfo endpoint.
  const hasEmail = claims.email !== undefined && claims.email_verified !== undefined
  const profile =
    !hasEmail && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : claims
  return identityIn(claims, profile)
}

function identityIn({ iss, sub, amr }: IDToken, profile: Record<string, unknown>): OpenIdIdentity {
  const methods: unknown[] = Array.isArray(amr) ? amr : []
  return {
    issuer: iss,
    subject: sub,
    email: typeof profile.email === 'string' ? profile.email : '',
    isEmailVerified: profile.email_verified === true,
    methods: methods.slice(0, 10).map((method) => String(method).slice(0, 40)),
  }
}

async function withOpenIdFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isRefusal = isObject(error) && error.code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR'
    throw new OpenIdFailure(isUnreachable(error) ? 'away' : isRefusal ? 'declined' : 'unproven', error)
  }
}

/** Whether the provider did not answer. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof UnreachableError ||
  (error instanceof Error && error.cause !== undefined && isUnreachable(error.cause))

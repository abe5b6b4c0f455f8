// Signs in by OpenID Connect: sends the browser to a provider (Authorization Code with PKCE) and reads the identity
// that it returns.
import type { ClientAuth, Configuration, IDToken } from 'openid-client'
import { isObject } from '#kit/runtime/record.ts'
import { call, UnreachableError } from './client.ts'

// Loaded on first use: few programs need the library.
const library = () => import('openid-client')

export interface OpenIdProvider {
  /** The issuer's identifier; its metadata is at `/.well-known/openid-configuration` below it. */
  issuer: string
  clientId: string
  /** Empty for a client that has none. */
  clientSecret: string
  /** The return address, exactly as registered. */
  returnUrl: string
  /** Whether plain http is allowed, as it is only on the local machine. */
  allowsHttp: boolean
}

/** What we store about an authorization request until the person returns. */
export interface OpenIdRequest {
  state: string
  nonce: string
  verifier: string
}

/** The identity that the provider asserts. */
export interface OpenIdIdentity {
  issuer: string
  /** The issuer's permanent id of the person. */
  subject: string
  /** Empty when it names none. */
  email: string
  isEmailVerified: boolean
  /** How they proved who they are, in the words of RFC 8176; empty when it is silent. */
  methods: string[]
}

/** `away`: no valid answer · `declined`: the provider or the person refused · `unproven`: a claim does not verify. */
export class OpenIdFailure extends Error {
  readonly reason: 'away' | 'declined' | 'unproven'

  constructor(reason: OpenIdFailure['reason'], cause: unknown) {
    super(`the OpenID provider: ${cause instanceof Error ? cause.message : reason}`, { cause })
    this.reason = reason
  }
}

export interface OpenId {
  /** The address to redirect to. Throws `OpenIdFailure`. */
  begin(at: Date): Promise<{ url: string; request: OpenIdRequest }>
  /**
   * The identity of a returning browser, after checking the answer, its state, and the ID token's signature and nonce.
   * Throws `OpenIdFailure`.
   */
  finish(query: Record<string, unknown>, request: OpenIdRequest, at: Date): Promise<OpenIdIdentity>
}

const patienceMs = 8000
/** How long the provider's metadata is believed. */
const believedMs = 3_600_000

/** Remembers the provider's metadata and keys. */
export function openId(provider: OpenIdProvider): OpenId {
  let known: { until: number; configuration: Configuration } | undefined
  async function configured(at: Date): Promise<Configuration> {
    if (known && at.getTime() < known.until) return known.configuration
    const configuration = await discovered(provider)
    known = { until: at.getTime() + believedMs, configuration }
    return configuration
  }
  return {
    begin: (at) => orFailure(async () => outward(provider, await configured(at))),
    finish: (query, request, at) => orFailure(async () => inward(provider, await configured(at), query, request)),
  }
}

async function discovered({ issuer, clientId, clientSecret, allowsHttp }: OpenIdProvider): Promise<Configuration> {
  const client = await library()
  const execute = [client.enableNonRepudiationChecks, ...(allowsHttp ? [client.allowInsecureRequests] : [])]
  const fetching = { [client.customFetch]: fetched, timeout: patienceMs / 1000, execute }
  return client.discovery(new URL(issuer), clientId, {}, await authentication(clientSecret), fetching)
}

/** The authentication method that the provider supports; OpenID Connect Discovery §3 defines the default. */
async function authentication(secret: string): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost, None } = await library()
  if (secret === '') return None()
  return (server, ...rest) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const way = ways.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret)
    way(server, ...rest)
  }
}

/** As `fetch`, with the limits of all our outgoing calls. */
async function fetched(
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown },
): Promise<Response> {
  if (method !== 'GET' && method !== 'POST') throw new UnreachableError(`${method} is not called`)
  const sent = body === undefined || body === null ? {} : { body: String(body) }
  const answer = await call({ method, url, headers: { ...headers }, ...sent, timeoutMs: patienceMs })
  if (answer.status >= 500) throw new UnreachableError(`it answered ${answer.status}`)
  const type = answer.headers['content-type']
  return new Response(answer.status === 204 ? null : new Uint8Array(answer.body), {
    status: answer.status,
    headers: { 'content-type': String(type ?? '') },
  })
}

async function outward({ returnUrl }: OpenIdProvider, configuration: Configuration) {
  const client = await library()
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

async function inward(
  { returnUrl }: OpenIdProvider,
  configuration: Configuration,
  query: Record<string, unknown>,
  { state, nonce, verifier }: OpenIdRequest,
): Promise<OpenIdIdentity> {
  const client = await library()
  const here = new URL(returnUrl)
  for (const [name, value] of Object.entries(query)) here.searchParams.set(name, String(value))
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
  const tokens = await client.authorizationCodeGrant(configuration, here, checks)
  const claims = tokens.claims()
  if (!claims) throw new Error('it gave no ID token')
  // Many providers put the address into the ID token; others return it only for the access token.
  const isWhole = claims.email !== undefined && claims.email_verified !== undefined
  const about =
    !isWhole && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : claims
  return identityIn(claims, about)
}

function identityIn({ iss, sub, amr }: IDToken, about: Record<string, unknown>): OpenIdIdentity {
  const methods: unknown[] = Array.isArray(amr) ? amr : []
  return {
    issuer: iss,
    subject: sub,
    email: typeof about.email === 'string' ? about.email : '',
    isEmailVerified: about.email_verified === true,
    methods: methods.slice(0, 10).map((each) => String(each).slice(0, 40)),
  }
}

async function orFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isAnswer = isObject(error) && error.code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR'
    throw new OpenIdFailure(isAway(error) ? 'away' : isAnswer ? 'declined' : 'unproven', error)
  }
}

/** Whether no answer is behind an error. */
const isAway = (error: unknown): boolean =>
  error instanceof UnreachableError || (error instanceof Error && error.cause !== undefined && isAway(error.cause))

// Adapter of India's account aggregators. Servers use the ReBIT 2.x specification; redirects of the borrower follow the
// Sahamati guideline.

import { randomUUID } from 'node:crypto'
import { memoizePerOwner } from '@lendloom/foundation/cache'
import { jsonIn } from '@lendloom/foundation/json'
import { Refusal } from '@lendloom/foundation/refusal'
import { faults, fits, type Static, type TSchema } from '@lendloom/foundation/schema'
import { call, type HttpAnswer, UnreachableError } from '@lendloom/http/client'
import { egressPolicyOf } from '@lendloom/http/egress-policy'
import { keyFromJwk, kidOf, openCompactJws, publicJwk, type Signer, signerFrom } from '@lendloom/seal/jws'
import {
  ApiError,
  type Entity,
  EntityReply,
  FetchReply,
  HandleReply,
  readSigned,
  SignedConsent,
  signedBody,
} from '@lendloom/wire/aggregator/consent-api'
import { redirectTo } from '@lendloom/wire/aggregator/redirect'
import { readReturn } from '@lendloom/wire/aggregator/redirect-back'
import type { ProviderContext } from '#platform/providers/provider-client.ts'
import type { Aggregator, AggregatorPort, ConsentStatusReport } from './port.ts'

interface CachedData {
  /** A pending or completed lookup in the directory; `until` is its expiry in milliseconds. */
  aggregator?: { lookup: Promise<Aggregator>; until: number }
  signer?: Signer
}
const cacheOf = memoizePerOwner(
  ({ config }: ProviderContext) => config,
  (): CachedData => ({}),
)

const cacheMs = 300_000

/** Looks up the aggregator in the directory, with a cache of five minutes. Throws `upstream` without a response. */
async function aggregatorOf(ctx: ProviderContext, skipCache = false): Promise<Aggregator> {
  const cached = cacheOf(ctx)
  const now = ctx.clock().getTime()
  if (!skipCache && cached.aggregator && now < cached.aggregator.until) return cached.aggregator.lookup
  const lookup = findAggregator(ctx)
  cached.aggregator = { lookup, until: now + cacheMs }
  lookup.catch(() => {
    delete cached.aggregator
  })
  return lookup
}

async function findAggregator(ctx: ProviderContext): Promise<Aggregator> {
  const { AA_REGISTRY_URL, AA_ID } = ctx.config
  const url = `${AA_REGISTRY_URL}/entityInfo/AA/${encodeURIComponent(AA_ID)}`
  const answer = await orUnavailable(ctx, () => call({ method: 'GET', url, egress: egressPolicyOf(ctx.config) }))
  const entity = entityIn(answer)
  if (!entity?.webviewurl || !entity.baseurl) throw unavailable(ctx, `the directory returned ${answer.status}`)
  if (!ctx.config.SANDBOX && !entity.webviewurl.startsWith('https:'))
    throw unavailable(ctx, "the address of the borrower's page is not https")
  const keys = entity.keys.flatMap((jwk) => {
    const key = keyFromJwk(jwk)
    return key ? [[jwk.kid, key] as const] : []
  })
  return { id: entity.id, webViewUrl: entity.webviewurl, baseUrl: entity.baseurl, keys: new Map(keys) }
}

function entityIn({ status, body }: HttpAnswer): Entity | null {
  const value = status === 200 ? jsonIn(body) : null
  return fits(EntityReply, value) ? value.entityinfo : null
}

/**
 * Queries the status of a consent by its handle and, if it is approved, the signed consent. Throws `upstream` if the
 * aggregator sends no validly signed response.
 */
async function fetchConsentStatus(ctx: ProviderContext, handle: string): Promise<ConsentStatusReport> {
  const reply = await ask(ctx, '/Consent/handle', { ConsentHandle: handle }, HandleReply)
  if ('isUnknown' in reply) return { status: 'FAILED', consentId: null, artefact: null }
  const { id, status } = reply.value.ConsentStatus
  if ((status !== 'READY' && status !== 'APPROVED') || !id) return { status, consentId: id || null, artefact: null }
  const artefactReply = await ask(ctx, '/Consent/fetch', { consentId: id }, FetchReply)
  if ('isUnknown' in artefactReply) return { status, consentId: id, artefact: null }
  const { value, aggregator } = artefactReply
  const consent = await openCompactJws(value.signedConsent, (kid) => aggregator.keys.get(kid))
  const isSignatureValid = value.consentId === id && faults(SignedConsent, consent).length === 0
  if (!isSignatureValid)
    ctx.log.warn({ aggregator: aggregator.id }, 'a consent is not validly signed by its aggregator')
  return { status, consentId: id, artefact: { status: value.status, isSignatureValid } }
}

/** `isUnknown`: the aggregator does not know the consent. */
type Reply<T> = { value: T; aggregator: Aggregator } | { isUnknown: true }

/** Sends a request and verifies the signature of the response. In the sandbox, a 401 response registers us first. */
async function ask<T extends TSchema>(
  ctx: ProviderContext,
  path: string,
  content: object,
  schema: T,
): Promise<Reply<Static<T>>> {
  const aggregator = await aggregatorOf(ctx)
  let answer = await post(ctx, aggregator, path, content)
  if (answer.status === 401 && ctx.config.SANDBOX) {
    await registerAtSandbox(ctx)
    answer = await post(ctx, aggregator, path, content)
  }
  const signature = String(answer.headers['x-jws-signature'] ?? '')
  const current = aggregator.keys.has(kidOf(signature) ?? '') ? aggregator : await aggregatorOf(ctx, true)
  const keyOf = (kid: string) => current.keys.get(kid)
  if (answer.status === 200) {
    const reply = await readSigned(schema, answer.body, signature, keyOf)
    if ('value' in reply) return { value: reply.value, aggregator: current }
    throw unavailable(ctx, `the response to ${path} is ${reply.fault}`)
  }
  const errorReply = await readSigned(ApiError, answer.body, signature, keyOf)
  if ('value' in errorReply && /^InvalidConsent(Handle|Id)$/.test(errorReply.value.errorCode))
    return { isUnknown: true }
  throw unavailable(ctx, `${path} returned ${answer.status} ${'value' in errorReply ? errorReply.value.errorCode : ''}`)
}

async function post(ctx: ProviderContext, { baseUrl }: Aggregator, path: string, content: object): Promise<HttpAnswer> {
  const { body, signature } = await signedBody(content, { txnId: randomUUID(), at: ctx.clock() }, signerOf(ctx))
  const headers = {
    'content-type': 'application/json',
    client_api_key: ctx.config.AA_API_KEY,
    'x-jws-signature': signature,
  }
  const request = {
    method: 'POST',
    url: `${baseUrl}${path}`,
    headers,
    body,
    egress: egressPolicyOf(ctx.config),
  } as const
  return orUnavailable(ctx, () => call(request))
}

/** Registers us at the sandbox's aggregator. In production, the parties exchange keys and secrets beforehand. */
async function registerAtSandbox(ctx: ProviderContext): Promise<void> {
  const { AA_REGISTRY_URL, AA_LSP_ID, AA_SECRET, AA_API_KEY } = ctx.config
  const entity = { id: AA_LSP_ID, type: 'LSP', name: 'Lendloom', apiKey: AA_API_KEY, secret: AA_SECRET }
  const body = JSON.stringify({ ...entity, keys: [publicJwk(signerOf(ctx))] })
  const headers = { 'content-type': 'application/json' }
  await orUnavailable(ctx, () => call({ method: 'POST', url: `${AA_REGISTRY_URL}/entities`, headers, body }))
}

function signerOf(ctx: ProviderContext): Signer {
  const cached = cacheOf(ctx)
  const { AA_SIGNING_KEY, AA_KEY_ID } = ctx.config
  cached.signer ??= signerFrom(AA_KEY_ID, AA_SIGNING_KEY)
  return cached.signer
}

async function orUnavailable(ctx: ProviderContext, request: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof UnreachableError) throw unavailable(ctx, error.message)
    throw error
  }
}

function unavailable({ log }: ProviderContext, why: string): Refusal {
  log.warn({ why }, 'the account aggregator is unavailable')
  return new Refusal('upstream', 'the account aggregator did not answer', { retryAfterSeconds: 5 })
}

export const rebitAggregator = {
  identityOf: ({ config: { AA_ID, AA_HANDLE } }) => ({ aggregatorId: AA_ID, handle: AA_HANDLE }),
  find: (ctx) => aggregatorOf(ctx),
  redirect({ config: { AA_LSP_ID, AA_SECRET, AA_ESCAPED_FIELDS } }, { webViewUrl }, redirection, at) {
    const requestor = { id: AA_LSP_ID, type: 'LSP', secret: AA_SECRET } as const
    return redirectTo(webViewUrl, requestor, redirection, { at, escaped: AA_ESCAPED_FIELDS })
  },
  readReturn: ({ config: { AA_ID, AA_SECRET } }, query, at) =>
    readReturn(query, { aggregatorId: AA_ID, secret: AA_SECRET }, at),
  fetchConsentStatus,
} satisfies AggregatorPort

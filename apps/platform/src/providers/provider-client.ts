// Sends the requests of adapters to their providers, with time limits, and validates the responses.

import type { Readable } from 'node:stream'
import { jsonIn } from '@lendloom/foundation/json'
import { Refusal } from '@lendloom/foundation/refusal'
import { firstFault, fits, type Static, type TSchema } from '@lendloom/foundation/schema'
import { call, callForStream, type HttpAnswer, type HttpRequest, UnreachableError } from '@lendloom/http/client'
import { egressPolicyOf } from '@lendloom/http/egress-policy'
import type { Context } from '#platform/context.ts'

export type ProviderContext = Pick<Context, 'config' | 'clock' | 'log'>

/** A provider's URL, and our credentials there. */
export interface ProviderEndpoint {
  /** The provider's name in the exchange and in logs. */
  provider: string
  url: string
  /** Headers of every request, including the credential. */
  headers: Record<string, string>
  /** Returns the error code in a response of the provider, for the log; empty if the response contains none. */
  codeIn(body: unknown): string
}

export type ProviderCall = Pick<HttpRequest, 'headers' | 'body'> & {
  method: 'GET' | 'POST'
  path: string
  /** Whether the timeout is three times as long, for example because the request transfers a document. */
  hasLongTimeout?: boolean
}

/** A call that posts an object as JSON. */
export const postJson = (path: string, body: object): ProviderCall => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** Sends a request and parses the response. Throws `absent` for a 404 response, and `upstream` without a valid one. */
export async function askProvider<T extends TSchema>(
  ctx: ProviderContext,
  endpoint: ProviderEndpoint,
  request: ProviderCall,
  replySchema: T,
): Promise<Static<T>> {
  return parseAnswer(ctx, endpoint, await sendToProvider(ctx, endpoint, request), replySchema)
}

/** Sends a request and returns the response with any status. Throws `upstream` without a response. */
export function sendToProvider(
  ctx: ProviderContext,
  endpoint: ProviderEndpoint,
  { path, hasLongTimeout = false, ...request }: ProviderCall,
): Promise<HttpAnswer> {
  const headers = { ...request.headers, ...endpoint.headers }
  const timeoutMs = timeoutMsOf(ctx) * (hasLongTimeout ? 3 : 1)
  return orUnavailable(ctx, endpoint, () =>
    call({
      timeoutMs,
      maxBytes: 4 << 20,
      ...request,
      url: endpoint.url + path,
      headers,
      egress: egressPolicyOf(ctx.config),
    }),
  )
}

/** Parses a response. Throws the errors of `askProvider`. */
export function parseAnswer<T extends TSchema>(
  ctx: ProviderContext,
  endpoint: ProviderEndpoint,
  answer: HttpAnswer,
  replySchema: T,
): Static<T> {
  const value = jsonIn(answer.body)
  if (answer.status === 200 || answer.status === 201) {
    if (fits(replySchema, value)) return value
    throw providerUnavailable(ctx, endpoint, `invalid response: ${firstFault(replySchema, value)}`)
  }
  if (answer.status === 404) throw new Refusal('absent', `the ${endpoint.provider} does not know this reference`)
  throw providerUnavailable(ctx, endpoint, `returned ${answer.status} ${endpoint.codeIn(value)}`.trim())
}

/** Streams the file at a URL. Throws `absent` for a 404 response, and `upstream` without a successful one. */
export async function streamFromProvider(
  ctx: ProviderContext,
  endpoint: ProviderEndpoint,
  url: string,
  headers: Record<string, string>,
): Promise<Readable> {
  const answer = await orUnavailable(ctx, endpoint, () =>
    callForStream({ method: 'GET', url, headers, timeoutMs: timeoutMsOf(ctx), egress: egressPolicyOf(ctx.config) }),
  )
  if (answer.status === 200) return answer.body
  answer.body.resume()
  if (answer.status === 404) throw new Refusal('absent', 'the provider does not have this file')
  throw providerUnavailable(ctx, endpoint, `returned ${answer.status} for a file`)
}

/** Returns the page on which the borrower enters data. Throws `upstream` outside the sandbox unless it is encrypted. */
export function securePage(ctx: ProviderContext, endpoint: ProviderEndpoint, url: string): string {
  if (ctx.config.SANDBOX || url.startsWith('https:')) return url
  throw providerUnavailable(ctx, endpoint, "the address of the borrower's page is not https")
}

const timeoutMsOf = ({ config }: ProviderContext): number => config.PROVIDER_SECONDS * 1000

async function orUnavailable<T>(
  ctx: ProviderContext,
  endpoint: ProviderEndpoint,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof UnreachableError) throw providerUnavailable(ctx, endpoint, error.message)
    throw error
  }
}

/** Logs the reason and returns a refusal without the reason, which may contain host names and codes. */
export function providerUnavailable({ log }: ProviderContext, { provider }: ProviderEndpoint, why: string): Refusal {
  log.warn({ provider, why }, 'a provider call failed')
  return new Refusal('upstream', 'a provider is unavailable', { retryAfterSeconds: 5 })
}

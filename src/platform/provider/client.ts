// Calls of adapters to their providers: headers, time limits, and validation of responses.

import type { Readable } from 'node:stream'
import { call, callForStream, type HttpAnswer, type HttpRequest, UnreachableError } from '#kit/http/client.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { firstFault, fits, type Static, type TSchema } from '#kit/http/schema.ts'
import { jsonIn } from '#kit/runtime/record.ts'
import type { Context } from '#platform/context.ts'

export type ProviderContext = Pick<Context, 'config' | 'clock' | 'log'>

/** A provider's address, and our credentials there. */
export interface ProviderEndpoint {
  /** The provider's name in the exchange and in logs. */
  provider: string
  url: string
  /** Headers of every call, including the credential. */
  headers: Record<string, string>
  /** Returns the provider's own error code for the log; empty without one. */
  codeIn(body: unknown): string
}

export type ProviderCall = Pick<HttpRequest, 'headers' | 'body'> & {
  method: 'GET' | 'POST'
  path: string
  /** Whether the call transfers a document, which takes longer. */
  isLong?: boolean
}

export const postJson = (path: string, body: object): ProviderCall => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** Calls a provider; throws `absent` for an unknown resource, `upstream` without a valid response. */
export async function ask<T extends TSchema>(
  ctx: ProviderContext,
  endpoint: ProviderEndpoint,
  question: ProviderCall,
  reply: T,
): Promise<Static<T>> {
  return answerIn(ctx, endpoint, await send(ctx, endpoint, question), reply)
}

/** Returns any response; throws `upstream` without one. */
export function send(
  ctx: ProviderContext,
  endpoint: ProviderEndpoint,
  { path, isLong = false, ...question }: ProviderCall,
): Promise<HttpAnswer> {
  const headers = { ...question.headers, ...endpoint.headers }
  const timeoutMs = timeoutMsOf(ctx) * (isLong ? 3 : 1)
  return orUnavailable(ctx, endpoint, () =>
    call({ timeoutMs, maxBytes: 4 << 20, ...question, url: endpoint.url + path, headers, egress: reachOf(ctx) }),
  )
}

/** Parses a response. Throws like `ask`. */
export function answerIn<T extends TSchema>(
  ctx: ProviderContext,
  endpoint: ProviderEndpoint,
  answer: HttpAnswer,
  reply: T,
): Static<T> {
  const value = jsonIn(answer.body)
  if (answer.status === 200 || answer.status === 201) {
    if (fits(reply, value)) return value
    throw unavailable(ctx, endpoint, `invalid response: ${firstFault(reply, value)}`)
  }
  if (answer.status === 404) throw new Refusal('absent', `the ${endpoint.provider} does not know this reference`)
  throw unavailable(ctx, endpoint, `answered ${answer.status} ${endpoint.codeIn(value)}`.trim())
}

/** Streams the bytes at a URL; throws `absent` when they do not exist, `upstream` without a response. */
export async function stream(
  ctx: ProviderContext,
  endpoint: ProviderEndpoint,
  url: string,
  headers: Record<string, string>,
): Promise<Readable> {
  const answer = await orUnavailable(ctx, endpoint, () =>
    callForStream({ method: 'GET', url, headers, timeoutMs: timeoutMsOf(ctx), egress: reachOf(ctx) }),
  )
  if (answer.status === 200) return answer.body
  answer.body.resume()
  if (answer.status === 404) throw new Refusal('absent', 'the provider does not have this file')
  throw unavailable(ctx, endpoint, `a file answered ${answer.status}`)
}

const timeoutMsOf = ({ config }: ProviderContext): number => config.PROVIDER_SECONDS * 1000

/** Outside the sandbox, calls go only to public addresses. */
const reachOf = ({ config }: ProviderContext): 'anywhere' | 'public' => (config.SANDBOX ? 'anywhere' : 'public')

async function orUnavailable<T>(
  ctx: ProviderContext,
  endpoint: ProviderEndpoint,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof UnreachableError) throw unavailable(ctx, endpoint, error.message)
    throw error
  }
}

/** Logs the reason, which may contain hosts and codes, and returns a refusal without it. */
export function unavailable({ log }: ProviderContext, { provider }: ProviderEndpoint, why: string): Refusal {
  log.warn({ provider, why }, 'a provider call failed')
  return new Refusal('upstream', 'a provider is unavailable', { retryAfterSeconds: 5 })
}

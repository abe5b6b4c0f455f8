// How adapters call their providers: what every call carries, hard time limits, answers checked against their schema.

import type { Readable } from 'node:stream'
import { call, callForStream, type HttpAnswer, type HttpRequest, UnreachableError } from '#kit/http/client.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { firstFault, fits, type Static, type TSchema } from '#kit/http/schema.ts'
import { jsonIn } from '#kit/runtime/record.ts'
import type { Context } from '#platform/context.ts'

export type ProviderContext = Pick<Context, 'config' | 'clock' | 'log'>

/** A provider's address, and our credentials there. */
export interface Line {
  /** As the exchange and the logs name it. */
  provider: string
  url: string
  /** Headers of every call, including the credential. */
  headers: Record<string, string>
  /** The provider's own code in a refusal, for the log; empty when there is none. */
  codeIn(body: unknown): string
}

export type Question = Pick<HttpRequest, 'headers' | 'body'> & {
  method: 'GET' | 'POST'
  path: string
  /** Whether the call uploads a document, which takes longer. */
  isLong?: boolean
}

export const postJson = (path: string, body: object): Question => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** Refused `absent` for an unknown resource, `upstream` without a good answer. */
export async function ask<T extends TSchema>(
  ctx: ProviderContext,
  line: Line,
  question: Question,
  reply: T,
): Promise<Static<T>> {
  return answerIn(ctx, line, await send(ctx, line, question), reply)
}

/** Any answer. Refused `upstream` without one. */
export function send(
  ctx: ProviderContext,
  line: Line,
  { path, isLong = false, ...question }: Question,
): Promise<HttpAnswer> {
  const headers = { ...question.headers, ...line.headers }
  const timeoutMs = patienceMs(ctx) * (isLong ? 3 : 1)
  return reached(ctx, line, () =>
    call({ timeoutMs, maxBytes: 4 << 20, ...question, url: line.url + path, headers, egress: reachOf(ctx) }),
  )
}

/** Parses an answer. Refused as `ask` is. */
export function answerIn<T extends TSchema>(ctx: ProviderContext, line: Line, answer: HttpAnswer, reply: T): Static<T> {
  const value = jsonIn(answer.body)
  if (answer.status === 200 || answer.status === 201) {
    if (fits(reply, value)) return value
    throw away(ctx, line, `its answer is wrong: ${firstFault(reply, value)}`)
  }
  if (answer.status === 404) throw new Refusal('absent', `the ${line.provider} does not know this reference`)
  throw away(ctx, line, `it answered ${answer.status} ${line.codeIn(value)}`.trim())
}

/** The bytes at an address, streamed. Refused `absent` when they do not exist, `upstream` without an answer. */
export async function stream(
  ctx: ProviderContext,
  line: Line,
  url: string,
  headers: Record<string, string>,
): Promise<Readable> {
  const answer = await reached(ctx, line, () =>
    callForStream({ method: 'GET', url, headers, timeoutMs: patienceMs(ctx), egress: reachOf(ctx) }),
  )
  if (answer.status === 200) return answer.body
  answer.body.resume()
  if (answer.status === 404) throw new Refusal('absent', 'the provider does not have this file')
  throw away(ctx, line, `a file answered ${answer.status}`)
}

const patienceMs = ({ config }: ProviderContext): number => config.PROVIDER_SECONDS * 1000

/** Providers are called on the open internet only, unless the sandbox plays them. */
const reachOf = ({ config }: ProviderContext): 'anywhere' | 'public' => (config.SANDBOX ? 'anywhere' : 'public')

async function reached<T>(ctx: ProviderContext, line: Line, request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof UnreachableError) throw away(ctx, line, error.message)
    throw error
  }
}

/** The reason is for the log: it may name hosts and credentials that did not fit. */
export function away({ log }: ProviderContext, { provider }: Line, why: string): Refusal {
  log.warn({ provider, why }, 'a provider did not answer as agreed')
  return new Refusal('upstream', 'a provider did not answer', { retryAfterSeconds: 5 })
}

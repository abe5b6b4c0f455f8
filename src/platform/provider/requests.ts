// What the requests of every provider have in common: begun, looked up, withdrawn, told of by signed callbacks, their papers fetched.
import type { Readable } from 'node:stream'
import { callbackOf, readCallback } from '#contract/provider/callback.ts'
import type { Static, TSchema } from '#kit/http/schema.ts'
import {
  type Beginning,
  type Begun,
  beginningOf,
  begunOf,
  callbackSecret,
  download,
  get,
  type Line,
  type ProviderContext,
  post,
} from './client.ts'
import type { ProviderDocument, SignedReport } from './status-report.ts'

/** The settings that begin with this tell where a provider is, and what both know each other by. */
type Name = 'KYC' | 'MANDATE' | 'ESIGN' | 'STATEMENT'

export const lineTo = ({ config }: ProviderContext, name: Name): Line => ({
  provider: config[`${name}_PROVIDER`],
  url: config[`${name}_URL`],
  credential: config[`${name}_CREDENTIAL`],
})

/** Where a request of this reference is found. */
export const requestPath = (reference: string): string => `/requests/${encodeURIComponent(reference)}`

/** `answer` is what the provider says of a request, `standingOf` what that means here. */
export function requestsOf<Answer extends TSchema, Report>(
  name: Name,
  answer: Answer,
  statusOf: (told: Static<Answer>, provider: string) => Report,
) {
  const callback = callbackOf(answer)
  const report = (ctx: ProviderContext, told: Static<Answer>): Report => statusOf(told, lineTo(ctx, name).provider)
  return {
    /** Begins a request; the same `clientReference` again gives the same one. Refused `upstream`. */
    async begin(ctx: ProviderContext, beginning: Beginning, more: object): Promise<Begun> {
      const body = { ...beginningOf(beginning), ...more }
      const told = await post(ctx, lineTo(ctx, name), '/requests', body, answer)
      return begunOf(told as Parameters<typeof begunOf>[0])
    },
    /** What the provider's server says now. Refused `absent` for a reference it does not know, `upstream`. */
    fetch: async (ctx: ProviderContext, reference: string): Promise<Report> =>
      report(ctx, await get(ctx, lineTo(ctx, name), requestPath(reference), answer)),
    /** Withdraws a request and gives what it is now. Refused as `fetch` is. */
    cancel: async (ctx: ProviderContext, reference: string): Promise<Report> =>
      report(ctx, await post(ctx, lineTo(ctx, name), `${requestPath(reference)}/cancel`, {}, answer)),
    /** What a callback proves. Refused `bad-credential`, `malformed`, `invalid`. */
    verifyCallback(
      ctx: ProviderContext,
      raw: Buffer,
      headers: Record<string, string | string[] | undefined>,
      at: Date,
    ): SignedReport<Report> {
      const secret = callbackSecret(ctx, `${name}_CALLBACK_SECRET`)
      const read = readCallback(secret, callback, raw, headers, at)
      const told = read as unknown as { event_id: string; data: Static<Answer> }
      return { providerEventId: told.event_id, report: report(ctx, told.data) }
    },
    /** The bytes of one of its papers, as they come. */
    download: (
      ctx: ProviderContext,
      reference: string,
      document: Pick<ProviderDocument, 'fileId'>,
    ): Promise<Readable> => download(ctx, lineTo(ctx, name), reference, document),
  }
}

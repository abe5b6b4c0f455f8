// What the requests of every provider have in common: begun, looked up, withdrawn, told of by signed callbacks, their papers fetched.
import type { Readable } from 'node:stream'
import { callbackOf, readCallback } from '#contract/provider/callback.ts'
import type { Static, TSchema } from '#kit/schema.ts'
import {
  type Beginning,
  type Begun,
  beginningOf,
  begunOf,
  callbackSecret,
  download,
  get,
  type Line,
  post,
  type Speaker,
} from './speak.ts'
import type { ProviderDocument, Told } from './standing.ts'

/** The settings that begin with this tell where a provider is, and what both know each other by. */
type Name = 'KYC' | 'MANDATE' | 'ESIGN' | 'STATEMENT'

export const lineTo = ({ config }: Speaker, name: Name): Line => ({
  provider: config[`${name}_PROVIDER`],
  url: config[`${name}_URL`],
  credential: config[`${name}_CREDENTIAL`],
})

/** Where a request of this reference is found. */
export const requestPath = (reference: string): string => `/requests/${encodeURIComponent(reference)}`

/** `answer` is what the provider says of a request, `standingOf` what that means here. */
export function requestsOf<Answer extends TSchema, Standing>(
  name: Name,
  answer: Answer,
  standingOf: (told: Static<Answer>, provider: string) => Standing,
) {
  const callback = callbackOf(answer)
  const standing = (world: Speaker, told: Static<Answer>): Standing => standingOf(told, lineTo(world, name).provider)
  return {
    /** Begins a request; the same `clientReference` again gives the same one. Refused `upstream`. */
    async begin(world: Speaker, beginning: Beginning, more: object): Promise<Begun> {
      const body = { ...beginningOf(beginning), ...more }
      const told = await post(world, lineTo(world, name), '/requests', body, answer)
      return begunOf(told as Parameters<typeof begunOf>[0])
    },
    /** What the provider's server says now. Refused `absent` for a reference it does not know, `upstream`. */
    fetch: async (world: Speaker, reference: string): Promise<Standing> =>
      standing(world, await get(world, lineTo(world, name), requestPath(reference), answer)),
    /** Withdraws a request and gives what it is now. Refused as `fetch` is. */
    cancel: async (world: Speaker, reference: string): Promise<Standing> =>
      standing(world, await post(world, lineTo(world, name), `${requestPath(reference)}/cancel`, {}, answer)),
    /** What a callback proves. Refused `bad-credential`, `malformed`, `invalid`. */
    verifyCallback(
      world: Speaker,
      raw: Buffer,
      headers: Record<string, string | string[] | undefined>,
      at: Date,
    ): Told<Standing> {
      const secret = callbackSecret(world, `${name}_CALLBACK_SECRET`)
      const read = readCallback(secret, callback, raw, headers, at)
      const told = read as unknown as { event_id: string; data: Static<Answer> }
      return { providerEventId: told.event_id, standing: standing(world, told.data) }
    },
    /** The bytes of one of its papers, as they come. */
    download: (world: Speaker, reference: string, document: Pick<ProviderDocument, 'fileId'>): Promise<Readable> =>
      download(world, lineTo(world, name), reference, document),
  }
}

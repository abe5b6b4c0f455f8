// A provider's callback: what it would answer if it were asked, under a name of its own, signed as Standard Webhooks 1.0.0.
import { sign, verify } from '#contract/webhook/signature.ts'
import { readJson } from '#kit/http/body.ts'
import { parse, type Static, type TSchema, Type, Uuid } from '#kit/http/schema.ts'
import { Instant } from './request.ts'

/** What is posted about each change: `data` is what a look-up would have answered then. */
const Callback = Type.Object({ event_id: Uuid, sent_at: Instant, data: Type.Unknown() })

/** The bytes of a callback; every try sends the same ones, signed anew. */
export const callbackBody = (eventId: string, at: Date, data: object): Buffer =>
  Buffer.from(JSON.stringify({ event_id: eventId, sent_at: at.toISOString(), data }))

export const signCallback = (secret: string, eventId: string, at: Date, body: Buffer): Record<string, string> => ({
  'content-type': 'application/json',
  ...sign([secret], eventId, at, body),
})

/**
 * The callback inside these exact bytes, with `data` as the schema says. Refused as `bad-credential` when the signature does not hold or
 * is older than 300 s, before anything is parsed; as `malformed` or `invalid` when it is not what the provider sends.
 */
export function readCallback<T extends TSchema>(
  data: T,
  secret: string,
  { raw, headers, at }: { raw: Buffer; headers: Record<string, string | string[] | undefined>; at: Date },
): { eventId: string; data: Static<T> } {
  verify(secret, headers, raw, at)
  const callback = parse(Callback, readJson(raw))
  return { eventId: callback.event_id, data: parse(data, callback.data, 'data') }
}

// Links that are valid for a day for anyone who has them; their content is sealed in the token.
import { Refusal } from '#kit/http/refusal.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#platform/context.ts'

export interface DayLink {
  /** The path before the sealed part, as `/papers`. */
  prefix: string
  /** The kind of link; a token of one kind is invalid for another. */
  context: string
}

const daysGood = 1

/** The address that leads to a place, from `at` on for a day. */
export function dayUrl(
  { seal, config }: Pick<Context, 'seal' | 'config'>,
  { prefix, context }: DayLink,
  place: readonly string[],
  at: Date,
): string {
  const sealed = seal.json([...place, daysAfter(at, daysGood).getTime()], context)
  return `${config.PUBLIC_URL}${prefix}/${sealed.toString('base64url')}`
}

/** The place. Refused as `absent` when we never made the link, and once its day is over. */
export function openDayLink(
  { seal }: Pick<Context, 'seal'>,
  { context }: DayLink,
  token: string,
  at: Date,
): readonly string[] {
  let opened: (string | number)[]
  try {
    opened = seal.openJson(Buffer.from(token, 'base64url'), context)
  } catch {
    throw new Refusal('absent', 'there is nothing at this address')
  }
  if (at.getTime() > Number(opened.at(-1))) throw new Refusal('absent', 'this link has expired')
  return opened.slice(0, -1).map(String)
}

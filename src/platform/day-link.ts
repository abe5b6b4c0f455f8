// Links that are valid for a day and need no sign-in; their content is sealed in the token.
import { Refusal } from '#kit/http/refusal.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#platform/context.ts'

export interface DayLink {
  /** The path before the token, such as `/papers`. */
  prefix: string
  /** The kind of link; a token of one kind is invalid for another. */
  context: string
}

const validDays = 1

/** Returns a URL with the sealed `payload`, valid for a day from `at`. */
export function dayUrl(
  { seal, config }: Pick<Context, 'seal' | 'config'>,
  { prefix, context }: DayLink,
  payload: readonly string[],
  at: Date,
): string {
  const sealed = seal.json([...payload, daysAfter(at, validDays).getTime()], context)
  return `${config.PUBLIC_URL}${prefix}/${sealed.toString('base64url')}`
}

/** Returns the payload of a token; throws `absent` for a forged or expired one. */
export function openDayLink(
  { seal }: Pick<Context, 'seal'>,
  { context }: DayLink,
  token: string,
  at: Date,
): readonly string[] {
  let content: (string | number)[]
  try {
    content = seal.openJson(Buffer.from(token, 'base64url'), context)
  } catch {
    throw new Refusal('absent', 'there is nothing at this address')
  }
  if (at.getTime() > Number(content.at(-1))) throw new Refusal('absent', 'this link has expired')
  return content.slice(0, -1).map(String)
}

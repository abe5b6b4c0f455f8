// Links that are valid for a day without a sign-in. The token in the URL is sealed content.

import { daysAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Context } from './context.ts'

export interface DayLink {
  /** The path before the token, such as `/papers`. */
  prefix: string
  /** Context of the seal. A token that was sealed in another context is invalid. */
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

/** Returns the payload of a token. Throws `absent` for a forged or expired token. */
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

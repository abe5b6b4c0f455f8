// The checks that every message of a lender passes before it is stored: its version, and whether it repeats another.

import { isDeepStrictEqual } from 'node:util'
import { parseJson } from '@lendloom/foundation/json'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import type { LenderContext, MessageContext } from '@lendloom/wire/network/context'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import type { Conversation } from './conversation.ts'
import { dialectOfConversation, domainOfConversation } from './dialect.ts'
import { readAccepted } from './messages/store.ts'

/** Throws `invalid` unless the message is in the version and domain that the lender chose (FIS12 §1, §27). */
export function requireVersion(conversation: Conversation | null, { version, domain }: MessageContext): void {
  if (!conversation) return
  const chosen = { version: dialectOfConversation(conversation), domain: domainOfConversation(conversation) }
  const like = "like the lender's catalogue"
  if (version !== chosen.version)
    throw invalid({ path: 'context.version', message: `must be ${chosen.version}, ${like}` })
  if (domain !== chosen.domain) throw invalid({ path: 'context.domain', message: `must be ${chosen.domain}, ${like}` })
}

/**
 * Returns whether we accepted this message before. Throws `reused-key` if it has the same ids but other content, which is not
 * compared with a message in the archive.
 */
export async function checkForRepeat(
  { tx, seal }: Pick<TxContext, 'tx' | 'seal'>,
  journey: Journey,
  { action, context, raw }: { action: string; context: LenderContext; raw: Buffer },
): Promise<boolean> {
  const key = { action, messageId: context.message_id, party: context.bpp_id }
  const before = await readAccepted(tx, seal, journey, key)
  if (!before) return false
  if (!before.isArchived && !isDeepStrictEqual(contentOf(before.body), contentOf(raw)))
    throw new Refusal('reused-key', 'context.message_id was used for another message', { field: 'context.message_id' })
  return true
}

/** Returns the content without the context, because a retry may have a new timestamp. */
function contentOf(raw: Buffer): unknown {
  const { message, error } = parseJson(raw)
  return { message, error }
}

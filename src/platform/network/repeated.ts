// Whether a lender sends a message that was taken before: acknowledged once more, refused with other content (FIS12 §3.3).
import { isDeepStrictEqual } from 'node:util'
import type { LenderContext } from '#contract/network/context.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { readTaken } from './archive/store.ts'

/**
 * A message is known by (transaction, message, action, sender). Refused as `reused-key` when its content is another one: it
 * would be lost, so its sender is told.
 */
export async function isRepeated(
  { tx, seal }: Pick<TxContext, 'tx' | 'seal'>,
  journey: Journey,
  { action, context, raw }: { action: string; context: LenderContext; raw: Buffer },
): Promise<boolean> {
  const by = { action, messageId: context.message_id, party: context.bpp_id }
  const before = await readTaken(tx, seal, journey, by)
  if (!before) return false
  if (!isDeepStrictEqual(contentOf(before.body), contentOf(raw)))
    throw new Refusal('reused-key', 'context.message_id was used for another message', { field: 'context.message_id' })
  return true
}

/** Without the context, of which a retry may renew the timestamp. */
function contentOf(raw: Buffer): unknown {
  const { message, error } = JSON.parse(raw.toString('utf8'))
  return { message, error }
}

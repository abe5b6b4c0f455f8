// How much mail of one sender, to one address and in one thread is taken in within an hour. It is counted over the mails that
// are kept, so all processes share the count; mails that arrive in the same instant may exceed it by as many.

import { nobody } from '#kit/messaging/queue.ts'
import type { MailIds } from '#kit/runtime/mail-read.ts'
import { counter } from '#kit/runtime/metrics.ts'
import type { Context, TxContext } from '#platform/context.ts'
import { addressOf } from './mail.ts'
import { countArrived, type LimitDigests } from './store.ts'

const refused = counter('mail_in_refused_total', 'Mail that was refused for an hour, as there was too much of it', [
  'by',
])
const windowMs = 3_600_000

export interface MailOrigin {
  /** The return path; null for reports of mail servers, which no sender limits. */
  from: string | null
  tag: string | null
  ids: MailIds
}

/** What a mail is counted by. Its thread is that of its tag, else that of the mails that it answers. */
export function limitDigests({ seal, config }: Pick<Context, 'seal' | 'config'>, mail: MailOrigin): LimitDigests {
  const { from, tag, ids } = mail
  const digest = (value: string | null, by: string) => (value === null ? null : seal.digest(value, `mail_in.${by}`))
  return {
    senderDigest: digest(from?.toLowerCase() ?? null, 'sender'),
    addressDigest: digest(addressOf(config.MAIL_DOMAIN, tag), 'address'),
    threadDigest: digest(tag ?? ids.thread, 'thread'),
  }
}

/** Why a mail that was just stored is one too many, as its sender reads it; null when it is not. */
export async function excessOf(
  { tx, at, config }: Pick<TxContext, 'tx' | 'at' | 'config'>,
  digests: LimitDigests,
): Promise<string | null> {
  const limits = {
    sender: config.MAIL_IN_PER_SENDER,
    address: config.MAIL_IN_PER_ADDRESS,
    thread: config.MAIL_IN_PER_THREAD,
  }
  // Clocks of other processes may be ahead.
  const since = new Date(at.getTime() - windowMs)
  const until = new Date(at.getTime() + windowMs)
  const counts = await countArrived(tx, nobody, { ...digests, since, until })
  for (const by of ['sender', 'thread', 'address'] as const)
    if (counts[by] > limits[by]) {
      refused.inc({ by })
      return `more than ${limits[by]} mails of this ${by} within an hour, come again later`
    }
  return null
}

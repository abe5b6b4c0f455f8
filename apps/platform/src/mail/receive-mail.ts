// Stores each incoming mail unchanged, once per recipient address of ours, before the mail server accepts the mail.

import { counter } from '@lendloom/foundation/metrics'
import { digestOf, type MailIds, mailIdsOf } from '@lendloom/mail/mail-read'
import { listenForMail, MailRefusal, type MailServer, type ReceivedMail } from '@lendloom/mail/mail-server'
import { enqueue, noTenantId } from '@lendloom/queue/queue'
import { uuidv7 } from '@lendloom/seal/id'
import type { Context, TxContext } from '#platform/context.ts'
import { addressOf, recipientOf } from './outgoing-mail.ts'
import { countReceivedMails, insertReceivedMail, type LimitDigests, type MailKey } from './store.ts'

export const incomingMailQueue = 'mail-in'

export interface MailEnvelope {
  from: string | null
  tag: string | null
}

export const mailPartContext = (part: 'envelope' | 'message', { tenantId, mailId }: MailKey): string =>
  `mail_in.${part}:${tenantId}:${mailId}`

export const startIncomingMail = (ctx: Context, port: number): Promise<MailServer> => {
  const { config, log } = ctx
  const { MAIL_DOMAIN: domain, MAIL_IN_PROTOCOL: protocol, MAIL_IN_MAX_BYTES: maxBytes } = config
  return listenForMail({
    host: config.HOST,
    port,
    protocol,
    name: domain,
    maxBytes,
    log,
    isOurs: (address) => recipientOf(address, domain) !== undefined,
    store: (mail) => storeIncomingMail(ctx, mail),
  })
}

/**
 * Stores a mail once per recipient address of ours. A second delivery of the same message is not stored; another message
 * with the same Message-ID is. Temporarily rejects a mail that exceeds a limit, so that the sending server retries.
 */
async function storeIncomingMail(ctx: Context, { from, to, raw }: ReceivedMail): Promise<void> {
  const { db, seal, clock, config } = ctx
  const at = clock()
  const tags = new Set(to.flatMap((address) => recipientOf(address, config.MAIL_DOMAIN) ?? []).map(({ tag }) => tag))
  const ids = mailIdsOf(raw)
  const message = digestOf(raw).toString('hex')
  await db.tx(async (tx) => {
    for (const tag of tags) {
      const key = { tenantId: noTenantId, mailId: uuidv7(at.getTime()) }
      const digests = limitDigests(ctx, { from, tag, ids })
      const isNew = await insertReceivedMail(tx, {
        ...key,
        ...digests,
        digest: seal.digest(`${message} ${addressOf(config.MAIL_DOMAIN, tag)}`, 'mail_in'),
        envelopeSealed: seal.json({ from, tag } satisfies MailEnvelope, mailPartContext('envelope', key)),
        messageSealed: seal.bytes(raw, mailPartContext('message', key)),
        sizeBytes: raw.length,
        receivedAt: at,
      })
      if (!isNew) continue
      const excess = await limitExcess({ tx, at, config }, digests)
      if (excess !== null) throw new MailRefusal(450, excess)
      await enqueue(tx, {
        tenantId: noTenantId,
        kind: incomingMailQueue,
        payload: { mailId: key.mailId },
        dueAt: at,
      })
    }
  })
}

const refusalCounter = counter(
  'mail_in_refused_total',
  'Mail that was temporarily rejected because of an hourly limit',
  ['by'],
)
const windowMs = 3_600_000

interface MailOrigin {
  /** The return path; null for bounces, which have no sender limit. */
  from: string | null
  tag: string | null
  ids: MailIds
}

/** Digests of the values that the limits count. A thread is identified by its tag, or else by the referenced mails. */
function limitDigests({ seal, config }: Pick<Context, 'seal' | 'config'>, mail: MailOrigin): LimitDigests {
  const { from, tag, ids } = mail
  const digest = (value: string | null, by: string) => (value === null ? null : seal.digest(value, `mail_in.${by}`))
  return {
    senderDigest: digest(from?.toLowerCase() ?? null, 'sender'),
    addressDigest: digest(addressOf(config.MAIL_DOMAIN, tag), 'address'),
    threadDigest: digest(tag ?? ids.thread, 'thread'),
  }
}

/**
 * Returns a text for the sender if a newly stored mail exceeds an hourly limit, or else null. The limits hold across
 * processes, because they count stored mail. Simultaneous mail may exceed the limits slightly.
 */
async function limitExcess(
  { tx, at, config }: Pick<TxContext, 'tx' | 'at' | 'config'>,
  digests: LimitDigests,
): Promise<string | null> {
  const limits = {
    sender: config.MAIL_IN_PER_SENDER,
    address: config.MAIL_IN_PER_ADDRESS,
    thread: config.MAIL_IN_PER_THREAD,
  }
  const since = new Date(at.getTime() - windowMs)
  // The end is in the future, because the clocks of other processes may be ahead.
  const until = new Date(at.getTime() + windowMs)
  const counts = await countReceivedMails(tx, noTenantId, { ...digests, since, until })
  for (const by of ['sender', 'thread', 'address'] as const)
    if (counts[by] > limits[by]) {
      refusalCounter.inc({ by })
      return `more than ${limits[by]} mails of this ${by} within an hour; try again later`
    }
  return null
}

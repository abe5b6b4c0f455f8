// Receives mail over SMTP or LMTP for our own recipients, within limits; accepts a mail (250) only after storing it.

import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { Log } from '#kit/runtime/log.ts'
import { isObject } from '#kit/runtime/record.ts'

export interface ReceivedMail {
  /** The return path; null for a mail that must not be answered, such as a bounce. */
  from: string | null
  to: string[]
  /** The unparsed message. */
  raw: Buffer
}

export interface MailServerOptions {
  host: string
  /** 0 selects a free port. */
  port: number
  protocol: 'smtp' | 'lmtp'
  /** The server's own name. */
  name: string
  maxBytes: number
  /** Whether this server accepts mail for the recipient; it relays no mail. */
  isOurs(address: string): boolean
  /** Resolves when the mail is durable. Any error except a `MailRefusal` is reported to the sender as temporary. */
  store(mail: ReceivedMail): Promise<void>
  log: Pick<Log, 'warn' | 'error'>
}

export interface MailServer {
  port: number
  /** Accepts no more mails; resolves when those in progress are stored. */
  stop(): Promise<void>
}

const maxRecipients = 20
const maxConnections = 50
const idleTimeoutMs = 60_000
/** Limit on the bytes of all incoming mails in memory. */
const maxBytesAtOnce = 256 << 20

/** An answer to the sending server: 45x temporary, 55x permanent (RFC 5321 §4.2.1). */
export class MailRefusal extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

/** Listens without authentication: the operator's mail server must be in front of this port. */
export async function listenForMail(options: MailServerOptions): Promise<MailServer> {
  const { host, port, protocol, name, maxBytes, isOurs, store, log } = options
  const { SMTPServer } = await import('smtp-server')
  const memory: Memory = { bytes: 0 }
  const server = new SMTPServer({
    ...{ name, banner: 'Lendloom', size: maxBytes, lmtp: protocol === 'lmtp', authOptional: true },
    ...{ disabledCommands: ['AUTH', 'STARTTLS'], disableReverseLookup: true, logger: false },
    ...{ maxClients: maxConnections, maxRecipients, socketTimeout: idleTimeoutMs, closeTimeout: 5000 },
    onRcptTo: ({ address }, _session, done) =>
      done(isOurs(address) ? null : new MailRefusal(550, 'no such mailbox; this server does not relay mail')),
    onData(stream, { envelope }, done) {
      const from = envelope.mailFrom ? envelope.mailFrom.address || null : null
      const to = envelope.rcptTo.map(({ address }) => address)
      collectMail(stream, memory, maxBytes, (raw) => store({ from, to, raw })).then(
        () => done(null, 'stored'),
        (error) => {
          if (error instanceof MailRefusal) return done(error)
          log.error({ err: error }, 'a mail could not be stored; its sender was asked to retry')
          done(new MailRefusal(451, 'the mail could not be stored; try again later'))
        },
      )
    },
  })
  server.on('error', (error) => log.warn({ err: error }, 'a mail connection failed'))
  const listening = server.listen(port, host)
  await once(listening, 'listening')
  const address = listening.address()
  return {
    port: isObject(address) ? Number(address.port) : port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Bytes of all incoming mails in memory. */
interface Memory {
  bytes: number
}

/** Stores a mail once it has arrived. A refused mail is also read to its end: senders read the answer only then. */
async function collectMail(
  stream: Readable & { sizeExceeded: boolean },
  memory: Memory,
  maxBytes: number,
  store: (raw: Buffer) => Promise<void>,
): Promise<void> {
  const chunks: Buffer[] = []
  let mailBytes = 0
  let isOverLimit = false
  try {
    for await (const chunk of stream) {
      if (!Buffer.isBuffer(chunk) || stream.sizeExceeded) continue
      isOverLimit ||= memory.bytes + chunk.length > maxBytesAtOnce
      if (isOverLimit) continue
      memory.bytes += chunk.length
      mailBytes += chunk.length
      chunks.push(chunk)
    }
    if (stream.sizeExceeded) throw new MailRefusal(552, `larger than ${maxBytes} bytes`)
    if (isOverLimit) throw new MailRefusal(452, 'too much mail is arriving at once; try again later')
    await store(Buffer.concat(chunks))
  } finally {
    memory.bytes -= mailBytes
  }
}

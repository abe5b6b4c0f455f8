// Receives mail for our own mailboxes over SMTP or LMTP. Acknowledges a mail (250) only after storing it.

import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { load } from '@lendloom/foundation/load-package'
import type { Log } from '@lendloom/foundation/log'
import { isObject } from '@lendloom/foundation/record'
import { bytesPerPiece } from '@lendloom/http/body-stream'
import type * as smtpServer from 'smtp-server'

export interface ReceivedMail {
  /** The return path; null when no reply may be sent, for example to a bounce. */
  from: string | null
  to: string[]
  /** The unparsed message. */
  raw: Buffer
}

export interface MailServerOptions {
  host: string
  /** 0 selects any free port. */
  port: number
  protocol: 'smtp' | 'lmtp'
  /** The host name in the server's greeting. */
  name: string
  maxBytes: number
  /** Whether the address is a mailbox of this server; mail for other addresses is refused. */
  isOurs(address: string): boolean
  /** Resolves when the mail is durable. Every error except a `MailRefusal` makes the sender retry. */
  store(mail: ReceivedMail): Promise<void>
  log: Pick<Log, 'warn' | 'error'>
}

export interface MailServer {
  port: number
  /** Accepts no more mail; resolves when mails in progress are stored. */
  stop(): Promise<void>
}

const maxRecipients = 20
const maxConnections = 50
const idleTimeoutMs = 60_000
/** Maximum total size of the mails that are being received, as a multiple of the largest one. */
const maxMailsAtOnce = 6

/** A refusal to the sending server: 45x is temporary, 55x is permanent (RFC 5321 §4.2.1). */
export class MailRefusal extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

/** Listens without authentication, so only the operator's mail server may reach this port. */
export async function listenForMail(options: MailServerOptions): Promise<MailServer> {
  const { host, port, protocol, name, maxBytes, isOurs, store, log } = options
  const { SMTPServer }: typeof smtpServer = load('smtp-server')
  const memory: ReceiveMemory = { bytes: 0, maxBytes: maxMailsAtOnce * maxBytes }
  const server = new SMTPServer({
    name,
    banner: 'Lendloom',
    size: maxBytes,
    lmtp: protocol === 'lmtp',
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    maxClients: maxConnections,
    maxRecipients,
    socketTimeout: idleTimeoutMs,
    closeTimeout: 5000,
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

/** Memory of all mails that are being received: their bytes, and what their pieces cost. */
interface ReceiveMemory {
  bytes: number
  maxBytes: number
}

/** Stores a mail. Also reads a refused mail to its end, because the sender reads the answer only then. */
async function collectMail(
  stream: Readable & { sizeExceeded: boolean },
  memory: ReceiveMemory,
  maxBytes: number,
  store: (raw: Buffer) => Promise<void>,
): Promise<void> {
  const chunks: Buffer[] = []
  let usedBytes = 0
  let isOverLimit = false
  try {
    for await (const chunk of stream) {
      if (!Buffer.isBuffer(chunk) || stream.sizeExceeded) continue
      const pieceBytes = chunk.length + bytesPerPiece
      isOverLimit ||= memory.bytes + pieceBytes > memory.maxBytes
      if (isOverLimit) continue
      memory.bytes += pieceBytes
      usedBytes += pieceBytes
      chunks.push(chunk)
    }
    if (stream.sizeExceeded) throw new MailRefusal(552, `the mail is larger than ${maxBytes} bytes`)
    if (isOverLimit) throw new MailRefusal(452, 'too much mail is arriving at once; try again later')
    await store(Buffer.concat(chunks))
  } finally {
    memory.bytes -= usedBytes
  }
}

// The platform's mail with a third-party mail server, Debian's aiosmtpd: temporary and permanent rejections, and mandatory TLS.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeClockOffset } from '@lendloom/foundation/clock'
import type { SentMail } from '@lendloom/platform/src/mail/outgoing-mail.ts'
import { listMailsAbout, queueMail } from '@lendloom/platform/src/mail/queue-mail.ts'
import { platformColumns } from '@lendloom/platform/src/sealed-columns.ts'
import { noTenantId } from '@lendloom/queue/queue'
import { uuidv4 } from '@lendloom/seal/id'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import { freePort } from '@lendloom/tests/setup/platform'
import { startApi } from '../../bench/setup/api.ts'
import { type BenchDatabase, benchDatabase } from '../../bench/setup/database.ts'
import { type Certificates, makeCertificates, opensslMissing } from './certificates.ts'
import type { Checks } from './checks.ts'
import type { Part } from './part.ts'
import { directoryFor, startServer } from './server.ts'
import { until } from './until.ts'

const aiosmtpd = '/usr/bin/aiosmtpd'

/** Accepts mail for any recipient, for `later@` from the second attempt on, and never for `never@`; records each accepted mail. */
const handler = `import email
import json
import os


class Handler:
    def __init__(self, directory):
        self.directory = directory
        self.put_off = 0

    @classmethod
    def from_cli(cls, parser, *args):
        return cls(args[0])

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("never@"):
            return "550 5.1.1 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        to = envelope.rcpt_tos[0]
        if to.startswith("later@") and self.put_off == 0:
            self.put_off += 1
            return "451 4.3.0 come again"
        sent = email.message_from_bytes(envelope.content)
        line = {"id": sent["Message-ID"], "to": to, "tls": session.ssl is not None}
        with open(os.path.join(self.directory, "taken"), "a") as file:
            file.write(json.dumps(line) + "\\n")
        return "250 2.0.0 taken"
`

interface Taken {
  id: string
  to: string
  tls: boolean
}

interface MailServer {
  /** URL with the host of the server's certificate. */
  url: string
  taken(): Taken[]
  stop(): void
}

async function startMailServer(directory: string, name: string, tls?: Certificates): Promise<MailServer> {
  const home = join(directory, name)
  mkdirSync(home)
  writeFileSync(join(home, 'mail_handler.py'), handler)
  const port = await freePort()
  const secured = tls ? ['--tlscert', tls.certificateFile, '--tlskey', tls.keyFile, '--no-requiretls'] : []
  const args = ['-n', '-l', `127.0.0.1:${port}`, ...secured, '-c', 'mail_handler.Handler', home]
  const env = { PYTHONPATH: home }
  const stop = await startServer({ name: 'aiosmtpd', command: aiosmtpd, args, directory: home, env, port })
  const file = join(home, 'taken')
  return {
    url: `smtp://localhost:${port}`,
    taken: () =>
      existsSync(file)
        ? readFileSync(file, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
    stop,
  }
}

export const mail: Part = {
  name: 'mail',
  missing: () =>
    existsSync(aiosmtpd) ? opensslMissing() : `there is no ${aiosmtpd}: apt-get install python3-aiosmtpd`,
  async prove(note) {
    const { directory, remove } = directoryFor('mail')
    const stops: (() => void | Promise<void>)[] = [remove]
    try {
      const certificates = makeCertificates(directory)
      const plain = await startMailServer(directory, 'plain')
      stops.push(plain.stop)
      const secured = await startMailServer(directory, 'secured', certificates)
      stops.push(secured.stop)
      const database = await benchDatabase(4)
      stops.push(() => database.stop())
      const keys = newSealKey('k1')
      const stage: Stage = { directory, database, keys, note, certificates, plain, secured }
      await laterAndNever(stage)
      await byTls(stage)
      return `${plain.taken().length + secured.taken().length} mails taken`
    } finally {
      for (const stop of stops.reverse()) await stop()
    }
  },
}

interface Stage {
  directory: string
  database: BenchDatabase
  /** The platform's keys, the same for all of its processes. */
  keys: string
  note: Checks['note']
  certificates: Certificates
  plain: MailServer
  secured: MailServer
}

const clockIn = (directory: string): string => join(directory, 'clock')

/** Runs a platform worker that sends through the mail server while `work` runs. */
async function sendingBy(
  { directory, database, keys }: Stage,
  env: Record<string, string>,
  work: () => Promise<void>,
): Promise<void> {
  const own = { MODE: 'worker', CLOCK_FILE: clockIn(directory), LENDLOOM_KEYS: keys, LOG_LEVEL: 'silent' }
  const worker = await startApi(database.url, { ...own, ...env })
  try {
    await work()
  } finally {
    worker.stop()
  }
}

interface Queued {
  mailId: string
  messageId: string
  seen(): Promise<SentMail>
}

async function queued({ database: { db }, keys }: Stage, to: string): Promise<Queued> {
  const subjectId = uuidv4()
  const seal = sealWith(keys, '', platformColumns)
  const about = {
    tenantId: noTenantId,
    kind: 'report' as const,
    subjectId,
    subject: 'The report',
    text: 'It is ready.',
  }
  const rest = { replyTag: null, inReplyTo: null, attachments: [] }
  const config = { MAIL_DOMAIN: 'help.lendloom.example' }
  const made = await db.tx((tx) => queueMail({ tx, at: new Date(), seal, config }, { ...about, ...rest, to }))
  const seen = async (): Promise<SentMail> => {
    const [mail] = await listMailsAbout(db, noTenantId, 'report', subjectId)
    if (!mail) throw new Error('the mail was not found')
    return mail
  }
  return { ...made, seen }
}

const saying = (mail: SentMail): string => `${mail.state}, ${mail.tries} tries, ${mail.answer}`

async function laterAndNever(stage: Stage): Promise<void> {
  const { plain, directory, note } = stage
  const later = await queued(stage, 'later@mail.example')
  const never = await queued(stage, 'never@mail.example')
  await sendingBy(stage, { SMTP_URL: plain.url }, async () => {
    await until(async () => (await later.seen()).tries === 1, 'the mail server was tried')
    const first = await later.seen()
    const isWaiting = first.state === 'QUEUED' && /^451 4\.3\.0/.test(first.answer ?? '')
    note('mail that the server defers with 451 is kept', isWaiting && first.nextTryAt !== null, saying(first))
    note('the deferred mail has not arrived', plain.taken().length === 0)
    await until(async () => (await never.seen()).state === 'FAILED', 'it is given up')
    const refused = await never.seen()
    note('mail to a recipient rejected with 550 fails at once', refused.tries === 1, saying(refused))
    // The second attempt is a minute after the first.
    writeClockOffset(clockIn(directory), 61_000)
    await until(async () => (await later.seen()).state === 'SENT', 'it is sent')
  })
  const arrived = plain.taken().filter(({ id }) => id === later.messageId)
  note('a minute later it is retried and arrives once, with its Message-ID', arrived.length === 1)
  note('nothing else has arrived', plain.taken().length === 1, plain.taken().length)
}

async function byTls(stage: Stage): Promise<void> {
  const { plain, secured, certificates, note } = stage
  const message = await queued(stage, 'asha@mail.example')
  const tries = async (count: number): Promise<SentMail> => {
    await until(async () => (await message.seen()).tries === count, 'the mail server was tried')
    return message.seen()
  }
  await sendingBy(stage, { SMTP_URL: secured.url }, async () => {
    const refused = await tries(1)
    const isAboutIt = refused.state === 'QUEUED' && /certificate/.test(refused.answer ?? '')
    note('nothing is sent over STARTTLS with an untrusted certificate', isAboutIt, saying(refused))
  })
  const untouched = plain.taken().length
  writeClockOffset(clockIn(stage.directory), 2 * 61_000)
  await sendingBy(stage, { SMTP_URL: `${plain.url}?requireTLS=true` }, async () => {
    const refused = await tries(2)
    note('nothing is sent with requireTLS to a server without STARTTLS', refused.state === 'QUEUED', saying(refused))
  })
  note('neither server received the mail', secured.taken().length === 0 && plain.taken().length === untouched)
  writeClockOffset(clockIn(stage.directory), 20 * 61_000)
  await sendingBy(stage, { SMTP_URL: secured.url, NODE_EXTRA_CA_CERTS: certificates.authorityFile }, async () => {
    await until(async () => (await message.seen()).state === 'SENT', 'it is sent')
  })
  const [arrived, ...more] = secured.taken()
  const isIt = arrived?.id === message.messageId && arrived.tls && more.length === 0
  note('control: with a trusted authority it arrives once, over TLS', isIt)
}

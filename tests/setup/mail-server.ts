// An SMTP server for tests that accepts every mail or refuses all.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { SMTPServer } from 'smtp-server'

interface Mail {
  from: string
  to: string[]
  text: string
}

export interface MailServer {
  url: string
  mails: Mail[]
  /** Reply code that refuses every mail; null accepts them. */
  refusalCode: number | null
}

/** `true` means a full mailbox (452). */
export async function mailServer(refusalCode: boolean | number = false): Promise<MailServer> {
  const mails: Mail[] = []
  const mailbox: MailServer = { url: '', mails, refusalCode: refusalCode === true ? 452 : refusalCode || null }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const [to] = envelope.rcptTo
        if (mailbox.refusalCode !== null)
          return done(
            Object.assign(new Error(`the mailbox of <${to?.address}> is full`), { responseCode: mailbox.refusalCode }),
          )
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString() })
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  after(() => server.close())
  mailbox.url = `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`
  return mailbox
}

// A mail server for tests: it takes every mail over SMTP, or refuses all.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { SMTPServer } from 'smtp-server'

export interface Mail {
  from: string
  to: string[]
  text: string
}

export async function mailServer(refuse = false): Promise<{ url: string; mails: Mail[] }> {
  const mails: Mail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (refuse) return done(Object.assign(new Error('the mailbox is full'), { responseCode: 452 }))
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString() })
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  after(() => server.close())
  return { url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`, mails }
}

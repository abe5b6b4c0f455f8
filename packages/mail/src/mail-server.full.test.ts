// The mail server over real SMTP: the memory of mails that are being received.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { quietLog } from '@lendloom/foundation/log'
import { listenForMail } from './mail-server.ts'

const maxBytes = 100_000
const sizes: number[] = []
const server = await listenForMail({
  host: '127.0.0.1',
  port: 0,
  protocol: 'smtp',
  name: 'help.lendloom.example',
  maxBytes,
  log: quietLog,
  isOurs: () => true,
  store: async ({ raw }) => void sizes.push(raw.length),
})
after(() => server.stop())

/** Sends a mail in TCP segments of `pieceBytes`; returns the reply to its end. */
async function sendInPieces(mail: string, pieceBytes: number): Promise<string> {
  const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1')
  const replies = socket[Symbol.asyncIterator]()
  const reply = async (): Promise<string> => (await replies.next()).value
  await once(socket, 'connect')
  await reply()
  for (const command of [
    'HELO mail.example',
    'MAIL FROM:<asha@mail.example>',
    'RCPT TO:<grievance@help.example>',
    'DATA',
  ]) {
    socket.write(`${command}\r\n`)
    await reply()
  }
  for (let at = 0; at < mail.length; at += pieceBytes) {
    socket.write(mail.slice(at, at + pieceBytes))
    // The server reads the segment before the next one arrives.
    await nextTurn()
    await nextTurn()
  }
  socket.write('\r\n.\r\n')
  const answer = await reply()
  socket.destroy()
  return answer
}

const mailOf = (bytes: number): string => 'Subject: A charge\r\n\r\n'.padEnd(bytes, 'a line of the mail\r\n')

test('a mail in segments of 1,448 bytes is stored; one in very small pieces gets 452, and leaves its memory to the next', async () => {
  for (let round = 0; round < 2; round++) {
    assert.match(await sendInPieces(mailOf(20_000), 1), /^452 .*too much mail/)
    assert.match(await sendInPieces(mailOf(95_000), 1448), /^250 /)
  }
  assert.equal(sizes.length, 2)
})

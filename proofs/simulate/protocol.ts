// The messages of PostgreSQL's protocol that the simulated connections need.

export const [ready, parse, terminate, notification, errorResponse, simpleQuery, sync, dataRow] = [...'ZPXAEQSD'].map(
  (type) => type.charCodeAt(0),
)

export interface Message {
  type: number
  bytes: Buffer
}

export function* messagesIn(bytes: Buffer): Generator<Message> {
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 1 + bytes.readInt32BE(at + 1)
    if (end > bytes.length) return
    yield { type: bytes.readUInt8(at), bytes: bytes.subarray(at, end) }
    at = end
  }
}

export const nameOf = ({ bytes }: Message): string => bytes.toString('latin1', 5, bytes.indexOf(0, 5))

function messageOf(type: string, body: Buffer): Buffer {
  const bytes = Buffer.alloc(5 + body.length)
  bytes.write(type, 0, 'latin1')
  bytes.writeInt32BE(4 + body.length, 1)
  body.copy(bytes, 5)
  return bytes
}

export const queryOf = (text: string): Buffer => messageOf('Q', Buffer.from(`${text}\0`))
export const emptyParse = messageOf('P', Buffer.from([0, 0, 0, 0]))

const parameters = {
  server_version: '18.0',
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  integer_datetimes: 'on',
  TimeZone: 'UTC',
  standard_conforming_strings: 'on',
}
export const greeting = Buffer.concat([
  messageOf('R', Buffer.alloc(4)),
  ...Object.entries(parameters).map(([name, value]) => messageOf('S', Buffer.from(`${name}\0${value}\0`))),
  messageOf('K', Buffer.alloc(8)),
  messageOf('Z', Buffer.from('I')),
])

export const acknowledgement = Buffer.concat([messageOf('C', Buffer.from('SET\0')), messageOf('Z', Buffer.from('I'))])

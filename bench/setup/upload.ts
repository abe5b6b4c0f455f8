// A large video, and its upload to the partner as the platform sends it.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { request as requestByTls } from 'node:https'
import { uuidv4 } from '#kit/crypto/id.ts'
import type { Case } from '#partner/case/lifecycle.ts'
import { clients } from '#test/setup/documents-api.ts'
import { mp4Box, sampleMp4 } from '#test/setup/files.ts'

const MiB = 1 << 20

/** A video with so many bytes of media that nothing can compress, in pieces. */
export function videoOf(mediaBytes: number): Buffer[] {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(mediaBytes + 8)
  head.write('mdat', 4, 'latin1')
  const media = randomBytes(MiB)
  const whole = Array<Buffer>(Math.floor(mediaBytes / MiB)).fill(media)
  return [sampleMp4(0), mp4Box('free', Buffer.alloc(8)), head, ...whole, media.subarray(0, mediaBytes % MiB)]
}

export interface Answered {
  /** 0 when the connection was broken off. */
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: whoever sent it reads what it expects
  body: any
}

/** A port of this machine; with TLS where the certificate of an authority is named that is believed. */
export interface Entrance {
  port: number
  authority?: string
}

/** Sends it under a reference of its own, which is the id of its request. */
export async function upload(
  { port, authority }: Entrance,
  { caseRef, leadId, loanId }: Case,
  file: Buffer[],
  requestId = uuidv4(),
): Promise<Answered> {
  const fields = {
    request_id: requestId,
    external_reference_id: caseRef,
    celestium_lead_id: leadId,
    celestium_loan_id: loanId,
    document_reference_id: requestId,
    document_type: 'VKYC_RECORDING',
  }
  const lead = Object.entries(fields).map(
    ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  lead.push('--b\r\ncontent-disposition: form-data; name="file"; filename="v.mp4"\r\ncontent-type: video/mp4\r\n\r\n')
  const body = [Buffer.from(lead.join('')), ...file, Buffer.from('\r\n--b--\r\n')]
  const headers = {
    authorization: `Bearer ${clients[0]!.bearer}`,
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': body.reduce((sum, { length }) => sum + length, 0),
    'idempotency-key': requestId,
  }
  const to = { host: '127.0.0.1', port, method: 'POST', path: '/documents', headers }
  const sent = authority === undefined ? request(to) : requestByTls({ ...to, ca: authority })
  const broken = once(sent, 'error').then(() => null)
  const answered = Promise.race([once(sent, 'response').then(([answer]) => answer), broken])
  let isAnswered = false
  answered.then(() => (isAnswered = true))
  for (const piece of body) {
    // It may be refused before all of it has been sent.
    if (isAnswered) break
    if (!sent.write(piece)) await Promise.race([once(sent, 'drain'), answered])
  }
  sent.end()
  const answer = await answered
  if (!answer) return { status: 0, body: null }
  let text = ''
  for await (const part of answer) text += part
  sent.destroy()
  return { status: answer.statusCode, body: JSON.parse(text) }
}

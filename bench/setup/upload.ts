// Generates a large video and uploads it to the partner as the platform does.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { request as requestByTls } from 'node:https'
import type { Case } from '@lendloom/partner/src/origination/case/lifecycle.ts'
import { uuidv4 } from '@lendloom/seal/id'
import { clients } from '@lendloom/tests/setup/documents-api'
import { mp4Box, sampleMp4 } from '@lendloom/tests/setup/files'

const MiB = 1 << 20

/** Returns a video with `mediaBytes` of random media, in chunks. */
export function videoOf(mediaBytes: number): Buffer[] {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(mediaBytes + 8)
  head.write('mdat', 4, 'latin1')
  const media = randomBytes(MiB)
  const whole = Array<Buffer>(Math.floor(mediaBytes / MiB)).fill(media)
  return [sampleMp4(0), mp4Box('free', Buffer.alloc(8)), head, ...whole, media.subarray(0, mediaBytes % MiB)]
}

export interface UploadAnswer {
  /** 0 if the connection was closed without an answer. */
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: callers read arbitrary fields
  body: any
}

/** A local port; with TLS if `authority` has a trusted CA certificate. */
export interface UploadTarget {
  port: number
  authority?: string
}

/** Uploads a file with the request id as its document reference. */
export async function upload(
  { port, authority }: UploadTarget,
  { caseRef, leadId, loanId }: Case,
  file: Buffer[],
  requestId = uuidv4(),
): Promise<UploadAnswer> {
  const fields = {
    request_id: requestId,
    external_reference_id: caseRef,
    celestium_lead_id: leadId,
    celestium_loan_id: loanId,
    document_reference_id: requestId,
    document_type: 'VKYC_RECORDING',
  }
  const formParts = Object.entries(fields).map(
    ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  formParts.push(
    '--b\r\ncontent-disposition: form-data; name="file"; filename="v.mp4"\r\ncontent-type: video/mp4\r\n\r\n',
  )
  const body = [Buffer.from(formParts.join('')), ...file, Buffer.from('\r\n--b--\r\n')]
  const headers = {
    authorization: `Bearer ${clients[0]!.bearer}`,
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': body.reduce((sum, { length }) => sum + length, 0),
    'idempotency-key': requestId,
  }
  const options = { host: '127.0.0.1', port, method: 'POST', path: '/documents', headers }
  const sent = authority === undefined ? request(options) : requestByTls({ ...options, ca: authority })
  const broken = once(sent, 'error').then(() => null)
  const answered = Promise.race([once(sent, 'response').then(([answer]) => answer), broken])
  let isAnswered = false
  answered.then(() => (isAnswered = true))
  for (const piece of body) {
    // The server may refuse the file before the upload is complete.
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

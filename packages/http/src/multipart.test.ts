// Uploads forms with a file to a real server, which streams the file, enforces limits and refuses invalid forms.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { connect as tcp } from 'node:net'
import { Readable, Writable } from 'node:stream'
import { after, test } from 'node:test'
import { systemClock } from '@lendloom/foundation/clock'
import { quietLog } from '@lendloom/foundation/log'
import { Refusal } from '@lendloom/foundation/refusal'
import { until } from '@lendloom/tests/setup/programs'
import { readForm } from './multipart.ts'
import { type Api, type Route, serve } from './server.ts'

const MiB = 1 << 20
let sinksOpened = 0
let sinkOutcomes: string[] = []

/** Returns a sink that counts and hashes bytes, and refuses a file of more than 2 MiB during the upload. */
function digestingSink() {
  const hash = createHash('sha256')
  let bytes = 0
  sinksOpened++
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      hash.update(chunk)
      done(bytes > 2 * MiB ? new Refusal('too-large', 'the file is too large') : null)
    },
    destroy(error, done) {
      sinkOutcomes.push(error ? 'destroyed' : 'complete')
      done(error)
    },
  })
  return { sink, result: () => ({ bytes, digest: hash.digest('hex') }) }
}

const upload: Route<null> = {
  method: 'POST',
  path: '/upload',
  section: 'test',
  summary: 'test',
  accepts: 'stream',
  maxBytes: 64 * MiB,
  auth: {
    scheme: 'key',
    check({ headers }) {
      if (headers.authorization !== 'yes') throw new Refusal('bad-credential', 'the credential is unknown')
      return null
    },
  },
  async handle({ stream, headers, raw }) {
    let opened: ReturnType<typeof digestingSink> | undefined
    let metadata = {}
    const fields = await readForm(stream!, headers, {
      fileField: 'file',
      openSink(file) {
        if (file.fields.stop) throw new Refusal('wrong-state', 'the form must stop')
        opened = digestingSink()
        metadata = file
        return opened.sink
      },
    })
    return { fields, part: metadata, raw: raw.length, ...opened!.result() }
  },
}
const statuses = { 'bad-credential': 401, malformed: 400, invalid: 422, 'too-large': 413, 'unsupported-media': 415 }
const api: Api<null> = {
  prefix: '/',
  routes: [upload, { ...upload, path: '/json', accepts: 'json', handle: () => ({ fine: true }) }],
  refuse: (refusal) => {
    if (refusal === 'bug') return { status: 500, body: {}, headers: {} }
    const status = (statuses as Record<string, number>)[refusal.kind] ?? 409
    return { status, body: { message: refusal.message, fields: refusal.details.fields ?? [] }, headers: {} }
  },
}
const server = await serve({
  apis: [api],
  ctx: null,
  clock: systemClock,
  log: quietLog,
  host: '127.0.0.1',
  port: 0,
})
after(() => server.stop())

type Answer = { status: number; body: Record<string, unknown> }
async function send(body: FormData | string, headers: Record<string, string> = {}): Promise<Answer> {
  sinksOpened = 0
  sinkOutcomes = []
  const answer = await fetch(`${server.url}/upload`, {
    method: 'POST',
    headers: { authorization: 'yes', ...headers },
    body,
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const form = (
  fields: Record<string, string>,
  file?: Buffer,
  name = 'a file.pdf',
  type = 'application/pdf',
): FormData => {
  const formData = new FormData()
  for (const [key, value] of Object.entries(fields)) formData.append(key, value)
  if (file) formData.append('file', new Blob([new Uint8Array(file)], { type }), name)
  return formData
}
const raw = (...parts: string[]) =>
  [`--b\r\n${parts.join('\r\n--b\r\n')}\r\n--b--\r\n`, { 'content-type': 'multipart/form-data; boundary=b' }] as const
const filePart = 'Content-Disposition: form-data; name="file"; filename="x.pdf"\r\nContent-Type: application/pdf'

test('D3 §4.3: a file is streamed unchanged and is not buffered', async () => {
  const file = Buffer.alloc(1.5 * MiB, 'lend')
  const { status, body } = await send(form({ one: '1', two: 'zwei é' }, file))
  assert.equal(status, 200)
  assert.deepEqual(body.fields, { one: '1', two: 'zwei é' })
  assert.deepEqual(body.part, {
    fileName: 'a file.pdf',
    contentType: 'application/pdf',
    fields: { one: '1', two: 'zwei é' },
  })
  assert.equal(body.digest, createHash('sha256').update(file).digest('hex'))
  assert.equal(body.bytes, file.length)
  assert.equal(body.raw, 0)
  assert.deepEqual(sinkOutcomes, ['complete'])
})

test('fields after the file are accepted', async () => {
  const formData = form({}, Buffer.from('x'))
  formData.append('late', 'yes')
  const { body } = await send(formData)
  assert.deepEqual(body.fields, { late: 'yes' })
  assert.deepEqual((body.part as { fields: object }).fields, {})
})

test('paths and control characters are removed from a file name', async () => {
  const names = { '/etc/pass\u0007wd': 'passwd', 'C:\\\\a\\\\b.pdf': 'b.pdf', '..': 'file', ' ': 'file' }
  for (const [sent, expected] of Object.entries(names)) {
    const { body } = await send(...raw(`Content-Disposition: form-data; name="file"; filename="${sent}"\r\n\r\nx`))
    assert.equal((body.part as { fileName: string }).fileName, expected)
  }
})

test('D3 §4.3: an unauthorized caller gets 401 before the body is read', async () => {
  const { status } = await send(form({}, Buffer.alloc(8 * MiB)), { authorization: 'no' })
  assert.equal(status, 401)
  assert.equal(sinksOpened, 0)
})

test('D3 §4.3: an oversized file is refused during the upload, and its sink is destroyed', async () => {
  const { status, body } = await send(form({}, Buffer.alloc(9 * MiB)))
  assert.equal(status, 413)
  assert.equal(body.message, 'the file is too large')
  assert.deepEqual(sinkOutcomes, ['destroyed'])
})

test('D3 §4.3: a request with a Content-Length above the limit is refused immediately', async () => {
  sinksOpened = 0
  const status = await new Promise((resolve, reject) => {
    const headers = {
      authorization: 'yes',
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': 65 * MiB,
    }
    const upload = httpRequest(`${server.url}/upload`, { method: 'POST', headers })
    upload.on('error', reject).on('response', (answer) => {
      resolve(answer.statusCode)
      upload.destroy()
    })
    upload.write('--b')
  })
  assert.equal(status, 413)
  assert.equal(sinksOpened, 0)
})

test('a client that sends the whole body before reading still receives the response', async () => {
  const { hostname, port } = new URL(server.url)
  const bytes = 8 * MiB
  const socket = tcp(Number(port), hostname)
  const head = `POST /upload HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\nauthorization: yes\r\ncontent-length: ${bytes}\r\n\r\n`
  let text = ''
  let isSent = false
  const answered = new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.write(head)
    socket.write(Buffer.alloc(bytes), () => {
      isSent = true
      socket.on('data', (data) => {
        text += data
        if (text.includes('multipart/form-data')) resolve()
      })
    })
  })
  await answered
  assert.ok(isSent)
  assert.match(text, /^HTTP\/1.1 415 /)
  socket.destroy()
})

test('a refusal by openSink is sent before the file is read', async () => {
  const { status, body } = await send(form({ stop: 'yes' }, Buffer.alloc(8 * MiB)))
  assert.equal(status, 409)
  assert.equal(body.message, 'the form must stop')
  assert.equal(sinksOpened, 0)
})

const rejectedForms: Record<string, [number, RegExp, readonly [FormData | string, Record<string, string>?]]> = {
  'no file': [422, /file is required/, [form({ one: '1' })]],
  'two files': [422, /file must be the only file/, raw(`${filePart}\r\n\r\nx`, `${filePart}\r\n\r\ny`)],
  'a file of another name': [422, /other is a file/, raw(`${filePart.replace('"file"', '"other"')}\r\n\r\nx`)],
  'a file sent as text': [
    422,
    /file must be sent as a file/,
    raw('Content-Disposition: form-data; name="file"\r\n\r\nx'),
  ],
  'a file in base64': [422, /unencoded/, raw(`${filePart}\r\nContent-Transfer-Encoding: base64\r\n\r\neA==`)],
  'a field twice': [
    422,
    /one is repeated/,
    [
      (() => {
        const twice = form({ one: '1' }, Buffer.from('x'))
        twice.append('one', '2')
        return twice
      })(),
    ],
  ],
  'a field that is too long': [422, /one is too long/, [form({ one: 'x'.repeat(2000) }, Buffer.from('x'))]],
  'too many fields': [
    400,
    /too many parts/,
    [form(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, ''])), Buffer.from('x'))],
  ],
  'another media type': [415, /multipart/, ['{}', { 'content-type': 'application/json' }]],
  'no media type': [415, /multipart/, ['{}']],
  'no boundary': [400, /no boundary/, ['x', { 'content-type': 'multipart/form-data' }]],
  'a file that is cut off': [400, /incomplete/, [raw(`${filePart}\r\n\r\nx`)[0].slice(0, -8), raw()[1]]],
  'a field that is cut off': [
    400,
    /incomplete/,
    ['--b\r\nContent-Disposition: form-data; name="one"\r\n\r\n1', raw()[1]],
  ],
  'no content': [400, /incomplete/, ['', raw()[1]]],
}
for (const [what, [status, message, request]] of Object.entries(rejectedForms))
  test(`D3 §4.3: a form with ${what} gets ${status}`, async () => {
    const answer = await send(...(request as [FormData]))
    assert.equal(answer.status, status)
    assert.match(String(answer.body.message), message)
    const withCompleteFile = ['a field twice', 'a field that is too long', 'two files']
    assert.deepEqual(
      sinkOutcomes.filter((outcome) => outcome === 'complete'),
      withCompleteFile.includes(what) ? ['complete'] : [],
    )
  })

test('the sink is destroyed when the client disconnects during the upload', async () => {
  sinkOutcomes = []
  const brokenBody = async function* () {
    yield `--b\r\n${filePart}\r\n\r\n`
    yield Buffer.alloc(MiB)
    throw new Error('client disconnected')
  }
  const headers = { authorization: 'yes', ...raw()[1] }
  const body = Readable.from(brokenBody()) as unknown as RequestInit['body']
  await assert.rejects(fetch(`${server.url}/upload`, { method: 'POST', headers, body, duplex: 'half' }))
  await until('the sink is destroyed', () => sinkOutcomes.length > 0)
  assert.deepEqual(sinkOutcomes, ['destroyed'])
})

test('other routes still read the whole body', async () => {
  const answer = await fetch(`${server.url}/json`, { method: 'POST', headers: { authorization: 'yes' } })
  assert.deepEqual(await answer.json(), { fine: true })
})

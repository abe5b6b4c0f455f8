// The verification providers: state machines, APIs, pages, files, and sealing at rest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { pdfOf } from '@lendloom/documents/pdf'
import { BadContent, checkFile } from '@lendloom/files/file-content'
import { isTerminal, longestPath } from '@lendloom/foundation/machine'
import { readHtml } from '@lendloom/http/html'
import { completeLenderPage } from '@lendloom/platform/src/api/autopilot/lender-page.ts'
import { lendloomKyc } from '@lendloom/platform/src/providers/kyc/lendloom.ts'
import { uuidv4 } from '@lendloom/seal/id'
import { plainPdf } from '@lendloom/tests/setup/files'
import { until } from '@lendloom/tests/setup/programs'
import { startProviders } from '@lendloom/tests/setup/providers'
import { spoil } from '@lendloom/tests/setup/spoil'
import { figuresOf } from './bank-statement-figures.ts'
import { recording } from './call-recording.ts'
import { rules, scenarioFor } from './fault-rules.ts'
import { type VerificationKind, verificationKinds } from './provider.ts'
import { providers } from './providers.ts'

const sandbox = await startProviders()
const { config } = sandbox.ctx
const credentials: Record<VerificationKind, string> = {
  kyc: config.KYC_CREDENTIAL,
  mandate: config.MANDATE_CREDENTIAL,
  esign: config.ESIGN_CREDENTIAL,
  statement: config.STATEMENT_CREDENTIAL,
}
const pdf = await pdfOf({ title: 'Agreement', author: 'A lender', blocks: [], createdAt: new Date() })

// biome-ignore lint/suspicious/noExplicitAny: tests read single fields of an answer
type Json = any

async function send(method: string, path: string, credential: string, body?: object | Buffer) {
  const type = Buffer.isBuffer(body) ? 'application/pdf' : 'application/json'
  const answer = await fetch(`${sandbox.url}/verification${path}`, {
    method,
    headers: { authorization: `Bearer ${credential}`, ...(body && { 'content-type': type }) },
    ...(body && { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const json = async (...args: Parameters<typeof send>): Promise<{ status: number; body: Json }> => {
  const { status, bytes } = await send(...args)
  return { status, body: JSON.parse(bytes.toString('utf8')) }
}

const person = { full_name: 'Asha Verma', pan: 'ABCPV1234F', date_of_birth: '1991-04-17', mobile: '9876543210' }
const common = () => ({ client_reference: uuidv4(), callback_url: 'http://127.0.0.1:9/', return_url: null, person })
const requests: Record<VerificationKind, () => Promise<Record<string, unknown>>> = {
  kyc: async () => ({ ...common(), mode: 'VIDEO' }),
  mandate: async () => ({
    ...common(),
    account: {
      holder_name: 'Asha Verma',
      account_number: '50100123451234',
      ifsc: 'HDFC0001234',
      account_type: 'SAVINGS',
    },
    maximum_amount: '6000.00',
    frequency: 'WEEK',
    first_collection_on: '2026-11-27',
    final_collection_on: '2027-06-30',
  }),
  async esign() {
    const { file_id } = (await json('POST', '/esign/files', credentials.esign, pdf)).body
    return { ...common(), file_id, title: 'Agreement' }
  },
  statement: async () => ({
    ...common(),
    account: {
      holder_name: 'Asha Verma',
      account_number: '50100123451234',
      ifsc: 'HDFC0001234',
      account_type: 'SAVINGS',
      bank_name: 'HDFC Bank',
    },
  }),
}
const start = async (kind: VerificationKind, overrides: object = {}): Promise<Json> => {
  const body = { ...(await requests[kind]()), ...overrides }
  const answer = await json('POST', `/${kind}/requests`, credentials[kind], body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

test('every provider’s state machine is acyclic and has a terminal state', () => {
  for (const { kind, machine, initialState } of Object.values(providers)) {
    assert.ok(longestPath(machine, initialState) >= 2, kind)
    assert.ok(
      Object.keys(machine).some((state) => isTerminal(machine, state)),
      kind,
    )
  }
})

test('each fault rule has unique digits, which select the rule as part of a PAN', () => {
  assert.equal(new Set(rules.map(({ digits }) => digits)).size, rules.length)
  for (const { digits, scenario } of rules) assert.equal(scenarioFor(`ABCPV${digits}F`), scenario)
  assert.equal(scenarioFor('ABCPV1234F'), null)
})

test('a provider accepts only its own client, and finds only its own requests', async () => {
  for (const kind of verificationKinds) {
    const { id } = await start(kind)
    for (const other of verificationKinds) {
      const { status } = await send('GET', `/${kind}/requests/${id}`, credentials[other])
      assert.equal(status, other === kind ? 200 : 401)
      if (other !== kind) assert.equal((await send('GET', `/${other}/requests/${id}`, credentials[other])).status, 404)
    }
    assert.equal((await send('GET', `/${kind}/requests/nonsense`, credentials[kind])).status, 404)
  }
})

test('a repeated request returns the first, another request with its reference is refused, and an invalid field is named', async () => {
  for (const kind of verificationKinds) {
    const body = await requests[kind]()
    const first = await json('POST', `/${kind}/requests`, credentials[kind], body)
    const again = await json('POST', `/${kind}/requests`, credentials[kind], body)
    assert.equal(first.status, 201)
    assert.equal(again.status, 200)
    assert.deepEqual(again.body, first.body)
    const other = await json('POST', `/${kind}/requests`, credentials[kind], { ...body, return_url: 'http://x.test/' })
    assert.equal(other.status, 409)
    assert.equal(other.body.error.code, 'REFERENCE_REUSED')
    const wrong = await json('POST', `/${kind}/requests`, credentials[kind], {
      ...body,
      person: { ...person, pan: 'x' },
    })
    assert.equal(wrong.status, 422)
    assert.deepEqual(wrong.body.error.fields, [{ path: 'person.pan', message: 'must be the PAN of a person' }])
  }
})

test('D3 §4.3: a PDF bomb and an incomplete PDF are refused', async () => {
  const compressedBomb = deflateSync(Buffer.alloc(32 << 20, '1 '))
  const objectStream = `<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length ${compressedBomb.length}>>stream\n${compressedBomb.toString('latin1')}\nendstream`
  const pdfBomb = plainPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[]/Count 0>>',
    ...Array(40).fill(objectStream),
  ])
  for (const [file, reason] of [
    [pdfBomb, /the PDF takes too (long|much memory)/],
    [Buffer.from('%PDF-1.7\n'), /not a complete PDF/],
  ] as const) {
    const { status, body } = await json('POST', '/esign/files', credentials.esign, file)
    assert.equal(status, 422)
    assert.match(JSON.stringify(body), reason)
  }
})

test('D3 §4.3: the upload of a PDF that cannot take a signature page is refused', async () => {
  const objects = (count: string) => [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[3 0 R]${count}>>`,
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>',
  ]
  const upload = (count: string) => json('POST', '/esign/files', credentials.esign, plainPdf(objects(count)))
  for (const count of ['/Count 0', '/Count/One', ''])
    assert.deepEqual(
      await upload(count),
      await json('POST', '/esign/files', credentials.esign, Buffer.from('%PDF-1.7\n')),
    )
  const { status, body } = await upload('/Count 1')
  assert.equal(status, 201)
  const { id, page_url } = await start('esign', { file_id: body.file_id })
  await sandbox.choose(page_url, 'approve')
  assert.equal((await json('GET', `/esign/requests/${id}`, credentials.esign)).body.state, 'signed')
})

test('a page opens only by its link, has no script, and masks PAN and account number', async () => {
  for (const kind of verificationKinds) {
    const { page_url: url } = await start(kind)
    const answer = await fetch(url)
    assert.match(answer.headers.get('content-security-policy')!, /default-src 'none'/)
    const page = await answer.text()
    assert.ok(!page.includes('<script') && !page.includes(person.pan) && !page.includes('50100123451234'), kind)
    assert.equal(readHtml(page).all('h1').length, 1)
    assert.equal((await fetch(spoil(url))).status, 404)
    const otherKind = kind === 'kyc' ? 'mandate' : 'kyc'
    assert.equal((await fetch(url.replace(`/${kind}/`, `/${otherKind}/`))).status, 404)
    assert.equal((await sandbox.choose(url, 'nonsense')).status, 400)
  }
})

test('only one of several concurrent decisions takes effect, with one callback', async () => {
  const { reference, url } = await lendloomKyc.begin(sandbox.ctx, { ...sandbox.newRequest(), mode: 'STANDARD' })
  const outcomes = ['approve', 'decline', 'lapse', 'approve', 'decline', 'lapse']
  await Promise.all(outcomes.map((outcome) => sandbox.choose(url, outcome)))
  const [callback] = await sandbox.waitForCallbacks(reference, 1)
  const { state } = JSON.parse(callback!.body.toString('utf8')).data
  const [row] = await sandbox.db<{ state: string; callbacks: bigint }>`
    select state, (select count(*) from verification_callback c where c.verification_id = v.verification_id) as callbacks
    from verification v where verification_id = ${reference}`
  assert.equal(row!.state, state)
  assert.equal(Number(row!.callbacks), 1)
})

test('concurrent starts of the same request create one verification', async () => {
  const startInput = { ...sandbox.newRequest(), mode: 'STANDARD' as const }
  const started = await Promise.all(Array.from({ length: 8 }, () => lendloomKyc.begin(sandbox.ctx, startInput)))
  assert.equal(new Set(started.map(({ reference }) => reference)).size, 1)
})

test("the test helper for lenders' pages also completes the providers' pages", async () => {
  for (const kind of verificationKinds) {
    const { id, page_url } = await start(kind)
    await completeLenderPage(page_url, 'approve')
    await until(`${kind} decided`, async () => {
      const { body } = await json('GET', `/${kind}/requests/${id}`, credentials[kind])
      return isTerminal(providers[kind].machine, body.state) || body.state === 'register_success'
    })
  }
})

test('D3 §4.3: every file has the announced type and size', async () => {
  for (const kind of verificationKinds) {
    const { id, page_url } = await start(kind)
    await sandbox.choose(page_url, 'approve')
    const files = await until(`papers of ${kind}`, async () => {
      const { body } = await json('GET', `/${kind}/requests/${id}`, credentials[kind])
      return body.files.length === { kyc: 4, mandate: 1, esign: 1, statement: 2 }[kind] && body.files
    })
    for (const { file_id, content_type, size_bytes } of files) {
      const { headers, bytes } = await send('GET', `/${kind}/requests/${id}/files/${file_id}`, credentials[kind])
      assert.equal(headers.get('content-type'), content_type)
      assert.equal(bytes.length, size_bytes)
      await checkFile(content_type, bytes)
    }
  }
})

test('a recording is a valid MP4 whose offsets point to its picture', async () => {
  const bytes = recording(new Date('2026-11-20T06:00:00Z'))
  await checkFile('video/mp4', bytes)
  const offset = bytes.readUInt32BE(bytes.indexOf('stco') + 12)
  const sampleBytes = bytes.readUInt32BE(bytes.indexOf('stsz') + 16)
  assert.equal(offset, bytes.indexOf('mdat') + 4)
  assert.equal(offset + sampleBytes, bytes.length)
  assert.equal(bytes.readUInt32BE(offset) + 4, sampleBytes)
  assert.equal(bytes[offset + 4]! & 0x1f, 5, 'an IDR picture')
  await assert.rejects(checkFile('video/mp4', bytes.subarray(0, 300)), BadContent)
})

test('a statement is stable per account, and its balances add up', () => {
  const { months, periodFrom, periodTo } = figuresOf('50100123451234', null, new Date('2027-01-15T00:00:00Z'))
  assert.equal(periodFrom, '2026-07-01')
  assert.equal(periodTo, '2026-12-31')
  for (const [i, { credits, debits, closing }] of months.entries())
    if (i > 0) assert.equal(closing, months[i - 1]!.closing + credits - debits)
  assert.deepEqual(figuresOf('50100123451234', null, new Date('2027-01-31T00:00:00Z')).months, months)
})

test('the providers’ tables contain no unencrypted personal data', async () => {
  await start('mandate')
  const rows = await sandbox.db<{ all: string }>`
    select (select coalesce(string_agg(v::text, ' '), '') from verification v)
      || (select coalesce(string_agg(c::text, ' '), '') from verification_callback c)
      || (select coalesce(string_agg(j::text, ' '), '') from job j) as all`
  for (const secret of [person.pan, person.full_name, person.mobile, '50100123451234'])
    for (const form of [secret, Buffer.from(secret).toString('hex')]) assert.ok(!rows[0]!.all.includes(form), secret)
})

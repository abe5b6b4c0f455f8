// Checks of authentication: credentials at every interface, signatures on events (D3 §5).
import { createHmac } from 'node:crypto'
import { uuidv4 } from '@lendloom/seal/id'
import { signedHeaders } from '@lendloom/wire/exchange/signature'
import { type Check, checks, expect } from '#conformance/exchange/check.ts'
import { expectRefusal } from '#conformance/exchange/refusal-checks.ts'
import type { Run } from '#conformance/exchange/run.ts'
import { newPerson } from '#conformance/exchange/run-memory.ts'
import type { HttpAnswer } from '#conformance/exchange/send-request.ts'
import { dedupeRequest, leadOf, manifest, pdf } from '#conformance/exchange/test-borrower.ts'
import { formOf } from '#conformance/exchange/upload-form.ts'

type Headers = Record<string, string | string[] | undefined>

/** A lead about an unrelated case, sent only in requests that the receiver must refuse. */
export function strayLead(run: Run): Buffer {
  const data = leadOf(newPerson(), 'CONFORM-NO-CHECK')
  return Buffer.from(
    JSON.stringify(run.envelope('LEAD_SUBMITTED', data, { reference: run.otherReference(), version: 1 })),
  )
}

type Call = (run: Run, headers: Headers) => Promise<HttpAnswer>

const interfaces: Record<string, Call> = {
  'POST /dedupe': (run, headers) =>
    run.postJson('/dedupe', dedupeRequest(uuidv4(), run.otherReference(), newPerson()), headers),
  'POST /events': (run, headers) => run.postEvent(strayLead(run), headers),
  async 'POST /documents'(run, headers) {
    const fields = { external_reference_id: run.otherReference(), celestium_lead_id: '1', celestium_loan_id: '1' }
    const form = await formOf({ ...fields, ...manifest.bureau, request_id: uuidv4() }, { bytes: pdf('nobody') })
    return run.request('POST', '/documents', { ...form.headers, ...headers }, form.body)
  },
  'GET /status': (run, headers) =>
    run.request('GET', '/status?external_reference_id=CONFORM-NOBODY', { 'x-request-id': uuidv4(), ...headers }),
}

type Credential = [id: string, title: string, authorization: (run: Run) => string | undefined]
export const wrongBearers: Credential[] = [
  ['no-bearer', 'without a credential', () => undefined],
  ['wrong-bearer', 'with an unknown credential', () => 'Bearer a-credential-that-nobody-has'],
]

/** Checks that an interface refuses each of the credentials. */
export const bearerChecks = (name: string, call: Call, credentials: Credential[]): Check[] =>
  credentials.map(([id, title, authorization]) => ({
    id: `authentication.${name.split('/').at(-1)}.${id}`,
    section: 'D3 §5.1',
    title: `${name} ${title}`,
    sends: `${name} ${title}`,
    expects: '401 or 403 with the error body of D3 §7',
    async run(run) {
      expectRefusal(await call(run, { authorization: authorization(run) }), [401, 403])
    },
  }))

interface SigningInput {
  keyId: string
  secret: string
  raw: Buffer
}
const seconds = (): number => Math.floor(Date.now() / 1000)
const signWith = (input: SigningInput, change: Partial<SigningInput> = {}) =>
  signedHeaders({ ...input, ...change, at: new Date() })
const macOf = (secret: string, bytes: Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`
/** Signs over `sentAt` exactly as written, even if it is invalid. */
const signOver = ({ keyId, secret, raw }: SigningInput, sentAt: string) => ({
  'x-key-id': keyId,
  'x-sent-at': sentAt,
  'x-signature': macOf(secret, Buffer.concat([Buffer.from(`${sentAt}\n`), raw])),
})
const repeatHeader = (headers: Record<string, string>, name: string): Headers => {
  const value = headers[name] ?? ''
  return { ...headers, [name]: [value, value] }
}
const signAtOffset = (input: SigningInput, offsetSeconds: number) =>
  signedHeaders({ ...input, at: new Date(Date.now() + offsetSeconds * 1000) })

/** Invalid headers of an event, named like the published vector if there is one. 310 s allow for network delays. */
export const wrongSignatures: Record<string, (input: SigningInput) => Headers> = {
  'sent 301 seconds ago': (input) => signAtOffset(input, -310),
  'sent 301 seconds ahead': (input) => signAtOffset(input, 310),
  'the same JSON with one blank more': (input) =>
    signWith(input, { raw: Buffer.concat([input.raw, Buffer.from(' ')]) }),
  'another send time than was signed': (input) => ({ ...signWith(input), 'x-sent-at': String(seconds() - 5) }),
  'the secret of the other key': (input) => signWith(input, { secret: `${input.secret}-of-another-key` }),
  'a signature over body without time': (input) => ({
    ...signWith(input),
    'x-signature': macOf(input.secret, input.raw),
  }),
  'hexadecimal in capitals': (input) => {
    const headers = signWith(input)
    return { ...headers, 'x-signature': `sha256=${headers['x-signature'].slice(7).toUpperCase()}` }
  },
  'no prefix': (input) => {
    const headers = signWith(input)
    return { ...headers, 'x-signature': headers['x-signature'].slice(7) }
  },
  'a key that is not known': (input) => signWith(input, { keyId: 'conform-no-such-key' }),
  'milliseconds with a fraction for a time': (input) => signOver(input, `${seconds()}.5`),
  'a time with a leading zero, signed as it is written': (input) => signOver(input, `0${seconds()}`),
  ...Object.fromEntries(
    ['x-key-id', 'x-sent-at', 'x-signature'].flatMap((name) => [
      [`without ${name}`, (input: SigningInput) => ({ ...signWith(input), [name]: undefined })],
      [`${name} twice`, (input: SigningInput) => repeatHeader(signWith(input), name)],
    ]),
  ),
}

const signingInputOf = (run: Run, raw: Buffer): SigningInput => {
  const [key] = run.ourKeys
  return { ...key, raw }
}

/** Checks that `place` refuses an event with any of the wrong signatures. */
export const signatureChecks = (place: string, makeEvent: (run: Run) => Buffer): Check[] =>
  Object.entries(wrongSignatures).map(([name, headersFor]) => ({
    id: `signature.${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
    section: 'D3 §5.2',
    title: `an event is refused: ${name}`,
    sends: `${place} with a valid event and a wrong signature: ${name}`,
    expects: '401 or 403 with the error body of D3 §7, and the event is not stored',
    async run(run) {
      const raw = makeEvent(run)
      expectRefusal(await run.postEvent(raw, headersFor(signingInputOf(run, raw))), [401, 403])
    },
  }))

/** Sends a stored event again, so that only its time can be the reason for a refusal. */
const toleranceCheck = (
  { step, stored }: { step: string; stored: string },
  [id, offsetSeconds, title]: [string, number, string],
): Check => ({
  id: `signature.${id}`,
  section: 'D3 §5.2',
  title: `an event is accepted: ${title}`,
  sends: `the event of ${stored} again, ${title}`,
  expects: '200: the clocks of both sides may differ by up to 300 seconds',
  needs: [stored],
  async run(run) {
    const raw = Buffer.from(run.sentAs(step).raw)
    const { status } = await run.postEvent(raw, signAtOffset(signingInputOf(run, raw), offsetSeconds))
    expect(status === 200, `got status ${status}, expected 200`)
  },
})

/** Checks that the event of a step, sent before by the check `stored`, is accepted although the clocks differ. */
export const toleranceChecks = (step: { step: string; stored: string }): Check[] => [
  toleranceCheck(step, ['290-seconds-ago', -290, 'signed 290 seconds ago']),
  toleranceCheck(step, ['290-seconds-ahead', 290, 'signed 290 seconds ahead']),
]

export const authentication = checks([
  ...Object.entries(interfaces).flatMap(([name, call]) => bearerChecks(name, call, wrongBearers)),
  ...signatureChecks('POST /events', strayLead),
])
export const tolerance = checks(toleranceChecks({ step: 'lead', stored: 'lead.stored' }))

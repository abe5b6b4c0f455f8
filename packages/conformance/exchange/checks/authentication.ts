// Who may call, and that nothing was changed on the way: credentials at every interface, signatures on events (D3 §5).
import { createHmac } from 'node:crypto'
import { type Check, checks, expect } from '#conformance/exchange/check.ts'
import { dedupeRequest, leadOf, manifest, pdf } from '#conformance/exchange/content.ts'
import { formOf } from '#conformance/exchange/form.ts'
import type { HttpAnswer } from '#conformance/exchange/http.ts'
import { newPerson } from '#conformance/exchange/memory.ts'
import { expectRefusal } from '#conformance/exchange/refusal.ts'
import type { Run } from '#conformance/exchange/run.ts'
import { signedHeaders } from '#contract/exchange/signature.ts'
import { uuidv4 } from '#kit/crypto/id.ts'

type Headers = Record<string, string | string[] | undefined>

/** A lead about an unrelated case: a receiver that accepts it accepts what it must refuse. */
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
  ['wrong-bearer', 'with a credential of nobody', () => 'Bearer a-credential-that-nobody-has'],
]

/** An interface called with each of the credentials, which all have to be refused. */
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

interface SigningFault {
  keyId: string
  secret: string
  raw: Buffer
}
const seconds = (): number => Math.floor(Date.now() / 1000)
const signed = (given: SigningFault, change: Partial<SigningFault> = {}) =>
  signedHeaders({ ...given, ...change, at: new Date() })
const macOf = (secret: string, bytes: Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`
/** Signed over a send time that is written in this way. */
const signedOver = ({ keyId, secret, raw }: SigningFault, sentAt: string) => ({
  'x-key-id': keyId,
  'x-sent-at': sentAt,
  'x-signature': macOf(secret, Buffer.concat([Buffer.from(`${sentAt}\n`), raw])),
})
const doubled = (headers: Record<string, string>, name: string): Headers => {
  const value = headers[name] ?? ''
  return { ...headers, [name]: [value, value] }
}
const shifted = (given: SigningFault, by: number) => signedHeaders({ ...given, at: new Date(Date.now() + by * 1000) })

/** By the name of the published vector, or of what it has no vector for: the headers of an event that must be refused. */
export const wrongSignatures: Record<string, (given: SigningFault) => Headers> = {
  'sent 301 seconds ago': (given) => shifted(given, -310),
  'sent 301 seconds ahead': (given) => shifted(given, 310),
  'the same JSON with one blank more': (given) => signed(given, { raw: Buffer.concat([given.raw, Buffer.from(' ')]) }),
  'another send time than was signed': (given) => ({ ...signed(given), 'x-sent-at': String(seconds() - 5) }),
  'the secret of the other key': (given) => signed(given, { secret: `${given.secret}-of-another-key` }),
  'a signature over body without time': (given) => ({
    ...signed(given),
    'x-signature': macOf(given.secret, given.raw),
  }),
  'hexadecimal in capitals': (given) => {
    const headers = signed(given)
    return { ...headers, 'x-signature': `sha256=${headers['x-signature'].slice(7).toUpperCase()}` }
  },
  'no prefix': (given) => {
    const headers = signed(given)
    return { ...headers, 'x-signature': headers['x-signature'].slice(7) }
  },
  'a key that is not known': (given) => signed(given, { keyId: 'conform-no-such-key' }),
  'milliseconds with a fraction for a time': (given) => signedOver(given, `${seconds()}.5`),
  'a time with a leading zero, signed as it is written': (given) => signedOver(given, `0${seconds()}`),
  ...Object.fromEntries(
    ['x-key-id', 'x-sent-at', 'x-signature'].flatMap((name) => [
      [`without ${name}`, (given: SigningFault) => ({ ...signed(given), [name]: undefined })],
      [`${name} twice`, (given: SigningFault) => doubled(signed(given), name)],
    ]),
  ),
}

const signing = (run: Run, raw: Buffer): SigningFault => {
  const [key] = run.ourKeys
  return { ...key, raw }
}

/** The event that `of` makes, sent to `place` with every wrong signature. */
export const signatureChecks = (place: string, of: (run: Run) => Buffer): Check[] =>
  Object.entries(wrongSignatures).map(([name, headersFor]) => ({
    id: `signature.${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
    section: 'D3 §5.2',
    title: `an event is refused: ${name}`,
    sends: `${place} with a valid event and a wrong signature: ${name}`,
    expects: '401 or 403 with the error body of D3 §7, and the event is not stored',
    async run(run) {
      const raw = of(run)
      expectRefusal(await run.postEvent(raw, headersFor(signing(run, raw))), [401, 403])
    },
  }))

/** Events that were stored already are sent again, so that the time alone can be the reason of a refusal. */
const within = (
  { step, stored }: { step: string; stored: string },
  [id, by, title]: [string, number, string],
): Check => ({
  id: `signature.${id}`,
  section: 'D3 §5.2',
  title: `an event is accepted: ${title}`,
  sends: `the event of ${stored} again, ${title}`,
  expects: '200: the clocks of both sides may differ by up to 300 seconds',
  needs: [stored],
  async run(run) {
    const raw = Buffer.from(run.sentAs(step).raw)
    const { status } = await run.postEvent(raw, shifted(signing(run, raw), by))
    expect(status === 200, `it was answered ${status}, not 200`)
  },
})

/** The event of a step, which the check `stored` has sent, is taken with clocks that are apart. */
export const toleranceChecks = (step: { step: string; stored: string }): Check[] => [
  within(step, ['290-seconds-ago', -290, 'signed 290 seconds ago']),
  within(step, ['290-seconds-ahead', 290, 'signed 290 seconds ahead']),
]

export const authentication = checks([
  ...Object.entries(interfaces).flatMap(([name, call]) => bearerChecks(name, call, wrongBearers)),
  ...signatureChecks('POST /events', strayLead),
])
export const tolerance = checks(toleranceChecks({ step: 'lead', stored: 'lead.stored' }))

// Valid requests: the credential of each gate, the ids of existing objects, and bodies of operations without a schema.
import { randomUUID } from 'node:crypto'
import type { Context } from '@lendloom/platform/src/context.ts'
import { type Borrower, enter, newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { consoleUser } from '@lendloom/tests/setup/console'
import { type HeadlessBorrower, startHeadlessJourney } from '@lendloom/tests/setup/headless'
import type { SigningKey } from '@lendloom/wire/exchange/credentials'
import { type EventType, eventTypes, senderOf } from '@lendloom/wire/exchange/envelope'
import { signedHeaders } from '@lendloom/wire/exchange/signature'
import { type ClaimedKey, signatureHeader } from '@lendloom/wire/network/signing'
import { signCallback } from '@lendloom/wire/provider/common-interface'
import { type Gate, gateOf } from '../api/gates.ts'
import { type Ids, idAt, idsOf } from '../api/ids.ts'
import type { ApiOperation } from '../api/operations.ts'
import type { Owner } from '../api/owner.ts'
import { type JsonSchema, pick, type Random, sampleOf } from '../api/samples.ts'
import { signInAtDesk } from '../api/staff.ts'
import type { Installation } from '../setup/installation.ts'
import { enterIntruder, eventOf } from '../wall/forged.ts'
import type { Draft, DraftBody } from './draft.ts'
import { deskForms, type FormSamples } from './forms.ts'

export interface Actors {
  /** A request that is valid as far as generated values can be. */
  draftOf(operation: ApiOperation, random: Random): Draft
}

interface Journeys {
  ids: Ids
  headless: HeadlessBorrower
  embed: Borrower
}

export interface Scene {
  installation: Installation
  ctx: Context
  owner: Owner
  /** Received network messages by action. */
  messages: Map<string, string[]>
}

/** Credentials end while operations are called that end them, so actors are renewed now and then. */
export async function newActors({ installation, ctx, owner, messages }: Scene): Promise<Actors> {
  const { platformUrl, credentials } = installation
  const { tenantId } = owner.tenant
  const ids = await idsOf(installation, owner)
  const headless = await startHeadlessJourney(platformUrl, owner.tenant, newApplicant())
  const { body } = await openSession(platformUrl, owner.tenant, newApplicant())
  const embed = await enter(platformUrl, body.embedUrl)
  const fresh: Journeys = { ids: { ...ids, journeyID: headless.journeyId }, headless, embed }
  const filled: Journeys = { ids, headless: owner.headless, embed: owner.embed }
  const staff = async (role: 'admin', tenant: string | null) =>
    (await consoleUser({ url: platformUrl, ctx }, { role, tenantId: tenant, email: `${randomUUID()}@fuzz.example` }))
      .cookie
  const cookies = {
    tenant: await staff('admin', tenantId),
    platform: await staff('admin', null),
    own: await staff('admin', tenantId),
  }
  const desk = await signInAtDesk(installation, 'admin')
  const forms = await deskForms(installation.partnerUrl, desk, ids.caseRef ?? '')
  const intruder = await enterIntruder(installation)
  const bearers: Partial<Record<Gate, (journeys: Journeys) => string>> = {
    'api key': () => owner.tenant.apiKey,
    'headless session': (each) => each.headless.sessionToken,
    'refresh token': () => fresh.headless.refreshToken,
    'embed session': (each) => each.embed.sessionToken,
    'platform at the partner': () => credentials.bearer,
    'partner at the platform': () => credentials.webhook.bearer,
    'bank client': () => 'sandbox-bearer-of-the-bank',
  }
  const credentialOf = (gate: Gate, journeys: Journeys, isPlatform: boolean): [string, string][] => {
    const bearer = bearers[gate]?.(journeys)
    if (bearer) return [['authorization', `Bearer ${bearer}`]]
    if (gate === 'console') return [['cookie', isPlatform ? cookies.platform : cookies.tenant]]
    if (gate === 'own console account') return [['cookie', cookies.own]]
    return gate === 'desk' || gate === 'own desk account' ? [['cookie', desk]] : []
  }
  return {
    draftOf(operation, random) {
      const gate = gateOf(operation)
      const journeys = random() < 0.5 ? fresh : filled
      const isPlatform = random() < 0.5
      const hints = { ...journeys.ids, ...(isPlatform ? {} : { tenantId: undefined }) } as Ids
      const draft = plainDraft(operation, random, hints)
      const signer = signerOf(gate, operation, { ctx, credentials, intruder })
      return {
        ...draft,
        body: bodyOf(operation, random, { draft, ids, forms, messages, intruder }),
        headers: [...draft.headers, ...credentialOf(gate, journeys, isPlatform)],
        ...(signer && random() < 0.95 && { sign: signer }),
      }
    },
  }
}

/** Path, query and JSON body by their schemas, mostly with ids that exist. */
function plainDraft(operation: ApiOperation, random: Random, ids: Ids): Draft {
  const { route } = operation
  const { path, method } = route
  const hint = (name: string) => (random() < 0.85 ? idAt(ids, { path, name }) : undefined)
  const options = { random, hint, optionals: random() }
  const params = (route.params ?? {}) as JsonSchema
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const plain = { type: 'string', pattern: '^[A-Za-z0-9]{43}$' }
  const query = route.query
    ? (sampleOf(route.query as JsonSchema, { ...options, optionals: random() * 0.6 }) as object)
    : {}
  return {
    operation,
    method,
    params: Object.fromEntries(
      names.map((name) => [name, String(hint(name) ?? sampleOf(params.properties?.[name] ?? plain, options))]),
    ),
    query: Object.entries(query).map(([name, value]) => [name, String(value)]),
    headers: [
      ['accept-encoding', 'identity'],
      ['x-request-id', randomUUID()],
      ...(method === 'GET' ? [] : [['idempotency-key', randomUUID()] as [string, string]]),
    ],
    body: route.body ? { kind: 'json', value: sampleOf(route.body as JsonSchema, options) } : { kind: 'none' },
  }
}

interface BodySources {
  draft: Draft
  ids: Ids
  forms: FormSamples
  messages: Map<string, string[]>
  intruder: ClaimedKey
}

function bodyOf(
  operation: ApiOperation,
  random: Random,
  { draft, ids, forms, messages, intruder }: BodySources,
): DraftBody {
  const { route, program, name } = operation
  if (route.body || route.method === 'GET' || !route.accepts) return draft.body
  const action = draft.params.action ?? route.path.split('/').at(-1) ?? ''
  const message = messages.get(action)
  if (message) return { kind: 'json', value: fromIntruder(pick(message, random), intruder) }
  if (name === 'partner POST /events') return { kind: 'json', value: exampleEvent('platform', random, ids) }
  if (name === 'platform POST /api/partner/webhook')
    return { kind: 'json', value: exampleEvent('partner', random, ids) }
  if (name === 'partner POST /dedupe') return { kind: 'json', value: dedupeBody(draft, ids) }
  if (route.accepts === 'stream') return multipart(ids)
  if (program === 'partner') return { kind: 'form', fields: pick(forms.fieldsFor(route.path), random) }
  if (operation.prefix === '/api/provider' || program === 'sandbox')
    return random() < 0.5 ? { kind: 'json', value: providerReport(random) } : { kind: 'form', fields: pageFields }
  return { kind: 'form', fields: pageFields }
}

const pageFields: [string, string][] = [
  ['outcome', 'approve'],
  ['amount', '5000.00'],
  ['method', 'UPI'],
  ['paidOn', '2026-11-25'],
]

const providerReport = (random: Random) => ({
  id: randomUUID(),
  reference: randomUUID(),
  updated_at: new Date().toISOString(),
  context: { action: 'search' },
  status: pick(['APPROVED', 'REJECTED', 'PENDING', 'COMPLETED'], random),
  subscriber_id: 'x.example',
  message: {},
})

function fromIntruder(text: string, { subscriberId }: ClaimedKey): unknown {
  const message = JSON.parse(text)
  Object.assign(message.context, { bpp_id: subscriberId, timestamp: new Date().toISOString(), ttl: 'PT60S' })
  return message
}

function exampleEvent(side: 'platform' | 'partner', random: Random, ids: Ids) {
  const type: EventType = pick(
    eventTypes.filter((each) => senderOf(each) === side),
    random,
  )
  const sender = side === 'platform' ? 'LENDLOOM' : 'CELESTIUM'
  const caseIds = { caseRef: ids.caseRef ?? '', leadId: ids.leadId ?? null, loanId: ids.loanId ?? null }
  return eventOf(type, { ids: caseIds, sender })
}

const dedupeBody = ({ headers }: Draft, ids: Ids) => ({
  request_id: headers.find(([name]) => name === 'idempotency-key')?.[1],
  external_reference_id: ids.caseRef,
  product: 'BUSINESS_LOAN',
  applicant: { pan: 'ABCPE1234F', mobile: '+919876501234', date_of_birth: '1992-02-29', name: 'Asha Kumar' },
})

function multipart(ids: Ids): DraftBody {
  const boundary = 'fuzzboundary'
  const fields = {
    request_id: randomUUID(),
    external_reference_id: ids.caseRef,
    document_type: 'PAN',
    from: 'a@b.example',
    text: 'x',
  }
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n%PDF-1.7\n%%EOF\r\n--${boundary}--\r\n`
  return { kind: 'bytes', bytes: Buffer.from(parts.join('') + file), isJson: false }
}

type Signer = NonNullable<Draft['sign']>

interface Signers {
  ctx: Context
  credentials: Installation['credentials']
  intruder: ClaimedKey & { privateKey: string }
}

function signerOf(gate: Gate, { route }: ApiOperation, { ctx, credentials, intruder }: Signers): Signer | null {
  const at = () => new Date()
  const event =
    (key: SigningKey | undefined): Signer =>
    (raw) => ({
      'idempotency-key': /"event_id":"([^"\r\n]{1,99})"/.exec(raw.toString('latin1'))?.[1] ?? 'none',
      ...(key && signedHeaders({ ...key, at: at(), raw })),
    })
  if (route.path === '/events') return event(credentials)
  if (gate === 'partner at the platform') return event(credentials.webhook.keys[0])
  if (gate === 'network signature')
    return (raw) => ({
      authorization: signatureHeader(raw, { ...intruder, at: at() }),
      'content-type': 'application/json',
    })
  if (gate !== 'provider signature') return null
  const secrets = ctx.config as unknown as Record<string, string>
  const [, kind = ''] = /provider\/([\w-]+)\//.exec(route.path) ?? []
  const name = kind === 'bank-statement' ? 'STATEMENT' : kind.toUpperCase()
  return (raw) => signCallback(secrets[`${name}_CALLBACK_SECRET`] ?? '', randomUUID(), at(), raw)
}

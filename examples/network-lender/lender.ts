// The smallest lender of the network, with a signer of its own and without dependencies; see README.md in this folder.
//
//   node examples/network-lender/lender.ts
//
// Optional settings: PORT, REGISTRY_URL and SUBSCRIBER_ID.
import {
  createDecipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  randomUUID,
  sign,
  verify,
} from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

const {
  PORT = '5200',
  REGISTRY_URL = 'http://127.0.0.1:4200/registry',
  SUBSCRIBER_ID = 'amaltas.example',
} = process.env
const baseUrl = `http://127.0.0.1:${PORT}`
const me = { id: SUBSCRIBER_ID, uri: `${baseUrl}/ondc` }

// biome-ignore lint/suspicious/noExplicitAny: JSON, whose fields are validated below
type Json = any

/** A NACK: the message is not stored, and no callback follows (FIS12 §3.1). */
class Nack extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const get = (url: string): Promise<Response> => fetch(url, { signal: AbortSignal.timeout(5000) })
const post = (url: string, body: string, authorization?: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(5000),
  })

// ---- Keys, and signatures (FIS12 §5) ------------------------------------------------------------------------------

/** New keys at every start. A real lender keeps its keys in a safe place. */
const keyId = `key-${Date.now()}`
const signing = generateKeyPairSync('ed25519')
const encryption = generateKeyPairSync('x25519')
const spki = { format: 'der', type: 'spki' } as const
const signingPublicKey = signing.publicKey.export(spki).subarray(-32).toString('base64')
const encryptionPublicKey = encryption.publicKey.export(spki).toString('base64')
const ed25519Prefix = Buffer.from('302a300506032b6570032100', 'hex')

function signingText(raw: string | Buffer, created: string, expires: string): Buffer {
  const digest = createHash('blake2b512').update(raw).digest('base64')
  return Buffer.from(`(created): ${created}\n(expires): ${expires}\ndigest: BLAKE-512=${digest}`)
}

/** The header `Authorization` for exactly these bytes, valid for five minutes. */
function signatureOf(raw: string): string {
  const created = Math.floor(Date.now() / 1000)
  const signature = sign(null, signingText(raw, String(created), String(created + 300)), signing.privateKey)
  const times = `created="${created}",expires="${created + 300}",headers="(created) (expires) digest"`
  return `Signature keyId="${me.id}|${keyId}|ed25519",algorithm="ed25519",${times},signature="${signature.toString('base64')}"`
}

/** Returns the subscriber that signed these bytes as a member with this role. Throws a NACK for any other signature. */
async function verifySender(raw: Buffer, header: unknown, role: 'BAP' | 'BG'): Promise<string> {
  const refuse = (why: string) => new Nack(401, '30016', `the signature is not valid: ${why}`)
  if (typeof header !== 'string' || !header.startsWith('Signature ')) throw refuse('absent')
  const parts = Object.fromEntries([...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))
  const { created = '', expires = '', signature = '' } = parts
  const [id = '', ukId = '', keyAlgorithm] = String(parts.keyId).split('|')
  if (keyAlgorithm !== 'ed25519' || parts.algorithm !== 'ed25519') throw refuse('wrong-algorithm')
  if (parts.headers?.replaceAll(' ', '') !== '(created)(expires)digest') throw refuse('wrong-headers')
  const now = Date.now() / 1000
  const from = Number(created)
  const until = Number(expires)
  if (!(from <= now + 60)) throw refuse('not-yet-valid')
  if (!(until >= now - 60 && from < until && until - from <= 86_400)) throw refuse('expired')
  const member = (await lookUp({ subscriber_id: id, ukId })).find((each) => isCurrentMember(each, id, ukId, role))
  if (!member) throw refuse('unknown-sender')
  const der = Buffer.concat([ed25519Prefix, Buffer.from(member.signing_public_key, 'base64').subarray(-32)])
  const isValid = verify(
    null,
    signingText(raw, created, expires),
    createPublicKey({ key: der, ...spki }),
    Buffer.from(signature, 'base64'),
  )
  if (!isValid) throw refuse('bad-signature')
  return id
}

function isCurrentMember(entry: Json, id: string, ukId: string, role: string): boolean {
  const isCurrent = Date.parse(entry.valid_from) <= Date.now() && Date.now() < Date.parse(entry.valid_until)
  const isNamed = entry.subscriber_id === id && entry.ukId === ukId && entry.type === role
  return isNamed && isCurrent && entry.status === 'SUBSCRIBED' && entry.domain === 'ONDC:FIS12'
}

// ---- The registry (FIS12 §6) --------------------------------------------------------------------------------------

/** A signed look-up. A real lender caches the answers. */
async function lookUp(criteria: object): Promise<Json[]> {
  const body = JSON.stringify(criteria)
  const answer = await post(`${REGISTRY_URL}/v2.0/lookup`, body, signatureOf(body)).catch(() => null)
  const found = answer?.ok ? await answer.json().catch(() => null) : null
  if (!Array.isArray(found)) throw new Nack(503, '31001', 'the registry did not answer the look-up')
  return found
}

/** The subscription under way, whose page and challenge this lender answers. */
let requestId = ''
let registryKey = ''

/** Enters this lender in the registry for so many seconds. Throws the registry's reason for a refusal. */
async function subscribe(seconds: number): Promise<void> {
  requestId = randomUUID()
  const published: Json = await (await get(`${REGISTRY_URL}/encryption-key`)).json()
  registryKey = published.encr_public_key
  const now = Date.now()
  const body = JSON.stringify({
    context: { operation: { ops_no: 2 } },
    message: {
      request_id: requestId,
      timestamp: new Date(now).toISOString(),
      entity: {
        subscriber_id: me.id,
        unique_key_id: keyId,
        callback_url: '/ondc',
        country: 'IND',
        key_pair: {
          signing_public_key: signingPublicKey,
          encryption_public_key: encryptionPublicKey,
          // A minute ago, because the registry's clock may be behind.
          valid_from: new Date(now - 60_000).toISOString(),
          valid_until: new Date(now + seconds * 1000).toISOString(),
        },
      },
      network_participant: [
        { subscriber_url: me.uri, domain: 'ONDC:FIS12', type: 'sellerApp', msn: false, city_code: ['*'] },
      ],
    },
  })
  const answer: Json = await (await post(`${REGISTRY_URL}/subscribe`, body)).json()
  if (answer?.message?.ack?.status !== 'ACK') throw new Error(`the registry refuses: ${answer?.error?.message}`)
}

/** The page on which the registry looks for a signature of the bare request id. */
const sitePage = (): string =>
  `<meta name="ondc-site-verification" content="${sign(null, Buffer.from(requestId), signing.privateKey).toString('base64')}">`

/** Decrypts the registry's challenge. Refuses one for another subscriber or another key. */
function onSubscribe(raw: Buffer): Json {
  try {
    const { subscriber_id, challenge } = JSON.parse(raw.toString('utf8'))
    const publicKey = createPublicKey({ key: Buffer.from(registryKey, 'base64'), ...spki })
    const secret = diffieHellman({ privateKey: encryption.privateKey, publicKey })
    const decipher = createDecipheriv('aes-256-ecb', secret, null)
    const answer = Buffer.concat([decipher.update(challenge, 'base64'), decipher.final()]).toString('utf8')
    if (subscriber_id === me.id) return { answer }
  } catch {}
  throw new Nack(400, '30000', 'this challenge is not for this lender')
}

// ---- Requests: verified, then acknowledged, then answered by a callback (FIS12 §3, §4) ----------------------------

interface Application {
  /** In the addresses of its forms. */
  token: string
  formIds: Record<FormName, string>
  submissions: Partial<Record<FormName, { id: string; answers: Record<string, string> }>>
  offer: Offer | null
  quoteId: string
  /** The digest of each request, by action and message id. */
  requests: Map<string, string>
  /** When the last callback was dated, in milliseconds. */
  sentAt: number
  /** Sends one callback after the other. */
  sending: Promise<void>
}

/** The newest thousand, by buyer app and transaction. A real lender keeps them in a database. */
const applications = new Map<string, Application>()

function newApplication(key: string): Application {
  const [oldest] = applications.keys()
  if (applications.size >= 1000 && oldest !== undefined) applications.delete(oldest)
  const application: Application = {
    token: randomUUID(),
    quoteId: randomUUID(),
    formIds: { profile: randomUUID(), amount: randomUUID() },
    submissions: {},
    offer: null,
    requests: new Map(),
    sentAt: 0,
    sending: Promise.resolve(),
  }
  applications.set(key, application)
  return application
}

/** Verifies and keeps a request, and returns its transaction. Throws a NACK. */
async function receive(action: string, raw: Buffer, { headers }: IncomingMessage): Promise<string> {
  const sender = await verifySender(raw, headers.authorization, 'BAP')
  // Only the gateway broadcasts: a search that comes without its signature bypassed it.
  if (action === 'search') await verifySender(raw, headers['x-gateway-authorization'], 'BG')
  const body = messageIn(raw)
  requireContext(body.context, action, sender)
  requireContent(body.message, action)
  const { context, message } = body
  const key = `${context.bap_id} ${context.transaction_id}`
  const application = applications.get(key) ?? (action === 'search' ? newApplication(key) : null)
  if (!application) throw new Nack(404, '30018', 'this transaction is not known')
  const requestKey = `${action} ${context.message_id}`
  const digest = createHash('sha256').update(JSON.stringify(message)).digest('hex')
  const before = application.requests.get(requestKey)
  if (before !== undefined && before !== digest) throw new Nack(200, '40001', 'message_id was used for another message')
  if (before !== undefined) return context.transaction_id
  application.requests.set(requestKey, digest)
  if (action === 'search' && message.intent.category.descriptor.code !== 'PERSONAL_LOAN') return context.transaction_id
  const content = () => (action === 'search' ? onSearch(application, message) : onSelect(application, message))
  application.sending = application.sending
    .then(() => sendCallback(application, `on_${action}`, context, content()))
    .catch((error) => console.error(error))
  return context.transaction_id
}

function messageIn(raw: Buffer): Json {
  try {
    const body = JSON.parse(raw.toString('utf8'))
    if (body?.context && body.message) return body
  } catch {}
  throw new Nack(400, '30000', 'the body is not a message')
}

function requireContext(context: Json, action: string, sender: string): void {
  const requireField = (name: string, isValid: boolean) => {
    if (!isValid) throw new Nack(200, '30000', `context.${name} is not valid`)
  }
  const isText = (value: Json) => typeof value === 'string' && /^[\x20-\x7e]{1,200}$/.test(value)
  if (context.bap_id !== sender) throw new Nack(401, '30016', 'the signature is not valid: wrong-sender')
  requireField('domain', context.domain === 'ONDC:FIS12')
  requireField('version', context.version === '2.0.3')
  requireField('action', context.action === action)
  requireField('bap_uri', isText(context.bap_uri) && /^https?:\/\/[^\s/]+/.test(context.bap_uri))
  requireField('bpp_id', action === 'search' || context.bpp_id === me.id)
  requireField('transaction_id', isText(context.transaction_id))
  requireField('message_id', isText(context.message_id))
  requireField('timestamp', isText(context.timestamp) && Number.isFinite(Date.parse(context.timestamp)))
  requireField('ttl', secondsOf(context.ttl) > 0)
  if (Date.now() > Date.parse(context.timestamp) + secondsOf(context.ttl) * 1000)
    throw new Nack(200, '30022', 'the request is past its ttl')
}

/** Seconds of durations such as `PT30S` and `PT15M`; 0 for any other text. */
function secondsOf(duration: Json): number {
  const match = /^PT(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?$/.exec(String(duration))
  return match ? Number(match[1] ?? 0) * 3600 + Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0) : 0
}

const itemOf = ({ items }: Json): Json => (Array.isArray(items) ? items[0] : undefined)

function requireContent(message: Json, action: string): void {
  const isSearch = typeof message.intent?.category?.descriptor?.code === 'string'
  const isSelect = typeof message.order?.provider?.id === 'string' && typeof itemOf(message.order)?.id === 'string'
  if (action === 'search' ? !isSearch : !isSelect)
    throw new Nack(200, '30000', `this is not the content of a ${action}`)
}

/** Sends a callback under the request's ids, with a fresh signature at each try, until it is answered or expires. */
async function sendCallback(application: Application, action: string, request: Json, content: Json): Promise<void> {
  application.sentAt = Math.max(Date.now(), Date.parse(request.timestamp) + 1, application.sentAt + 1)
  const context = {
    domain: 'ONDC:FIS12',
    location: { country: { code: 'IND' }, city: { code: '*' } },
    version: '2.0.3',
    action,
    bap_id: request.bap_id,
    bap_uri: request.bap_uri,
    bpp_id: me.id,
    bpp_uri: me.uri,
    transaction_id: request.transaction_id,
    message_id: request.message_id,
    timestamp: new Date(application.sentAt).toISOString(),
    ttl: 'PT30S',
  }
  const raw = JSON.stringify({ context, ...content })
  const error = content.error ? `, error ${content.error.code}` : ''
  const what = `${action} of ${request.transaction_id}${error}`
  for (let pauseMs = 500; Date.now() < application.sentAt + 30_000; pauseMs = Math.min(2 * pauseMs, 8000)) {
    const answer = await post(`${request.bap_uri.replace(/\/+$/, '')}/${action}`, raw, signatureOf(raw)).catch(
      () => null,
    )
    const body: Json = await answer?.json().catch(() => null)
    const status = body?.message?.ack?.status
    if (status) return console.log(`sent ${what}: ${status} ${body.error ? JSON.stringify(body.error) : ''}`.trim())
    await sleep(pauseMs)
  }
  console.log(`sent ${what}: no answer in time`)
}

// ---- The catalogue and the offer (FIS12 §7, §8) -------------------------------------------------------------------

const itemId = 'personal-loan'

/** `ANNUAL_PERCENTAGE_RATE` as `Annual Percentage Rate`. */
const wordsOf = (code: string): string =>
  code.replaceAll('_', ' ').replaceAll(/\B[A-Z]/g, (capital) => capital.toLowerCase())

/** A group of coded texts. `more` has the words for people that official messages carry (FIS12 §7.1, §21). */
const tagGroup = (
  code: string,
  values: Record<string, string>,
  more: { name?: string; display?: boolean } = {},
): Json => ({
  descriptor: { code, ...(more.name && { name: more.name }) },
  ...(more.display !== undefined && { display: more.display }),
  list: Object.entries(values).map(([entry, value]) => ({
    descriptor: { code: entry, name: wordsOf(entry), short_desc: wordsOf(entry) },
    value,
  })),
})

const provider = {
  id: 'amaltas',
  descriptor: {
    name: 'Amaltas Loans',
    short_desc: 'NBFC',
    long_desc: 'Amaltas Loans Limited, an example that lends no money',
    images: [{ url: `${baseUrl}/logo.svg`, size_type: 'sm' }],
  },
  tags: [
    tagGroup(
      'CONTACT_INFO',
      {
        GRO_NAME: 'Lata Barve',
        GRO_EMAIL: 'gro@amaltas.example',
        GRO_CONTACT_NUMBER: '0253-2340077',
        GRO_DESIGNATION: 'Grievance Redressal Officer',
        GRO_ADDRESS: '5 College Road, Nashik 422005',
        CUSTOMER_SUPPORT_LINK: `${baseUrl}/help`,
        CUSTOMER_SUPPORT_CONTACT_NUMBER: '1800-000-077',
        CUSTOMER_SUPPORT_EMAIL: 'care@amaltas.example',
      },
      { name: 'Contact Info' },
    ),
    tagGroup(
      'LSP_INFO',
      {
        LSP_NAME: 'Amaltas Services',
        LSP_EMAIL: 'desk@amaltas.example',
        LSP_CONTACT_NUMBER: '0253-2340078',
        LSP_ADDRESS: '5 College Road, Nashik 422005',
      },
      { name: 'Lsp Info' },
    ),
  ],
}

/** A form that is due, or the next step of a stage. */
const dueForm = ({ token, formIds }: Application, name: FormName, title: string, headings: string[]): Json => ({
  head: { descriptor: { name: title }, index: { min: 0, cur: 0, max: headings.length - 1 }, headings },
  form: {
    id: formIds[name],
    mime_type: 'text/html',
    url: `${baseUrl}/forms/${name}/${token}`,
    // The second name is the network's spelling.
    resubmit: false,
    multiple_sumbissions: false,
  },
  required: true,
})

function onSearch(application: Application, { intent }: Json): Json {
  const offered: Json[] = intent.payment?.tags?.find?.(
    (tag: Json) => tag?.descriptor?.code === 'BUYER_FINDER_FEES',
  )?.list
  const fee = offered?.find?.((entry) => entry?.descriptor?.code === 'BUYER_FINDER_FEES_PERCENTAGE')?.value
  const category = (id: string, parent: string | null, code: string, name: string) => ({
    id,
    ...(parent && { parent_category_id: parent }),
    descriptor: { code, name },
  })
  const item = {
    id: itemId,
    descriptor: { code: 'PERSONAL_LOAN', name: 'Personal loan' },
    category_ids: ['C2', 'C3'],
    matched: true,
    recommended: false,
    tags: [
      tagGroup(
        'GENERAL_INFO',
        {
          MIN_INTEREST_RATE: '24%',
          MAX_INTEREST_RATE: '24%',
          MIN_TENURE: '12 months',
          MAX_TENURE: '12 months',
          MIN_LOAN_AMOUNT: '50000',
          MAX_LOAN_AMOUNT: '300000',
        },
        { name: 'General Information', display: true },
      ),
    ],
    xinput: dueForm(application, 'profile', 'Personal Information', ['PERSONAL_INFORMATION']),
  }
  const fees = { BUYER_FINDER_FEES_TYPE: 'PERCENT_ANNUALIZED', BUYER_FINDER_FEES_PERCENTAGE: String(fee ?? 1) }
  const terms = {
    SETTLEMENT_WINDOW: 'PT60M',
    SETTLEMENT_BASIS: 'INVOICE_RECEIPT',
    MANDATORY_ARBITRATION: 'TRUE',
    COURT_JURISDICTION: 'Nashik',
    STATIC_TERMS: `${baseUrl}/terms`,
    OFFLINE_CONTRACT: 'true',
  }
  const categories = [
    category('C1', null, 'LOAN', 'Loan'),
    category('C2', 'C1', 'PERSONAL_LOAN', 'Personal loan'),
    category('C3', 'C2', 'BUREAU_LOAN', 'Bureau based'),
  ]
  const tags = [
    tagGroup('BUYER_FINDER_FEES', fees, { display: false }),
    tagGroup('SETTLEMENT_TERMS', terms, { display: false }),
  ]
  const offering = { ...provider, categories, items: [item], payments: [{ collected_by: 'BPP', tags }] }
  return { message: { catalog: { descriptor: { name: provider.descriptor.name }, providers: [offering] } } }
}

/** An error callback: the lender cannot do what was requested (FIS12 §3.2, §3.4). */
const failure = (code: string, message: string): Json => ({ error: { code, message } })

function onSelect(application: Application, { order }: Json): Json {
  const { id, xinput } = itemOf(order)
  if (order.provider.id !== provider.id) return failure('30001', 'the provider is not known')
  if (id !== itemId) return failure('30004', 'the item is not known')
  const name = formNames.find((each) => application.formIds[each] === xinput?.form?.id)
  const submission = name && application.submissions[name]
  if (!submission || submission.id !== xinput.form_response?.submission_id)
    return failure('80217', 'the form was not submitted')
  if (name === 'amount') return failure('40000', 'this example ends at its offer')
  const offer = offerFor(submission.answers)
  application.offer = offer
  if (!offer) return failure('80226', 'the income is too low')
  const item = {
    id: itemId,
    descriptor: { code: 'PERSONAL_LOAN', name: 'Personal loan' },
    price: inr(offer.total),
    tags: [tagGroup('LOAN_INFO', loanInfoOf(offer, application.token), { name: 'Loan Information', display: true })],
    xinput: dueForm(application, 'amount', 'Set Loan Amount', ['SET_LOAN_AMOUNT', 'KYC']),
  }
  return { message: { order: { provider, items: [item], quote: quoteOf(offer, application.quoteId) } } }
}

// ---- The price: whole paise, equal instalments on a reducing balance ----------------------------------------------

interface Offer {
  principal: number
  interest: number
  instalment: number
  fee: number
  /** What reaches the account: the principal less the fee. */
  net: number
  /** What the borrower pays in all. */
  total: number
  /** Yearly percentage, fee included. */
  apr: string
}

const months = 12
const monthlyRate = 0.24 / 12

/** Lends three monthly incomes, up to three lakh. A real lender asks a credit bureau and its own rules. */
function offerFor({ income }: Record<string, string>): Offer | null {
  const principal = Math.min(Math.floor((3 * Number(income)) / 1000) * 1000, 300_000) * 100
  if (principal < 50_000_00) return null
  const instalment = Math.round((principal * monthlyRate) / (1 - (1 + monthlyRate) ** -months))
  let owed = principal
  let interest = 0
  for (let month = 1; month <= months; month++) {
    const charged = Math.round(owed * monthlyRate)
    interest += charged
    owed -= Math.min(owed, instalment - charged)
  }
  // Two percent, and 18 percent of tax on it.
  const fee = Math.round(principal * 0.02 * 1.18)
  const net = principal - fee
  return { principal, interest, instalment, fee, net, total: principal + interest + fee, apr: aprOf(net, instalment) }
}

/** The yearly rate at which the instalments are worth what reaches the account, by bisection. */
function aprOf(net: number, instalment: number): string {
  let low = 0
  let high = 0.1
  for (let i = 0; i < 60; i++) {
    const rate = (low + high) / 2
    const worth = (instalment * (1 - (1 + rate) ** -months)) / rate
    if (worth > net) low = rate
    else high = rate
  }
  return `${(low * 1200).toFixed(2)}%`
}

const rupees = (paise: number): string => (paise / 100).toFixed(2)
const inr = (paise: number) => ({ currency: 'INR', value: rupees(paise) })

const quoteOf = ({ principal, interest, fee, net, total }: Offer, id: string): Json => ({
  id,
  price: inr(total),
  breakup: [
    { title: 'PRINCIPAL', price: inr(principal) },
    { title: 'INTEREST', price: inr(interest) },
    { title: 'PROCESSING_FEE', price: inr(fee) },
    { title: 'OTHER_UPFRONT_CHARGES', price: inr(0) },
    { title: 'INSURANCE_CHARGES', price: inr(0) },
    { title: 'OTHER_CHARGES', price: inr(0) },
    { title: 'NET_DISBURSED_AMOUNT', price: inr(net) },
  ],
  ttl: 'P7D',
})

const loanInfoOf = ({ instalment, apr }: Offer, token: string): Record<string, string> => ({
  INTEREST_RATE: '24%',
  TERM: `${months} months`,
  INTEREST_RATE_TYPE: 'FIXED',
  APPLICATION_FEE: '0 INR',
  FORECLOSURE_FEE: '2%',
  INTEREST_RATE_CONVERSION_CHARGE: '0 INR',
  DELAY_PENALTY_FEE: '2%',
  OTHER_PENALTY_FEE: '0%',
  ANNUAL_PERCENTAGE_RATE: apr,
  REPAYMENT_FREQUENCY: 'MONTHLY',
  NUMBER_OF_INSTALLMENTS_OF_REPAYMENT: String(months),
  TNC_LINK: `${baseUrl}/terms`,
  COOL_OFF_PERIOD: 'P3D',
  INSTALLMENT_AMOUNT: rupees(instalment),
  KFS_LINK: `${baseUrl}/key-facts/${token}`,
})

// ---- Forms, which the platform fills, and pages (FIS12 §7.7) ------------------------------------------------------

const formNames = ['profile', 'amount'] as const
type FormName = (typeof formNames)[number]

/** The fields of each form, and what their values must match. The platform knows these names. */
const fieldsOf: Record<FormName, Record<string, RegExp>> = {
  profile: {
    pan: /^[A-Z]{3}P[A-Z]\d{4}[A-Z]$/,
    panName: /^\S.{0,199}$/,
    dob: /^\d{4}-\d\d-\d\d$/,
    contactNumber: /^\d{10}$/,
    income: /^\d{1,9}(\.\d{1,2})?$/,
  },
  amount: { requestAmount: /^\d{1,9}(\.\d{1,2})?$/, requestTerm: /^\d{1,3}$/ },
}

const formPage = (name: FormName, { formIds }: Application): string => {
  const inputs = Object.keys(fieldsOf[name]).map((field) => `<label>${field} <input name="${field}" required></label>`)
  return `<form method="POST"><input type="hidden" name="formId" value="${formIds[name]}">${inputs.join('')}<button>Send</button></form>`
}

function submit(name: FormName, { submissions, formIds }: Application, raw: Buffer): [status: number, body: Json] {
  const answers = Object.fromEntries(new URLSearchParams(raw.toString('utf8')))
  const wrong = Object.entries(fieldsOf[name]).filter(([field, pattern]) => !pattern.test(answers[field] ?? ''))
  const errors = wrong.map(([field]) => ({ field, message: 'is missing or not valid' }))
  if (answers.formId !== formIds[name]) errors.push({ field: 'formId', message: 'is not that of this form' })
  if (errors.length > 0) return [400, { success: false, errors }]
  // The same form posted twice is one submission.
  const id = submissions[name]?.id ?? randomUUID()
  submissions[name] = { id, answers }
  return [200, { success: true, submission_id: id }]
}

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#7a5c00"/><circle cx="20" cy="20" r="10" fill="#ffd95a"/></svg>'

function keyFacts({ offer }: Application): string {
  if (!offer) return page('Key facts', 'There is no offer.')
  const { principal, interest, fee, net, instalment, apr } = offer
  const terms = `${months} instalments of ₹${rupees(instalment)}, annual percentage rate ${apr}`
  const sums = `Amount ₹${rupees(principal)}, interest ₹${rupees(interest)}, fee ₹${rupees(fee)}`
  return page('Key facts', `${sums}, paid to your account ₹${rupees(net)}. ${terms}.`)
}
const page = (title: string, text: string): string =>
  `<!doctype html><title>${title}</title><h1>${title}</h1><p>${text}</p>`

// ---- The server ---------------------------------------------------------------------------------------------------

const html = 'text/html; charset=utf-8'
const pages: Record<string, () => string> = {
  '/ondc-site-verification.html': sitePage,
  '/terms': () => page('Terms', 'This example lends no money.'),
  '/help': () => page('Help', 'Write to care@amaltas.example.'),
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const end = (status: number, body: string, type: string) =>
    response.writeHead(status, { 'content-type': type }).end(body)
  const endJson = (status: number, body: Json) => end(status, JSON.stringify(body), 'application/json')
  const [, area = '', name = '', token = ''] = new URL(request.url ?? '/', baseUrl).pathname.split('/')
  const known = pages[`/${area}`]
  if (request.method === 'GET' && known) return void end(200, known(), html)
  if (request.method === 'GET' && area === 'logo.svg') return void end(200, logo, 'image/svg+xml')
  const raw = await bodyOf(request)
  if (area === 'ondc') return void endJson(...(await acknowledge(name, raw, request)))
  const application = [...applications.values()].find((each) => each.token === (token || name))
  const form = formNames.find((each) => area === 'forms' && each === name)
  if (application && form && request.method === 'POST') return void endJson(...submit(form, application, raw))
  if (application && form) return void end(200, formPage(form, application), html)
  if (application && area === 'key-facts') return void end(200, keyFacts(application), html)
  end(404, page('Not found', 'There is no such page.'), html)
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > 1 << 20) throw new Nack(413, '30000', 'the body is larger than 1 MiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function acknowledge(
  action: string,
  raw: Buffer,
  request: IncomingMessage,
): Promise<[status: number, body: Json]> {
  try {
    if (request.method !== 'POST') throw new Nack(405, '30000', 'only POST is possible here')
    if (!/^application\/json\s*(;|$)/i.test(String(request.headers['content-type'])))
      throw new Nack(415, '30000', 'the body must be application/json')
    if (action === 'on_subscribe') return [200, onSubscribe(raw)]
    if (action !== 'search' && action !== 'select')
      throw new Nack(404, '30000', 'this example takes only search and select')
    const transactionId = await receive(action, raw, request)
    console.log(`received ${action} of ${transactionId}: ACK`)
    return [200, { message: { ack: { status: 'ACK' } } }]
  } catch (error) {
    const { status, code, message } = error instanceof Nack ? error : new Nack(500, '31001', 'internal failure')
    if (!(error instanceof Nack)) console.error(error)
    console.log(`received ${action}: NACK ${code} ${message}`)
    return [status, { message: { ack: { status: 'NACK' } }, error: { code, message } }]
  }
}

const server = createServer((request, response) => {
  handle(request, response).catch((error) => {
    response.writeHead(error instanceof Nack ? error.status : 500).end()
    request.destroy()
  })
})

async function join(): Promise<void> {
  await subscribe(86_400)
  const [entry] = await lookUp({ subscriber_id: me.id, ukId: keyId })
  console.log(`${me.id} is ${entry?.status} with ${keyId} until ${entry?.valid_until}, at ${me.uri}`)
}

/** The registry has no way to leave, so the entry is renewed with an end two seconds ahead. */
async function leave(): Promise<void> {
  await subscribe(2).then(
    () => console.log('left the network'),
    (error) => console.error(error.message),
  )
  process.exit()
}

server.listen(Number(PORT), '127.0.0.1', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave())
  join().catch((error) => {
    console.error(error.cause ? `no registry answers at ${REGISTRY_URL}: is the sandbox running?` : error.message)
    process.exit(1)
  })
})

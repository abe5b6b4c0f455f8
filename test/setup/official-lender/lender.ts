// The other lender's server: takes requests, answers by the flow of their transaction, serves forms and pages, speaks unasked.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isRetryAfterLateAnswer, messagesBefore, possiblePredecessors } from './crossing.ts'
import { ack, type Call, Directory, post, type Reply } from './directory.ts'
import { contextFaults, mayFollow, messageFaults } from './strict.ts'
import { type AnswerStep, type Consents, type Flow, type PushStep, Talk, type TalkMessage } from './talk.ts'
import { authorizationHeader, type Json, newKeys, signatureFault } from './wire.ts'

export interface LenderOptions {
  /** Which flow is played in a transaction. */
  flowOf(transactionId: string): Promise<Flow>
  consents: Consents
  /** Sees every callback before it leaves, and may send others of its own first; what it gives back is done afterwards. */
  injectFaults?: (talk: Talk, envelope: Json, send: (envelope: Json) => Promise<Reply>) => Promise<() => Promise<void>>
}

/** Subscriber id, and the address without a port that version 2.3.0 wants; it is called at the gateway's. */
const self = {
  id: 'official.sandbox.example',
  keyId: 'official-1',
  portless: 'http://official.sandbox.example/lender/ondc',
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export class OfficialLender {
  readonly directory = new Directory()
  readonly talks = new Map<string, Talk>()
  url = ''
  private readonly options: LenderOptions
  private readonly keys = newKeys()
  private readonly seen = new Set<string>()
  private readonly turns = new Map<Talk, Promise<void>>()
  private readonly server = createServer((request, response) => void this.handle(request, response))

  constructor(options: LenderOptions) {
    this.options = options
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
    const signing_public_key = this.keys.publicKey
    const subscriber_url = `${this.url}/lender/ondc`
    this.directory.enter({ subscriber_id: self.id, ukId: self.keyId, type: 'BPP', subscriber_url, signing_public_key })
  }

  stop(): void {
    this.server.closeAllConnections()
    this.server.close()
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks).toString('utf8')
    const path = request.url!.split('?')[0]!
    const body = raw.startsWith('{') ? JSON.parse(raw) : null
    const call = { method: request.method!, path, headers: request.headers as Call['headers'], raw, body }
    const { status, body: answer } = await this.answerTo(call)
    const isPage = typeof answer === 'string'
    response.writeHead(status, { 'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json' })
    response.end(isPage ? answer : JSON.stringify(answer))
  }

  private answerTo(call: Call): Promise<Reply> | Reply {
    if (call.path.startsWith('/lender/ondc/')) return this.take(call.path.split('/').at(-1)!, call)
    if (call.path.startsWith('/forms/')) return this.formAt(call)
    if (call.path.startsWith('/pages/')) return this.pageAt(call)
    return this.directory.answer(call)
  }

  private async talkOf({ context }: Json): Promise<Talk> {
    const { transaction_id: transactionId, bap_id: id, bap_uri: uri } = context
    const flow = await this.options.flowOf(transactionId)
    const known = this.talks.get(transactionId)
    if (known) return known
    const { consents } = this.options
    const talk = new Talk(flow, { transactionId, url: this.url, consents, buyer: { id, uri } })
    this.talks.set(transactionId, talk)
    return talk
  }

  /** Judges a request, acknowledges it, and answers it afterwards; the same one twice is acknowledged twice. */
  private async take(action: string, call: Call): Promise<Reply> {
    const { context, message } = call.body
    const talk = await this.talkOf(call.body)
    const key = `${context.transaction_id} ${context.message_id} ${action}`
    if (this.seen.has(key)) return { status: 200, body: ack }
    this.seen.add(key)
    for (const fault of this.faultsOf(talk, action, call)) talk.faults.push(`${action}: ${fault}`)
    talk.messages.push({ direction: 'received', action, context, message, at: Date.now() })
    this.inTurn(talk, () => this.answer(talk, action, context, message))
    return { status: 200, body: ack }
  }

  /** The messages of one transaction are sent one after the other. */
  private inTurn(talk: Talk, work: () => Promise<void>): void {
    talk.pending++
    const turn = (this.turns.get(talk) ?? Promise.resolve())
      .then(work)
      .catch((error) => void talk.faults.push(String(error.stack)))
      .finally(() => talk.pending--)
    this.turns.set(talk, turn)
  }

  /** Shape, sender, order and time of a request (FIS12 §3.3, §4, §5, §12). */
  private faultsOf(talk: Talk, action: string, { raw, headers, body }: Call): string[] {
    const { context, message } = body
    const { version } = talk.flow
    const isBroadcast = headers['x-gateway-authorization'] !== undefined
    const { keyOf } = this.directory
    const bySender = signatureFault(raw, headers.authorization, context.bap_id, keyOf)
    const byGateway = isBroadcast ? signatureFault(raw, headers['x-gateway-authorization'], null, keyOf) : null
    const before = messagesBefore(talk, context)
    const newest = before.findLast(({ isKnown }) => isKnown)?.message
    const last = possiblePredecessors(before, action)
    const isFirstIssue = action === 'issue' && talk.messages.some((each) => each.action === 'on_confirm')
    const isSecondSearch = action === 'search' && !isBroadcast
    const faults = [
      ...contextFaults(context, version, action, isBroadcast),
      ...messageFaults(version, action, message),
      ...[bySender, byGateway].filter((fault) => fault !== null),
    ]
    if (
      !last.some((each) => mayFollow(version, each, action)) &&
      !isSecondSearch &&
      !(isFirstIssue && last[0] === 'start')
    )
      faults.push(`may not follow ${last.join(' or ')}`)
    if (newest && context.timestamp <= newest.context.timestamp)
      faults.push(`${context.timestamp} is not later than ${newest.action} at ${newest.context.timestamp}`)
    if (context.bap_id !== talk.buyer.id || context.bap_uri !== talk.buyer.uri) faults.push('comes from somebody else')
    if (!isBroadcast && (context.bpp_id !== self.id || context.bpp_uri !== this.uriIn(version)))
      faults.push(`is addressed to ${context.bpp_id} at ${context.bpp_uri}`)
    return faults
  }

  private uriIn(version: string): string {
    return version === '2.3.0' ? self.portless : `${this.url}/lender/ondc`
  }

  private async answer(talk: Talk, action: string, context: Json, message: Json): Promise<void> {
    const step = this.stepFor(talk, action, message)
    if (!step && action !== 'status')
      return void talk.faults.push(`${action} was not expected at step ${talk.position}`)
    for (const fault of step?.check?.(talk, message) ?? []) if (fault) talk.faults.push(`${action}: ${fault}`)
    const content = step ? await step.contentOf(talk, message) : report(talk)
    if (content === null) return
    await this.send(talk, `on_${action}`, content, context.message_id)
    await this.speak(talk)
  }

  /** The step that the request fits: the next one, or the last one once more when its answer was too late for the buyer. */
  private stepFor(talk: Talk, action: string, message: Json): AnswerStep | undefined {
    const { steps } = talk.flow
    const before = steps.slice(0, talk.position).findLast((step) => 'on' in step) as AnswerStep | undefined
    if (before?.on === action && isRetryAfterLateAnswer(talk, action, message)) return before
    for (let i = talk.position; i < steps.length; i++) {
      const step = steps[i]!
      if (!('on' in step)) break
      if (step.on === action) {
        talk.position = i + 1
        return step
      }
      if (!step.optional) break
    }
    return action !== 'status' && before?.on === action ? before : undefined
  }

  /** Sends the messages that are due without a request. */
  private async speak(talk: Talk): Promise<void> {
    for (;;) {
      const step = talk.flow.steps[talk.position] as PushStep | undefined
      if (!step?.push || (step.after !== null && !talk.pages.has(step.after))) return
      talk.position++
      // A lender does not speak in the same moment twice.
      await sleep(30)
      await this.send(talk, step.push, await step.contentOf(talk), null)
    }
  }

  private async send(talk: Talk, action: string, content: Json, answerTo: string | null): Promise<void> {
    const isAnswer = answerTo !== null
    const messageId = answerTo ?? randomUUID()
    const { version } = talk.flow
    const context = {
      domain: 'ONDC:FIS12',
      location: { country: { code: 'IND' }, city: { code: '*' } },
      ...{ version, action, bap_id: talk.buyer.id, bap_uri: talk.buyer.uri },
      ...{ bpp_id: self.id, bpp_uri: this.uriIn(version), transaction_id: talk.transactionId, message_id: messageId },
      timestamp: later(talk),
      ttl: 'PT30S',
    }
    const envelope = content.error ? { context, error: content.error } : { context, message: content }
    if (content.order) talk.order = statusAfter(talk, action, content.order)
    const post = (each: Json) => this.deliver(talk, each, action)
    const afterwards = await this.options.injectFaults?.(talk, envelope, post)
    if (this.options.injectFaults) context.timestamp = later(talk)
    const note: TalkMessage = { direction: 'sent', action, context, message: content, at: Date.now() }
    talk.messages.push(note)
    let reply = await post(envelope)
    // What was sent before under the same id stands in its way: told so, a lender says it under another one.
    if (this.options.injectFaults && !isAnswer && !isAck(reply)) {
      Object.assign(context, { message_id: randomUUID(), timestamp: later(talk) })
      reply = await post(envelope)
    }
    note.acknowledgedAt = Date.now()
    const { status, body } = reply
    if (!isAck(reply)) talk.faults.push(`our ${action} was answered ${status} ${JSON.stringify(body)}`)
    await afterwards?.()
  }

  /** Signs an envelope and posts it to where the directory says that the buyer is. */
  private deliver(talk: Talk, envelope: Json, action: string): Promise<Reply> {
    const raw = JSON.stringify(envelope)
    const authorization = authorizationHeader(raw, { id: self.id, keyId: self.keyId, privateKey: this.keys.privateKey })
    const named = String(envelope.context?.action)
    const url = `${this.directory.urlOf(talk.buyer.id)}/${named.startsWith('on_') ? named : action}`
    return post(url, { headers: { authorization }, body: raw })
  }

  private formAt({ method, path, raw }: Call): Reply {
    const [transactionId, name] = path.split('/').slice(2) as [string, string]
    const talk = this.talks.get(transactionId)
    const fields = talk?.flow.forms?.[name]
    if (!talk || !fields) return { status: 404, body: {} }
    if (method === 'GET') {
      const controls = fields.map(({ name: field, required, options }) => {
        const must = required ? ' required' : ''
        if (!options) return `<input name="${field}"${must}>`
        return `<select name="${field}"${must}><option value=""></option>${options.map((each) => `<option value="${each}">${each}</option>`)}</select>`
      })
      const hidden = `<input type="hidden" name="formId" value="${talk.id(name)}">`
      return {
        status: 200,
        body: `<form method="POST" action="${path}">${hidden}${controls.join('')}<button>Send</button></form>`,
      }
    }
    const answers = Object.fromEntries(new URLSearchParams(raw))
    const missing = fields.filter(({ name: field, required }) => required && !answers[field]).map((each) => each.name)
    const wrong = fields.filter(
      ({ name: field, options }) => options && answers[field] && !options.includes(answers[field]!),
    )
    for (const field of [...missing, ...wrong.map((each) => each.name)])
      talk.faults.push(`the form ${name} lacks ${field}`)
    if (answers.formId !== talk.id(name)) talk.faults.push(`the form ${name} came without its hidden field`)
    if (missing.length > 0) return { status: 400, body: { success: false } }
    talk.forms.set(name, { submissionId: randomUUID(), answers })
    return { status: 200, body: { success: true, submission_id: talk.submission(name) } }
  }

  private pageAt({ method, path }: Call): Reply {
    const [transactionId, name] = path.split('/').slice(2) as [string, string]
    const talk = this.talks.get(transactionId)
    if (!talk) return { status: 404, body: {} }
    if (method === 'POST' && !talk.pages.has(name)) {
      talk.pages.set(name, randomUUID())
      this.inTurn(talk, () => this.speak(talk))
    }
    if (talk.pages.has(name)) return { status: 200, body: `<h1>${name}</h1><p>Thank you.</p>` }
    return {
      status: 200,
      body: `<h1>${name}</h1><form method="POST" action="${path}"><button name="outcome">Done</button></form>`,
    }
  }
}

const isAck = ({ status, body }: Reply): boolean => status === 200 && body?.message?.ack?.status === 'ACK'

/** The order as a question for the status is answered; what is paid beside the plan stays out of its quote. */
function statusAfter({ order: before }: Talk, action: string, order: Json): Json {
  const stated = withoutPage(order)
  return action === 'on_update' && before ? { ...stated, quote: before.quote } : stated
}

/** Later than everything that was said before. */
const later = ({ messages }: Talk): string => {
  const last = messages.at(-1)?.context.timestamp
  const now = Date.now()
  return new Date(last ? Math.max(now, Date.parse(last) + 1) : now).toISOString()
}

/** The order without the page that was due with it. */
function withoutPage(order: Json): Json {
  const items = order.items.map(({ xinput, ...item }: Json) =>
    xinput?.head ? item : { ...item, ...(xinput && { xinput }) },
  )
  return { ...order, items }
}

/** What `status` is answered with, whenever it comes: in 2.3.0 the order as of one instant (FIS12 §12.2). */
function report({ order, flow }: Talk): Json {
  if (order === null) return { error: { code: '30018', message: 'there is no order' } }
  const isOfOneInstant = flow.version === '2.3.0' && 'created_at' in order
  return { order: isOfOneInstant ? { ...order, updated_at: order.created_at } : order }
}

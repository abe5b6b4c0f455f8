// The strict lender's server: validates requests, answers by the flow of their transaction, serves forms and pages, sends unsolicited messages.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isRetryAfterLateAnswer, messagesBefore, possiblePredecessors } from './crossing.ts'
import { ack, type Call, Directory, post, type Reply } from './directory.ts'
import { answersOf, formPage, pageOf } from './forms.ts'
import { lineDrawdown } from './funds-drawdown.ts'
import { contextFaults, mayFollow, messageFaults } from './strict.ts'
import { fundStopsFaults, mayFollowInFunds } from './strict-fund-stops.ts'
import { mayFollowWithStops, stopsFaults } from './strict-stops.ts'
import { type AnswerStep, type Consents, type Flow, type PushStep, Talk, type TalkMessage } from './talk.ts'
import { addressFaults, returnFaults } from './visits.ts'
import { authorizationHeader, type Json, newKeys, signatureFault } from './wire.ts'

export interface LenderOptions {
  flowOf(transactionId: string): Promise<Flow>
  consents: Consents
  /** Runs before each callback and may send faulty ones; the function that it returns runs afterwards. */
  injectFaults?: (talk: Talk, envelope: Json, send: (envelope: Json) => Promise<Reply>) => Promise<() => Promise<void>>
}

/** Subscriber id and key, and the address without a port for version 2.3.0, which only the registry resolves. */
export const lenderIds = {
  id: 'official.sandbox.example',
  keyId: 'official-1',
  portless: 'http://official.lender.example/lender/ondc',
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export class OfficialLender {
  readonly directory = new Directory()
  readonly talks = new Map<string, Talk>()
  url = ''
  private readonly options: LenderOptions
  private readonly keys = newKeys()
  private readonly receivedKeys = new Set<string>()
  private readonly queues = new Map<Talk, Promise<void>>()
  private readonly server = createServer((request, response) => void this.handle(request, response))

  constructor(options: LenderOptions) {
    this.options = options
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
    const signing_public_key = this.keys.publicKey
    const subscriber_url = `${this.url}/lender/ondc`
    this.directory.enter(
      { subscriber_id: lenderIds.id, ukId: lenderIds.keyId, type: 'BPP', subscriber_url, signing_public_key },
      ['ONDC:FIS12', 'ONDC:FIS12:SL'],
    )
  }

  stop(): void {
    this.server.closeAllConnections()
    this.server.close()
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks).toString('utf8')
    const { pathname: path, searchParams: query } = new URL(request.url!, this.url)
    const body = raw.startsWith('{') ? JSON.parse(raw) : null
    const call = { method: request.method!, path, query, headers: request.headers as Call['headers'], raw, body }
    const { status, body: answer } = await this.answerTo(call)
    const isPage = typeof answer === 'string'
    response.writeHead(status, { 'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json' })
    response.end(isPage ? answer : JSON.stringify(answer))
  }

  private answerTo(call: Call): Promise<Reply> | Reply {
    if (call.path.startsWith('/lender/ondc/')) return this.receive(call.path.split('/').at(-1)!, call)
    if (call.path.startsWith('/forms/')) return this.formAt(call)
    if (call.path.startsWith('/pages/')) return this.pageAt(call)
    return this.directory.answer(call)
  }

  private async talkOf({ context, message }: Json): Promise<Talk> {
    const { transaction_id: transactionId, bap_id: id, bap_uri: uri } = context
    const started = this.talks.get(transactionId)
    if (started) return started
    const line = context.action === 'init' ? this.lineIn(message, id) : null
    const flow = line ? lineDrawdown : await this.options.flowOf(transactionId)
    // Another message of the transaction may have arrived meanwhile.
    const known = this.talks.get(transactionId)
    if (known) return known
    const { consents } = this.options
    // A drawdown is played after its line.
    const own = line ? flow : (flow.line ?? flow)
    const talk = new Talk(own, { transactionId, url: this.url, consents, buyer: { id, uri }, line })
    this.talks.set(transactionId, talk)
    return talk
  }

  /** The conversation of the line that a drawdown names; of the buyer's newest one if it names none of them. */
  private lineIn(message: Json, buyerId: string): Talk | null {
    const named = message.order?.ref_order_ids?.[0]
    if (named === undefined) return null
    const opened = [...this.talks.values()].filter(({ flow, buyer, order, line }) =>
      [flow.version === '2.3.0', buyer.id === buyerId, order?.id !== undefined, line === null].every(Boolean),
    )
    return opened.find(({ order }) => order.id === named) ?? opened.at(-1) ?? null
  }

  /** Validates a request, acknowledges it and answers it later; a repeated request is only acknowledged. */
  private async receive(action: string, call: Call): Promise<Reply> {
    const { context, message } = call.body
    const talk = await this.talkOf(call.body)
    // A search in several versions or domains reaches every lender, which answers only in its own.
    const isForOthers = context.version !== talk.flow.version || context.domain !== talk.domain
    if (action === 'search' && isForOthers) return { status: 200, body: ack }
    const key = `${context.transaction_id} ${context.message_id} ${action}`
    if (this.receivedKeys.has(key)) return { status: 200, body: ack }
    this.receivedKeys.add(key)
    for (const fault of this.faultsOf(talk, action, call)) talk.faults.push(`${action}: ${fault}`)
    talk.messages.push({ direction: 'received', action, context, message, at: Date.now() })
    void this.enqueue(talk, () => this.answer(talk, action, context, message))
    return { status: 200, body: ack }
  }

  /** Sends the messages of one transaction one after the other. */
  private enqueue(talk: Talk, work: () => Promise<void>): Promise<void> {
    talk.pending++
    const queue = (this.queues.get(talk) ?? Promise.resolve())
      .then(work)
      .catch((error) => void talk.faults.push(String(error.stack)))
      .finally(() => talk.pending--)
    this.queues.set(talk, queue)
    return queue
  }

  /** Checks shape, sender, sequence and time of a request (FIS12 §3.3, §4, §5, §12). */
  private faultsOf(talk: Talk, action: string, { raw, headers, body }: Call): string[] {
    const { context, message } = body
    const { version, hasStops } = talk.flow
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
      ...contextFaults(context, { version, domain: talk.domain, action, isBroadcast }),
      ...(hasStops ? stopsFaultsIn(talk)(talk, action, message) : messageFaults(version, action, message)),
      ...[bySender, byGateway].filter((fault) => fault !== null),
    ]
    const follows = (each: string) => (hasStops ? followsIn(talk)(each, action) : mayFollow(version, each, action))
    if (!last.some(follows) && !isSecondSearch && !(isFirstIssue && last[0] === 'start'))
      faults.push(`may not follow ${last.join(' or ')}`)
    if (newest && context.timestamp <= newest.context.timestamp)
      faults.push(`${context.timestamp} is not later than ${newest.action} at ${newest.context.timestamp}`)
    if (context.bap_id !== talk.buyer.id || context.bap_uri !== talk.buyer.uri) faults.push('comes from another buyer')
    if (!isBroadcast && (context.bpp_id !== lenderIds.id || context.bpp_uri !== this.uriIn(version)))
      faults.push(`is addressed to ${context.bpp_id} at ${context.bpp_uri}`)
    return faults
  }

  private uriIn(version: string): string {
    return version === '2.3.0' ? lenderIds.portless : `${this.url}/lender/ondc`
  }

  private async answer(talk: Talk, action: string, context: Json, message: Json): Promise<void> {
    const step = this.stepFor(talk, action, message)
    if (!step && action !== 'status') return void talk.faults.push(`${action} is not expected at step ${talk.position}`)
    for (const fault of step?.check?.(talk, message) ?? []) if (fault) talk.faults.push(`${action}: ${fault}`)
    const content = step ? await step.contentOf(talk, message) : statusAnswer(talk)
    if (content === null) return
    await this.send(talk, `on_${action}`, content, context.message_id)
    await this.sendUnsolicited(talk)
  }

  /** Returns the step for a request: the next one, or the last one again if its answer was too late for the buyer. */
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

  /** Sends the unsolicited messages that are due. */
  private async sendUnsolicited(talk: Talk): Promise<void> {
    for (;;) {
      const step = talk.flow.steps[talk.position] as PushStep | undefined
      if (!step?.push || (step.after !== null && !talk.pages.has(step.after))) return
      talk.position++
      // Separates the timestamps of two messages.
      await sleep(30)
      await this.send(talk, step.push, await step.contentOf(talk), null)
    }
  }

  private async send(talk: Talk, action: string, content: Json, answerTo: string | null): Promise<void> {
    const isAnswer = answerTo !== null
    const messageId = answerTo ?? randomUUID()
    const { version } = talk.flow
    const context = {
      domain: talk.domain,
      location: { country: { code: 'IND' }, city: { code: '*' } },
      version,
      action,
      bap_id: talk.buyer.id,
      bap_uri: talk.buyer.uri,
      bpp_id: lenderIds.id,
      bpp_uri: this.uriIn(version),
      transaction_id: talk.transactionId,
      message_id: messageId,
      timestamp: nextTimestamp(talk),
      ttl: talk.flow.deviates || isOlder(talk) ? 'P30M' : 'PT30S',
    }
    const envelope = content.error ? { context, error: content.error } : { context, message: content }
    if (content.order) storeOrder(talk, action, content.order)
    const post = (each: Json) => this.deliver(talk, each, action)
    const afterwards = await this.options.injectFaults?.(talk, envelope, post)
    if (this.options.injectFaults) context.timestamp = nextTimestamp(talk)
    const sentMessage: TalkMessage = { direction: 'sent', action, context, message: content, at: Date.now() }
    talk.messages.push(sentMessage)
    let reply = await post(envelope)
    // A faulty variant with the same id may block this message; after a NACK a lender resends it with a new id.
    if (this.options.injectFaults && !isAnswer && !isAck(reply)) {
      Object.assign(context, { message_id: randomUUID(), timestamp: nextTimestamp(talk) })
      reply = await post(envelope)
    }
    sentMessage.acknowledgedAt = Date.now()
    const { status, body } = reply
    if (!isAck(reply)) talk.faults.push(`our ${action} was answered ${status} ${JSON.stringify(body)}`)
    await afterwards?.()
  }

  /** Signs an envelope and posts it to the buyer's registered address. */
  private deliver(talk: Talk, envelope: Json, action: string): Promise<Reply> {
    const raw = JSON.stringify(envelope)
    const authorization = authorizationHeader(raw, {
      id: lenderIds.id,
      keyId: lenderIds.keyId,
      privateKey: this.keys.privateKey,
    })
    const named = String(envelope.context?.action)
    const url = `${this.directory.urlOf(talk.buyer.id)}/${named.startsWith('on_') ? named : action}`
    return post(url, { headers: { authorization }, body: raw })
  }

  private async formAt(call: Call): Promise<Reply> {
    const { method, path } = call
    const [transactionId, name] = path.split('/').slice(2) as [string, string]
    const talk = this.talks.get(transactionId)
    const fields = talk?.flow.forms?.[name]
    if (!talk || !fields) return { status: 404, body: {} }
    if (method === 'GET') return { status: 200, body: formPage(talk, name, { action: path, fields }) }
    const { answers, faults, isComplete } = await answersOf(talk, name, { fields, call })
    talk.faults.push(...faults)
    if (!isComplete) return { status: 400, body: { success: false } }
    talk.forms.set(name, { submissionId: randomUUID(), answers })
    return { status: 200, body: { success: true, submission_id: talk.submission(name) } }
  }

  private async pageAt({ method, path, query = new URLSearchParams(), raw }: Call): Promise<Reply> {
    const [transactionId, name] = path.split('/').slice(2) as [string, string]
    const talk = this.talks.get(transactionId)
    if (!talk) return { status: 404, body: {} }
    const { hasStops } = talk.flow
    if (hasStops) talk.faults.push(...addressFaults(talk, name, query))
    const isFirstVisit = hasStops && !talk.pages.has(`${name} opened`)
    if (isFirstVisit) {
      talk.pages.set(`${name} opened`, randomUUID())
      void this.enqueue(talk, () => this.sendUnsolicited(talk))
    }
    if (method === 'POST' && !talk.pages.has(name)) {
      talk.pages.set(name, randomUUID())
      talk.facts.set('payment', new URLSearchParams(raw).get('idType') ?? 'PAID')
      const reported = this.enqueue(talk, () => this.sendUnsolicited(talk))
      // Such a page keeps the borrower until the lender has reported, and then calls the buyer app.
      if (hasStops) await reported
      if (hasStops || talk.flow.silentPages === 'call')
        talk.faults.push(...(await returnFaults(talk, name, this.directory.urlOf(talk.buyer.id))))
    }
    if (talk.pages.has(name)) return { status: 200, body: `<h1>${name}</h1><p>Thank you.</p>` }
    return { status: 200, body: pageOf(talk, name, hasStops ? `${path}?${query}` : path) }
  }
}

/** The checks of the shape with stops, which differ by version. */
const stopsFaultsIn = ({ flow }: Talk) => (flow.version === '2.3.0' ? fundStopsFaults : stopsFaults)
const followsIn = ({ flow }: Talk) => (flow.version === '2.3.0' ? mayFollowInFunds : mayFollowWithStops)

const isOlder = ({ flow }: Talk): boolean => flow.version === '2.0.1' || flow.version === '2.0.2'

const isAck = ({ status, body }: Reply): boolean => status === 200 && body?.message?.ack?.status === 'ACK'

/**
 * Stores the order for later status answers; its quote excludes payments outside the plan. A line's has what is drawn. A
 * drawdown also reports the order of its line.
 */
function storeOrder(talk: Talk, action: string, order: Json): void {
  const owner = talk.line && !order.ref_order_ids ? talk.line : talk
  const stated = withoutPage(order)
  const keepsQuote = action === 'on_update' && owner.order !== null && owner.domain === 'ONDC:FIS12'
  owner.order = keepsQuote ? { ...stated, quote: owner.order.quote } : stated
}

/** Returns a timestamp later than all previous messages. */
const nextTimestamp = ({ messages }: Talk): string => {
  const last = messages.at(-1)?.context.timestamp
  const now = Date.now()
  return new Date(last ? Math.max(now, Date.parse(last) + 1) : now).toISOString()
}

/** Removes the pending page from an order. */
function withoutPage(order: Json): Json {
  const items = order.items.map(({ xinput, ...item }: Json) =>
    xinput?.head ? item : { ...item, ...(xinput && { xinput }) },
  )
  return { ...order, items }
}

/** Returns the answer to `status`; in 2.3.0 the order has a single instant (FIS12 §12.2). */
function statusAnswer({ order, flow }: Talk): Json {
  if (order === null) return { error: { code: '30018', message: 'the order does not exist' } }
  const isOfOneInstant = flow.version === '2.3.0' && 'created_at' in order
  return { order: isOfOneInstant ? { ...order, updated_at: order.created_at } : order }
}

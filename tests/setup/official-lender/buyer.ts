// A second buyer app, written only from the specification: sends requests to one lender, receives callbacks, fills forms and completes pages (FIS12 §2–§7).
import { randomUUID } from 'node:crypto'
import { deadlineMs } from '../deadline.ts'
import { type BuyerServer, borrowerData, buyer } from './buyer-server.ts'
import { post, type Reply } from './directory.ts'
import { authorizationHeader, type Json } from './wire.ts'

export interface BuyerOptions {
  version: '2.0.3' | '2.3.0'
  gatewayUrl: string
  /** Approves a consent at the lenders' account aggregator. */
  approveConsent: (handle: string, userId: string) => Promise<void>
  /** `portless` is its address in version 2.3.0; by default that of the sandbox's lenders. */
  lender: { id: string; url: string; portless?: string }
  /** The domain of its messages; ONDC:FIS12 by default. */
  domain?: 'ONDC:FIS12:SL'
  /** Overrides the borrower's data, such as the PAN. */
  person?: Record<string, string>
  /** Runs before each request and may send faulty ones; the function that it returns runs afterwards. */
  injectFaults: (envelope: Json, send: (envelope: Json) => Promise<Reply>) => Promise<() => Promise<void>>
}

/** One loan conversation. Each request is answered before the next one is sent. */
export class BuyerTalk {
  readonly transactionId = randomUUID()
  readonly faults: string[] = []
  /** The borrower's data by form field name. */
  readonly person: Record<string, string>
  readonly options: BuyerOptions
  readonly server: BuyerServer
  private last = 0
  private readonly consumed = new Set<Json>()
  /** Message ids of the newest request, including its faulty variants. */
  private readonly currentMessageIds = new Set<unknown>()

  constructor(server: BuyerServer, options: BuyerOptions) {
    this.server = server
    this.options = options
    this.person = { ...borrowerData, ...options.person }
  }

  private context(action: string, isBroadcast: boolean): Json {
    this.last = Math.max(Date.now(), this.last + 1)
    const { lender } = this.options
    const { version } = this.options
    const isPortless = version === '2.3.0'
    const slug = lender.id.split('.')[0]
    return {
      domain: this.options.domain ?? 'ONDC:FIS12',
      location: { country: { code: 'IND' }, city: { code: '*' } },
      version,
      action,
      bap_id: buyer.id,
      bap_uri: isPortless ? `http://${buyer.id}/ondc` : `${this.server.url}/ondc`,
      ...(!isBroadcast && {
        bpp_id: lender.id,
        bpp_uri: isPortless ? (lender.portless ?? `http://${lender.id}/lenders/${slug}/ondc`) : lender.url,
      }),
      transaction_id: this.transactionId,
      message_id: randomUUID(),
      timestamp: new Date(this.last).toISOString(),
      ttl: 'PT30S',
    }
  }

  private deliver(envelope: Json, action: string, isBroadcast: boolean): Promise<Reply> {
    const raw = JSON.stringify(envelope)
    const authorization = authorizationHeader(raw, { ...buyer, privateKey: this.server.keys.privateKey })
    const { action: named, bpp_id: lenderId } = envelope.context ?? {}
    const toGateway = isBroadcast || (named === 'search' && action !== 'search' && lenderId === undefined)
    const base = toGateway ? this.options.gatewayUrl : this.options.lender.url
    const path = /^[a-z_]+$/.test(named) && !isBroadcast ? named : action
    return post(`${base}/${path}`, { headers: { authorization }, body: raw })
  }

  /** Sends a message without waiting for a callback, after its faulty variants. */
  async send(action: string, message: Json, isBroadcast = false): Promise<string> {
    const newContext = () => this.context(action, isBroadcast)
    this.currentMessageIds.clear()
    const send = (each: Json) => {
      this.currentMessageIds.add(each.context?.message_id)
      return this.deliver(each, action, isBroadcast)
    }
    const afterwards = await this.options.injectFaults({ context: newContext(), message }, send)
    const envelope = { context: newContext(), message }
    const { status, body } = await send(envelope)
    if (status !== 200) throw new Error(`${action} was answered ${status} ${JSON.stringify(body)}`)
    await afterwards()
    return envelope.context.message_id
  }

  /** Sends a request and returns the lender's callback; a callback to an accepted faulty variant counts too. */
  async request(action: string, message: Json, isBroadcast = false): Promise<Json> {
    const id = await this.send(action, message, isBroadcast)
    return this.callback(`on_${action}`, (each) => each.context.message_id === id)
  }

  /** Waits for the next callback of this action; among callbacks to one request, returns the one without an error. */
  async callback(action: string, matches: (callback: Json) => boolean): Promise<Json> {
    const isUnread = (each: Json) =>
      each.context.action === action && each.context.bpp_id === this.options.lender.id && !this.consumed.has(each)
    for (
      const end = Date.now() + deadlineMs;
      Date.now() < end;
      await new Promise((resolve) => setTimeout(resolve, 15))
    ) {
      const arrived = (this.server.arrived.get(this.transactionId) ?? []).filter(isUnread)
      const answer = arrived.find(matches)
      if (!answer) continue
      const callback = answer.error
        ? arrived.find((each) => !each.error && this.currentMessageIds.has(each.context.message_id))
        : answer
      // Unsolicited callbacks, such as a complaint's resolution, stay available for later calls.
      for (const each of arrived)
        if (each === answer || this.currentMessageIds.has(each.context.message_id)) this.consumed.add(each)
      for (const { fault } of arrived) if (fault) this.faults.push(`${action} ${fault}`)
      if (!callback) throw new Error(`${action} is ${JSON.stringify(answer.error)}`)
      return callback.message
    }
    throw new Error(`no ${action} arrived`)
  }

  /** Fills in a lender's form and returns the submission. */
  async fill(form: Json): Promise<Json> {
    const html = await (await fetch(form.url)).text()
    const names = [...html.matchAll(/<(?:input|select|textarea)[^>]*\bname="([^"]+)"[^>]*>/g)]
    const action = new URL(/<form[^>]*action="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') || form.url, form.url)
    const entries = names.flatMap(([control, name]) => {
      const value = /type="hidden"/.test(control) ? /value="([^"]*)"/.exec(control)?.[1] : this.person[name!]
      return value === undefined ? [] : [[name!, value] as [string, string]]
    })
    const answer: Json = await (await fetch(action, { method: 'POST', body: new URLSearchParams(entries) })).json()
    if (!answer.success) throw new Error(`a form was refused: ${JSON.stringify(answer)}`)
    return { form: { id: form.id }, form_response: { status: 'SUCCESS', submission_id: answer.submission_id } }
  }

  /** Presses approve on a lender's page as long as it shows a form, at most three times. */
  async approvePage(url: string): Promise<void> {
    for (let i = 0; i < 3; i++) {
      const answer = await fetch(url)
      const html = await answer.text()
      const form = /<form[^>]*>/.exec(html)?.[0]
      if (!form) return
      const action = /action="([^"]*)"/.exec(form)?.[1]?.replaceAll('&amp;', '&') || url
      const fields = [...html.matchAll(/<input[^>]*>/g)].flatMap(([control]) => {
        const [name, value] = ['name', 'value'].map((each) => new RegExp(`\\b${each}="([^"]*)"`).exec(control)?.[1])
        return name && value !== undefined && name !== 'outcome' ? [[name, value] as [string, string]] : []
      })
      const chosen = [...html.matchAll(/<select[^>]*\bname="([^"]+)"[^>]*>[\s\S]*?<option[^>]*\bvalue="([^"]+)"/g)]
      for (const [, name, value] of chosen) fields.push([name!, value!])
      await fetch(new URL(action, url), {
        method: 'POST',
        body: new URLSearchParams([...fields, ['outcome', 'approve']]),
      })
    }
  }

  /** Completes the page that an order requires and returns the `xinput` of the lender's success report. */
  async completePage({ items: [{ xinput }] }: Json, form = xinput.form): Promise<Json> {
    await this.approvePage(form.url)
    const success = ['COMPLETED', 'APPROVED', 'SUCCESS']
    const { order } = await this.callback('on_status', ({ message }) => {
      const xinput = message?.order?.items[0].xinput
      return xinput?.form?.id === form.id && success.includes(xinput.form_response?.status)
    })
    return order.items[0].xinput
  }
}

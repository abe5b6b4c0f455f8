// A second buyer app, independent of the platform and written from the specification alone: one loan with one lender, from the search to the end of its servicing (FIS12 §8–§11).
import { randomUUID } from 'node:crypto'
import { type BuyerServer, person, self } from './buyer-server.ts'
import { post, type Reply } from './directory.ts'
import { group } from './parts.ts'
import { entriesOf } from './shape.ts'
import { type Json, signed } from './wire.ts'

export type BuyerProduct = 'PERSONAL_LOAN' | 'GOLD_LOAN' | 'LOAN'

export interface BuyerOptions {
  gatewayUrl: string
  lender: { id: string; url: string }
  /** Sees every request before it leaves, and may send others of its own first. */
  meddle: (place: number, envelope: Json, send: (envelope: Json) => Promise<Reply>) => Promise<void>
}

const fees = group(
  'BUYER_FINDER_FEES',
  { BUYER_FINDER_FEES_TYPE: 'percent-annualized', BUYER_FINDER_FEES_PERCENTAGE: '1' },
  { display: false },
)
const owed = { DELAY_INTEREST: '2.5', STATIC_TERMS: 'https://buyer.example/terms', OFFLINE_CONTRACT: 'true' }
const settled = { SETTLEMENT_AMOUNT: '1000.00', SETTLEMENT_TYPE: 'neft', ...owed }
const terms = (code: string) =>
  group(code, { STATIC_TERMS: 'https://buyer.example/terms', OFFLINE_CONTRACT: 'true' }, { display: false })
/** One loan. Each request is answered before the next one goes out. */
export class BuyerTalk {
  readonly transactionId = randomUUID()
  readonly faults: string[] = []
  private readonly server: BuyerServer
  private readonly product: BuyerProduct
  private readonly options: BuyerOptions
  private place = 0
  private last = 0
  private readonly used = new Set<Json>()

  constructor(server: BuyerServer, product: BuyerProduct, options: BuyerOptions) {
    this.server = server
    this.product = product
    this.options = options
  }

  private get version(): string {
    return this.product === 'LOAN' ? '2.3.0' : '2.0.3'
  }

  private context(action: string, isBroadcast: boolean): Json {
    this.last = Math.max(Date.now(), this.last + 1)
    const { lender } = this.options
    const isPortless = this.version === '2.3.0'
    const slug = lender.id.split('.')[0]
    return {
      domain: 'ONDC:FIS12',
      location: { country: { code: 'IND' }, city: { code: '*' } },
      ...{ version: this.version, action, bap_id: self.id },
      bap_uri: isPortless ? `http://${self.id}/ondc` : `${this.server.url}/ondc`,
      ...(!isBroadcast && {
        bpp_id: lender.id,
        bpp_uri: isPortless ? `http://${lender.id}/lenders/${slug}/ondc` : lender.url,
      }),
      ...{ transaction_id: this.transactionId, message_id: randomUUID() },
      ...{ timestamp: new Date(this.last).toISOString(), ttl: 'PT30S' },
    }
  }

  private deliver(envelope: Json, isBroadcast: boolean): Promise<Reply> {
    const raw = JSON.stringify(envelope)
    const authorization = signed(raw, { ...self, privateKey: this.server.keys.privateKey })
    const base = isBroadcast ? this.options.gatewayUrl : this.options.lender.url
    return post(`${base}/${this.action}`, { headers: { authorization }, body: raw })
  }
  private action = ''

  /** Sends a request, wrong ones before it, and gives what the lender answers to it: or to a wrong one, if that was as good. */
  private async ask(action: string, message: Json, isBroadcast = false): Promise<Json> {
    this.action = action
    const fresh = () => this.context(action, isBroadcast)
    const place = this.place++
    await this.options.meddle(place, { context: fresh(), message }, (each) => this.deliver(each, isBroadcast))
    const context = fresh()
    const { status, body } = await this.deliver({ context, message }, isBroadcast)
    if (status !== 200) throw new Error(`${action} was answered ${status} ${JSON.stringify(body)}`)
    return this.callback(`on_${action}`, (each) => each.context.message_id === context.message_id)
  }

  /** The next callback of this name; of what answers a request, the one that is no error. */
  private async callback(action: string, fits: (callback: Json) => boolean): Promise<Json> {
    const isOurs = (each: Json) =>
      each.context.action === action && each.context.bpp_id === this.options.lender.id && !this.used.has(each)
    for (const end = Date.now() + 15_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 15))) {
      const arrived = (this.server.arrived.get(this.transactionId) ?? []).filter(isOurs)
      const answer = arrived.find(fits)
      if (!answer) continue
      const good = answer.error ? arrived.find((each) => !each.error) : answer
      for (const each of arrived) this.used.add(each)
      for (const { fault } of arrived) if (fault) this.faults.push(`${action} ${fault}`)
      if (!good) throw new Error(`${action} is ${JSON.stringify(answer.error)}`)
      return good.message
    }
    throw new Error(`no ${action} came`)
  }

  /** Fills a form of the lender's in; gives the submission. */
  private async fill(form: Json): Promise<Json> {
    const html = await (await fetch(form.url)).text()
    const names = [...html.matchAll(/<(?:input|select|textarea)[^>]*\bname="([^"]+)"[^>]*>/g)]
    const action = new URL(/<form[^>]*action="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') || form.url, form.url)
    const entries = names.flatMap(([control, name]) => {
      const value = /type="hidden"/.test(control) ? /value="([^"]*)"/.exec(control)?.[1] : person[name!]
      return value === undefined ? [] : [[name!, value] as [string, string]]
    })
    const answer: Json = await (await fetch(action, { method: 'POST', body: new URLSearchParams(entries) })).json()
    if (!answer.success) throw new Error(`a form was refused: ${JSON.stringify(answer)}`)
    return { form: { id: form.id }, form_response: { status: 'SUCCESS', submission_id: answer.submission_id } }
  }

  /** Presses approve on a page of the lender's as often as it shows a form. */
  private async press(url: string): Promise<void> {
    for (let i = 0; i < 3; i++) {
      const answer = await fetch(url)
      const html = await answer.text()
      const form = /<form[^>]*>/.exec(html)?.[0]
      if (!form) return
      const action = /action="([^"]*)"/.exec(form)?.[1]?.replaceAll('&amp;', '&') || url
      const kept = [...html.matchAll(/<input[^>]*>/g)].flatMap(([control]) => {
        const [name, value] = ['name', 'value'].map((each) => new RegExp(`\\b${each}="([^"]*)"`).exec(control)?.[1])
        return name && value !== undefined && name !== 'outcome' ? [[name, value] as [string, string]] : []
      })
      const chosen = [...html.matchAll(/<select[^>]*\bname="([^"]+)"[^>]*>[\s\S]*?<option[^>]*\bvalue="([^"]+)"/g)]
      for (const [, name, value] of chosen) kept.push([name!, value!])
      await fetch(new URL(action, url), {
        method: 'POST',
        body: new URLSearchParams([...kept, ['outcome', 'approve']]),
      })
    }
  }

  private done(status: string[]): (callback: Json) => boolean {
    return ({ message }) => status.includes(message?.order?.items[0].xinput?.form_response?.status)
  }

  /** From the search to the foreclosure that is paid. */
  async play(): Promise<void> {
    if (this.product === 'LOAN') return this.playFunds()
    const catalogue = await this.ask(
      'search',
      {
        intent: {
          category: { descriptor: { code: this.product } },
          payment: { collected_by: 'BPP', tags: [fees, group('SETTLEMENT_TERMS', owed, { display: false })] },
        },
      },
      true,
    )
    const [provider] = catalogue.catalog.providers
    const [item] = provider.items
    const named = (action: string, xinput: Json, more: Json = {}, payments: Json[] = []) =>
      this.ask(action, {
        order: {
          provider: { id: provider.id },
          items: [{ id: item.id, ...more, ...(xinput && { xinput }) }],
          ...(payments.length > 0 && { payments }),
        },
      })
    const pay = (id?: string) => [
      {
        ...{ ...(id && { id }), collected_by: 'BPP', type: 'ON_ORDER', status: 'NOT-PAID' },
        params: {
          bank_code: 'ABCD0001234',
          bank_account_number: '1234509876',
          virtual_payment_address: 'buyer@okbank',
        },
        tags: [fees, group('SETTLEMENT_TERMS', settled, { display: false })],
      },
    ]
    const page = async (order: Json, status: string[]): Promise<Json> => {
      await this.press(order.items[0].xinput.form.url)
      const { order: said } = await this.callback('on_status', this.done(status))
      return said.items[0].xinput
    }
    const answerOf = ({ form, form_response }: Json) => ({
      form: { id: form.id },
      form_response: { status: 'SUCCESS', submission_id: form_response.submission_id },
    })
    const first = await named('select', await this.fill(item.xinput.form))
    const [location] = first.order.items[0].location_ids ?? []
    const amount = await this.fill(first.order.items[0].xinput.form)
    const last = await named('select', amount, location ? { location_ids: [location] } : {})
    let done = answerOf(await page(last.order, this.product === 'GOLD_LOAN' ? ['COMPLETED', 'APPROVED'] : ['APPROVED']))
    const isOnOrder = ({ type }: Json) => type === 'ON_ORDER'
    let said = (await named('init', done, {}, pay())).order
    const settlementId = said.payments.find(isOnOrder).id
    if (this.product === 'PERSONAL_LOAN') {
      said = (await named('init', await this.fill(said.items[0].xinput.form), {}, pay(settlementId))).order
      for (const status of ['COMPLETED', 'APPROVED']) {
        done = answerOf(await page(said, [status]))
        if (status === 'COMPLETED') said = (await named('init', done, {}, pay(settlementId))).order
      }
    }
    const { order } = await named('confirm', this.product === 'PERSONAL_LOAN' ? done : null, {}, pay(settlementId))
    const isPaidOut = ({ message }: Json) => message?.order?.fulfillments?.[0]?.state?.descriptor?.code === 'DISBURSED'
    if (this.product === 'PERSONAL_LOAN') await this.callback('on_status', isPaidOut)
    await this.foreclose(order.id)
  }

  private async foreclose(orderId: string): Promise<void> {
    await this.ask('status', { order_id: orderId })
    const payments = [{ time: { label: 'FORECLOSURE' } }]
    const { order } = await this.ask('update', { update_target: 'payments', order: { id: orderId, payments } })
    const link = order.payments.find(({ time }: Json) => time?.label === 'FORECLOSURE')
    await this.press(link.url)
    const isPaid = ({ message }: Json) =>
      message?.order?.payments?.some(({ time, status }: Json) => time?.label === 'FORECLOSURE' && status === 'PAID')
    await this.callback('on_update', isPaid)
  }

  private async playFunds(): Promise<void> {
    const tags = [terms('BAP_TERMS')]
    const broadcast = {
      intent: { category: { descriptor: { code: 'LOAN' } }, payment: { collected_by: 'BPP' }, tags },
    }
    const { catalog } = await this.ask('search', broadcast, true)
    const [provider] = catalog.providers
    const item = provider.items.find(({ xinput }: Json) => xinput?.form?.data?.statementUpload)
    const { head, form } = item.xinput
    const file = { format: '.json', validity: 'P5D', value: `${this.server.url}/statement` }
    const data = Object.fromEntries(
      Object.keys(form.data).flatMap((name) =>
        name === 'statementUpload' ? [[name, file]] : person[name] ? [[name, { value: person[name] }]] : [],
      ),
    )
    const xinput = { head: { descriptor: head.descriptor }, form: { id: form.id, data } }
    const directed = {
      intent: {
        provider: { id: provider.id, items: [{ id: item.id, xinput }] },
        payment: { collected_by: 'BPP' },
        tags,
      },
    }
    const offers = await this.ask('search', directed)
    const child = offers.catalog.providers[0].items.find(({ parent_item_id: parent }: Json) => parent)
    const pledges = child.tags
      .filter(({ descriptor }: Json) => descriptor.code === 'PLEDGE_REQUIREMENTS')
      .map((each: Json) => entriesOf([each], 'PLEDGE_REQUIREMENTS'))
      .map(({ SCHEME_CODE, UNITS_REQUIRED }: Json) =>
        group('PLEDGE_REQUIREMENTS', { SCHEME_CODE, UNITS_PLEDGED: UNITS_REQUIRED }),
      )
    const named = (action: string, answered: Json, more: Json = {}) =>
      this.ask(action, {
        order: {
          provider: { id: provider.id },
          items: [{ id: child.id, parent_item_id: item.id, tags: pledges, ...(answered && { xinput: answered }) }],
          fulfillments: [{ id: child.fulfillment_ids[0] }],
          ...more,
        },
      })
    await named('select', null)
    const isDisbursal = ({ type }: Json) => type === 'ON_FULFILLMENT'
    const placeholder = offers.catalog.providers[0].payments.find(isDisbursal)
    const details = { ACCOUNT_TYPE: 'savings', ACCOUNT_HOLDER_NAME: 'Ravi Patil' }
    const payments = [
      {
        ...placeholder,
        params: { bank_account_number: '1234509876', bank_code: 'ABCD0001234' },
        tags: [group('ACCOUNT_DETAILS', details)],
      },
    ]
    let { order } = await named('init', null, { payments, tags })
    while (order.items[0].xinput?.head) {
      const { head: due, form: page } = order.items[0].xinput
      await this.press(page.url)
      const { order: told } = await this.callback('on_status', this.done(['SUCCESS', 'APPROVED']))
      const answered = {
        head: { descriptor: due.descriptor },
        form: { id: page.id },
        form_response: { status: 'SUCCESS', submission_id: told.items[0].xinput.form_response.submission_id },
      }
      order = (await named('init', answered, { payments, tags })).order
    }
    const placed = await named('confirm', null, { payments, tags: [...tags, terms('BPP_TERMS')] })
    await this.callback(
      'on_update',
      ({ message }) => message?.order?.fulfillments?.[0]?.state?.descriptor?.code === 'DISBURSED',
    )
    await this.foreclose(placed.order.id)
  }
}

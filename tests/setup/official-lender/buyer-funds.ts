// The flows of the second buyer app against mutual funds with stops: the line, a drawdown in a transaction of its own, and payments of the line (FIS12 §27).
import type { BuyerTalk } from './buyer.ts'
import { pledgesIn } from './buyer-plays.ts'
import { group } from './parts.ts'
import { entriesOf } from './shape.ts'
import type { Json } from './wire.ts'

/** What a wrong buyer does differently: it returns the message that is sent instead. */
export type FundsDeviation = (action: string, message: Json, talk: BuyerTalk) => Json

const ownTerms = group(
  'BAP_TERMS',
  { STATIC_TERMS: 'https://buyer.example/terms', OFFLINE_CONTRACT: 'true' },
  { display: false },
)

/** An open line, as its order and the lender's catalogue have it. */
export interface OpenedLine {
  order: Json
  provider: { id: string }
}

export class FundsBuyer {
  private readonly newTalk: () => BuyerTalk
  private readonly change: FundsDeviation

  constructor(newTalk: () => BuyerTalk, change: FundsDeviation = (_action, message) => message) {
    this.newTalk = newTalk
    this.change = change
  }

  private ask = async (talk: BuyerTalk, action: string, message: Json): Promise<Json> =>
    (await talk.request(action, this.change(action, message, talk))).order

  /** Searches, applies, pledges everything, completes the page, and waits for the order. */
  async openLine(talk: BuyerTalk): Promise<OpenedLine> {
    const intent = { payment: { collected_by: 'BPP' }, tags: [ownTerms] }
    const category = { descriptor: { code: 'LOAN' } }
    const { catalog } = await talk.request('search', { intent: { category, ...intent } }, true)
    const [{ id, items }] = catalog.providers
    const provider = { id }
    const [item] = items
    const { head, form } = item.xinput
    const file = { format: '.json', validity: 'P5D', value: `${talk.server.url}/statement` }
    const data = Object.keys(form.data).flatMap((name): [string, Json][] => {
      if (name === 'statementUpload') return [[name, file]]
      return talk.person[name] ? [[name, { value: talk.person[name] }]] : []
    })
    const xinput = {
      head: { descriptor: head.descriptor },
      form: { id: form.id, data: Object.fromEntries(data) },
    }
    const directed = { intent: { provider: { id, items: [{ id: item.id, xinput }] }, ...intent } }
    const offers = (await talk.request('search', directed)).catalog.providers[0]
    const child = offers.items.find(({ parent_item_id: parent }: Json) => parent)
    const named = { id: child.id, parent_item_id: item.id }
    const select = (more: Json) =>
      this.ask(talk, 'select', {
        order: { provider, items: [{ ...named, ...more }], fulfillments: [{ id: child.fulfillment_ids[0] }] },
      })
    const offer = await select({ tags: pledgesIn(child) })
    const page = offer.items[0].xinput
    await talk.approvePage(page.form.url)
    const { order: reported } = await talk.callback('on_status', ({ message }) => isWholeWayDone(message.order))
    const { form_response: response } = reported.items[0].xinput
    await select({
      xinput: {
        head: { descriptor: page.head.descriptor },
        form: { id: page.form.id },
        form_response: { status: 'SUCCESS', submission_id: response.submission_id },
      },
    })
    return { provider, order: (await talk.callback('on_confirm', () => true)).order }
  }

  /** Draws an amount in a transaction of its own. Returns the talk, what the lender paid out, and the line's order. */
  async draw({ order: line, provider }: OpenedLine, amount: string) {
    const talk = this.newTalk()
    const ref_order_ids = [line.id]
    const payments = [{ params: { amount, currency: 'INR' }, time: { label: 'DRAWDOWN' } }]
    const terms = await this.ask(talk, 'init', { order: { provider, ref_order_ids, payments } })
    const [{ id, parent_item_id }] = terms.items
    const [{ id: fulfillmentId, type, stops }] = terms.fulfillments
    const consent = stops.find((each: Json) => each.type === 'CONSENT_REQUIRED')
    const agreed = { ...consent, instructions: { ...consent.instructions, code: 'APPROVED' } }
    const placed = await this.ask(talk, 'confirm', {
      order: {
        provider,
        ref_order_ids,
        items: [{ id, parent_item_id }],
        fulfillments: [{ id: fulfillmentId, type, stops: [agreed] }],
      },
    })
    const isOrder = (orderId: string) => (each: Json) => each.message?.order.id === orderId
    const { order: paidOut } = await talk.callback('on_update', isOrder(placed.id))
    const { order: drawn } = await talk.callback('on_update', isOrder(line.id))
    return { talk, terms, placed, paidOut, drawn }
  }

  /** Asks for a payment of the line, makes it on the lender's page, and returns both reports. */
  async pay(talk: BuyerTalk, { order: { id } }: OpenedLine, label: string, amount?: string) {
    const payment = { time: { label }, ...(amount && { params: { amount, currency: 'INR' } }) }
    const message = { update_target: 'payments', order: { id, payments: [payment] } }
    const due = await this.ask(talk, 'update', message)
    await talk.approvePage(due.payments[0].url)
    const { order: paid } = await talk.callback('on_update', (each) => each.message.order.payments[0].status === 'PAID')
    return { due, paid }
  }
}

const isWholeWayDone = ({ fulfillments: [{ stops }] }: Json): boolean =>
  stops.slice(2).every(({ instructions }: Json) => instructions.code === 'COMPLETED')

/** What is drawn of a line by its quote, and by its summary. */
export const drawnIn = ({ quote, tags }: Json): [quoted: string, summed: string | undefined] => [
  quote.breakup.find(({ title }: Json) => title === 'CURRENT_UTILIZATION').price.value,
  entriesOf(tags, 'ACCOUNT_SUMMARY').UTILISED_AMOUNT,
]

// The drawdown from an open credit line with stops: a transaction and an order of its own, and then the line's order with what is drawn.
import { drawn, fundFlow, line, lineSteps, placedOrder } from './funds-stops.ts'
import { loanOn } from './loans-230.ts'
import { descriptor, group, inr, providerId, row } from './parts.ts'
import { paise, rupees } from './sums.ts'
import { answerStep, type Flow, pushStep, type Step, type Talk } from './talk.ts'
import type { Json } from './wire.ts'

const fulfilmentId = 'F19_DRAWDOWN'
const itemId = 'ITEM_DRAWDOWN'
const approvalStop = 'DRAWDOWN_APPROVAL'
const consentStop = 'CONSENT_REQUIRED'

const lineOf = ({ flow, line: opened }: Talk): Talk => {
  if (!opened) throw new Error(`${flow.id} has no line`)
  return opened
}
const asked = ({ facts }: Talk): bigint => paise(facts.get('asked') ?? '0')

/** One percent of the amount for the month. */
const interestOf = (talk: Talk): bigint => (asked(talk) / 10000n) * 100n

const stops = (code: string): Json[] => [
  { id: '1', type: approvalStop, instructions: { name: 'Drawdown Approval', code, short_desc: 'The lender approves' } },
  {
    id: '2',
    parent_stop_id: '1',
    type: consentStop,
    instructions: { name: 'Consent Required', code, short_desc: 'The borrower agrees' },
  },
]

const payment = (talk: Talk, isPaid: boolean): Json => ({
  id: talk.id('DRAWDOWN_DISBURSMENT'),
  type: 'ON_FULFILLMENT',
  collected_by: 'CONSUMER',
  status: isPaid ? 'PAID' : 'NOT-PAID',
  time: { label: 'DRAWDOWN' },
  params: {
    bank_account_number: 'XXXXXXXX4471',
    bank_code: 'XXXX0001234',
    amount: rupees(asked(talk)),
    currency: 'INR',
    ...(isPaid && { transaction_id: `LENDER_UTR_${talk.transactionId.slice(0, 8)}` }),
  },
})

type Standing = 'TERMS' | 'ACTIVE' | 'COMPLETED'

function drawdownOrder(talk: Talk, standing: Standing): Json {
  const total = rupees(asked(talk) + interestOf(talk))
  const isPlaced = standing !== 'TERMS'
  const now = new Date().toISOString()
  if (isPlaced && !talk.facts.has('placed')) talk.facts.set('placed', now)
  return {
    order: {
      ...(isPlaced && { id: talk.id('ORDER_DRAWDOWN') }),
      ref_order_ids: [lineOf(talk).id('ORDER')],
      ...(isPlaced && { status: standing }),
      provider: { id: providerId, descriptor },
      items: [
        {
          id: itemId,
          parent_item_id: line.item,
          descriptor: { code: 'LOAN', name: 'LAMF - Drawdown' },
          category_ids: line.categories,
          fulfillment_ids: [fulfilmentId],
          price: inr(total),
          tags: [
            group(
              'LOAN_INFO',
              { INTEREST_RATE: '12 %', REPAYMENT_FREQUENCY: 'P1M', LTV_PERCENT: '60 %' },
              { name: 'Information' },
            ),
          ],
        },
      ],
      fulfillments: [
        {
          id: fulfilmentId,
          type: 'DRAWDOWN',
          stops: stops(isPlaced ? 'APPROVED' : 'PENDING'),
          state: { descriptor: { code: standing === 'COMPLETED' ? 'DISBURSED' : 'INITIATED' } },
        },
      ],
      quote: {
        id: talk.id('DRAWDOWN_LEAD'),
        price: inr(total),
        breakup: [row('PRINCIPAL_AMOUNT', rupees(asked(talk))), row('INTEREST_AMOUNT', rupees(interestOf(talk)))],
        ttl: 'P15D',
      },
      payments: [payment(talk, standing === 'COMPLETED')],
      ...(isPlaced && {
        created_at: talk.facts.get('placed')!,
        updated_at: standing === 'ACTIVE' ? talk.facts.get('placed')! : now,
      }),
    },
  }
}

/** The order that the request is about, and the lender. */
const referenceFaults = (talk: Talk, { order: { provider, ref_order_ids: lines } }: Json): (string | false)[] => [
  provider.id !== providerId && `the provider is ${provider.id}, not ${providerId}`,
  lines?.join() !== lineOf(talk).id('ORDER') && `names the line ${lines}, not ${lineOf(talk).id('ORDER')}`,
]

function amountFaults(talk: Talk, { order: { payments } }: Json): (string | false)[] {
  const amount = paise(payments[0].params.amount)
  const free = loanOn(lineOf(talk)).principal - drawn(lineOf(talk))
  talk.facts.set('asked', payments[0].params.amount)
  return [(amount <= 0n || amount > free) && `draws ${rupees(amount)} of ${rupees(free)} that are free`]
}

/** The buyer repeats the lender's stop. */
function agreementFaults(_talk: Talk, { order: { items, fulfillments } }: Json): (string | false)[] {
  const [{ id, parent_item_id: parent }] = items
  const [{ id: named, stops: stated }] = fulfillments
  const [stop, ...others] = stated
  return [
    (id !== itemId || parent !== line.item) && `the item is ${id} of ${parent}`,
    named !== fulfilmentId && `the fulfilment is ${named}`,
    others.length > 0 && 'states more than the stop of the borrower',
    (stop.id !== '2' || stop.parent_stop_id !== '1') && `the stop is ${stop.id} after ${stop.parent_stop_id}`,
  ]
}

/** The line's order in the drawdown's transaction, with all that is drawn. */
function drawnLine(talk: Talk): Json {
  const opened = lineOf(talk)
  opened.facts.set('drawn', String(drawn(opened) + asked(talk)))
  return placedOrder(opened, line)
}

const steps: Step[] = [
  answerStep('init', (talk) => drawdownOrder(talk, 'TERMS'), {
    check: (talk, message) => [...referenceFaults(talk, message), ...amountFaults(talk, message)],
  }),
  answerStep('confirm', (talk) => drawdownOrder(talk, 'ACTIVE'), {
    check: (talk, message) => [...referenceFaults(talk, message), ...agreementFaults(talk, message)],
  }),
  pushStep('on_update', null, (talk) => drawdownOrder(talk, 'COMPLETED')),
  pushStep('on_update', null, drawnLine),
]

export const lineDrawdown: Flow = {
  ...fundFlow('credit-line-drawdown', steps),
  line: fundFlow('credit-line-one-page', lineSteps),
}

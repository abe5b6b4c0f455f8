// A strict lender's checks of buyer messages about loans against mutual funds with stops: a second select answers the page, and only a drawdown has init and confirm.
import { type Shape, shapeFaults, tag } from './shape.ts'
import { after230, complaintShapes, groups230, money, shapes230 } from './strict.ts'
import type { Talk } from './talk.ts'
import type { Json } from './wire.ts'

const item = { id: 'text', parent_item_id: 'text' } as const
const selectOf = (more: { [key: string]: Shape }): Shape => ({
  order: { provider: { id: 'text' }, items: [{ ...item, ...more }], fulfillments: [{ id: 'text' }] },
})
const firstSelect = selectOf({ tags: [tag] })
const secondSelect = selectOf({
  xinput: {
    head: { descriptor: { code: /^SINGLE_REDIRECTION$/, name: 'text' } },
    form: { id: 'text' },
    form_response: { status: /^SUCCESS$/, submission_id: 'text' },
  },
})

const update: Shape = {
  update_target: /^payments$/,
  order: {
    id: 'text',
    payments: [
      {
        time: { label: /^(FORECLOSURE|PRE_PART_PAYMENT|MISSED_EMI_PAYMENT)$/ },
        'params?': { amount: money, currency: /^INR$/ },
      },
    ],
  },
}

/** A drawdown starts with the amount alone, and the borrower agrees by a stop. */
const drawdownShapes: Record<string, Shape> = {
  init: {
    order: {
      provider: { id: 'text' },
      ref_order_ids: ['text'],
      payments: [{ params: { amount: money, currency: /^INR$/ }, time: { label: /^DRAWDOWN$/ } }],
    },
  },
  confirm: {
    order: {
      provider: { id: 'text' },
      ref_order_ids: ['text'],
      items: [item],
      fulfillments: [
        {
          id: 'text',
          type: /^DRAWDOWN$/,
          stops: [
            {
              id: 'text',
              type: /^CONSENT_REQUIRED$/,
              parent_stop_id: 'text',
              instructions: { name: 'text', code: /^APPROVED$/, 'short_desc?': 'text' },
            },
          ],
        },
      ],
    },
  },
  status: shapes230.status!,
}

function shapeOf({ messages, line }: Talk, action: string): Shape | undefined {
  if (line) return drawdownShapes[action]
  const isReported = messages.some((each) => each.direction === 'sent' && each.action === 'on_status')
  const shapes: Record<string, Shape | undefined> = {
    search: shapes230.search,
    select: isReported ? secondSelect : firstSelect,
    status: shapes230.status,
    update,
    ...complaintShapes,
  }
  return shapes[action]
}

/** Checks the `message` of a request. */
export function fundStopsFaults(talk: Talk, action: string, message: Json): string[] {
  const shape = shapeOf(talk, action)
  if (!shape) return [`${action} is not part of these flows`]
  const found = shapeFaults(shape, message, 'message')
  if (found.length > 0) return found
  const isSecondSelect = action === 'select' && message.order.items[0].tags === undefined
  if (action === 'search' || (action === 'select' && !isSecondSelect)) return groups230(action, message)
  if (action !== 'update') return []
  const [{ time, params }] = message.order.payments
  const isPart = time.label === 'PRE_PART_PAYMENT'
  return isPart === Boolean(params) ? [] : [`${time.label} ${params ? 'names an amount' : 'lacks its amount'}`]
}

const after: Record<string, string[]> = {
  ...after230,
  start: ['search', 'init'],
  on_status: ['select', 'status', 'on_status', 'on_confirm', 'update'],
  on_select: ['select', 'on_status', 'on_confirm'],
}

/** Whether an action may follow another. */
export const mayFollowInFunds = (last: string, action: string): boolean => after[last]?.includes(action) ?? false

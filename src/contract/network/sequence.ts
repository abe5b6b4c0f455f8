// Which action may follow which in one conversation with one lender, in dialect 2.0.3 (FIS12 §4.1).
import { next, type Table } from '#kit/runtime/machine.ts'
import { isOneOf } from '#kit/runtime/record.ts'

export const requests = ['search', 'select', 'init', 'confirm', 'status', 'update'] as const
export const callbacks = [
  'on_search',
  'on_select',
  'on_init',
  'on_confirm',
  'on_status',
  'on_update',
  'on_cancel',
] as const
export const actions = [...requests, ...callbacks] as const

export type Request = (typeof requests)[number]
export type Callback = (typeof callbacks)[number]
export type Action = Request | Callback
/** A callback in which a lender states the order. */
export type OrderCallback = Exclude<Callback, 'on_search'>

export const isAction = (text: string): text is Action => isOneOf(actions, text)
export const isCallback = (action: Action): action is Callback => isOneOf(callbacks, action)
/** The request that a callback answers; null for a cancellation, which has none (FIS12 §11.3). */
export const requestOf = (callback: Callback): Request | null => answered[callback]
const answered: Record<Callback, Request | null> = {
  on_search: 'search',
  on_select: 'select',
  on_init: 'init',
  on_confirm: 'confirm',
  on_status: 'status',
  on_update: 'update',
  on_cancel: null,
}
export const callbackOf = (request: Request): Callback => `on_${request}`

/** A callback that may be unsolicited; the others answer a request and repeat its `message_id`. */
const mayBeUnsolicited = (callback: Callback): boolean =>
  callback === 'on_select' || callback === 'on_status' || callback === 'on_update' || callback === 'on_cancel'

export const to = (...allowed: Action[]): Partial<Record<Action, Action>> =>
  Object.fromEntries(allowed.map((action) => [action, action]))

/** The status is the last action seen, the move the next one. */
export const sequence: Table<Action | 'start', Action> = {
  start: to('search'),
  search: to('on_search'),
  on_search: to('select'),
  select: to('on_select', 'select'),
  on_select: to('init', 'select', 'on_status'),
  init: to('on_init'),
  on_init: to('confirm', 'init', 'on_status'),
  confirm: to('on_confirm'),
  on_confirm: to('update', 'on_update', 'on_status', 'status', 'on_cancel'),
  update: to('on_update', 'on_cancel'),
  on_update: to('update', 'on_update', 'status', 'on_cancel'),
  status: to('on_status', 'on_cancel'),
  on_status: to('status', 'init', 'update', 'confirm', 'on_cancel'),
  on_cancel: {},
}

/** Whether `action` may follow `last` with one lender; `start` before the first. */
export const mayFollow = (last: Action | 'start', action: Action): boolean => next(sequence, last, action) !== undefined

/** How the conversations of a dialect go. */
export interface Sequence {
  mayFollow: (last: Action | 'start', action: Action) => boolean
  mayBeUnsolicited: (callback: Callback) => boolean
}

export const sequence203: Sequence = { mayFollow, mayBeUnsolicited }

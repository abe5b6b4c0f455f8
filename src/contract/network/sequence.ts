// The allowed sequence of actions in a conversation with one lender, in dialect 2.0.3 (FIS12 §4.1).
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
export type OrderCallback = Exclude<Callback, 'on_search'>

export const isAction = (text: string): text is Action => isOneOf(actions, text)
export const isCallback = (action: Action): action is Callback => isOneOf(callbacks, action)
/** The request that a callback answers; null for a cancellation, which answers no request (FIS12 §11.3). */
export const requestOf = (callback: Callback): Request | null => requestsByCallback[callback]
const requestsByCallback: Record<Callback, Request | null> = {
  on_search: 'search',
  on_select: 'select',
  on_init: 'init',
  on_confirm: 'confirm',
  on_status: 'status',
  on_update: 'update',
  on_cancel: null,
}
export const callbackOf = (request: Request): Callback => `on_${request}`

/** Whether a lender may send the callback without a request. Other callbacks repeat the `message_id` of a request. */
const mayBeUnsolicited = (callback: Callback): boolean =>
  callback === 'on_select' || callback === 'on_status' || callback === 'on_update' || callback === 'on_cancel'

export const moves = (...allowed: Action[]): Partial<Record<Action, Action>> =>
  Object.fromEntries(allowed.map((action) => [action, action]))

/** A state is the last action of the conversation; a move is the next action. */
export const sequence: Table<Action | 'start', Action> = {
  start: moves('search'),
  search: moves('on_search'),
  on_search: moves('select'),
  select: moves('on_select', 'select'),
  on_select: moves('init', 'select', 'on_status'),
  init: moves('on_init'),
  on_init: moves('confirm', 'init', 'on_status'),
  confirm: moves('on_confirm'),
  on_confirm: moves('update', 'on_update', 'on_status', 'status', 'on_cancel'),
  update: moves('on_update', 'on_cancel'),
  on_update: moves('update', 'on_update', 'status', 'on_cancel'),
  status: moves('on_status', 'on_cancel'),
  on_status: moves('status', 'init', 'update', 'confirm', 'on_cancel'),
  on_cancel: {},
}

/** Whether `action` may follow the last action with a lender. `start` means that there was no action yet. */
export const mayFollow = (last: Action | 'start', action: Action): boolean => next(sequence, last, action) !== undefined

export interface Sequence {
  mayFollow: (last: Action | 'start', action: Action) => boolean
  mayBeUnsolicited: (callback: Callback) => boolean
}

export const sequence203: Sequence = { mayFollow, mayBeUnsolicited }

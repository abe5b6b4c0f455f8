// The allowed sequence of actions in a conversation with one lender, in dialect 2.0.3 (FIS12 §4.1).
import { next, type Table } from '@lendloom/foundation/machine'
import { isOneOf } from '@lendloom/foundation/record'

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

/** Calls that no published loan flow has, for lenders that agreed to them. Their answers, with `on_cancel` (FIS12 §25). */
export const extraRequests = ['cancel', 'support', 'track', 'rating'] as const
export const extraCallbacks = ['on_support', 'on_track', 'on_rating'] as const
export const extraActions = [...extraRequests, ...extraCallbacks] as const
export type ExtraRequest = (typeof extraRequests)[number]
export type ExtraCallback = (typeof extraCallbacks)[number]
export type ExtraAction = ExtraRequest | ExtraCallback
export const isExtraAction = (text: string): text is ExtraAction => isOneOf(extraActions, text)

export type Request = (typeof requests)[number]
export type Callback = (typeof callbacks)[number]
export type Action = Request | Callback
export type OrderCallback = Exclude<Callback, 'on_search'>

export const isAction = (text: string): text is Action => isOneOf(actions, text)
export const isCallback = (action: Action): action is Callback => isOneOf(callbacks, action)
/** A request of the platform about its loan, whose answer the conversation awaits. */
export type AwaitedRequest = Request | 'cancel'
/** The request that a callback may answer. Only lenders that agreed to it receive `cancel` (FIS12 §11.3, §25). */
export const requestOf = (callback: Callback): AwaitedRequest => requestsByCallback[callback]
const requestsByCallback: Record<Callback, AwaitedRequest> = {
  on_search: 'search',
  on_select: 'select',
  on_init: 'init',
  on_confirm: 'confirm',
  on_status: 'status',
  on_update: 'update',
  on_cancel: 'cancel',
}
export const callbackOf = (request: Request): Callback => `on_${request}`

/** Whether a lender may send the callback without a request. Other callbacks repeat the `message_id` of a request. */
const mayBeUnsolicited = (callback: Callback): boolean =>
  callback === 'on_select' || callback === 'on_status' || callback === 'on_update' || callback === 'on_cancel'

/** Builds a row of a table of the sequence: each of these actions may come next, and becomes the state. */
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
  // A lender with stops reports its progress unasked, report by report (FIS12 §26.2).
  on_status: moves('status', 'on_status', 'init', 'update', 'confirm', 'on_cancel'),
  on_cancel: moves('on_cancel', 'on_update', 'update', 'status', 'on_status'),
}

/** Whether `action` may follow the last action with a lender. `start` means that there was no action yet. */
export const mayFollow = (last: Action | 'start', action: Action): boolean => next(sequence, last, action) !== undefined

/** The sequence of one dialect. */
export interface Sequence {
  mayFollow: (last: Action | 'start', action: Action) => boolean
  /** `message` is the content of the callback, which decides in some versions. */
  mayBeUnsolicited: (callback: Callback, message?: unknown) => boolean
}

export const sequence203: Sequence = { mayFollow, mayBeUnsolicited }

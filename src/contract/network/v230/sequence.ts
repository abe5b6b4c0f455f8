// Which action may follow which in dialect 2.3.0 (FIS12 §4.1).
import { type Action, type Callback, type Sequence, sequence as sequenceOf203, to } from '#contract/network/sequence.ts'
import { next, type Table } from '#kit/runtime/machine.ts'
import { keysOf } from '#kit/runtime/narrow.ts'

/** What 2.3.0 adds. `cancel` and `track` are left out: no message of a loan against mutual funds uses them (FIS12 §11.3). */
const added = {
  on_search: to('search'),
  on_select: to('on_status'),
  confirm: to('status'),
  on_confirm: to('status', 'on_status', 'on_update', 'update'),
  on_status: to('select', 'init', 'status', 'on_status', 'on_update', 'update'),
  on_update: to('status', 'update', 'on_status', 'on_update'),
}

const sequence: Table<Action | 'start', Action> = {
  ...sequenceOf203,
  ...Object.fromEntries(keysOf(added).map((last) => [last, { ...sequenceOf203[last], ...added[last] }])),
}

/** Offers too may come unasked; only `on_init` and `on_confirm` must answer under the id of their request. */
export const sequence230: Sequence = {
  mayFollow: (last: Action | 'start', action: Action) => next(sequence, last, action) !== undefined,
  mayBeUnsolicited: (callback: Callback) => callback !== 'on_init' && callback !== 'on_confirm',
}

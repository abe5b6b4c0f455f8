// The folded timeline: rows combine related entries and are grouped by update.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TimelineKind } from '@lendloom/wire/console/journey-lists'
import type { TimelineEntry } from '@lendloom/wire/console/journeys'
import { stateOf } from '../ui/delivery-state-texts.ts'
import {
  foldedRuns,
  foldTimeline,
  momentOf,
  refusalIn,
  routineText,
  type TimelineFold,
  withNewDays,
  withPlans,
  withRefusal,
} from './fold-timeline.ts'
import { titleOf } from './journey-texts.ts'
import { entryTexts, rowTexts } from './timeline-row-texts.ts'

let seconds = 0
function entry(
  kind: TimelineKind,
  code: string,
  params: Record<string, unknown>,
  state: string | null = null,
): TimelineEntry {
  seconds++
  const at = new Date(Date.UTC(2026, 10, 21, 10, 0, seconds)).toISOString()
  return { id: `${kind}.${seconds}`, at, kind, title: { code, params }, state, correlationId: null }
}
const delivery = {
  deliveryId: 'd1',
  sequence: 1,
  status: 'STARTED',
  url: 'http://a.example/hook',
  tries: 2,
  attempts: 2,
}
const lender = { lender: 'Tulsi Credit', messageId: 'm1' }

/** Newest first, as the API returns them. */
const entries = [
  entry('update', 'update', { status: 'STARTED', sequence: 1 }),
  entry('delivery', 'delivery', { ...delivery, state: 'PENDING' }, 'PENDING'),
  entry('network', 'network-sent', { ...lender, action: 'select' }, 'ACK'),
  entry('network', 'network-sent', { lender: 'Tulsi Credit', messageId: 'f1', action: 'form' }, 'ACCEPTED'),
  entry('network', 'network-noted', { lender: 'Tulsi Credit', type: 'form_accepted' }, 'APPLIED'),
  entry('network', 'network-received', { ...lender, action: 'on_select' }, 'APPLIED'),
  entry('update', 'update', { status: 'PROFILED', sequence: 2 }),
  entry('delivery', 'delivery-try', { ...delivery, state: 'PENDING', number: 1, answer: '500', ms: 3 }, 'PENDING'),
  entry('delivery', 'delivery-try', { ...delivery, state: 'EXHAUSTED', number: 2, answer: '500', ms: 3 }, 'EXHAUSTED'),
  entry('job', 'job', { kind: 'offer-window' }, 'WAITING'),
].reverse()

test('entries of a delivery or a request form one row below their update', () => {
  const { planned, groups } = foldTimeline(entries)
  assert.equal(planned.length, 1)
  assert.deepEqual(
    groups.map(({ sequence, rows }) => ({
      sequence,
      entriesOfRows: rows.map(({ entries: rowEntries }) =>
        rowEntries.map(({ title }) => title.params.action ?? title.params.type ?? title.code),
      ),
    })),
    [
      {
        sequence: 2,
        entriesOfRows: [
          ['on_select', 'select'],
          ['form_accepted', 'form'],
        ],
      },
      { sequence: 1, entriesOfRows: [['delivery-try', 'delivery-try', 'delivery']] },
    ],
  )
})

test('entries without updates form one group without a heading', () => {
  const { groups } = foldTimeline(entries.filter(({ kind }) => kind === 'delivery'))
  assert.deepEqual(
    groups.map(({ sequence, rows }) => ({ sequence, rowCount: rows.length })),
    [{ sequence: null, rowCount: 1 }],
  )
})

test('timeline: a payment that was sent and returned is one row, and another payment another', () => {
  const event = (entityId: string, status: string) =>
    entry(
      'partner-event',
      'event-received',
      { type: 'PAYMENT_UPDATED', entityId, status, amount: '4790.00', reasonCode: status === 'FAILED' ? '04' : null },
      'APPLIED',
    )
  const [group] = foldTimeline(
    [event('p1', 'SUBMITTED'), event('p1', 'FAILED'), event('p2', 'SUBMITTED')].reverse(),
  ).groups
  assert.deepEqual(
    group!.rows.map((row) => rowTexts(row).what),
    [
      'Payment of ₹4,790 sent to the bank · from the partner',
      'Payment of ₹4,790 failed: insufficient funds · from the partner',
    ],
  )
})

test('timeline: the answers to a search stand at the first one, before the choice that it made possible', () => {
  const received = (messageId: string) =>
    entry('network', 'network-received', { lender: 'Tulsi Credit', messageId, action: 'on_search' }, 'APPLIED')
  const all = [
    entry('update', 'update', { status: 'STARTED', sequence: 1 }),
    entry('network', 'network-sent', { messageId: 's1', action: 'search' }, 'ACK'),
    received('s1'),
    entry('update', 'update', { status: 'OFFER_ACCEPTED', sequence: 2 }),
    received('s1'),
  ].reverse()
  const { groups } = foldTimeline(all)
  assert.deepEqual(
    groups.map(({ sequence, rows }) => [sequence, rows.length]),
    [
      [2, 1],
      [1, 0],
    ],
  )
  const [row] = groups[0]!.rows
  assert.equal(momentOf(row!), all[2]!.at)
})

test('what is to come stands in its order, and each offer that lapses names its lender', () => {
  const due = (dueAt: string, kind = 'offer-lapse') => entry('job', 'job', { kind, dueAt }, 'WAITING')
  const jobs = [
    due('2026-12-19T15:45:59.000Z'),
    due('2026-12-11T15:48:08.000Z'),
    due('2026-12-12T00:00:00.000Z', 'network-timer'),
    due('2026-12-14T00:00:00.000Z'),
  ]
  const offers = [
    { lender: 'Sahyadri Capital', validUntil: '2026-12-11T15:48:08.000Z', accepted: false },
    { lender: 'Tulsi Credit', validUntil: '2026-12-19T15:45:59.000Z', accepted: false },
  ]
  const { planned } = foldTimeline(withPlans(jobs, offers))
  const accepted = offers.map((each) => ({ ...each, accepted: true }))
  assert.equal(foldTimeline(withPlans(jobs, accepted)).planned.length, 1, 'an accepted offer lapses no more')
  const waits = [
    entry('job', 'job', { kind: 'offer-window' }, 'WAITING'),
    entry('job', 'job', { kind: 'network-timer', isOfSearch: true }, 'WAITING'),
  ]
  assert.equal(withPlans(waits, offers).length, 2)
  assert.deepEqual(withPlans(waits, accepted), [], 'nor are more offers awaited')
  assert.deepEqual(
    planned.map(({ entries: [each] }) => titleOf(each)),
    [
      'Sahyadri Capital’s offer lapses',
      'Ask the lender again if it has not answered',
      'Check whether an offer is still valid',
      'Tulsi Credit’s offer lapses',
    ],
  )
})

test('timeline: the poll of a check that is passed is not to come', () => {
  const poll = (check: string) => entry('job', 'job', { kind: 'partner-check', check }, 'WAITING')
  const begun = (kind: string, state: string) => entry('provider', 'check-begun', { kind, attempt: 1 }, state)
  const planned = withPlans([poll('kyc'), poll('esign'), begun('kyc', 'APPROVED'), begun('esign', 'REQUESTED')], [])
    .filter(({ kind }) => kind === 'job')
    .map(({ title }) => title.params.check)
  assert.deepEqual(planned, ['esign'])
})

test('timeline: of questions about the same that come again, only the next one is to come', () => {
  const job = (kind: string, lenderName: string, dueAt: string) =>
    entry('job', 'job', { kind, lender: lenderName, dueAt: `2026-11-21T${dueAt}:00.000Z` }, 'WAITING')
  const jobs = [
    job('lender-follow-up', 'Tulsi Credit', '12:00'),
    job('lender-follow-up', 'Tulsi Credit', '11:00'),
    job('lender-follow-up', 'Meridian Finance', '13:00'),
    job('network-call', 'Tulsi Credit', '12:00'),
    job('network-call', 'Tulsi Credit', '11:00'),
  ]
  assert.deepEqual(
    withPlans(jobs, []).map(({ id }) => id),
    [jobs[1], jobs[2], jobs[3], jobs[4]].map((each) => each?.id),
  )
})

test('a row of another day than the one above it begins a new day', () => {
  const rows = ['2026-12-04T09:00', '2026-12-04T08:00', '2026-11-30T10:00', '2026-11-30T09:00'].map(
    (at) => ({ id: at, entries: [{ ...entry('network', 'network-noted', {}), at }] }) as unknown as TimelineFold,
  )
  const newDays = (shownAt?: string) =>
    withNewDays(rows, shownAt, (at) => at.slice(0, 10)).map(({ newDayAt }) => newDayAt !== null)
  assert.deepEqual(newDays('2026-12-04T09:30'), [false, false, true, false])
  assert.deepEqual(newDays(), [true, false, true, false])
})

test('a run names its network messages and deliveries', () => {
  const message = entry('network', 'network-sent', { ...lender, action: 'select' })
  const delivery = entry('delivery', 'delivery', {})
  const textOf = (...all: TimelineEntry[]) => routineText(all.map((each) => ({ id: each.id, entries: [each] })))
  assert.equal(textOf(delivery, delivery, message), '2 delivered webhooks and 1 network message')
})

test('the message that rejected the journey is marked whether or not the updates are among the entries', () => {
  const message = (messageId: string, action: string, state: string, sender = 'Tulsi Credit') =>
    entry('network', 'network-received', { lender: sender, messageId, action }, state)
  const offer = message('m2', 'on_select', 'APPLIED')
  const other = message('m3', 'on_select', 'APPLIED', 'Kaveri Bank')
  const refusal = message('m4', 'on_status', 'APPLIED')
  const tooLate = message('m5', 'on_search', 'IGNORED')
  const rejected = entry('update', 'update', { status: 'REJECTED', sequence: 3 })
  const after = message('m6', 'on_status', 'APPLIED')
  const messages = [after, tooLate, refusal, other, offer]
  const who = { lender: 'Tulsi Credit', at: rejected.at }
  assert.equal(refusalIn(messages, who), refusal.id, 'as with the filter "Network"')
  assert.equal(refusalIn([after, rejected, tooLate, refusal, other, offer], who), refusal.id)
  assert.equal(refusalIn(messages, null), null)
  assert.equal(refusalIn([after], who), null)
  const rows: TimelineFold[] = messages.map((each) => ({ id: each.id, entries: [each] }))
  assert.deepEqual(
    withRefusal(rows, refusal.id)
      .filter(({ isRefusal }) => isRefusal)
      .map(({ id }) => id),
    [refusal.id],
  )
})

test('a delivery shows what it waits for', () => {
  const pending = {
    state: 'PENDING',
    attemptsSinceReplay: 0,
    nextAttemptAt: null,
    isPaused: false,
    behindSequence: null,
  } as const
  const textsOf = (change: Partial<Parameters<typeof stateOf>[0]>) => {
    const { word, note, nextAt } = stateOf({ ...pending, ...change })
    return { word, detail: nextAt ?? note }
  }
  assert.deepEqual(textsOf({}), { word: 'Delivering', detail: '' })
  assert.deepEqual(textsOf({ behindSequence: 3, nextAttemptAt: '2020-01-01T00:00:00Z' }), {
    word: 'Waiting',
    detail: 'after update 3',
  })
  assert.deepEqual(textsOf({ isPaused: true }), { word: 'Waiting', detail: 'endpoint paused' })
  assert.deepEqual(textsOf({ attemptsSinceReplay: 2, nextAttemptAt: '2020-01-01T00:00:00Z' }), {
    word: 'Failed',
    detail: 'trying again',
  })
  const soon = new Date(Date.now() + 130_000).toISOString()
  assert.deepEqual(textsOf({ attemptsSinceReplay: 2, nextAttemptAt: soon }), { word: 'Failed', detail: soon })
  assert.deepEqual(textsOf({ state: 'EXHAUSTED' }), { word: 'Given up', detail: '' })
})

test('runs of at least three rows of a kind are folded; shorter runs stay between their neighbours', () => {
  const row = (id: string) => ({ id, entries: [{ id }] }) as unknown as TimelineFold
  const runsOf = (ids: string, foldOf: (id: string) => string | null) =>
    foldedRuns([...ids].map(row), ({ id }) => foldOf(id)).map(({ fold, rows }) => ({
      fold,
      ids: rows.map(({ id }) => id).join(''),
    }))
  assert.deepEqual(
    runsOf('abcXdeYfghi', (id) => (id === id.toLowerCase() ? 'small' : null)),
    [
      { fold: 'small', ids: 'abc' },
      { fold: null, ids: 'XdeY' },
      { fold: 'small', ids: 'fghi' },
    ],
  )
  assert.deepEqual(
    runsOf('aaabbbcca', (id) => id),
    [
      { fold: 'a', ids: 'aaa' },
      { fold: 'b', ids: 'bbb' },
      { fold: null, ids: 'cca' },
    ],
  )
  assert.deepEqual(
    runsOf('', (id) => id),
    [],
  )
})

test('timeline: a check with its events to the partner is one row, and a further try another', () => {
  const told = (status: string, state = 'DELIVERED') =>
    entry('partner-event', 'event-sent', { type: 'MANDATE_UPDATED', status, isVerified: status === 'ACTIVE' }, state)
  const ofCheck = (code: string, attempt: number, state: string) =>
    entry('provider', code, { kind: 'mandate', adapter: 'LENDLOOM', attempt }, state)
  const checks = [
    told('REQUESTED'),
    ofCheck('check-begun', 1, 'FAILED'),
    ofCheck('provider-asked', 1, 'REQUESTED'),
    ofCheck('provider-told', 1, 'FAILED'),
    told('FAILED'),
    ofCheck('check-begun', 2, 'ACTIVE'),
    ofCheck('provider-told', 2, 'ACTIVE'),
    told('ACTIVE'),
  ].reverse()
  const [group] = foldTimeline(checks).groups
  assert.deepEqual(
    group!.rows.map((row) => {
      const { what, badge, result } = rowTexts(row)
      return [row.entries.length, what, badge?.[1] ?? result]
    }),
    [
      [3, 'Mandate at Lendloom, try 2', 'Active'],
      [5, 'Mandate at Lendloom', 'Failed'],
    ],
  )
  const [lost] = foldTimeline([told('ACTIVE', 'DEAD'), ofCheck('check-begun', 1, 'ACTIVE')]).groups
  const { badge, note } = rowTexts(lost!.rows[0]!)
  assert.equal(badge?.[0], 'bad')
  assert.equal(note, 'Mandate active, confirmed by the provider · sent to the partner')
})

test('FIS12 §27.5: a refused drawdown is told as refused, in the row and in each of its messages', () => {
  const sent = entry('network', 'network-sent', { ...lender, action: 'init', about: { subject: 'DRAWDOWN' } }, 'ACK')
  const received = entry(
    'network',
    'network-received',
    { ...lender, action: 'on_init', note: 'error 80203' },
    'APPLIED',
  )
  const [group] = foldTimeline([received, sent]).groups
  const [row] = group!.rows
  const { what, badge, note } = rowTexts(row!)
  assert.equal(what, 'Tulsi Credit refused the drawdown')
  assert.equal(badge?.[1], 'Refused')
  assert.equal(note, 'Error 80203')
  assert.equal(entryTexts(received, row!.entries).what, 'Tulsi Credit refused the drawdown')
})

// Texts of timeline rows.

import { fieldsOf } from '@lendloom/foundation/record'
import { capitalize } from '@lendloom/foundation/text'
import type { TimelineEntry } from '@lendloom/wire/console/journeys'
import { answerText } from '@lendloom/wire/webhook/answer-text-en'
import { type DeliveryState, deliveryStates } from '@lendloom/wire/webhook/delivery-state'
import { labelOf, withoutScheme } from '../ui/code-labels.ts'
import type { Tone } from '../ui/components.tsx'
import { type DeliveryNow, stateOf, tryWords, waitWords } from '../ui/delivery-state-texts.ts'
import { countText } from '../ui/format-figures.ts'
import { drawdownWords } from './credit-line-texts.ts'
import { numberIn, type TimelineFold, textIn } from './fold-timeline.ts'
import { noteOf, titleOf, toneOf } from './journey-texts.ts'
import { actionCodes, ignoredText, sentenceFor } from './network-texts.ts'

export interface RowWords {
  what: string
  /** The network's action code; empty for other rows. */
  code: string
  /** Null if the result is as expected. */
  badge: readonly [Tone, string] | null
  note: string
  /** An expected result, shown without emphasis. */
  result: string
}

const stateIn = (text: string | null): DeliveryState => deliveryStates.find((each) => each === text) ?? 'PENDING'

/** The state of the delivery, which each of its entries contains. */
function deliveryIn({ title: { params }, state }: TimelineEntry): DeliveryNow {
  return {
    state: stateIn(textIn(params, 'state') || state),
    attemptsSinceReplay: numberIn(params, 'attempts') ?? 0,
    nextAttemptAt: textIn(params, 'nextAt') || null,
    isPaused: params.isPaused === true,
    behindSequence: numberIn(params, 'behindSequence'),
  }
}

/** Returns the texts of a row, which sums up its entries. */
export function rowTexts(row: TimelineFold): RowWords {
  const [newest] = row.entries
  if (newest.kind === 'delivery') return deliveryTexts(row)
  if (row.entries.some(({ title: { code } }) => code === 'network-sent' || code === 'network-received'))
    return exchangeTexts(row)
  if (newest.title.code === 'drawdown') return drawdownTexts(newest)
  const check = row.entries.find(({ title: { code } }) => code === 'check-begun')
  if (check) return checkTexts(row, check)
  return { what: titleOf(newest), code: '', badge: badgeOf(newest), note: noteOf(newest), result: quietResult(newest) }
}

/** The texts of a drawdown, with its state in words and why the lender did not pay out. */
function drawdownTexts(entry: TimelineEntry): RowWords {
  const { tone, word, reason } = drawdownWords(entry.state ?? '', textIn(entry.title.params, 'reason'))
  const isExpected = tone === 'good' || tone === 'plain'
  return {
    what: titleOf(entry),
    code: '',
    badge: isExpected ? null : [tone, word],
    note: reason,
    result: isExpected ? word : '',
  }
}

/** The texts of a webhook, as it stands after its last try. */
function deliveryTexts({ entries }: TimelineFold): RowWords {
  const [{ title }] = entries
  const delivery = deliveryIn(entries[0])
  const displayed = stateOf(delivery)
  const tries = numberIn(title.params, 'tries') ?? 0
  const ms = numberIn(title.params, 'ms')
  const isDelivered = displayed.word === 'Delivered'
  const target = withoutScheme(textIn(title.params, 'url')) || 'the journey’s own callback'
  const tryCount = tries === 0 ? '' : countText(tries, 'try', 'tries')
  return {
    what: `${labelOf(textIn(title.params, 'status'))} webhook to ${target}`,
    code: '',
    badge: isDelivered && tries <= 1 ? null : [displayed.tone, displayed.word],
    note: [waitWords(delivery), tries > 1 || !isDelivered ? tryCount : ''].filter(Boolean).join(' · '),
    result: isDelivered && tries <= 1 ? `${textIn(title.params, 'answer')} in ${ms ?? 0} ms` : '',
  }
}

/** The texts of a check at a provider, as it stands now, or of an event about it that has not reached the partner. */
function checkTexts({ entries }: TimelineFold, check: TimelineEntry): RowWords {
  const { params } = check.title
  const attempt = numberIn(params, 'attempt') ?? 1
  const adapter = textIn(params, 'adapter')
  const lost = entries.find((each) => each.kind === 'partner-event' && badgeOf(each) !== null)
  const told = lost ?? check
  return {
    what: `${labelOf(textIn(params, 'kind'))}${adapter && ` at ${labelOf(adapter)}`}${attempt > 1 ? `, try ${attempt}` : ''}`,
    code: '',
    badge: badgeOf(told),
    note: lost ? titleOf(lost) : '',
    result: quietResult(told),
  }
}

/** The sentence for a network message. A refusal does not say what it is about, and its request does. */
const sentenceOf = (entry: TimelineEntry, request: TimelineEntry | undefined): string =>
  sentenceFor(actionIn(entry), lenderIn(entry), { about: subjectOf(entry, request), isError: isError(entry) })

const subjectOf = (entry: TimelineEntry, request: TimelineEntry | undefined): unknown =>
  entry.title.params.about ?? request?.title.params.about

/** Whether a lender answered with an error, whose code the note has. */
const isError = (entry: TimelineEntry): boolean =>
  entry.title.code === 'network-received' && noteOf(entry).startsWith('error ')

const requestIn = (entries: readonly TimelineEntry[]): TimelineEntry | undefined =>
  entries.find(({ title: { code } }) => code === 'network-sent')

const lenderIn = ({ title: { params } }: TimelineEntry): string => textIn(params, 'lender') || textIn(params, 'party')
const actionIn = ({ title: { params } }: TimelineEntry): string => textIn(params, 'action')

/** The texts of a request with its callbacks, or of either alone. */
function exchangeTexts({ entries, isRefusal = false }: TimelineFold): RowWords {
  const request = requestIn(entries)
  const callbacks = entries.filter(({ title: { code } }) => code === 'network-received')
  const [callback] = callbacks
  const mainEntry = callback ?? request ?? entries[0]
  const unexpected = entries.find((each) => badgeOf(each) !== null)
  const isDrawdown = fieldsOf(subjectOf(mainEntry, request)).subject === 'DRAWDOWN'
  const refused = isDrawdown && callback && isError(callback) ? callback : null
  const ignored = entries.find(({ state }) => state === 'IGNORED')
  const isAccepted = entries.some(({ title: { params } }) => /^form.accepted$/i.test(textIn(params, 'type')))
  const what = () => {
    if (callbacks.length > 1) return `${callbacks.length} lenders answered the search`
    if (isAccepted) return `${lenderIn(mainEntry)} accepted the form`
    if (isRefusal) return `${lenderIn(mainEntry)} refused the application`
    return sentenceOf(mainEntry, request)
  }
  const result = () => {
    if (request && callback) return durationText(request.at, callback.at)
    return request && !isAccepted && !unexpected ? 'no answer yet' : ''
  }
  return {
    what: what(),
    code: actionCodes(request && actionIn(request), callback && actionIn(callback)),
    badge: isRefusal ? ['bad', 'Rejected'] : refused ? ['bad', 'Refused'] : unexpected ? badgeOf(unexpected) : null,
    note: ignored ? ignoredText(noteOf(ignored)) : noteText(refused ?? unexpected),
    result: result(),
  }
}

function durationText(from: string, until: string): string {
  const ms = Math.max(0, Date.parse(until) - Date.parse(from))
  return `answered in ${ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`}`
}

const expectedStates = new Set(['SUCCESS', 'SUCCEEDED', 'DONE', 'IGNORED', 'SUPERSEDED', 'CREATED', 'WAITING'])

/** A badge for an unexpected result; null for an expected one. */
export function badgeOf({ kind, state, title: { code } }: TimelineEntry): readonly [Tone, string] | null {
  if (state === null || expectedStates.has(state)) return null
  if (code === 'delivery-try') return tryWords(stateIn(state))
  if (kind === 'delivery') return null
  const tone = toneOf(state)
  return tone === 'good' || tone === 'plain' ? null : [tone, state === 'NACK' ? 'Refused' : labelOf(state)]
}

/** States of messages, events and files that only say that all is well. */
const silentStates = new Set(['APPLIED', 'DELIVERED', 'STORED', 'ACK'])

/** The text of an expected state that the sentence does not mention. */
const quietResult = ({ kind, state }: TimelineEntry): string =>
  state !== null &&
  !silentStates.has(state) &&
  kind !== 'update' &&
  kind !== 'consent' &&
  kind !== 'job' &&
  !expectedStates.has(state) &&
  (toneOf(state) === 'good' || state === 'NOT_REQUIRED')
    ? labelOf(state)
    : ''

const noteText = (entry: TimelineEntry | undefined): string => (entry ? capitalize(noteOf(entry)) : '')

/** Texts of a single entry within an expanded row of entries. */
export function entryTexts(entry: TimelineEntry, entries: readonly TimelineEntry[] = [entry]): RowWords {
  const { title, state } = entry
  if (title.code === 'delivery') return { what: 'Queued', code: '', badge: null, note: '', result: '' }
  if (title.code === 'delivery-try') {
    const ms = numberIn(title.params, 'ms')
    const what = `Try ${textIn(title.params, 'number')}: ${answerText(textIn(title.params, 'answer'))}`
    return { what, code: '', badge: badgeOf(entry), note: '', result: ms === null ? '' : `${ms} ms` }
  }
  const action = actionIn(entry)
  const result = state === null ? '' : state === 'ACK' ? 'acknowledged' : labelOf(state).toLowerCase()
  const what = action ? sentenceOf(entry, requestIn(entries)) : titleOf(entry)
  return {
    what,
    code: actionCodes(action),
    badge: badgeOf(entry),
    note: state === 'IGNORED' ? ignoredText(noteOf(entry)) : noteOf(entry),
    result: badgeOf(entry) || state === 'IGNORED' ? '' : result,
  }
}

/** Whether a row went as expected, so that it may be hidden. */
export const isRoutine = (row: TimelineFold): boolean => {
  const [{ kind }] = row.entries
  if (kind === 'delivery') return stateOf(deliveryIn(row.entries[0])).word === 'Delivered'
  return expectedMessage(row) !== null
}

/** The sentence of a network message that went as expected; null for another row. A lender may report the same each day. */
export const expectedMessage = (row: TimelineFold): string | null => {
  const { what, badge, note } = rowTexts(row)
  const [{ kind }] = row.entries
  return kind === 'network' && badge === null && note === '' ? what : null
}

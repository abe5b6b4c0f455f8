// Folds a timeline: related entries form a row, rows are grouped by update, and runs of routine rows are folded. Pure.
import type { ConsoleOffer, TimelineEntry } from '@lendloom/wire/console/journeys'
import { countText } from '../ui/format-figures.ts'
import { requestOf } from './network-texts.ts'

/**
 * A row with its entries: a delivery with its tries, a request with its callbacks, a check at a provider with what the
 * lending partner was told of it, or what became of a payment.
 */
export interface TimelineFold {
  id: string
  /** Newest first. */
  entries: [TimelineEntry, ...TimelineEntry[]]
  isRefusal?: boolean
}

/** An update with its deliveries and the rows that led to it. */
export interface Group {
  id: string
  /** Null for rows after the last update. */
  sequence: number | null
  status: string
  /** Null if the update is not among the loaded entries. */
  update: TimelineEntry | null
  rows: TimelineFold[]
}

export interface GroupedRows {
  /** Rows of scheduled jobs, the soonest first. */
  planned: TimelineFold[]
  groups: Group[]
}

/** A shorter run of routine rows is shown as it is. */
const minFoldedRows = 3

/** Who rejected a journey, and when. */
export interface Refusal {
  lender: string
  at: string
}

/**
 * The id of the lender's message that rejected the journey, which is its last one that counted until then; null if it
 * is not among the entries. It needs no update, because a filter may leave the updates out.
 */
export function refusalIn(entries: readonly TimelineEntry[], refusal: Refusal | null): string | null {
  if (refusal === null) return null
  const messages = entries.filter(
    ({ at, state, title: { code, params } }) =>
      code === 'network-received' &&
      textIn(params, 'lender') === refusal.lender &&
      state !== 'IGNORED' &&
      at <= refusal.at,
  )
  return (
    messages.reduce<TimelineEntry | null>((last, each) => (last && last.at >= each.at ? last : each), null)?.id ?? null
  )
}

/**
 * When a row happened: its newest entry, but for answers to a search the first one, because the journey goes on with
 * it while late lenders still answer.
 */
export function momentOf({ entries }: Pick<TimelineFold, 'entries'>): string {
  const [newest] = entries
  const answers = entries.filter(
    ({ title: { code, params } }) => code === 'network-received' && textIn(params, 'action') === 'on_search',
  )
  return answers.at(-1)?.at ?? newest.at
}

/** Marks the row with the message that rejected the journey. */
export const withRefusal = (rows: TimelineFold[], messageId: string | null): TimelineFold[] =>
  rows.map((row) => (row.entries.some(({ id }) => id === messageId) ? { ...row, isRefusal: true } : row))

/** A job is stored at the time at which it was planned, and stands at the time at which it is due. */
function atDueTime(entry: TimelineEntry): TimelineEntry {
  const dueAt = entry.kind === 'job' ? textIn(entry.title.params, 'dueAt') : null
  return dueAt ? { ...entry, at: new Date(dueAt).toISOString() } : entry
}

const passedStates = new Set(['APPROVED', 'ACTIVE', 'COMPLETED'])

/** The checks at a provider that the borrower has passed, whose last polls only find that out. */
const passedChecks = (entries: readonly TimelineEntry[]): Set<string> =>
  new Set(
    entries
      .filter(({ state, title: { code } }) => code === 'check-begun' && state !== null && passedStates.has(state))
      .map(({ title: { params } }) => textIn(params, 'kind')),
  )

/** Jobs that ask the same again and again, of which the next one is enough to know. */
const repeatedKinds = new Set(['lender-follow-up', 'servicing-watch', 'partner-status'])

/** Leaves out the later ones of jobs that ask the same lender the same. */
function withoutRepeats(entries: readonly TimelineEntry[]): TimelineEntry[] {
  const keyOfJob = ({ title: { params } }: TimelineEntry) => `${textIn(params, 'kind')} ${textIn(params, 'lender')}`
  const isRepeated = ({ kind, title: { params } }: TimelineEntry) =>
    kind === 'job' && repeatedKinds.has(textIn(params, 'kind'))
  const first = new Map<string, TimelineEntry>()
  for (const entry of entries.filter(isRepeated)) {
    const known = first.get(keyOfJob(entry))
    if (!known || entry.at < known.at) first.set(keyOfJob(entry), entry)
  }
  return entries.filter((entry) => !isRepeated(entry) || first.get(keyOfJob(entry)) === entry)
}

/**
 * Puts jobs at their due time, and names the lender of each offer that lapses, by the time of its lapse; after an
 * acceptance none lapses any more, and no more offers are awaited. Leaves out polls of passed checks and repeated
 * questions.
 */
export function withPlans(
  entries: readonly TimelineEntry[],
  offers: readonly Pick<ConsoleOffer, 'lender' | 'validUntil' | 'accepted'>[],
): TimelineEntry[] {
  const isAccepted = offers.some(({ accepted }) => accepted)
  const isLapse = ({ kind, title }: TimelineEntry) => kind === 'job' && title.params.kind === 'offer-lapse'
  const isWaitForOffers = ({ kind, title: { params } }: TimelineEntry) =>
    kind === 'job' &&
    (params.kind === 'offer-window' || (params.kind === 'network-timer' && params.isOfSearch === true))
  const isSettled = (entry: TimelineEntry) => isLapse(entry) || isWaitForOffers(entry)
  const passed = passedChecks(entries)
  const isPollOfPassed = ({ kind, title: { params } }: TimelineEntry) =>
    kind === 'job' && params.kind === 'partner-check' && passed.has(textIn(params, 'check'))
  // Offers that lapse at the same time have a row each.
  const left = [...offers]
  const takeLenderAt = (at: string): string | null => {
    const index = left.findIndex(({ validUntil }) => validUntil === at)
    return index < 0 ? null : (left.splice(index, 1)[0]?.lender ?? null)
  }
  const plans = entries.filter((entry) => !(isAccepted && isSettled(entry)) && !isPollOfPassed(entry)).map(atDueTime)
  return withoutRepeats(plans).map((entry) => {
    if (!isLapse(entry)) return entry
    return { ...entry, title: { ...entry.title, params: { ...entry.title.params, lender: takeLenderAt(entry.at) } } }
  })
}

/** A row of a past day, which its time alone does not tell. */
export interface DatedRow {
  row: TimelineFold
  /** The time whose day is shown above the row; null if the reader knows the day already. */
  newDayAt: string | null
}

/** Marks the rows at which another day begins. `shownAt` is a time on the day that is shown before the rows. */
export function withNewDays(
  rows: readonly TimelineFold[],
  shownAt: string | undefined,
  dayOf: (at: string) => string,
): DatedRow[] {
  let shown = shownAt === undefined ? null : dayOf(shownAt)
  return rows.map((row) => {
    const at = momentOf(row)
    const isNew = dayOf(at) !== shown
    shown = dayOf(at)
    return { row, newDayAt: isNew ? at : null }
  })
}

interface RowRun {
  /** What the rows have in common, for which they are folded; null for rows that are shown. */
  fold: string | null
  rows: TimelineFold[]
}

/** Divides rows into runs that are folded, because `foldOf` says the same of each, and others. */
export function foldedRuns(rows: TimelineFold[], foldOf: (row: TimelineFold) => string | null): RowRun[] {
  const runs: RowRun[] = []
  for (const row of rows) {
    const fold = foldOf(row)
    const last = runs.at(-1)
    if (last && last.fold === fold) last.rows.push(row)
    else runs.push({ fold, rows: [row] })
  }
  const merged: RowRun[] = []
  for (const run of runs) {
    const last = merged.at(-1)
    const fold = run.rows.length >= minFoldedRows ? run.fold : null
    if (last?.fold === null && fold === null) last.rows.push(...run.rows)
    else merged.push({ fold, rows: run.rows })
  }
  return merged
}

type Params = TimelineEntry['title']['params']
/** A parameter of a title as text; empty without one. */
export const textIn = (params: Params, name: string): string => {
  const value = params[name]
  return value === null || value === undefined ? '' : String(value)
}
/** A parameter of a title as a number; null without one. */
export const numberIn = (params: Params, name: string): number | null => {
  const value = params[name]
  return typeof value === 'number' ? value : null
}

/** Counts the rows of a folded run by kind. */
export const routineText = (rows: TimelineFold[]): string => {
  const count = (counted: TimelineEntry['kind']) => rows.filter(({ entries: [{ kind }] }) => kind === counted).length
  return [[count('delivery'), 'delivered webhook'] as const, [count('network'), 'network message'] as const]
    .filter(([rowCount]) => rowCount > 0)
    .map(([rowCount, name]) => countText(rowCount, name))
    .join(' and ')
}

/** Entries with the same key form a row. */
function keyOf({ id, kind, title: { code, params } }: TimelineEntry): string {
  if (kind === 'delivery') return `delivery.${textIn(params, 'deliveryId')}`
  const isPayment = code === 'event-received' && textIn(params, 'type') === 'PAYMENT_UPDATED'
  if (isPayment && textIn(params, 'entityId')) return `payment.${textIn(params, 'entityId')}`
  if (code !== 'network-sent' && code !== 'network-received') return id
  const messageId = textIn(params, 'messageId')
  return messageId ? `message.${messageId}.${requestOf(textIn(params, 'action'))}` : id
}

/** The lender of a form entry. A note about an accepted form has no message id and belongs to the lender's last form. */
const formOf = ({ title: { code, params } }: TimelineEntry): string | null => {
  const lender = textIn(params, 'lender')
  const isForm = code === 'network-sent' ? textIn(params, 'action') === 'form' : isFormNote(code, params)
  return isForm && lender ? lender : null
}
const isFormNote = (code: string, params: Params): boolean =>
  code === 'network-noted' && /^form[ _-]/i.test(textIn(params, 'type'))

const eventsOfChecks: Record<string, string> = {
  KYC_UPDATED: 'kyc',
  MANDATE_UPDATED: 'mandate',
  ESIGN_UPDATED: 'esign',
}
const checks = new Set(Object.values(eventsOfChecks))
const checkCodes = new Set(['check-begun', 'provider-asked', 'provider-told'])

/** The check that an entry is about, such as `kyc`; null for other entries. */
function checkOf({ title: { code, params } }: TimelineEntry): string | null {
  if (code === 'event-sent') return eventsOfChecks[textIn(params, 'type')] ?? null
  const check = textIn(params, 'kind')
  return checkCodes.has(code) && checks.has(check) ? check : null
}

/** Combines entries, newest first, into rows; rows are sorted by their moment. */
function rowsOf(entries: readonly TimelineEntry[]): TimelineFold[] {
  const keys = keysOf(entries)
  const rows = new Map<string, TimelineFold>()
  for (const entry of entries) {
    const key = keys.get(entry.id) ?? entry.id
    const row = rows.get(key)
    if (row) row.entries.push(entry)
    else rows.set(key, { id: key, entries: [entry] })
  }
  return [...rows.values()].toSorted((a, b) => newerFirst(momentOf(a), momentOf(b)))
}

const newerFirst = (a: string, b: string): number => (a === b ? 0 : a < b ? 1 : -1)

/**
 * Returns the key of each entry. A note about a form has the key of the form before it, and an event about a check that
 * of its newest attempt.
 */
function keysOf(entries: readonly TimelineEntry[]): Map<string, string> {
  const keys = new Map<string, string>()
  const forms = new Map<string, string>()
  const attempts = new Map<string, number>()
  for (const entry of entries.toReversed()) {
    const check = checkOf(entry)
    if (check !== null) {
      const attempt = numberIn(entry.title.params, 'attempt') ?? attempts.get(check) ?? 1
      attempts.set(check, attempt)
      keys.set(entry.id, `check.${check}.${attempt}`)
      continue
    }
    const lender = formOf(entry)
    const formKey = lender === null ? undefined : forms.get(lender)
    const isNote = entry.title.code === 'network-noted'
    const key = isNote && formKey !== undefined ? formKey : keyOf(entry)
    if (lender !== null && !isNote) forms.set(lender, key)
    if (isNote && lender !== null) forms.delete(lender)
    keys.set(entry.id, key)
  }
  return keys
}

const sequenceOf = ({ title: { params } }: TimelineEntry): number | null => numberIn(params, 'sequence')

/** Groups entries, newest first. Entries without updates form a single group without a heading. */
export function foldTimeline(entries: readonly TimelineEntry[]): GroupedRows {
  const rows = rowsOf(entries)
  const planned = rows
    .filter(({ entries: [newest] }) => newest.kind === 'job')
    .toSorted((a, b) => (a.entries[0].at < b.entries[0].at ? -1 : 1))
  const pastRows = rows.filter(({ entries: [newest] }) => newest.kind !== 'job')
  const isGrouped = pastRows.some(({ entries: [newest] }) => newest.kind === 'update')
  let group: Group = { id: 'since', sequence: null, status: '', update: null, rows: [] }
  if (!isGrouped) return { planned, groups: [{ ...group, rows: pastRows }] }
  const groups = new Map<string, Group>([[group.id, group]])
  for (const { entries: updates } of pastRows.filter(({ entries: [newest] }) => newest.kind === 'update')) {
    const heading = headingOf(updates[0])
    groups.set(heading.id, { ...heading, update: updates[0] })
  }
  for (const row of pastRows) {
    const [newest] = row.entries
    if (newest.kind === 'update') group = groups.get(headingOf(newest).id) ?? group
    else if (newest.kind !== 'delivery') group.rows.push(row)
    else {
      const heading = headingOf(newest)
      const deliveryGroup = groups.get(heading.id) ?? heading
      groups.set(heading.id, deliveryGroup)
      deliveryGroup.rows.push(row)
    }
  }
  return { planned, groups: sortGroups([...groups.values()]) }
}

const headingOf = (entry: TimelineEntry): Group => ({
  id: `update.${sequenceOf(entry)}`,
  sequence: sequenceOf(entry),
  status: textIn(entry.title.params, 'status'),
  update: null,
  rows: [],
})

const sortGroups = (groups: Group[]): Group[] =>
  groups
    .filter(({ update, rows }) => update !== null || rows.length > 0)
    .sort((a, b) => (b.sequence ?? Number.POSITIVE_INFINITY) - (a.sequence ?? Number.POSITIVE_INFINITY))

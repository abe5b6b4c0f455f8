// The timeline of a journey, newest first, grouped by update.

import { type TimelineKind, timelineKinds } from '@lendloom/wire/console/journey-lists'
import type { JourneyHead, TimelineEntry } from '@lendloom/wire/console/journeys'
import { useSignal } from '@preact/signals'
import { Fragment } from 'preact'
import { useEffect } from 'preact/hooks'
import { getFile, queryText } from '../api.ts'
import { query, setQuery } from '../router.ts'
import { tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { inIndiaAs } from '../ui/clock.ts'
import { labelOf } from '../ui/code-labels.ts'
import { Empty, Loading, SmallButton, Time, Trouble } from '../ui/components.tsx'
import { updateName } from '../ui/delivery-state-texts.ts'
import { useAct } from '../ui/form.tsx'
import { useList } from '../ui/list.tsx'
import { saveFile } from '../ui/save-file.ts'
import {
  foldedRuns,
  foldTimeline,
  type Group,
  momentOf,
  refusalIn,
  routineText,
  type TimelineFold,
  withNewDays,
  withPlans,
  withRefusal,
} from './fold-timeline.ts'
import { hasNoLoan, kindNames, refusalOf, refusalText, titleOf } from './journey-texts.ts'
import { EntryDialog } from './timeline-entry.tsx'
import { TimelineRow } from './timeline-row.tsx'
import { expectedMessage, isRoutine } from './timeline-row-texts.ts'

/** Entries that are loaded at once. */
const pageSize = 200
/** A shorter timeline needs no filter. */
const minFiltered = 5

type ShowEntry = (entry: TimelineEntry) => void

interface TimelineProps {
  head: JourneyHead
  /** Grows with each change of the journey. */
  changeCount: number
}

export function Timeline({ head, changeCount }: TimelineProps) {
  const path = `/journeys/${head.journeyId}/timeline`
  const openEntry = useSignal<TimelineEntry | null>(null)
  const chosenKinds = query.value('kinds')
  const { items, next, error, isLoading, more, reload, refresh } = useList<TimelineEntry>(path, {
    tenantId: tenantId.value,
    kinds: chosenKinds,
    order: 'newest',
    // The filter of API requests shows them.
    reads: chosenKinds === '' ? 'omit' : undefined,
    limit: String(pageSize),
  })
  const isEnded = hasNoLoan(head) || head.line === 'CLOSED'
  const entries = (isEnded && items?.filter(({ kind }) => kind !== 'job')) || items
  const kinds = useKinds(items, chosenKinds === '' && next === null)
  useEffect(() => {
    if (changeCount === 0) return
    if (items && items.length > pageSize) reload()
    else refresh()
  }, [changeCount])
  const show = (entry: TimelineEntry) => assign(openEntry, entry)
  return (
    <section class="timeline" aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      {kinds.length > 0 && <Kinds kinds={kinds.filter((kind) => !isEnded || kind !== 'job')} />}
      {error && !items ? <Trouble error={error} retry={reload} /> : null}
      {chosenKinds === 'network' && <Transcript key={head.journeyId} journeyId={head.journeyId} />}
      {!items && !error && <Loading />}
      {entries?.length === 0 && <Empty title="No entries of this kind" />}
      {entries && entries.length > 0 && <Groups items={entries} journey={head} show={show} />}
      {next !== null && (
        <button type="button" class="secondary more" aria-disabled={isLoading} onClick={more}>
          {isLoading ? 'Loading…' : 'Show earlier entries'}
        </button>
      )}
      {openEntry.value && (
        <EntryDialog path={path} journey={head} entry={openEntry.value} onClose={() => assign(openEntry, null)} />
      )}
    </section>
  )
}

/** The button that saves the messages with the network as a file, and says so. */
function Transcript({ journeyId }: { journeyId: string }) {
  const act = useAct()
  const saved = useSignal('')
  const name = `transcript-${journeyId}.json`
  const save = () =>
    act.run(
      async () =>
        saveFile(await getFile(`/journeys/${journeyId}/transcript${queryText({ tenantId: tenantId.value })}`), name),
      () => assign(saved, name),
    )
  return (
    <>
      {act.problem ? <Trouble error={act.problem} retry={save} /> : null}
      <p class="transcript">
        <SmallButton onClick={save}>Download transcript</SmallButton>
        <span role="status" class="good-words small">
          {saved.value && `Saved as ${saved.value}`}
        </span>
      </p>
    </>
  )
}

/** The kinds to filter by: those in the last complete list, or all without one; none for a short list. */
function useKinds(items: TimelineEntry[] | null, isComplete: boolean): readonly TimelineKind[] {
  const complete = useSignal<TimelineEntry[] | null>(null)
  useEffect(() => {
    if (items && isComplete) complete.value = items
  }, [items])
  const entries = complete.value
  if (entries === null) return isComplete ? [] : timelineKinds
  if (entries.length < minFiltered) return []
  // The list has no requests that only read, so that those without a writing one are not known.
  return timelineKinds.filter((kind) => kind === 'request' || entries.some((entry) => entry.kind === kind))
}

function Groups({ items, journey, show }: { items: TimelineEntry[]; journey: JourneyHead; show: ShowEntry }) {
  const { planned, groups } = foldTimeline(withPlans(items, journey.offers))
  const isGrouped = groups.some(({ sequence }) => sequence !== null)
  const refusalId = refusalIn(items, refusalOf(journey))
  return (
    <>
      {planned.length > 0 && (
        <details class="planned" open={groups.every(({ rows }) => rows.length === 0)}>
          <summary>Upcoming ({planned.length})</summary>
          <ol>
            {planned.map((row) => (
              <TimelineRow key={row.id} row={row} show={show} isPlanned />
            ))}
          </ol>
        </details>
      )}
      {groups.map((group) => (
        <section key={group.id} class="group">
          {isGrouped && <Heading group={group} journey={journey} show={show} />}
          <FoldedRows
            rows={withRefusal(group.rows, refusalId)}
            show={show}
            day={isGrouped ? dayOf(group) : undefined}
          />
        </section>
      ))}
    </>
  )
}

const dayOf = ({ update, rows }: Group): string | undefined => update?.at ?? (rows[0] && momentOf(rows[0]))

function Heading({ group, journey, show }: { group: Group; journey: JourneyHead; show: ShowEntry }) {
  const { update, sequence, status } = group
  const day = dayOf(group)
  if (!update)
    return (
      <header>
        <h3>{sequence === null ? 'Since the last update' : `${labelOf(status)} (${updateName(sequence)})`}</h3>
        {day && <span class="when">{inIndiaAs('date', day)}</span>}
      </header>
    )
  return (
    <header>
      <h3>
        <button type="button" class="heading" onClick={() => show(update)}>
          {status === 'REJECTED' ? `Rejected${refusalText(journey)} (update ${sequence})` : titleOf(update)}
        </button>
      </h3>
      <span class="when">
        <Time at={update.at} exact />
      </span>
    </header>
  )
}

interface RowsProps {
  rows: TimelineFold[]
  show: ShowEntry
  day?: string | undefined
}

/**
 * Folds runs of network messages and deliveries that went as expected. A list of chosen kinds folds only messages that
 * say the same again, such as those of each day.
 */
function FoldedRows({ rows, show, day }: RowsProps) {
  const isWhole = query.value('kinds') === ''
  const foldOf = isWhole ? (row: TimelineFold) => (isRoutine(row) ? 'routine' : null) : expectedMessage
  let shownAt = day
  return (
    <>
      {foldedRuns(rows, foldOf).map(({ fold, rows: run }) => {
        const shownBefore = shownAt
        // A folded run shows its first day alone.
        const shownRow = run.at(fold === null ? -1 : 0)
        shownAt = shownRow && momentOf(shownRow)
        const key = run[0]?.id
        if (fold === null) return <Rows key={key} rows={run} show={show} day={shownBefore} />
        const summary = isWhole ? routineText(run) : repeatedText(fold, run)
        return <FoldedRun key={key} rows={run} show={show} day={shownBefore} summary={summary} />
      })}
    </>
  )
}

const repeatedText = (what: string, rows: readonly TimelineFold[]): string => {
  const oldest = rows.at(-1)
  return `${what} · ${rows.length} times${oldest ? ` since ${textOfDay(momentOf(oldest))}` : ''}`
}

function FoldedRun({ rows, show, day, summary }: RowsProps & { summary: string }) {
  const [first] = withNewDays(rows, day, textOfDay)
  return (
    <>
      {first?.newDayAt && <p class="new-day">{textOfDay(first.newDayAt)}</p>}
      <details class="routine">
        <summary>{summary}</summary>
        <Rows rows={rows} show={show} day={first && momentOf(first.row)} />
      </details>
    </>
  )
}

const textOfDay = (at: string): string => inIndiaAs('date', at)

const Rows = ({ rows, show, day }: RowsProps) =>
  rows.length === 0 ? null : (
    <ol>
      {withNewDays(rows, day, textOfDay).map(({ row, newDayAt }) => (
        <Fragment key={row.id}>
          {newDayAt && <li class="new-day">{textOfDay(newDayAt)}</li>}
          <TimelineRow row={row} show={show} />
        </Fragment>
      ))}
    </ol>
  )

/** Filter by kind, stored in the URL. */
function Kinds({ kinds: offered }: { kinds: readonly TimelineKind[] }) {
  const chosen = query.value('kinds').split(',').filter(Boolean)
  const toggle = (kind: string) => {
    const kinds = chosen.includes(kind) ? chosen.filter((each) => each !== kind) : [...chosen, kind]
    setQuery({ kinds: kinds.join(',') })
  }
  return (
    <fieldset class="kinds">
      <legend class="unseen">What to show</legend>
      <button type="button" aria-pressed={chosen.length === 0} onClick={() => setQuery({ kinds: '' })}>
        All
      </button>
      {offered.map((kind) => (
        <button key={kind} type="button" aria-pressed={chosen.includes(kind)} onClick={() => toggle(kind)}>
          {kindNames[kind]}
        </button>
      ))}
    </fieldset>
  )
}

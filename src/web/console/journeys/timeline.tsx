// The timeline of a journey, newest first, grouped by update.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { timelineKinds } from '#contract/console/journey-lists.ts'
import type { JourneyHead, TimelineEntry } from '#contract/console/journeys.ts'
import { query, setQuery } from '../router.ts'
import { tenantId } from '../session.ts'
import { assign } from '../ui/assign.ts'
import { useList } from '../ui/list.tsx'
import { Empty, Loading, Time, Trouble } from '../ui/parts.tsx'
import { labelOf } from '../ui/words.ts'
import { EntryDialog } from './entry.tsx'
import { fold, type Group, routineText, runsOf, type TimelineFold } from './fold.ts'
import { isRoutine } from './row-words.ts'
import { TimelineRow } from './timeline-row.tsx'
import { kindNames, titleOf } from './words.ts'

/** The page size: most journeys have fewer entries. */
const pageSize = 200

type Show = (entry: TimelineEntry) => void

interface TimelineProps {
  head: Pick<JourneyHead, 'journeyId' | 'tenantId'>
  /** Grows with each change of the journey. */
  changeCount: number
}

export function Timeline({ head, changeCount }: TimelineProps) {
  const path = `/journeys/${head.journeyId}/timeline`
  const openEntry = useSignal<TimelineEntry | null>(null)
  const { items, next, error, isLoading, more, reload, refresh } = useList<TimelineEntry>(path, {
    tenantId: tenantId.value,
    kinds: query.value('kinds'),
    order: 'newest',
    limit: String(pageSize),
  })
  useEffect(() => {
    if (changeCount === 0) return
    if (items && items.length > pageSize) reload()
    else refresh()
  }, [changeCount])
  const show = (entry: TimelineEntry) => assign(openEntry, entry)
  return (
    <section class="timeline" aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <Kinds />
      {error && !items ? <Trouble error={error} retry={reload} /> : null}
      {!items && !error && <Loading />}
      {items?.length === 0 && <Empty title="No entries of this kind" />}
      {items && items.length > 0 && <Groups items={items} show={show} />}
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

function Groups({ items, show }: { items: TimelineEntry[]; show: Show }) {
  const { planned, groups } = fold(items)
  const isGrouped = groups.some(({ sequence }) => sequence !== null)
  return (
    <>
      {planned.length > 0 && (
        <details class="planned" open={groups.every(({ rows }) => rows.length === 0)}>
          <summary>Upcoming ({planned.length})</summary>
          <Rows rows={planned} show={show} />
        </details>
      )}
      {groups.map((group) => (
        <section key={group.id} class={`group ${group.update ? 'of-update' : ''}`}>
          {isGrouped && <Heading group={group} show={show} />}
          <FoldedRows rows={group.rows} show={show} day={group.update?.at} />
        </section>
      ))}
    </>
  )
}

function Heading({ group: { update, sequence, status }, show }: { group: Group; show: Show }) {
  if (!update)
    return (
      <header>
        <h3>{sequence === null ? 'Since the last update' : `${labelOf(status)} (update ${sequence})`}</h3>
      </header>
    )
  return (
    <header>
      <h3>
        <button type="button" class="heading" onClick={() => show(update)}>
          {titleOf(update)}
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
  show: Show
  day?: string | undefined
}

/** Folds runs of network messages, reads and deliveries that went as expected, unless the filter selects kinds. */
function FoldedRows({ rows, show, day }: RowsProps) {
  const isAll = query.value('kinds') === ''
  return (
    <>
      {runsOf(rows, (row) => isAll && isRoutine(row)).map(({ isFolded, rows: run }) =>
        isFolded ? (
          <details key={run[0]?.id} class="routine">
            <summary>{routineText(run)}</summary>
            <Rows rows={run} show={show} day={day} />
          </details>
        ) : (
          <Rows key={run[0]?.id} rows={run} show={show} day={day} />
        ),
      )}
    </>
  )
}

const Rows = ({ rows, show, day }: RowsProps) =>
  rows.length === 0 ? null : (
    <ol>
      {rows.map((row) => (
        <TimelineRow key={row.id} row={row} show={show} day={day} />
      ))}
    </ol>
  )

/** Filter by kind, stored in the URL. */
function Kinds() {
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
      {timelineKinds.map((kind) => (
        <button key={kind} type="button" aria-pressed={chosen.includes(kind)} onClick={() => toggle(kind)}>
          {kindNames[kind]}
        </button>
      ))}
    </fieldset>
  )
}

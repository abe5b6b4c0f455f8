// The timeline of a journey: everything that happened, newest first, with what was sent and kept behind each entry.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { timelineKinds } from '#contract/console/journey-lists.ts'
import type { TimelineDetail, TimelineEntry } from '#contract/console/journeys.ts'
import { query, setQuery, to } from '../router.ts'
import { hasRole, tenantId } from '../session.ts'
import { assign } from '../ui/assign.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useList, useOne } from '../ui/list.tsx'
import { Badge, Empty, Id, Loading, Time, Trouble } from '../ui/parts.tsx'
import { worded } from '../ui/words.ts'
import { Changes } from './changes.tsx'
import { kindNames, noteOf, titleOf, toneOf } from './words.ts'

/** `news` grows whenever something was added. */
export function Timeline({ journeyId, news }: { journeyId: string; news: number }) {
  const path = `/journeys/${journeyId}/timeline`
  const shown = useSignal<TimelineEntry | null>(null)
  const { items, next, error, isLoading, more, reload } = useList<TimelineEntry>(path, {
    tenantId: tenantId.value,
    kinds: query.value('kinds'),
    order: 'newest',
  })
  useEffect(() => {
    if (news > 0) reload()
  }, [news])
  return (
    <section class="timeline" aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <Kinds />
      {error && !items ? <Trouble error={error} retry={reload} /> : null}
      {!items && !error && <Loading />}
      {items?.length === 0 && <Empty title="Nothing of this kind has happened" />}
      <ol>
        {items?.map((entry) => (
          <li key={entry.id} class={`entry of-${entry.kind}`}>
            <Time at={entry.at} exact />
            <button type="button" onClick={() => assign(shown, entry)}>
              <span class="kind">{kindNames[entry.kind]}</span>
              <span class="what">{titleOf(entry)}</span>
              {noteOf(entry) && <span class="quiet small">{noteOf(entry)}</span>}
            </button>
            {entry.state && <Badge tone={toneOf(entry.state)}>{worded(entry.state)}</Badge>}
          </li>
        ))}
      </ol>
      {next !== null && (
        <button type="button" class="secondary more" aria-disabled={isLoading} onClick={more}>
          {isLoading ? 'Loading…' : 'Show earlier ones'}
        </button>
      )}
      {shown.value && <Detail path={path} entry={shown.value} onClose={() => assign(shown, null)} />}
    </section>
  )
}

/** The filter by kind, in the address bar. */
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

function Detail({ path, entry, onClose }: { path: string; entry: TimelineEntry; onClose(): void }) {
  const { value, error, reload } = useOne<TimelineDetail>(`${path}/${encodeURIComponent(entry.id)}`, {
    tenantId: tenantId.value,
  })
  return (
    <Dialog title={titleOf(entry)} onClose={onClose} wide>
      <p class="quiet">
        <Time at={entry.at} exact />
        {entry.correlationId && (
          <>
            {' · correlation '}
            <Id value={entry.correlationId} />
          </>
        )}
      </p>
      <Elsewhere entry={entry} />
      {error && !value && <Trouble error={error} retry={reload} />}
      {!value && !error && <Loading rows={3} />}
      {value && entry.kind === 'update' && <Changes path={path} entry={entry} now={value.raw} />}
      {value && <pre>{JSON.stringify(value.raw ?? value.detail, null, 2)}</pre>}
      <p class="quiet small">Personal data is masked. It is revealed on the journey’s page, with a reason.</p>
    </Dialog>
  )
}

/** The page of its own that an entry has. */
function Elsewhere({ entry: { id, kind, title } }: { entry: TimelineEntry }) {
  const { deliveryId } = title.params
  if (kind === 'delivery' && typeof deliveryId === 'string')
    return <a href={to('webhooks', 'deliveries', deliveryId)}>Open the delivery, with what was sent and every answer</a>
  if (kind === 'request' && hasRole('developer', 'admin', 'operator'))
    return <a href={to('developers', 'requests', id.slice(id.indexOf('.') + 1))}>Open the request</a>
  return null
}

// The changes of an update against the previous one.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { TimelineDetail, TimelineEntry, TimelineReply } from '#contract/console/journeys.ts'
import { get } from '../api.ts'
import { tenantId } from '../session.ts'
import { Loading, Trouble } from '../ui/parts.tsx'
import { worded } from '../ui/words.ts'
import { type Difference, differences } from './differences.ts'

interface ChangesProps {
  path: string
  entry: TimelineEntry
  now: unknown
}

export function Changes({ path, entry, now }: ChangesProps) {
  const found = useSignal<Difference[] | 'first' | null>(null)
  const problem = useSignal<unknown>(null)
  useEffect(() => {
    before(path, entry).then(
      (earlier) => {
        found.value = earlier === null ? 'first' : differences(earlier.raw, now)
      },
      (reason) => {
        problem.value = reason
      },
    )
  }, [entry.id])
  if (problem.value) return <Trouble error={problem.value} />
  if (!found.value) return <Loading rows={2} />
  if (found.value === 'first') return <p class="quiet">The first update of this journey.</p>
  return (
    <details open class="changes">
      <summary>Changes since the previous update ({found.value.length})</summary>
      <dl>
        {found.value.map((each) => (
          <Change key={each.path} change={each} />
        ))}
      </dl>
    </details>
  )
}

const Change = ({ change: { path, before: old, after: now, thing } }: { change: Difference }) =>
  thing ? (
    <div>
      <dt>{path.slice(0, path.lastIndexOf('['))}</dt>
      <dd>
        {old === null ? (
          <ins>
            {worded(thing.kind)} added: {thing.name}
          </ins>
        ) : (
          <del>
            {worded(thing.kind)} removed: {thing.name}
          </del>
        )}
      </dd>
    </div>
  ) : (
    <div>
      <dt>{path}</dt>
      <dd>
        {old !== null && <del>{old}</del>} {now !== null && <ins>{now}</ins>}
      </dd>
    </div>
  )

/** The previous update; null for the first. */
async function before(path: string, { id }: TimelineEntry): Promise<TimelineDetail | null> {
  const of = { tenantId: tenantId.value }
  const { items } = await get<TimelineReply>(path, { ...of, kinds: 'update', order: 'oldest', limit: 200 })
  const at = items.findIndex((each) => each.id === id)
  const earlier = items[at - 1]
  return earlier ? get<TimelineDetail>(`${path}/${encodeURIComponent(earlier.id)}`, of) : null
}

// The changes of an update since the previous one.

import type { TimelineDetail, TimelineEntry, TimelineReply } from '@lendloom/wire/console/journeys'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get } from '../api.ts'
import { tenantId } from '../session.ts'
import { labelOf } from '../ui/code-labels.ts'
import { Loading, Trouble } from '../ui/components.tsx'
import { type Difference, differences } from './json-differences.ts'

interface ChangesProps {
  path: string
  entry: TimelineEntry
  now: unknown
}

export function Changes({ path, entry, now }: ChangesProps) {
  const changes = useSignal<Difference[] | 'first' | null>(null)
  const problem = useSignal<unknown>(null)
  useEffect(() => {
    previousUpdate(path, entry).then(
      (previous) => {
        changes.value = previous === null ? 'first' : differences(previous.raw, now)
      },
      (reason) => {
        problem.value = reason
      },
    )
  }, [entry.id])
  if (problem.value) return <Trouble error={problem.value} />
  if (!changes.value) return <Loading rows={2} />
  if (changes.value === 'first') return <p class="quiet">This is the first update of the journey.</p>
  return (
    <details open class="changes">
      <summary>Changes since the previous update ({changes.value.length})</summary>
      <dl>
        {changes.value.map((each) => (
          <Change key={each.path} change={each} />
        ))}
      </dl>
    </details>
  )
}

const Change = ({ change: { path, before: old, after: now, item } }: { change: Difference }) =>
  item ? (
    <div>
      <dt>{path.slice(0, path.lastIndexOf('['))}</dt>
      <dd>
        {old === null ? (
          <ins>
            {labelOf(item.kind)} added: {item.name}
          </ins>
        ) : (
          <del>
            {labelOf(item.kind)} removed: {item.name}
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

async function previousUpdate(path: string, { id }: TimelineEntry): Promise<TimelineDetail | null> {
  const scope = { tenantId: tenantId.value }
  const { items } = await get<TimelineReply>(path, { ...scope, kinds: 'update', order: 'oldest', limit: 200 })
  const index = items.findIndex((each) => each.id === id)
  const previous = items[index - 1]
  return previous ? get<TimelineDetail>(`${path}/${encodeURIComponent(previous.id)}`, scope) : null
}

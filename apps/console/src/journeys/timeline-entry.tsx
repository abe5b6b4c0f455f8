// Dialog with a timeline entry: links, changes, response and content.
import type { EntryAnswer, JourneyHead, TimelineDetail, TimelineEntry } from '@lendloom/wire/console/journeys'
import { to, toOf } from '../router.ts'
import { hasRole, isOfPlatform, tenantId } from '../session.ts'
import { Badge, Id, Loading, Time, Trouble } from '../ui/components.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Json } from '../ui/json-viewer.tsx'
import { useResource } from '../ui/list.tsx'
import { titleOf } from './journey-texts.ts'
import { badgeOf, entryTexts } from './timeline-row-texts.ts'
import { Changes } from './update-changes.tsx'

/** Codes of entries that have a sentence and an action code. */
const sentenceCodes = new Set(['network-sent', 'network-received'])

interface EntryDialogProps extends EntryLinkProps {
  path: string
  onClose(): void
}

export function EntryDialog({ path, journey, entry, onClose }: EntryDialogProps) {
  const { value, error, reload } = useResource<TimelineDetail>(`${path}/${encodeURIComponent(entry.id)}`, {
    tenantId: tenantId.value,
  })
  const { what, code } = entryTexts(entry)
  const title = sentenceCodes.has(entry.title.code) ? `${what} (${code})` : titleOf(entry)
  return (
    <Dialog title={title} onClose={onClose} wide>
      <p class="quiet">
        <Time at={entry.at} exact />
        {entry.correlationId && (
          <>
            {' · correlation '}
            <Id value={entry.correlationId} />
          </>
        )}
      </p>
      <EntryLink journey={journey} entry={entry} />
      {error && !value && <Trouble error={error} retry={reload} />}
      {!value && !error && <Loading rows={3} />}
      {value && entry.kind === 'update' && <Changes path={path} entry={entry} now={value.raw} />}
      {value && (
        <section>
          <h3>{contentTitle(entry)}</h3>
          <Json value={value.raw ?? value.detail} label={contentTitle(entry)} />
        </section>
      )}
      {value?.answer && <Answer entry={entry} answer={value.answer} />}
      <p class="quiet small">Personal data is masked. You can reveal it on the journey’s page, with a reason.</p>
    </Dialog>
  )
}

function contentTitle({ kind, title: { code } }: TimelineEntry): string {
  if (kind === 'delivery' || code === 'network-sent') return 'What we sent'
  return code === 'network-received' ? 'What we received' : kind === 'update' ? 'The update' : 'Details'
}

function Answer({ entry, answer: { answer, tookMs, body } }: { entry: TimelineEntry; answer: EntryAnswer }) {
  const isReceived = entry.title.code === 'network-received'
  const tone = badgeOf(entry)?.[0] ?? 'good'
  const title = isReceived ? 'What we answered' : 'What the server answered'
  return (
    <section>
      <h3>{title}</h3>
      <p>
        <Badge tone={tone}>{answer}</Badge>
        {tookMs !== null && <span class="quiet"> in {tookMs} ms</span>}
      </p>
      {body ? <Json value={body} label={title} /> : <p class="quiet small">The body was empty or was not stored.</p>}
    </section>
  )
}

interface EntryLinkProps {
  journey: Pick<JourneyHead, 'tenantId'>
  entry: TimelineEntry
}

/** Link to the page of the delivery or request; null for other entries. */
function EntryLink({ journey, entry: { id, kind, title } }: EntryLinkProps) {
  const hrefOf = (...parts: string[]) => (isOfPlatform.value ? toOf(journey.tenantId, ...parts) : to(...parts))
  const { deliveryId } = title.params
  if (kind === 'delivery' && typeof deliveryId === 'string')
    return (
      <a href={hrefOf('webhooks', 'deliveries', deliveryId)}>Open the delivery with the request and every answer</a>
    )
  if (title.code === 'request' && hasRole('developer', 'admin', 'operator'))
    return <a href={hrefOf('developers', 'requests', id.slice(id.indexOf('.') + 1))}>Open the request</a>
  return null
}

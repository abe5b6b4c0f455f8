// Staff notes on a journey.
import type { StaffNotes } from '@lendloom/wire/console/journeys'
import { post } from '../api.ts'
import { hasRole, isOfPlatform, ofTenant, tenantId } from '../session.ts'
import { Loading, Time, Trouble } from '../ui/components.tsx'
import { Form, TextArea, useTyped } from '../ui/form.tsx'
import { useResource } from '../ui/list.tsx'

export function Notes({ journeyId }: { journeyId: string }) {
  const path = `/journeys/${journeyId}/notes`
  const { value, error, reload } = useResource<StaffNotes>(path, { tenantId: tenantId.value })
  const { act, bind, set, typed } = useTyped({ text: '' })
  async function submit(): Promise<void> {
    await post(ofTenant(path), typed)
    set({ text: '' })
    reload()
  }
  return (
    <section class="card">
      <h2>Notes</h2>
      {error && !value && <Trouble error={error} retry={reload} />}
      {!value && !error && <Loading rows={2} />}
      <ul class="notes">
        {value?.items.map((note) => (
          <li key={note.noteId}>
            <p>{note.text}</p>
            <span class="quiet small">
              {note.personName ?? 'Former member'} · <Time at={note.at} />
            </span>
          </li>
        ))}
      </ul>
      {hasRole('viewer') ? (
        value?.items.length === 0 && <p class="quiet">No notes yet.</p>
      ) : (
        <details>
          <summary>Add a note</summary>
          <Form act={act} onSubmit={submit} button="Add note">
            <TextArea
              label="Note"
              hint={`${isOfPlatform.value ? 'Platform staff can see it.' : 'Your team and platform staff can see it.'} PANs, mobile and account numbers are masked until someone reveals them.`}
              rows={3}
              maxLength={4000}
              {...bind('text')}
            />
          </Form>
        </details>
      )}
    </section>
  )
}

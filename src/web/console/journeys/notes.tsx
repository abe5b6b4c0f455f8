// Notes of colleagues about a journey.
import { useSignal } from '@preact/signals'
import type { StaffNotes } from '#contract/console/journeys.ts'
import { post } from '../api.ts'
import { hasRole, isOfPlatform, ofTenant, tenantId } from '../session.ts'
import { assign } from '../ui/assign.ts'
import { Form, useForm, Words } from '../ui/form.tsx'
import { useOne } from '../ui/list.tsx'
import { Loading, Time, Trouble } from '../ui/parts.tsx'

export function Notes({ journeyId }: { journeyId: string }) {
  const path = `/journeys/${journeyId}/notes`
  const { value, error, reload } = useOne<StaffNotes>(path, { tenantId: tenantId.value })
  const text = useSignal('')
  const act = useForm(['text'])
  async function submit(): Promise<void> {
    await post(ofTenant(path), { text: text.value })
    text.value = ''
    reload()
  }
  return (
    <section class="card">
      <h2>Notes</h2>
      {error && !value && <Trouble error={error} retry={reload} />}
      {!value && !error && <Loading rows={2} />}
      {value?.items.length === 0 && <p class="quiet">Nobody has written anything yet.</p>}
      <ul class="notes">
        {value?.items.map((note) => (
          <li key={note.noteId}>
            <p>{note.text}</p>
            <span class="quiet small">
              {note.personName ?? 'Somebody who left'} · <Time at={note.at} />
            </span>
          </li>
        ))}
      </ul>
      {!hasRole('viewer') && (
        <Form act={act} onSubmit={submit} button="Add the note">
          <Words
            label="Note"
            hint={`${isOfPlatform.value ? 'The platform’s people see it.' : 'Your team and the platform’s people see it.'} PANs, mobile and account numbers in it are masked until somebody reveals them.`}
            fault={act.faults.text}
            value={text.value}
            rows={3}
            maxLength={4000}
            onValue={(value) => assign(text, value)}
          />
        </Form>
      )}
    </section>
  )
}

// Form with the origins that may embed an application's journeys.

import type { ApplicationView } from '@lendloom/wire/console/developers'
import { useSignal } from '@preact/signals'
import { put } from '../api.ts'
import { ofTenant } from '../session.ts'
import { Form, useForm } from '../ui/form.tsx'
import { canManage } from './access.ts'

export function Origins({ application: { applicationId, name, origins } }: { application: ApplicationView }) {
  const text = useSignal(origins.join('\n'))
  const isDone = useSignal(false)
  const act = useForm(['origin', 'origins'])
  async function submit(): Promise<void> {
    const lines = text.value.split(/\s+/).filter(Boolean)
    await put(ofTenant(`/developers/applications/${applicationId}/origins`), { origins: lines })
    isDone.value = true
  }
  const fault = act.faults.origin ?? act.faults.origins
  return (
    <section class="card">
      <h2>Where the page may be embedded</h2>
      <p class="quiet">{name}</p>
      <Form act={act} onSubmit={submit} button="Save the origins">
        <div class="field">
          <label htmlFor={applicationId}>Origins, one per line</label>
          <p class="hint">
            Such as https://app.example, without a path or a wildcard.
            {origins.some((each) => each.endsWith(':*')) &&
              ' Origins with :* belong to the sandbox and allow any port of this machine. You can keep them, but you cannot add new ones.'}
          </p>
          <textarea
            id={applicationId}
            rows={4}
            readOnly={!canManage()}
            aria-invalid={fault ? true : undefined}
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value
              isDone.value = false
            }}
          />
          {fault && <p class="fault">An origin {fault}</p>}
        </div>
      </Form>
      <p role="status" class="good-words">
        {isDone.value && 'Saved. Pages of other origins can no longer embed the hosted page.'}
      </p>
    </section>
  )
}

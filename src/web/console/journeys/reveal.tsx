// Revealing personal data: which, and why; the audit log keeps both, never the values.
import { useSignal } from '@preact/signals'
import { type Revealable, revealable } from '#contract/console/journey-lists.ts'
import type { RevealReply } from '#contract/console/journeys.ts'
import { post } from '../api.ts'
import { ofTenant } from '../session.ts'
import { assign } from '../ui/assign.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form, useForm } from '../ui/form.tsx'
import { fieldNames } from './words.ts'

export function Reveal({ journeyId, onClose }: { journeyId: string; onClose(): void }) {
  const reason = useSignal('')
  const fields = useSignal<Revealable[]>(['name', 'mobile'])
  const revealed = useSignal<RevealReply['fields'] | null>(null)
  const act = useForm(['reason', 'fields'])
  const toggle = (field: Revealable) =>
    assign(
      fields,
      fields.value.includes(field) ? fields.value.filter((each) => each !== field) : [...fields.value, field],
    )
  async function submit(): Promise<void> {
    const body = { reason: reason.value, fields: fields.value }
    const reply = await post<RevealReply>(ofTenant(`/journeys/${journeyId}/reveal`), body)
    revealed.value = reply.fields
  }
  return (
    <Dialog title="Reveal personal data" onClose={onClose}>
      {revealed.value ? (
        <Revealed fields={revealed.value} />
      ) : (
        <Form act={act} onSubmit={submit} button="Reveal">
          <Fields chosen={fields.value} onToggle={toggle} />
          {act.faults.fields && <p class="fault">Choose at least one.</p>}
          <Field
            label="Reason"
            hint="At least 10 characters. It is kept in the audit log under your name."
            value={reason.value}
            fault={act.faults.reason}
            onValue={(value) => assign(reason, value)}
          />
        </Form>
      )}
    </Dialog>
  )
}

const Revealed = ({ fields }: RevealReply) => (
  <dl class="facts">
    {revealable
      .filter((field) => field in fields)
      .map((field) => (
        <div key={field}>
          <dt>{fieldNames[field]}</dt>
          <dd class="as-written">{fields[field] ?? (field === 'notes' ? 'None' : 'Unknown')}</dd>
        </div>
      ))}
  </dl>
)

const Fields = ({ chosen, onToggle }: { chosen: Revealable[]; onToggle(field: Revealable): void }) => (
  <fieldset class="options">
    <legend>What you need to see</legend>
    {revealable.map((field) => (
      <label key={field}>
        <input type="checkbox" checked={chosen.includes(field)} onChange={() => onToggle(field)} /> {fieldNames[field]}
      </label>
    ))}
  </fieldset>
)

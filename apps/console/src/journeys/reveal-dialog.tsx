// Dialog to reveal personal data. The audit log records the fields and the reason, never the values.

import { keysOf } from '@lendloom/foundation/record'
import type { Revealable, RevealReply } from '@lendloom/wire/console/journeys'
import { useSignal } from '@preact/signals'
import { post } from '../api.ts'
import { ofTenant } from '../session.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Form, Reason, useTyped } from '../ui/form.tsx'

/** Defined by the build, because a browser cannot load the contract's schemas. */
declare const REVEAL_LABELS: Record<Revealable, string>

const revealable = keysOf(REVEAL_LABELS)

export function Reveal({ journeyId, onClose }: { journeyId: string; onClose(): void }) {
  const initialFields: Revealable[] = ['name', 'mobile']
  const { act, bind, set, typed } = useTyped({ reason: '', fields: initialFields })
  const { fields } = typed
  const revealed = useSignal<RevealReply['fields'] | null>(null)
  const toggle = (field: Revealable) =>
    set({ fields: fields.includes(field) ? fields.filter((each) => each !== field) : [...fields, field] })
  async function submit(): Promise<void> {
    const reply = await post<RevealReply>(ofTenant(`/journeys/${journeyId}/reveal`), typed)
    revealed.value = reply.fields
  }
  return (
    <Dialog title="Reveal personal data" onClose={onClose}>
      {revealed.value ? (
        <Revealed fields={revealed.value} />
      ) : (
        <Form act={act} onSubmit={submit} button="Reveal">
          <Fields chosen={fields} onToggle={toggle} />
          {act.faults.fields && <p class="fault">Choose at least one field.</p>}
          <Reason {...bind('reason')} />
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
          <dt>{REVEAL_LABELS[field]}</dt>
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
        <input type="checkbox" checked={chosen.includes(field)} onChange={() => onToggle(field)} />{' '}
        {REVEAL_LABELS[field]}
      </label>
    ))}
  </fieldset>
)

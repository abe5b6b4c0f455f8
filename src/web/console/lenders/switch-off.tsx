// Switching a lender off: whom it concerns first, then why. Where that changed meanwhile the new numbers are shown.
import { useSignal } from '@preact/signals'
import type { LenderDetail, LenderEffect } from '#contract/console/lenders.ts'
import { ApiError, post } from '../api.ts'
import { tenantId } from '../session.ts'
import { assign } from '../ui/assign.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form, useForm } from '../ui/form.tsx'
import { useOne } from '../ui/list.tsx'
import { Loading, Trouble } from '../ui/parts.tsx'
import { api, number } from './words.ts'

export function SwitchOff({ lender, onClose }: { lender: LenderDetail; onClose(): void }) {
  const path = `/lenders/${lender.lenderId}/effect`
  const { value, error, reload } = useOne<LenderEffect>(path, { tenantId: tenantId.value })
  const reason = useSignal('')
  const act = useForm(['reason'])
  async function submit(effect: LenderEffect): Promise<void> {
    const { searching, offered } = effect
    try {
      await post(api(`/${lender.lenderId}/switch-off`), { reason: reason.value, searching, offered })
    } catch (refused) {
      if (refused instanceof ApiError && refused.status === 409) reload()
      throw refused
    }
    onClose()
  }
  const whom = tenantId.value === '' ? 'for all tenants' : 'for this tenant'
  return (
    <Dialog title={`Switch ${lender.name} off ${whom}`} onClose={onClose} wide>
      {error && <Trouble error={error} retry={reload} />}
      {!value && !error && <Loading rows={4} />}
      {value && (
        <Form act={act} onSubmit={() => submit(value)} button={`Switch off ${whom}`}>
          <Effect effect={value} />
          <Field
            label="Reason"
            hint="Colleagues and the tenant’s people see it, and the audit log keeps it. No personal data."
            required
            value={reason.value}
            fault={act.faults.reason}
            onValue={(text) => assign(reason, text)}
          />
        </Form>
      )}
    </Dialog>
  )
}

const lines = [
  [
    'searching',
    'Waiting for its answer',
    'Its answers are ignored while it is off, and bank data that it asks for cannot be shared.',
  ],
  ['offered', 'Can choose its offer', 'The offer cannot be chosen while the lender is off, and may expire meanwhile.'],
  ['chosen', 'Chose its offer', 'These journeys continue to disbursal.'],
  ['loans', 'Running loans', 'Nothing changes: payments and complaints continue.'],
] as const

/** Whom it concerns, and what becomes of their journeys. */
export const Effect = ({ effect }: { effect: LenderEffect }) => (
  <>
    <p>Journeys affected now:</p>
    <dl class="effect">
      {lines.map(([name, what, then]) => (
        <div key={name}>
          <dt>
            {what}: <strong>{number(effect[name])}</strong> {effect[name] === 1 ? 'journey' : 'journeys'}
          </dt>
          <dd class="quiet">{then}</dd>
        </div>
      ))}
      <div>
        <dt>New searches</dt>
        <dd class="quiet">The lender is not asked, and borrowers do not see it.</dd>
      </div>
    </dl>
  </>
)

// Dialog to switch a lender or partner off, with the effect and a field for the reason.

import type { LenderDetail, LenderEffect } from '#contract/console/lenders.ts'
import { ApiError, post } from '../api.ts'
import { tenantId } from '../session.ts'
import { Dialog } from '../ui/dialog.tsx'
import { number } from '../ui/figures.ts'
import { Field, Form, useTyped } from '../ui/form.tsx'
import { useOne } from '../ui/list.tsx'
import { Loading, Trouble } from '../ui/parts.tsx'
import { api } from './words.ts'

interface SwitchingOff {
  title: string
  button: string
  /** API path that returns the effect. */
  effectAt: string
  query?: Record<string, string>
  actAt: string
  hint: string
  onClose(): void
}

/** After a 409, because the counts have changed meanwhile, it shows the new ones. */
export function SwitchOffDialog({ title, button, effectAt, query = {}, actAt, hint, onClose }: SwitchingOff) {
  const { value, error, reload } = useOne<LenderEffect>(effectAt, query)
  const { act, bind, typed } = useTyped({ reason: '' })
  async function submit({ searching, offered }: LenderEffect): Promise<void> {
    try {
      await post(actAt, { ...typed, searching, offered })
    } catch (refused) {
      if (refused instanceof ApiError && refused.status === 409) reload()
      throw refused
    }
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose} wide>
      {error && <Trouble error={error} retry={reload} />}
      {!value && !error && <Loading rows={4} />}
      {value && (
        <Form act={act} onSubmit={() => submit(value)} button={button}>
          <Effect effect={value} />
          <Field label="Reason" hint={hint} required {...bind('reason')} />
        </Form>
      )}
    </Dialog>
  )
}

export function SwitchOff({ lender, onClose }: { lender: LenderDetail; onClose(): void }) {
  const whom = tenantId.value === '' ? 'for all tenants' : 'for this tenant'
  return (
    <SwitchOffDialog
      title={`Switch ${lender.name} off ${whom}`}
      button={`Switch off ${whom}`}
      effectAt={`/lenders/${lender.lenderId}/effect`}
      query={{ tenantId: tenantId.value }}
      actAt={api(`/${lender.lenderId}/switch-off`)}
      hint="Colleagues and tenant users see it, and the audit log records it. Do not enter personal data."
      onClose={onClose}
    />
  )
}

const lines = [
  [
    'searching',
    'Waiting for its answer',
    'We ignore its answers while it is off, and borrowers cannot share bank data that it requests.',
  ],
  ['offered', 'Can choose its offer', 'Borrowers cannot choose the offer while the lender is off, and it may expire.'],
  ['chosen', 'Chose its offer', 'These journeys continue to disbursal.'],
  ['loans', 'Running loans', 'Nothing changes: payments and complaints continue.'],
] as const

/** The number of affected journeys, and what happens to them. */
const Effect = ({ effect }: { effect: LenderEffect }) => (
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
        <dd class="quiet">We do not send requests to the lender, and borrowers do not see it.</dd>
      </div>
    </dl>
  </>
)

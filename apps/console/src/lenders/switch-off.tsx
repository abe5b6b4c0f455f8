// Dialog to switch a lender or partner off, with the effect and a field for the reason.

import type { LenderDetail, LenderEffect } from '@lendloom/wire/console/lenders'
import { ApiError, post } from '../api.ts'
import { tenantId } from '../session.ts'
import { Loading, Trouble } from '../ui/components.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form, useTyped } from '../ui/form.tsx'
import { countText, number } from '../ui/format-figures.ts'
import { useResource } from '../ui/list.tsx'
import { api } from './access.ts'

interface SwitchOffProps {
  title: string
  button: string
  effectPath: string
  query?: Record<string, string>
  switchOffPath: string
  hint: string
  onClose(): void
}

/** After a 409, which means that the counts have changed, the dialog shows the new counts. */
export function SwitchOffDialog({
  title,
  button,
  effectPath,
  query = {},
  switchOffPath,
  hint,
  onClose,
}: SwitchOffProps) {
  const { value, error, reload } = useResource<LenderEffect>(effectPath, query)
  const { act, bind, typed } = useTyped({ reason: '' })
  async function submit({ searching, offered }: LenderEffect): Promise<void> {
    try {
      await post(switchOffPath, { ...typed, searching, offered })
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 409) reload()
      throw failure
    }
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose} wide>
      {error && <Trouble error={error} retry={reload} />}
      {!value && !error && <Loading rows={4} />}
      {value && (
        <Form act={act} onSubmit={() => submit(value)} button={withCount(button, value)} isDanger>
          <Effect effect={value} />
          <Field label="Reason" hint={hint} required {...bind('reason')} />
        </Form>
      )}
    </Dialog>
  )
}

const withCount = (button: string, { searching, offered }: LenderEffect): string =>
  searching + offered === 0 ? button : `${button}: ${countText(searching + offered, 'journey')}`

export function SwitchOff({ lender, onClose }: { lender: LenderDetail; onClose(): void }) {
  const scope = tenantId.value === '' ? 'for all tenants' : 'for this tenant'
  return (
    <SwitchOffDialog
      title={`Switch ${lender.name} off ${scope}`}
      button={`Switch off ${scope}`}
      effectPath={`/lenders/${lender.lenderId}/effect`}
      query={{ tenantId: tenantId.value }}
      switchOffPath={api(`/${lender.lenderId}/switch-off`)}
      hint="Colleagues and tenant users see it, and the audit log records it. Do not enter personal data."
      onClose={onClose}
    />
  )
}

const effectLines = [
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
      {effectLines.map(([name, group, effectText]) => (
        <div key={name}>
          <dt>
            {group}: <strong>{number(effect[name])}</strong> {effect[name] === 1 ? 'journey' : 'journeys'}
          </dt>
          <dd class="quiet">{effectText}</dd>
        </div>
      ))}
      <div>
        <dt>New searches</dt>
        <dd class="quiet">We do not send requests to the lender, and borrowers do not see it.</dd>
      </div>
    </dl>
  </>
)

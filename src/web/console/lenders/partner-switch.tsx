// Switching a lending partner off or on, for all tenants: off, whom it concerns is shown first.
import { useSignal } from '@preact/signals'
import type { LenderEffect } from '#contract/console/lenders.ts'
import type { LendingPartner } from '#contract/console/lending-partners.ts'
import { ApiError, post } from '../api.ts'
import { assign } from '../ui/assign.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form, useForm } from '../ui/form.tsx'
import { useOne } from '../ui/list.tsx'
import { Loading, Trouble } from '../ui/parts.tsx'
import { Effect } from './switch-off.tsx'

interface Switching {
  partner: LendingPartner
  onClose(): void
}

export const SwitchPartner = (switching: Switching) =>
  switching.partner.isOff ? <On {...switching} /> : <Off {...switching} />

function On({ partner: { partnerId, name }, onClose }: Switching) {
  const act = useForm([])
  async function submit(): Promise<void> {
    await post(`/lending-partners/${partnerId}/switch-on`)
    onClose()
  }
  return (
    <Dialog title={`Switch ${name} on`} onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Switch on">
        <p>It is asked for offers with the next application, and what it has offered can be chosen again.</p>
      </Form>
    </Dialog>
  )
}

/** Where the numbers changed meanwhile the new ones are shown. */
function Off({ partner: { partnerId, name }, onClose }: Switching) {
  const path = `/lending-partners/${partnerId}`
  const { value, error, reload } = useOne<LenderEffect>(`${path}/effect`)
  const reason = useSignal('')
  const act = useForm(['reason'])
  async function submit({ searching, offered }: LenderEffect): Promise<void> {
    try {
      await post(`${path}/switch-off`, { reason: reason.value, searching, offered })
    } catch (refused) {
      if (refused instanceof ApiError && refused.status === 409) reload()
      throw refused
    }
    onClose()
  }
  return (
    <Dialog title={`Switch ${name} off`} onClose={onClose} wide>
      {error && <Trouble error={error} retry={reload} />}
      {!value && !error && <Loading rows={4} />}
      {value && (
        <Form act={act} onSubmit={() => submit(value)} button="Switch off for all tenants">
          <Effect effect={value} />
          <Field
            label="Reason"
            hint="Colleagues and the tenants’ people see it, and the audit log keeps it. No personal data."
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

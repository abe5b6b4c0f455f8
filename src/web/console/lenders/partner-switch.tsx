// Switching a lending partner off or on, for all tenants.
import { useSignal } from '@preact/signals'
import type { LendingPartner } from '#contract/console/lending-partners.ts'
import { post } from '../api.ts'
import { assign } from '../ui/assign.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form, useForm } from '../ui/form.tsx'

export function SwitchPartner({ partner, onClose }: { partner: LendingPartner; onClose(): void }) {
  const reason = useSignal('')
  const act = useForm(['reason'])
  const { partnerId, name, isOff } = partner
  async function submit(): Promise<void> {
    if (isOff) await post(`/lending-partners/${partnerId}/switch-on`)
    else await post(`/lending-partners/${partnerId}/switch-off`, { reason: reason.value })
    onClose()
  }
  return (
    <Dialog title={`Switch ${name} ${isOff ? 'on' : 'off'}`} onClose={onClose}>
      <Form act={act} onSubmit={submit} button={isOff ? 'Switch on' : 'Switch off for all tenants'}>
        {isOff ? (
          <p>It is asked for offers with the next application, and what it has offered can be chosen again.</p>
        ) : (
          <>
            <p>It is asked for nothing new, and what it has offered cannot be chosen. What was chosen goes on.</p>
            <Field
              label="Reason"
              hint="Colleagues and the tenants’ people see it, and the audit log keeps it. No personal data."
              required
              value={reason.value}
              fault={act.faults.reason}
              onValue={(text) => assign(reason, text)}
            />
          </>
        )}
      </Form>
    </Dialog>
  )
}

// Dialogs to switch a lending partner off or on for all tenants.
import type { LendingPartner } from '@lendloom/wire/console/lending-partners'
import { post } from '../api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { SwitchOffDialog } from './switch-off.tsx'

interface SwitchProps {
  partner: LendingPartner
  onClose(): void
}

export const SwitchPartner = (props: SwitchProps) =>
  props.partner.isOff ? <SwitchOnDialog {...props} /> : <SwitchOffPartner {...props} />

function SwitchOnDialog({ partner: { partnerId, name }, onClose }: SwitchProps) {
  const act = useForm([])
  async function submit(): Promise<void> {
    await post(`/lending-partners/${partnerId}/switch-on`)
    onClose()
  }
  return (
    <Dialog title={`Switch ${name} on`} onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Switch on">
        <p>New applications request offers from it, and borrowers can choose its existing offers again.</p>
      </Form>
    </Dialog>
  )
}

const SwitchOffPartner = ({ partner: { partnerId, name }, onClose }: SwitchProps) => (
  <SwitchOffDialog
    title={`Switch ${name} off`}
    button="Switch off for all tenants"
    effectPath={`/lending-partners/${partnerId}/effect`}
    switchOffPath={`/lending-partners/${partnerId}/switch-off`}
    hint="Colleagues and tenant users see it, and the audit log records it. Do not enter personal data."
    onClose={onClose}
  />
)

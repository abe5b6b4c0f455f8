// The mail area: incoming mail that was set aside, if there is any, above outgoing mail.
import { PageHead } from '../ui/components.tsx'
import { Outgoing } from './outgoing.tsx'
import { SetAside } from './set-aside.tsx'

export const Mail = () => (
  <>
    <PageHead
      title="Mail"
      about="The platform retries outgoing mail for two days until the mail server accepts it. Incoming mail that cannot be processed is set aside, never lost."
    />
    <SetAside />
    <Outgoing />
  </>
)

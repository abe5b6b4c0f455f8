// The mail area: outgoing mail, and incoming mail that was set aside.
import type { AreaProps } from '../area.ts'
import { PageHead } from '../ui/parts.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Outgoing } from './outgoing.tsx'
import { SetAside } from './set-aside.tsx'

const parts = [
  [undefined, 'Outgoing'],
  ['set-aside', 'Set aside'],
] as const

export function Mail({ rest: [part] }: AreaProps) {
  return (
    <>
      <PageHead
        title="Mail"
        about="The platform retries outgoing mail for two days until the mail server accepts it. Incoming mail that cannot be processed is set aside, never lost."
      />
      <Tabs path={['mail']} label="Parts of mail" parts={parts} now={part} />
      {part === 'set-aside' ? <SetAside /> : <Outgoing />}
    </>
  )
}

// The audit log: who did what to whom, newest first; and, for admins, who failed to sign in.
import type { AuditEntry } from '#contract/console/staff.ts'
import type { AreaProps } from '../area.ts'
import { hasRole, tenantId } from '../session.ts'
import { Table, useList } from '../ui/list.tsx'
import { Empty, Id, PageHead, Time } from '../ui/parts.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { worded } from '../ui/words.ts'
import { SignIns } from './sign-ins.tsx'

const parts = [
  [undefined, 'What was done'],
  ['sign-ins', 'Failed sign-ins'],
] as const

export function Audit({ rest: [part] }: AreaProps) {
  const isAdmin = hasRole('admin')
  return (
    <>
      <PageHead
        title="Audit log"
        about="Everything that people did here. Each entry carries the digest of the one before it, so that a change would be seen: npx lendloom audit verify."
      />
      {isAdmin && <Tabs area="audit" label="Parts of the audit log" parts={parts} now={part} />}
      {isAdmin && part === 'sign-ins' ? <SignIns /> : <Entries />}
    </>
  )
}

function Entries() {
  const list = useList<AuditEntry>('/audit', { tenantId: tenantId.value })
  return (
    <Table
      label="Audit log"
      list={list}
      keyOf={({ sequence }) => String(sequence)}
      columns={[
        { head: 'When', cell: ({ at }) => <Time at={at} exact /> },
        { head: 'Who', cell: ({ personName }) => personName ?? 'Command line' },
        { head: 'What', cell: ({ act }) => worded(act) },
        { head: 'About', cell: ({ subject }) => (subject ? <Id value={subject} /> : '') },
        {
          head: 'Details',
          isMinor: true,
          cell: ({ detail }) =>
            Object.entries(detail)
              .map(([name, value]) => `${name}: ${value}`)
              .join(' · '),
        },
        { head: 'Entry', isNumber: true, isMinor: true, cell: ({ sequence }) => sequence },
      ]}
      empty={
        <Empty title="Nothing was done yet">
          <p>Sign-ins, changes to people and keys, replays and revealed data will be listed here.</p>
        </Empty>
      }
    />
  )
}

// The complaint officers of the platform and of each lender, which admins can change.
import { useSignal } from '@preact/signals'
import type { OfficerLine } from '#contract/console/complaint-report.ts'
import { put } from '../api.ts'
import { hasRole } from '../session.ts'
import { assign } from '../ui/assign.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field, Form, useTyped } from '../ui/form.tsx'
import { type Column, Table, useList } from '../ui/list.tsx'
import { Badge, Breaking, Empty, SmallButton } from '../ui/parts.tsx'

export function Officers() {
  const list = useList<OfficerLine>('/complaint-officers', {})
  const lineToChange = useSignal<OfficerLine | null>(null)
  const changeColumn: Column<OfficerLine> = {
    head: '',
    isNumber: true,
    cell: (line) => <SmallButton onClick={() => assign(lineToChange, line)}>Change</SmallButton>,
  }
  return (
    <>
      <p class="quiet above">
        The regulator requires that borrowers know who handles their complaints. The page and every email name our
        officers. A lender’s officers receive what we send to the lender by email.
      </p>
      <Table
        label="Officers"
        list={list}
        keyOf={({ party, level }) => `${party} ${level}`}
        columns={hasRole('admin') ? [...columns, changeColumn] : columns}
        empty={<Empty title="No officers yet" />}
      />
      {lineToChange.value && (
        <ChangeDialog
          line={lineToChange.value}
          onClose={() => assign(lineToChange, null)}
          onDone={() => {
            lineToChange.value = null
            list.reload()
          }}
        />
      )}
    </>
  )
}

const roleText = (level: OfficerLine['level']): string => (level === 'OFFICER' ? 'Grievance officer' : 'Nodal officer')

const columns: Column<OfficerLine>[] = [
  {
    head: 'Organization',
    cell: ({ partyName, party, level }) => (
      <>
        {party === 'PLATFORM' ? <strong>{partyName}</strong> : partyName}
        <span class="quiet small narrow">{roleText(level)}</span>
      </>
    ),
  },
  { head: 'Role', isMinor: true, cell: ({ level }) => roleText(level) },
  {
    head: 'Name',
    cell: ({ name, email, phone }) => (
      <>
        {name || <Badge tone="warn">Missing</Badge>}
        <span class="quiet small narrow">
          <span class="block">{phone}</span> <Breaking text={email} />
        </span>
      </>
    ),
  },
  {
    head: 'Email',
    isMinor: true,
    cell: ({ email }) => email || <span class="quiet">No address, so we cannot send mail</span>,
  },
  { head: 'Telephone', isMinor: true, cell: ({ phone }) => phone },
]

function ChangeDialog({ line, onClose, onDone }: { line: OfficerLine; onClose(): void; onDone(): void }) {
  const { act, bind, typed } = useTyped({ name: line.name, email: line.email, phone: line.phone })
  async function submit(): Promise<void> {
    const { party, level } = line
    await put('/complaint-officers', { party, level, ...typed })
    onDone()
  }
  return (
    <Dialog title={`${roleText(line.level)} of ${line.partyName}`} onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Save">
        <Field label="Name" {...bind('name')} />
        <Field label="Email" type="email" {...bind('email')} />
        <Field label="Telephone" {...bind('phone')} />
      </Form>
    </Dialog>
  )
}

// The complaint officers of the platform and of each lender, which admins can change.

import type { OfficerLine, OfficersReply } from '@lendloom/wire/console/complaint-officers'
import { useSignal } from '@preact/signals'
import { put } from '../api.ts'
import { hasRole } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { Badge, Breaking, Loading, SmallButton, Trouble } from '../ui/components.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Field, Form, useTyped } from '../ui/form.tsx'
import { type Column, Rows, useResource } from '../ui/list.tsx'

export function Officers() {
  const { value, error, reload } = useResource<OfficersReply>('/complaint-officers')
  const lineToChange = useSignal<Officer | null>(null)
  const changeColumn: Column<Officer> = {
    head: '',
    isNumber: true,
    cell: (line) => <SmallButton onClick={() => assign(lineToChange, line)}>Change</SmallButton>,
  }
  return (
    <>
      {error && <Trouble error={error} retry={reload} />}
      {!value && !error && <Loading />}
      {value && (
        <Rows
          label="Officers"
          items={mergeRoles(value.items)}
          keyOf={({ party, levels }) => `${party} ${levels.join()}`}
          columns={hasRole('admin') ? [...columns, changeColumn] : columns}
        />
      )}
      {lineToChange.value && (
        <ChangeDialog
          line={lineToChange.value}
          onClose={() => assign(lineToChange, null)}
          onDone={() => {
            lineToChange.value = null
            reload()
          }}
        />
      )}
    </>
  )
}

type Level = OfficerLine['level']
interface Officer extends Omit<OfficerLine, 'level'> {
  levels: Level[]
}

const isSamePerson = (a: Omit<OfficerLine, 'level'>, b: OfficerLine): boolean =>
  a.party === b.party && a.name === b.name && a.email === b.email && a.phone === b.phone

function mergeRoles(lines: OfficerLine[]): Officer[] {
  const officers: Officer[] = []
  for (const { level, ...line } of lines) {
    const same = line.name === '' ? undefined : officers.find((each) => isSamePerson(each, { level, ...line }))
    if (same) same.levels.push(level)
    else officers.push({ ...line, levels: [level] })
  }
  return officers
}

const roleText = (levels: Level[]): string =>
  levels.length > 1 ? 'Grievance and nodal' : levels[0] === 'OFFICER' ? 'Grievance' : 'Nodal'

const nameOf = ({ name }: Pick<Officer, 'name'>) => name || <Badge tone="warn">Missing</Badge>

const columns: Column<Officer>[] = [
  {
    head: 'Organization',
    cell: ({ partyName, party, levels, name, email, phone }) => (
      <>
        {party === 'PLATFORM' ? <strong>{partyName}</strong> : partyName}
        <span class="quiet small narrow">
          {roleText(levels)} officer: {nameOf({ name })}
          <span class="block">{phone}</span>
          <Breaking text={email} />
        </span>
      </>
    ),
  },
  { head: 'Role', isMinor: true, cell: ({ levels }) => roleText(levels) },
  { head: 'Officer', isMinor: true, cell: nameOf },
  {
    head: 'Email',
    isMinor: true,
    cell: ({ email }) => email || <span class="quiet">No address, so we cannot send mail</span>,
  },
  { head: 'Telephone', isMinor: true, cell: ({ phone }) => <span class="nowrap">{phone}</span> },
]

function ChangeDialog({ line, onClose, onDone }: { line: Officer; onClose(): void; onDone(): void }) {
  const { act, bind, typed } = useTyped({ name: line.name, email: line.email, phone: line.phone })
  const changedLevels = useSignal(line.levels)
  async function submit(): Promise<void> {
    for (const level of changedLevels.value) await put('/complaint-officers', { party: line.party, level, ...typed })
    onDone()
  }
  return (
    <Dialog title={`${roleText(line.levels)} officer of ${line.partyName}`} onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Save">
        {line.levels.length > 1 && (
          <Choice
            label="Role"
            value={changedLevels.value.join()}
            options={[line.levels, ...line.levels.map((level) => [level])].map((levels) => [
              levels.join(),
              roleText(levels),
            ])}
            onValue={(value) =>
              assign(
                changedLevels,
                line.levels.filter((level) => value.split(',').includes(level)),
              )
            }
          />
        )}
        <Field label="Name" {...bind('name')} />
        <Field label="Email" type="email" {...bind('email')} />
        <Field label="Telephone" {...bind('phone')} />
      </Form>
    </Dialog>
  )
}

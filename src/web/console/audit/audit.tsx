// The audit log, newest first, and failed sign-ins for admins.
import type { AuditEntry, People as PeopleList } from '#contract/console/staff.ts'
import { queryText } from '../api.ts'
import type { AreaProps } from '../area.ts'
import { query, setQuery, to } from '../router.ts'
import { hasRole, tenantId } from '../session.ts'
import { NoMatch, Select, TextFilter } from '../ui/filter.tsx'
import { type Column, Table, useList, useResource } from '../ui/list.tsx'
import { Empty, Id, PageHead, Time } from '../ui/parts.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { SignIns } from './sign-ins.tsx'
import { actName, detailText, pathOf } from './words.ts'

const parts = [
  [undefined, 'Actions'],
  ['sign-ins', 'Failed sign-ins'],
] as const

export function Audit({ rest: [part] }: AreaProps) {
  const isAdmin = hasRole('admin')
  return (
    <>
      <PageHead
        title="Audit log"
        about="Every action of users. Each entry contains the digest of the previous one, so that “npx lendloom audit verify” detects changes."
      />
      {isAdmin && <Tabs path={['audit']} label="Parts of the audit log" parts={parts} now={part} />}
      {isAdmin && part === 'sign-ins' ? <SignIns /> : <Entries />}
    </>
  )
}

const names = ['person', 'act', 'subject', 'from', 'until'] as const

function Entries() {
  const filterValue = query.value
  const filters = Object.fromEntries(names.map((name) => [name, filterValue(name)]))
  const parameters = { tenantId: tenantId.value, ...filters }
  const list = useList<AuditEntry>('/audit', parameters)
  return (
    <>
      <Filters />
      <p class="acts">
        <a class="secondary small" href={`/api/console/audit/csv${queryText(parameters)}`} download>
          CSV
        </a>
      </p>
      <Table
        label="Audit log"
        list={list}
        keyOf={({ sequence }) => String(sequence)}
        columns={columns}
        empty={
          names.some((name) => filterValue(name) !== '') ? (
            <NoMatch title="No entries match these filters" filters={names} />
          ) : (
            <Empty title="No entries yet">
              <p>Sign-ins, changes to people and keys, replays and revealed data appear here.</p>
            </Empty>
          )
        }
      />
    </>
  )
}

/** A cell whose value becomes a filter on click. */
const FilterCell = ({ name, value, text }: { name: (typeof names)[number]; value: string; text: string }) => (
  <button type="button" class="link-button" title="Show only this" onClick={() => setQuery({ [name]: value })}>
    {text}
  </button>
)

const columns: Column<AuditEntry>[] = [
  { head: 'When', cell: ({ at }) => <Time at={at} exact /> },
  {
    head: 'Who',
    cell: ({ personId, personName }) =>
      personId === null ? (
        <FilterCell name="person" value="command-line" text="Command line" />
      ) : (
        <FilterCell name="person" value={personId} text={personName ?? 'Former member'} />
      ),
  },
  { head: 'What', cell: ({ act }) => <FilterCell name="act" value={act} text={actName(act)} /> },
  {
    head: 'About',
    cell: (entry) => {
      const place = pathOf(entry)
      if (entry.subject === null) return ''
      return place ? <a href={to(...place)}>{entry.subject.slice(0, 8)}…</a> : <Id value={entry.subject} />
    },
  },
  { head: 'Details', isMinor: true, cell: ({ detail }) => detailText(detail) },
  { head: 'Entry', isNumber: true, isMinor: true, cell: ({ sequence }) => sequence },
]

function Filters() {
  const filterValue = query.value
  const isAdmin = hasRole('admin')
  const people = useResource<PeopleList>(isAdmin ? '/people' : '/me', {
    tenantId: isAdmin ? tenantId.value : undefined,
  })
  const listedPeople = isAdmin ? (people.value?.items ?? []).map(({ personId, name }) => [personId, name] as const) : []
  const selected = filterValue('person')
  const unlistedPerson =
    selected === '' || listedPeople.some(([id]) => id === selected) || selected === 'command-line'
      ? []
      : [[selected, 'Selected person'] as const]
  return (
    <div class="filters">
      <Select
        name="person"
        label="Who"
        any="Anyone"
        value={selected}
        options={[...listedPeople, ...unlistedPerson, ['command-line', 'Command line']]}
      />
      <TextFilter name="act" label="Action" example="KEY_CREATED" />
      <TextFilter name="subject" label="About" example="Object ID" />
      <Day name="from" label="From" value={filterValue('from')} />
      <Day name="until" label="Until" value={filterValue('until')} />
    </div>
  )
}

const Day = ({ name, label, value }: { name: string; label: string; value: string }) => (
  <label>
    {label} <input type="date" value={value} onChange={(event) => setQuery({ [name]: event.currentTarget.value })} />
  </label>
)

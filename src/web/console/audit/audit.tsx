// The audit log: actors, acts and subjects, newest first; and, for admins, failed sign-ins.
import type { AuditEntry, People as PeopleList } from '#contract/console/staff.ts'
import { queryText } from '../api.ts'
import type { AreaProps } from '../area.ts'
import { query, setQuery, to } from '../router.ts'
import { hasRole, tenantId } from '../session.ts'
import { NoMatch, Select, Typed } from '../ui/filter.tsx'
import { type Column, Table, useList, useOne } from '../ui/list.tsx'
import { Empty, Id, PageHead, Time } from '../ui/parts.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { worded } from '../ui/words.ts'
import { SignIns } from './sign-ins.tsx'
import { detailText, placeOf } from './words.ts'

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
        about="Everything that people did here. Each entry contains the digest of the previous entry, so that changes can be detected: npx lendloom audit verify."
      />
      {isAdmin && <Tabs area="audit" label="Parts of the audit log" parts={parts} now={part} />}
      {isAdmin && part === 'sign-ins' ? <SignIns /> : <Entries />}
    </>
  )
}

const names = ['person', 'act', 'subject', 'from', 'until'] as const

function Entries() {
  const at = query.value
  const filters = Object.fromEntries(names.map((name) => [name, at(name)]))
  const sent = { tenantId: tenantId.value, ...filters }
  const list = useList<AuditEntry>('/audit', sent)
  return (
    <>
      <Filters />
      <p class="acts">
        <a class="secondary small" href={`/api/console/audit/csv${queryText(sent)}`} download>
          CSV
        </a>
      </p>
      <Table
        label="Audit log"
        list={list}
        keyOf={({ sequence }) => String(sequence)}
        columns={columns}
        empty={
          names.some((name) => at(name) !== '') ? (
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

/** A cell that filters by its value when tapped. */
const Alike = ({ name, value, text }: { name: (typeof names)[number]; value: string; text: string }) => (
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
        <Alike name="person" value="command-line" text="Command line" />
      ) : (
        <Alike name="person" value={personId} text={personName ?? 'Former member'} />
      ),
  },
  { head: 'What', cell: ({ act }) => <Alike name="act" value={act} text={worded(act)} /> },
  {
    head: 'About',
    cell: (entry) => {
      const place = placeOf(entry)
      if (entry.subject === null) return ''
      return place ? <a href={to(...place)}>{entry.subject.slice(0, 8)}…</a> : <Id value={entry.subject} />
    },
  },
  { head: 'Details', isMinor: true, cell: ({ detail }) => detailText(detail) },
  { head: 'Entry', isNumber: true, isMinor: true, cell: ({ sequence }) => sequence },
]

function Filters() {
  const at = query.value
  const isAdmin = hasRole('admin')
  const people = useOne<PeopleList>(isAdmin ? '/people' : '/me', { tenantId: isAdmin ? tenantId.value : undefined })
  const known = isAdmin ? (people.value?.items ?? []).map(({ personId, name }) => [personId, name] as const) : []
  const own = at('person')
  const others =
    own === '' || known.some(([id]) => id === own) || own === 'command-line' ? [] : [[own, 'One person'] as const]
  return (
    <div class="filters">
      <Select
        name="person"
        label="Who"
        any="Anyone"
        value={own}
        options={[...known, ...others, ['command-line', 'Command line']]}
      />
      <Typed name="act" label="Act" example="Act, such as KEY_CREATED" />
      <Typed name="subject" label="About" example="Id of the object" />
      <Day name="from" label="From" value={at('from')} />
      <Day name="until" label="Until" value={at('until')} />
    </div>
  )
}

const Day = ({ name, label, value }: { name: string; label: string; value: string }) => (
  <label>
    {label} <input type="date" value={value} onChange={(event) => setQuery({ [name]: event.currentTarget.value })} />
  </label>
)

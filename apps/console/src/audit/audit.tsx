// The audit log, newest first, and failed sign-ins for admins.
import type { AuditActs, AuditEntry, People as PeopleList } from '@lendloom/wire/console/staff'
import type { ComponentChildren } from 'preact'
import { queryText } from '../api.ts'
import type { AreaProps } from '../area.ts'
import { query, setQuery, to } from '../router.ts'
import { hasRole, isOfPlatform, tenantId } from '../session.ts'
import { shortId } from '../ui/code-labels.ts'
import { Empty, Id, PageHead, Time } from '../ui/components.tsx'
import { DayFilter, NoMatch, Select, TextFilter } from '../ui/filter.tsx'
import { type Column, Table, useList, useResource } from '../ui/list.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { actName, detailText, pathOf } from './audit-texts.ts'
import { SignIns } from './failed-sign-ins.tsx'

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
        about={
          part === 'sign-ins'
            ? 'Attempts to sign in that failed: who, why, and from which network address.'
            : `${isOfPlatform.value && tenantId.value === '' ? 'Actions of the platform’s own people. Choose a tenant for its log.' : 'Every action of users.'} Each entry contains the digest of the previous one.`
        }
      >
        {part !== 'sign-ins' && (
          <a class="secondary" href={`/api/console/audit/csv${queryText(currentFilters())}`} download>
            CSV
          </a>
        )}
      </PageHead>
      {isAdmin && <Tabs path={['audit']} label="Parts of the audit log" parts={parts} now={part} />}
      {isAdmin && part === 'sign-ins' ? <SignIns /> : <Entries />}
    </>
  )
}

const names = ['person', 'act', 'subject', 'from', 'until'] as const

const currentFilters = () => ({
  tenantId: tenantId.value,
  ...Object.fromEntries(names.map((name) => [name, query.value(name)])),
})

function Entries() {
  const list = useList<AuditEntry>('/audit', currentFilters())
  return (
    <>
      <Filters />
      <Table
        label="Audit log"
        list={list}
        keyOf={({ sequence }) => String(sequence)}
        columns={columns}
        empty={
          names.some((name) => query.value(name) !== '') ? (
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
  <button type="button" class="link-button in-cell" title="Show only this" onClick={() => setQuery({ [name]: value })}>
    {text}
  </button>
)

function subjectOf(entry: AuditEntry): ComponentChildren {
  const place = pathOf(entry)
  if (entry.subject === null || entry.act === 'SIGNED_IN') return null
  const id = place ? <a href={to(...place)}>{shortId(entry.subject)}</a> : <Id value={entry.subject} />
  if (entry.subjectName === null) return id
  return (
    <>
      {entry.subjectName}
      <span class="quiet small block minor">{id}</span>
    </>
  )
}

const columns: Column<AuditEntry>[] = [
  {
    // A card begins with what was done; its table with the time.
    head: 'When',
    cell: ({ at, act }) => (
      <>
        <span class="off-cards">
          <Time at={at} exact />
        </span>
        <strong class="on-cards">{actName(act)}</strong>
      </>
    ),
  },
  {
    head: 'Who',
    isSelfEvident: true,
    cell: ({ personId, personName, at }) => (
      <>
        {personId === null ? (
          <FilterCell name="person" value="command-line" text="Command line" />
        ) : (
          <FilterCell name="person" value={personId} text={personName ?? 'Former member'} />
        )}
        <span class="on-cards quiet">
          {' · '}
          <Time at={at} exact />
        </span>
      </>
    ),
  },
  {
    head: 'What',
    isSelfEvident: true,
    cell: (entry) => (
      <span class="off-cards">
        <FilterCell name="act" value={entry.act} text={actName(entry.act)} />
        <span class="narrow">
          {subjectOf(entry)}
          <span class="quiet small block">{detailText(entry.detail)}</span>
        </span>
      </span>
    ),
  },
  { head: 'About', isMinor: true, cell: subjectOf },
  { head: 'Details', isMinor: true, isSelfEvident: true, cell: ({ detail }) => detailText(detail) },
  { head: 'Entry', isNumber: true, isMinor: true, cell: ({ sequence }) => sequence },
]

function Filters() {
  const isAdmin = hasRole('admin')
  const people = useResource<PeopleList>(isAdmin ? '/people' : '/me', {
    tenantId: isAdmin ? tenantId.value : undefined,
  })
  const listedPeople = isAdmin ? (people.value?.items ?? []).map(({ personId, name }) => [personId, name] as const) : []
  const selected = query.value('person')
  const unlistedPerson =
    selected === '' || listedPeople.some(([id]) => id === selected) || selected === 'command-line'
      ? []
      : [[selected, 'Selected person'] as const]
  const listedActs = useResource<AuditActs>('/audit/acts', { tenantId: tenantId.value }).value?.items ?? []
  const act = query.value('act')
  const acts = (act === '' || listedActs.includes(act) ? listedActs : [...listedActs, act])
    .map((each) => [each, actName(each)] as const)
    .sort(([, one], [, other]) => one.localeCompare(other))
  return (
    <div class="filters">
      <Select
        name="person"
        label="Who"
        any="Anyone"
        options={[...listedPeople, ...unlistedPerson, ['command-line', 'Command line']]}
      />
      <Select name="act" label="Action" any="Any action" options={acts} />
      <TextFilter name="subject" label="About" example="About: object ID" />
      <div class="filters">
        <DayFilter name="from" label="From" />
        <DayFilter name="until" label="Until" />
      </div>
    </div>
  )
}

// The queue of complaints: counts, filters in the URL, the list, and the dialog to record a complaint.

import { recordOf } from '@lendloom/foundation/record'
import {
  type ComplaintRoute,
  complaintCategories,
  complaintRoutes,
  complaintStatuses,
} from '@lendloom/wire/console/complaint-lists'
import type {
  ComplaintCounts,
  ComplaintSetup,
  ComplaintsReply,
  ListedComplaint,
  QueuedComplaint,
} from '@lendloom/wire/console/complaints'
import { signal, useSignal } from '@preact/signals'
import { Fragment } from 'preact'
import { useEffect } from 'preact/hooks'
import { get, queryText } from '../api.ts'
import { productName } from '../journeys/journey-texts.ts'
import { query, setQuery, to } from '../router.ts'
import { isOfPlatform, tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { now } from '../ui/clock.ts'
import { Badge, Day, Empty } from '../ui/components.tsx'
import { NoMatch, Select, type SelectProps, TextFilter } from '../ui/filter.tsx'
import { number } from '../ui/format-figures.ts'
import { type Column, Table, useList, useResource } from '../ui/list.tsx'
import { SaveView, Views } from '../ui/saved-views.tsx'
import { isOfficer, mayRecordComplaint } from './access.ts'
import { categoryNames, routeNames, statusWords } from './complaint-texts.ts'
import { dueText } from './deadlines.ts'
import { NewComplaintDialog } from './new-complaint-dialog.tsx'
import { StateBadge } from './notices.tsx'

const names = [
  'state',
  'due',
  'assignee',
  'category',
  'route',
  'lender',
  'matched',
  'escalated',
  'replied',
  'number',
] as const
type Name = (typeof names)[number]
type Filters = Record<Name, string>
const noFilters = Object.fromEntries(names.map((name) => [name, '']))

/** The filters from the URL; pending complaints by default. */
const currentFilters = (): Filters => ({
  ...recordOf(names, (name) => query.value(name)),
  state: query.value('state') || (query.value('number') ? 'ALL' : 'PENDING'),
})

const parametersOf = (filters: Filters) => ({
  ...filters,
  tenantId: tenantId.value,
  state: filters.state === 'ALL' ? '' : filters.state,
})

const isOpening = signal(false)

export const QueueActs = () => (
  <>
    <a class="secondary" href={`/api/console/complaint-export${queryText(parametersOf(currentFilters()))}`} download>
      CSV
    </a>
    {mayRecordComplaint() && (
      <button type="button" class="primary" onClick={() => assign(isOpening, true)}>
        Record a complaint
      </button>
    )}
  </>
)

export function Queue() {
  const filters = currentFilters()
  const list = useList<QueuedComplaint>('/complaints', parametersOf(filters))
  const setup = useResource<ComplaintSetup>('/complaints/setup', { tenantId: tenantId.value })
  const isFiltered = names.some((name) => query.value(name) !== '')
  return (
    <>
      <Counts filters={filters} />
      <Views list="complaints" />
      {(isFiltered || list.items?.length !== 0) && <FilterFields filters={filters} setup={setup.value} />}
      <Table
        label="Complaints"
        list={list}
        keyOf={({ complaintId }) => complaintId}
        href={({ complaintId }) => to('complaints', complaintId)}
        columns={
          isOfPlatform.value && tenantId.value === '' ? columns : columns.filter((each) => each !== tenantColumn)
        }
        empty={isFiltered ? <NoMatch title="No complaints match these filters" filters={names} /> : <NothingPending />}
      />
      {isOpening.value && <NewComplaintDialog onClose={() => assign(isOpening, false)} />}
    </>
  )
}

const tenantColumn: Column<QueuedComplaint> = {
  head: 'Tenant',
  isMinor: true,
  cell: ({ tenant, tenantId: owner }) => (owner === null ? <Badge tone="warn">Not matched</Badge> : tenant),
}

const answererName = (route: ComplaintRoute, lender: string | null): string =>
  route === 'PLATFORM' ? 'Lendloom' : (lender ?? routeNames[route])

const columns: Column<QueuedComplaint>[] = [
  {
    head: 'Complaint',
    cell: ({ number, category, route, lender, unverified, name, email, subject, excerpt, product }) => (
      <>
        <span class="block excerpt">
          {subject ?? categoryNames[category]} {unverified > 0 && <Badge tone="warn">Email to check</Badge>}
        </span>
        {excerpt && <span class="quiet small block excerpt">{excerpt}</span>}
        <span class="quiet small block excerpt">{categoryNames[category]}</span>
        <span class="quiet small narrow excerpt">{answererName(route, lender)}</span>
        <span class="quiet small block excerpt">
          <span class="number-of">{number}</span>
          {[name ?? email, product && productName(product)].filter(Boolean).map((part) => ` · ${part}`)}
        </span>
      </>
    ),
  },
  {
    head: 'State',
    isState: true,
    cell: (complaint) => {
      const { escalated, repliedAt, lenderAnswered } = complaint
      return (
        <>
          <StateBadge complaint={complaint} /> {lenderAnswered && <Badge tone="warn">Lender has answered</Badge>}{' '}
          {repliedAt && <Badge tone="warn">Borrower replied</Badge>} {escalated && <Badge tone="bad">Escalated</Badge>}
          <span class="small narrow">
            <Due complaint={complaint} />
          </span>
        </>
      )
    },
  },
  {
    head: 'Due',
    isMinor: true,
    cell: (each) => <Due complaint={each} />,
  },
  {
    head: 'Answered by',
    isMinor: true,
    cell: ({ route, lender }) => answererName(route, lender),
  },
  tenantColumn,
  {
    head: 'Assigned to',
    isMinor: true,
    cell: ({ assignee }) => assignee?.name ?? <span class="quiet headless">Unassigned</span>,
  },
]

const countFilters: [keyof ComplaintCounts, string, Partial<Filters>][] = [
  ['pending', 'Pending', {}],
  ['overdue', 'Overdue', { due: 'overdue' }],
  ['replied', 'Borrower replied', { replied: 'yes' }],
  ['escalated', 'Escalated', { escalated: 'yes' }],
  ['mine', 'Mine', { assignee: 'me' }],
  ['unassigned', 'Unassigned', { assignee: 'none' }],
  ['unmatched', 'Not matched', { matched: 'no' }],
]

/** Counts by state, without those of zero; a click on a count filters the list by that state. */
function Counts({ filters }: { filters: Filters }) {
  const counts = useSignal<ComplaintCounts | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    get<ComplaintsReply>('/complaints', { tenantId: tenantId.value, limit: '1' }, abort.signal).then(
      (reply) => assign(counts, reply.counts),
      () => {},
    )
    return () => abort.abort()
  }, [tenantId.value, JSON.stringify(filters)])
  return (
    <ul class="counts">
      {countFilters
        .filter(([name]) => isOfficer() || (name !== 'mine' && name !== 'unmatched'))
        .map(([name, text, change]) => {
          const isOn =
            name === 'pending'
              ? names.every((key) => query.value(key) === '')
              : names.every((key) => !change[key] || filters[key] === change[key])
          const count = counts.value?.[name]
          if (!count && !isOn && name !== 'pending') return null
          return (
            <li key={name} class={name === 'overdue' && count ? 'bad' : ''}>
              <button
                type="button"
                aria-pressed={isOn}
                onClick={() => setQuery({ ...noFilters, ...(isOn ? {} : change) })}
              >
                <strong>{count === undefined ? '–' : number(count)}</strong> {text}
              </button>
            </li>
          )
        })}
    </ul>
  )
}

interface FilterChoice extends Omit<SelectProps, 'value'> {
  name: Name
}

/** The filters with their options; `any` labels the option without a filter. */
const filterChoices = (setup: ComplaintSetup | null): FilterChoice[] => [
  { name: 'state', label: 'State', any: null, options: stateChoices },
  { name: 'due', label: 'Due', any: 'Due any time', options: dueChoices },
  ...(isOfPlatform.value
    ? [
        {
          name: 'assignee' as const,
          label: 'Assigned to',
          any: 'Assigned to anyone',
          options: [
            ...assigneeChoices,
            ...(setup?.assignees ?? []).map(({ personId, name }) => [personId, name] as const),
          ],
        },
      ]
    : []),
  {
    name: 'category',
    label: 'About',
    any: 'Any topic',
    options: complaintCategories.map((each) => [each, categoryNames[each]] as const),
  },
  {
    name: 'route',
    label: 'Who answers',
    any: 'Answered by anyone',
    options: complaintRoutes.map((each) => [each, routeNames[each]] as const),
  },
  ...(setup && setup.lenders.length > 0
    ? [
        {
          name: 'lender' as const,
          label: 'Lender',
          any: 'Any lender',
          options: setup.lenders.map(({ party, name }) => [party, name] as const),
        },
      ]
    : []),
]

const stateChoices: SelectProps['options'] = [
  ['PENDING', 'Pending'],
  ['DONE', 'Done'],
  ['ALL', 'Any state'],
  ...complaintStatuses.map((each) => [each, statusWords[each][1]] as const),
]
const dueChoices: SelectProps['options'] = [
  ['overdue', 'Overdue'],
  ['today', 'Due today'],
  ['week', 'Due in 7 days'],
]
const assigneeChoices: SelectProps['options'] = [
  ['me', 'Me'],
  ['none', 'Unassigned'],
]

function FilterFields({ filters, setup }: { filters: Filters; setup: ComplaintSetup | null }) {
  const [minor = [], main = []] = [false, true].map((isMain) =>
    filterChoices(setup).filter(({ name }) => (name === 'state' || name === 'lender') === isMain),
  )
  return (
    <div class="filters">
      <TextFilter name="number" label="Number" example="Number GR-…" value={filters.number} />
      <Selects choices={main} filters={filters} />
      <details class="more-filters" open={minor.some(({ name }) => filters[name] !== '')}>
        <summary>More filters</summary>
        <div class="filters">
          <Selects choices={minor} filters={filters} />
        </div>
      </details>
      <SaveView list="complaints" />
    </div>
  )
}

const Selects = ({ choices, filters }: { choices: FilterChoice[]; filters: Filters }) => (
  <>
    {choices.map((choice) => (
      <Select key={choice.name} {...choice} value={filters[choice.name]} />
    ))}
  </>
)

const NothingPending = () => (
  <Empty title="Nothing is waiting for an answer">
    <p>
      Borrowers complain on the page of their application, under “Help and complaints”, and by email to the grievance
      address. Their complaints appear here with a number and deadlines.
    </p>
    <p>
      <button type="button" class="secondary" onClick={() => setQuery({ state: 'DONE' })}>
        Show answered complaints
      </button>
    </p>
  </Empty>
)

const Due = ({ complaint }: { complaint: ListedComplaint }) => (
  <span class={complaint.overdue ? 'due overdue' : 'due'} title={complaint.dueAt ?? undefined}>
    {complaint.exitPayBy && complaint.exitEndsAt && !complaint.overdue && (
      <>
        <span>
          Pay by <Day on={complaint.exitPayBy} />.
        </span>{' '}
        <span>{complaint.dueAt === complaint.exitEndsAt ? 'If unpaid, closes' : 'Answer is due'}</span>{' '}
      </>
    )}
    {dueText(complaint, new Date(now()))
      .split(/(?<=,) /)
      .map((part) => (
        <Fragment key={part}>
          <span>{part}</span>{' '}
        </Fragment>
      ))}
  </span>
)

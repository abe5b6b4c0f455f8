// The list of journeys, newest first.

import { productIds } from '@lendloom/lending/product/products'
import type { ListedJourney } from '@lendloom/wire/console/journeys'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import { effect, signal, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { queryText } from '../api.ts'
import type { AreaProps } from '../area.ts'
import { shortProductNames } from '../lenders/lender-texts.ts'
import { query, to } from '../router.ts'
import { me, tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { labelOf, rupees } from '../ui/code-labels.ts'
import { ColumnMenu, useVisibleColumns } from '../ui/column-menu.tsx'
import { Empty, Id, PageHead, Time } from '../ui/components.tsx'
import { DayFilter, NoMatch, Select } from '../ui/filter.tsx'
import { type Column, Table, useList } from '../ui/list.tsx'
import { SaveView, Views } from '../ui/saved-views.tsx'
import { tenantName } from '../ui/tenant-column.tsx'
import { Journey } from './journey.tsx'
import { JourneyStatus } from './journey-status.tsx'
import { lenderOf, productName, waitedFor, waitingParty, waitingText } from './journey-texts.ts'

export function Journeys({ rest: [journeyId, part] }: AreaProps) {
  if (journeyId) return <Journey journeyId={journeyId} part={part} />
  return <JourneyList />
}

const filterNames = ['status', 'product', 'waiting', 'longer', 'from', 'to']

/** The typed search. It is in no address and no saved view, because it may be a mobile number or a PAN. */
const typedSearch = signal('')
effect(() => {
  if (!me.value) typedSearch.value = ''
})
const minSearchLength = 2
const searchPauseMs = 300

/** The text once no one types any more. */
function useSettled(text: string): string {
  const settled = useSignal(text)
  useEffect(() => {
    const timer = setTimeout(() => assign(settled, text), searchPauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled.value
}

function JourneyList() {
  const filters = {
    status: query.value('status'),
    product: query.value('product'),
    from: query.value('from'),
    to: query.value('to'),
  }
  const waits = { waitsOn: query.value('waiting'), waitedDays: daysIn(query.value('longer')) }
  const isSifted = waits.waitsOn !== '' || waits.waitedDays !== '' || derivedStatuses.includes(filters.status)
  const q = useSettled(typedSearch.value.trim())
  const isSearch = q.length >= minSearchLength
  const list = useList<ListedJourney>('/journeys', {
    tenantId: tenantId.value,
    ...filters,
    waitsOn: waits.waitsOn || undefined,
    waitedDays: waits.waitedDays || undefined,
    q: isSearch ? q : undefined,
  })
  const allColumns = useMemo(() => columnsOf(tenantId.value === ''), [tenantId.value])
  const visibleColumns = useVisibleColumns('journeys', allColumns)
  const isFiltered = Object.values({ ...filters, ...waits }).some(Boolean)
  // Open from the start if the address has a filter that no ready view has.
  const areFiltersOpen = useSignal(filters.product !== '' || filters.from !== '' || filters.to !== '')
  return (
    <div class={`folds ${areFiltersOpen.value ? 'open' : ''}`}>
      <PageHead
        title="Journeys"
        about={`All borrower applications, ${waits.waitedDays ? 'the longest wait' : 'newest'} first.`}
      >
        {!isSearch && !isSifted && (
          <a
            class="secondary"
            href={`/api/console/journey-export${queryText({ tenantId: tenantId.value, ...filters })}`}
            download
          >
            CSV
          </a>
        )}
        <ColumnMenu list="journeys" columns={allColumns} />
      </PageHead>
      <Views list="journeys" ready={readyViews} />
      <Filters
        isOpen={areFiltersOpen.value}
        count={filterNames.filter((name) => query.value(name) !== '').length}
        onToggle={() => assign(areFiltersOpen, !areFiltersOpen.value)}
      />
      <Table
        label="Journeys"
        list={list}
        keyOf={({ journeyId }) => journeyId}
        href={(journey) => to('journeys', journey.journeyId)}
        columns={visibleColumns}
        isOneLine
        empty={
          isSearch ? (
            <NothingFound isFiltered={isFiltered} />
          ) : isFiltered ? (
            <NoMatch title={noMatchTitle(waits, filters)} filters={filterNames} />
          ) : (
            <NoJourney />
          )
        }
      />
    </div>
  )
}

/** Statuses that the list shows, and that no column has. */
const derivedStatuses = ['EXPIRED', 'CANCELLED']

/** `3` in `3d`; empty for anything else. */
const daysIn = (text: string): string => /^([1-9]\d?)d$/.exec(text)?.[1] ?? ''

/** Names what the list looked for if that is only how long journeys wait. */
const noMatchTitle = (
  { waitsOn, waitedDays }: { waitsOn: string; waitedDays: string },
  filters: Record<string, string>,
): string =>
  waitsOn !== '' && waitedDays !== '' && !Object.values(filters).some(Boolean)
    ? `No journey waits for a ${waitsOn} for over ${waitedDays === '1' ? 'a day' : `${waitedDays} days`}`
    : 'No journeys match these filters'

/** What is probably stuck. */
const readyViews = [
  { name: 'Waiting for a lender over a day', filters: { waiting: 'lender', longer: '1d' } },
  { name: 'Waiting for a borrower over 3 days', filters: { waiting: 'borrower', longer: '3d' } },
]

const NothingFound = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty title="No journey has this identifier">
    <p>
      Names cannot be searched. Enter a mobile number, PAN, email or ID in full.
      {isFiltered && ' The other filters apply too.'}
    </p>
    <p>
      <button type="button" class="secondary" onClick={() => assign(typedSearch, '')}>
        Clear the search
      </button>
    </p>
  </Empty>
)

const NoJourney = () => (
  <Empty title="No journeys yet">
    <p>
      A journey starts when an app’s server creates a session.{' '}
      {me.value?.sandbox && <a href="/demo">Start one in the demo</a>}
    </p>
  </Empty>
)

/** The name with the mobile number, because masked names are ambiguous; without a name, the app's identifier. */
const BorrowerName = ({ erasedAt, borrower: { name, mobile, providerId } }: ListedJourney) =>
  erasedAt ? (
    <span class="quiet">Erased</span>
  ) : name === null ? (
    providerId
  ) : (
    <span class="nowrap">
      {name} <span class="quiet small">{mobile.replace(/^•+/, '··')}</span>
    </span>
  )

/** A list of all tenants names the tenant under the borrower, because a column more would not fit. */
const columnsOf = (isOfAllTenants: boolean): Column<ListedJourney>[] => [
  {
    head: 'Borrower',
    cell: (journey) => (
      <>
        <BorrowerName {...journey} />
        {isOfAllTenants && <span class="quiet small block">{tenantName(journey)}</span>}
      </>
    ),
  },
  ...columns,
]

const columns: Column<ListedJourney>[] = [
  { head: 'Status', isState: true, cell: (journey) => <JourneyStatus journey={journey} isShort /> },
  {
    head: 'Product',
    isMinor: true,
    isSelfEvident: true,
    cardLine: 2,
    cell: ({ product }) => (
      <span title={productName(product)}>{shortProductNames[product] ?? productName(product)}</span>
    ),
  },
  {
    head: 'Lender',
    isMinor: true,
    isSelfEvident: true,
    cardLine: 2,
    cell: (each) =>
      each.lender === null ? (
        '–'
      ) : (
        <span class="name" title={lenderOf(each)}>
          {lenderOf(each).replace(/ (?:Private )?Limited$/, '')}
        </span>
      ),
  },
  {
    head: 'Identifier',
    isMinor: true,
    isSelfEvident: true,
    cardLine: 3,
    // A card with a wait has no room for it.
    cell: ({ erasedAt, borrower: { name, providerId }, waitsFor }) =>
      erasedAt || name === null ? (
        '–'
      ) : (
        <span class={waitsFor ? 'off-cards' : ''}>
          <Id value={providerId} />
        </span>
      ),
  },
  {
    head: 'Waiting for',
    isMinor: true,
    cardLine: 3,
    cell: ({ waitsFor }) =>
      waitsFor ? (
        <span class="waiting" title={waitingText(waitsFor)}>
          <span class="quiet what-for">{waitingParty(waitsFor)}</span>
          <span>
            <span class="quiet">{' · '}</span>
            {waitedFor(waitsFor)}
          </span>
        </span>
      ) : (
        '–'
      ),
  },
  { head: 'Amount', isNumber: true, isSelfEvident: true, cardLine: 2, cell: ({ amount }) => rupees(amount) },
  {
    head: 'Started',
    isNumber: true,
    isSelfEvident: true,
    cardLine: 3,
    // A card has one time, which is that of the wait if there is one.
    cell: ({ createdAt, waitsFor }) => (
      <span class={waitsFor ? 'off-cards' : ''}>
        <Time at={createdAt} />
      </span>
    ),
  },
]

interface FiltersProps {
  isOpen: boolean
  count: number
  onToggle(): void
}

/** The button opens the rarer filters; on a phone all but the search. */
const Filters = ({ isOpen, count, onToggle }: FiltersProps) => (
  <div class="filters">
    <input
      type="search"
      class="wide"
      aria-label="Search the journeys"
      placeholder="Mobile, PAN, email or any ID"
      value={typedSearch.value}
      onInput={(event) => assign(typedSearch, event.currentTarget.value)}
    />
    <Select
      name="status"
      label="Status"
      any="Any status"
      options={[...statuses, ...derivedStatuses].map((each) => [each, labelOf(each)])}
    />
    <Select
      name="waiting"
      label="Waiting for"
      any="Waiting for"
      options={[
        ['borrower', 'For the borrower'],
        ['lender', 'For the lender'],
      ]}
    />
    <button type="button" class="secondary unfold" aria-expanded={isOpen} onClick={onToggle}>
      Filters{count > 0 && ` (${count})`}
    </button>
    <SaveView list="journeys" />
    {isOpen && (
      <div class="filters rarer">
        <Select
          name="product"
          label="Product"
          any="Any product"
          options={productIds.map((each) => [each, productName(each)])}
        />
        <Select
          name="longer"
          label="Waiting at least"
          any="Waiting any time"
          options={[
            ['1d', 'Waiting a day or longer'],
            ['3d', 'Waiting 3 days or longer'],
            ['7d', 'Waiting 7 days or longer'],
          ]}
        />
        <DayFilter name="from" label="From" />
        <DayFilter name="to" label="Until" />
      </div>
    )}
  </div>
)

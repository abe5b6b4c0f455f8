// The list of journeys, newest first.

import { productIds } from '@lendloom/lending/product/products'
import type { ListedJourney } from '@lendloom/wire/console/journeys'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import { useMemo } from 'preact/hooks'
import { queryText } from '../api.ts'
import type { AreaProps } from '../area.ts'
import { query, to } from '../router.ts'
import { me, tenantId } from '../session.ts'
import { labelOf } from '../ui/code-labels.ts'
import { ColumnMenu, useVisibleColumns } from '../ui/column-menu.tsx'
import { Empty, PageHead, Time } from '../ui/components.tsx'
import { DayFilter, NoMatch, Select } from '../ui/filter.tsx'
import { type Column, Table, useList } from '../ui/list.tsx'
import { SaveView, Views } from '../ui/saved-views.tsx'
import { hasKeys } from '../ui/shortcut-hints.ts'
import { withTenant } from '../ui/tenant-column.tsx'
import { Journey } from './journey.tsx'
import { JourneyStatus } from './journey-status.tsx'
import { lenderOf, productName, waitingParty, waitingText } from './journey-texts.ts'

export function Journeys({ rest: [journeyId, part] }: AreaProps) {
  if (journeyId) return <Journey journeyId={journeyId} part={part} />
  return <JourneyList />
}

const filterNames = ['status', 'product', 'from', 'to']

function JourneyList() {
  const filters = {
    status: query.value('status'),
    product: query.value('product'),
    from: query.value('from'),
    to: query.value('to'),
  }
  const list = useList<ListedJourney>('/journeys', { tenantId: tenantId.value, ...filters })
  const allColumns = useMemo(() => withTenant(columns), [tenantId.value])
  const visibleColumns = useVisibleColumns('journeys', allColumns)
  const isFiltered = Object.values(filters).some(Boolean)
  return (
    <>
      <PageHead
        title="Journeys"
        about={
          <>
            All borrower applications, newest first.{' '}
            {hasKeys() && <span class="minor">Press Ctrl K to search by mobile number, PAN or any ID.</span>}
          </>
        }
      >
        <ColumnMenu list="journeys" columns={allColumns} />
        <a
          class="secondary"
          href={`/api/console/journey-export${queryText({ tenantId: tenantId.value, ...filters })}`}
          download
        >
          CSV
        </a>
      </PageHead>
      <Views list="journeys" />
      <Filters />
      <Table
        label="Journeys"
        list={list}
        keyOf={({ journeyId }) => journeyId}
        href={(journey) => to('journeys', journey.journeyId)}
        columns={visibleColumns}
        isOneLine
        empty={isFiltered ? <NoMatch title="No journeys match these filters" filters={filterNames} /> : <NoJourney />}
      />
    </>
  )
}

const NoJourney = () => (
  <Empty title="No journeys yet">
    <p>
      A journey starts when an app’s server creates a session.{' '}
      {me.value?.sandbox && <a href="/demo">Start one in the demo</a>}
    </p>
  </Empty>
)

/** The name with the mobile number, because masked names are ambiguous. */
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

const columns: Column<ListedJourney>[] = [
  { head: 'Borrower', cell: (journey) => <BorrowerName {...journey} /> },
  { head: 'Status', cell: (journey) => <JourneyStatus journey={journey} isShort /> },
  { head: 'Product', isMinor: true, cell: ({ product }) => productName(product) },
  { head: 'Lender', isMinor: true, cell: (each) => lenderOf(each).replace(/ (?:Private )?Limited$/, '') },
  {
    head: 'Waiting for',
    isMinor: true,
    cell: ({ waitsFor }) => (
      <span class="quiet" title={waitsFor ? waitingText(waitsFor) : undefined}>
        {waitsFor ? waitingParty(waitsFor) : '–'}
      </span>
    ),
  },
  { head: 'Started', isNumber: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

const Filters = () => (
  <div class="filters">
    <Select name="status" label="Status" any="Any status" options={statuses.map((each) => [each, labelOf(each)])} />
    <Select
      name="product"
      label="Product"
      any="Any product"
      options={productIds.map((each) => [each, productName(each)])}
    />
    <DayFilter name="from" label="From" />
    <DayFilter name="to" label="Until" />
    <SaveView list="journeys" />
  </div>
)

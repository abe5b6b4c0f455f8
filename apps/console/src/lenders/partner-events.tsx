// Events to and from the lending partner, with filters in the URL and an alert about gaps.

import { type EventState, eventStates } from '@lendloom/wire/console/lists'
import type { PartnerEvent, PartnerEvents } from '@lendloom/wire/console/partner-events'
import { eventText, isFailure } from '../journeys/event-texts.ts'
import { query, setQuery, to } from '../router.ts'
import { tenantId } from '../session.ts'
import { minuteBefore } from '../ui/clock.ts'
import { Badge, Empty, Failed, Time, type Tone } from '../ui/components.tsx'
import { NoMatch, Select, TextFilter } from '../ui/filter.tsx'
import { number } from '../ui/format-figures.ts'
import { type Column, Table, useList, useResource } from '../ui/list.tsx'
import { SaveView, Views } from '../ui/saved-views.tsx'

/** Not green at the end, because the event itself may report a failure, such as a returned debit. */
export const stateWords: Record<EventState, readonly [Tone, string]> = {
  DELIVERED: ['plain', 'Delivered'],
  APPLIED: ['plain', 'Applied'],
  WAITING: ['info', 'Waiting'],
  GAP: ['warn', 'Gap'],
  FAILING: ['warn', 'Failing'],
  CONFLICT: ['bad', 'Conflict'],
  GIVEN_UP: ['bad', 'Given up'],
  FAILED: ['bad', 'Not applied'],
  SUPERSEDED: ['plain', 'Superseded'],
}

export const StateBadge = ({ state }: { state: EventState }) => {
  const [tone, text] = stateWords[state]
  return <Badge tone={tone}>{text}</Badge>
}

export const EventTitle = ({ event: { type, facts } }: { event: PartnerEvent }) => (
  <span class={isFailure(facts) ? 'failure' : ''}>{eventText(type, facts)}</span>
)

export const borrowerName = ({ borrower }: PartnerEvent): string => borrower ?? 'Name unknown'

export const eventColumns: Column<PartnerEvent>[] = [
  {
    head: 'Event',
    cell: (event) => (
      <>
        <EventTitle event={event} />
        <span class="quiet small block">
          {event.direction === 'sent' ? 'to' : 'from'} {event.partner}
        </span>
        <span class="quiet small narrow">
          {borrowerName(event)} · <Time at={event.at} exact />
        </span>
      </>
    ),
  },
  {
    head: 'State',
    isState: true,
    cell: ({ state, because }) => (
      <>
        <StateBadge state={state} />
        {state !== 'DELIVERED' && state !== 'APPLIED' && because && (
          <span class="quiet small block address">{because}</span>
        )}
      </>
    ),
  },
  {
    head: 'Borrower',
    isMinor: true,
    cell: (event) => <a href={to('journeys', event.journeyId)}>{borrowerName(event)}</a>,
  },
  { head: 'When', isNumber: true, isMinor: true, cell: ({ at }) => <Time at={at} exact /> },
]

/** The periods of the filter, with their days; without one, the last day is shown. */
const periods: Record<string, readonly [string, number]> = {
  '7d': ['Last 7 days', 7],
  '30d': ['Last 30 days', 30],
}

/** Start of a period, rounded to the minute so that the query stays stable; undefined for the default of one day. */
function startOf(period: string): string | undefined {
  const days = periods[period]?.[1]
  return days === undefined ? undefined : minuteBefore(days * 86_400)
}

/** The names of the filters in the URL. */
const filterNames = ['direction', 'state', 'since', 'case']

const currentFilters = () => ({
  direction: query.value('direction') || undefined,
  state: query.value('state') || undefined,
  caseRef: query.value('case').trim() || undefined,
  from: startOf(query.value('since')),
})

/** The list of events; an alert above it if some wait for a missing one. */
export function Events() {
  const filters = currentFilters()
  const list = useList<PartnerEvent>('/partner/events', { tenantId: tenantId.value, ...filters })
  const firstPage = useResource<PartnerEvents>('/partner/events', { tenantId: tenantId.value, limit: '1' })
  const isFiltered = Object.values(filters).some(Boolean)
  return (
    <section>
      <h2>Events</h2>
      <GapAlert alert={firstPage.value?.alert} />
      <Views list="partner-events" />
      {(isFiltered || list.items?.length !== 0) && <Filters />}
      <Table
        label="Events"
        list={list}
        keyOf={({ direction, eventId }) => `${direction}.${eventId}`}
        href={({ direction, eventId }) => to('lenders', direction, eventId)}
        columns={eventColumns}
        empty={isFiltered ? <NoMatch title="No events match these filters" filters={filterNames} /> : <NoEvents />}
      />
    </section>
  )
}

const GapAlert = ({ alert }: { alert: PartnerEvents['alert'] | undefined }) =>
  alert && alert.count > 0 ? (
    <div class="notice bad" role="alert">
      <p>
        <Failed>{number(alert.count)}</Failed> {alert.count === 1 ? 'event waits' : 'events wait'} for a missing event,
        or cannot be applied, for more than 15 minutes
        {alert.oldestSince && (
          <>
            ; the oldest began <Time at={alert.oldestSince} />
          </>
        )}
        .
      </p>
      <button type="button" class="secondary" onClick={() => setQuery({ state: 'GAP', direction: 'received' }, true)}>
        Show gaps
      </button>
    </div>
  ) : null

const Filters = () => (
  <div class="filters">
    <Select
      name="direction"
      label="Direction"
      any="Both directions"
      options={[
        ['sent', 'To the partner'],
        ['received', 'From the partner'],
      ]}
    />
    <Select
      name="state"
      label="State"
      any="Any state"
      options={eventStates.map((each) => [each, stateWords[each][1]])}
    />
    <Select
      name="since"
      label="Time"
      any="Last day"
      options={Object.entries(periods).map(([name, [text]]) => [name, text])}
    />
    <TextFilter name="case" label="Case ID" />
    <SaveView list="partner-events" />
  </div>
)

const NoEvents = () => (
  <Empty title="No events in the last day">
    <p>
      <button type="button" class="secondary" onClick={() => setQuery({ since: '30d' })}>
        Show the last 30 days
      </button>
    </p>
  </Empty>
)

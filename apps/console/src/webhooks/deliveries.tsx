// Deliveries of one endpoint or of all endpoints, with filters in the URL and a replay of the filtered deliveries.

import type { Delivery } from '@lendloom/wire/console/webhooks'
import { numberOfUpdate, updateStatuses } from '@lendloom/wire/hosted/loan-event-types'
import { answerText } from '@lendloom/wire/webhook/answer-text-en'
import { deliveryStates } from '@lendloom/wire/webhook/delivery-state'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { labelOf, withoutScheme } from '../ui/code-labels.ts'
import { Breaking, Empty, Id, LogTime } from '../ui/components.tsx'
import { DeliveryBadge } from '../ui/delivery-badge.tsx'
import { NoMatch, Select, TextFilter } from '../ui/filter.tsx'
import { cappedCount, duration } from '../ui/format-figures.ts'
import { type Column, type LoadedList, Table, useList } from '../ui/list.tsx'
import { SaveView, Views } from '../ui/saved-views.tsx'
import { toRow, withTenant } from '../ui/tenant-column.tsx'
import { mayAct } from './access.ts'
import { filtersNow, listQuery, replayFilter, windows } from './delivery-filters.ts'
import { ReplayDialog } from './replays.tsx'
import { stateWords } from './webhook-texts.ts'

const filterNames = ['state', 'status', 'since', 'journey']

const addressOf = ({ url }: Delivery): string => (url === null ? 'Callback' : withoutScheme(url))

const address: Column<Delivery> = { head: 'To', isMinor: true, cell: addressOf }

const tries: Column<Delivery> = {
  head: 'Tries',
  isNumber: true,
  isMinor: true,
  cell: ({ totalAttempts }) => totalAttempts,
}

const updateCell = ({ status, sequence, journeyId }: Delivery) => (
  <>
    {labelOf(status)} <span class="minor">#{numberOfUpdate(sequence)}</span>
    <span class="quiet small narrow">
      #{numberOfUpdate(sequence)} of …{journeyId.slice(-4)}
    </span>
  </>
)

const columns: Column<Delivery>[] = [
  {
    head: 'Update',
    cell: (delivery) => (
      <>
        {updateCell(delivery)}
        <span class="quiet small narrow">
          <Breaking text={addressOf(delivery)} />
        </span>
      </>
    ),
  },
  {
    head: 'State',
    isState: true,
    cell: (delivery) => (
      <>
        <DeliveryBadge delivery={delivery} />
        <span class="quiet small narrow">{delivery.lastAnswer && answerText(delivery.lastAnswer)}</span>
      </>
    ),
  },
  {
    head: 'Answer',
    isMinor: true,
    cell: ({ lastAnswer, tookMs, state }) =>
      lastAnswer ? (
        <>
          {answerText(lastAnswer)}{' '}
          {state === 'DELIVERED' && tookMs !== null && <span class="quiet">{duration(tookMs)}</span>}
        </>
      ) : (
        '–'
      ),
  },
  tries,
  address,
  { head: 'Journey', isMinor: true, cell: ({ journeyId }) => <Id value={journeyId} /> },
  { head: 'Created', isNumber: true, isSelfEvident: true, cell: ({ createdAt }) => <LogTime at={createdAt} /> },
]

const columnsOfEndpoint = [{ head: 'Update', cell: updateCell }, ...columns.slice(1)].filter((each) => each !== address)

/** Beside the column of tenants there is no room for the tries. */
const columnsNow = () => (tenantId.value === '' ? columns.filter((each) => each !== tries) : columns)

const NothingSent = () => (
  <Empty title="Nothing sent yet">
    <p>We post each status that a journey reaches. Start a journey to see its first update.</p>
  </Empty>
)

export const useDeliveries = (endpointId?: string): LoadedList<Delivery> =>
  useList('/webhooks/deliveries', { tenantId: tenantId.value, ...listQuery(filtersNow(), endpointId) })

export const AllDeliveries = () => <Deliveries list={useDeliveries()} />

interface DeliveriesProps {
  endpointId?: string
  /** How many updates the endpoint missed; undefined where they are not counted. */
  missed?: number
  list: LoadedList<Delivery>
}

export function Deliveries({ endpointId, missed, list }: DeliveriesProps) {
  const filters = filtersNow()
  const isReplaying = useSignal(false)
  const isFiltered = Object.values(filters).some(Boolean)
  return (
    <>
      {!endpointId && <Views list="deliveries" />}
      <div class="filters spread">
        <FilterFields>{!endpointId && <SaveView list="deliveries" />}</FilterFields>
        {mayAct() && tenantId.value !== '' && (!isFiltered || list.items?.length !== 0) && (
          <button type="button" class="secondary" onClick={() => assign(isReplaying, true)}>
            {filters.state
              ? `Replay ${(list.next === null && list.items?.length) || 'these'}`
              : `Replay missed updates${missed && !isFiltered ? ` (${cappedCount(missed)})` : ''}`}
          </button>
        )}
      </div>
      <Table
        label="Deliveries"
        list={list}
        isOneLine
        keyOf={({ deliveryId }) => deliveryId}
        href={(delivery) => toRow(delivery, 'webhooks', 'deliveries', delivery.deliveryId)}
        columns={endpointId ? columnsOfEndpoint : withTenant(columnsNow())}
        empty={
          isFiltered ? <NoMatch title="No deliveries match these filters" filters={filterNames} /> : <NothingSent />
        }
      />
      {isReplaying.value && (
        <ReplayDialog
          filter={replayFilter(filters, endpointId)}
          onClose={() => assign(isReplaying, false)}
          onDone={list.reload}
        />
      )}
    </>
  )
}

const FilterFields = ({ children }: { children: ComponentChildren }) => (
  <div class="filters">
    <Select
      name="state"
      label="State"
      any="Any state"
      options={deliveryStates.map((each) => [each, stateWords[each][1]])}
    />
    <Select
      name="status"
      label="Status"
      any="Any status"
      options={updateStatuses.map((each) => [each, labelOf(each)])}
    />
    <Select
      name="since"
      label="Time"
      any="Any time"
      options={Object.entries(windows).map(([name, [text]]) => [name, text])}
    />
    <TextFilter name="journey" label="Journey ID" />
    {children}
  </div>
)

// The log of API requests, newest first, with filters in the URL.
import type { RequestView } from '@lendloom/wire/console/request-log'
import { query, to } from '../router.ts'
import { tenantId } from '../session.ts'
import { labelOf, shortId } from '../ui/code-labels.ts'
import { Badge, Breaking, Empty, Id, LogTime } from '../ui/components.tsx'
import { NoMatch, Select, TextFilter } from '../ui/filter.tsx'
import { type Column, Table, useList } from '../ui/list.tsx'
import { useRefresh } from '../ui/periodic-refresh.ts'
import { SaveView, Views } from '../ui/saved-views.tsx'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const names = ['method', 'reads', 'failed', 'key', 'journey', 'correlation']

/** The status code, coloured by outcome. */
export const Status = ({ status }: Pick<RequestView, 'status'>) => (
  <Badge tone={status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'}>{status}</Badge>
)

const KeyOf = ({ keyId }: Pick<RequestView, 'keyId'>) =>
  keyId === null ? <span class="quiet nowrap">Session</span> : <Id value={keyId} />

/** The method and route, without the part that all routes of journeys share. */
export const RouteOf = ({ method, route }: Pick<RequestView, 'method' | 'route'>) => (
  <>
    <strong>{method}</strong>&nbsp;
    <Breaking text={route.replace('/api/v1/headless/', '…/')} />
  </>
)

/** What the paths of a journey have in common; the column beside it names the journey. */
const journeyPath = /^\/api\/v1\/(?:headless\/journeys\/[^/]+|hybrid\/[^/]+\/borrowers\/[^/]+\/journey)(?=\/|$)/

/** A path without the parts that all have. Its ids show their ends, so that it fits a line. */
const shortPath = (path: string): string =>
  path
    .replace(journeyPath, '…/journey')
    .replace('/api/v1/', '…/')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{22,27}/g, (id) => shortId(id))

const columns: Column<RequestView>[] = [
  {
    head: 'Request',
    cell: (request) => (
      <span class="mono path" title={request.path}>
        <strong>{request.method}</strong> {shortPath(request.path)}
      </span>
    ),
  },
  {
    head: 'Journey',
    isMinor: true,
    cell: ({ journeyId }) => (journeyId === null ? '–' : <a href={to('journeys', journeyId)}>{shortId(journeyId)}</a>),
  },
  { head: 'Status', isState: true, cell: Status },
  { head: 'Error', isMinor: true, cell: ({ error }) => error && <span class="small">{labelOf(error)}</span> },
  { head: 'Duration', isNumber: true, isMinor: true, isSelfEvident: true, cell: ({ ms }) => `${ms}\u00a0ms` },
  { head: 'Key', isMinor: true, cell: KeyOf },
  { head: 'At', isNumber: true, isSelfEvident: true, cell: ({ at }) => <LogTime at={at} /> },
]

export function RequestList() {
  const filters = {
    method: query.value('method'),
    reads: query.value('reads'),
    failed: query.value('failed'),
    keyId: query.value('key'),
    journeyId: query.value('journey'),
    correlationId: query.value('correlation'),
  }
  const list = useList<RequestView>('/developers/requests', { tenantId: tenantId.value, ...filters })
  useRefresh(list.refresh)
  const isFiltered = Object.values(filters).some(Boolean)
  const hasError = list.items?.some(({ error }) => error !== null) ?? false
  return (
    <>
      <Views list="requests" />
      <div class="filters">
        <Select name="method" label="Method" any="Any method" options={methods.map((each) => [each, each])} />
        <Select name="reads" label="Reads" any="With reads" options={[['omit', 'Without reads']]} />
        <Select name="failed" label="Outcome" any="Any outcome" options={[['true', 'Rejected or failed']]} />
        <TextFilter name="correlation" label="Correlation ID" />
        <TextFilter name="journey" label="Journey ID" />
        <TextFilter name="key" label="Key ID" />
        <SaveView list="requests" />
      </div>
      <Table
        label="Requests"
        list={list}
        keyOf={({ requestId }) => requestId}
        href={({ requestId }) => to('developers', 'requests', requestId)}
        columns={hasError ? columns : columns.filter(({ head }) => head !== 'Error')}
        empty={isFiltered ? <NoMatch title="No requests match these filters" filters={names} /> : <NoRequest />}
      />
    </>
  )
}

const NoRequest = () => (
  <Empty title="No requests yet">
    <p>Every call with one of your keys appears here within a second and stays for 30 days.</p>
  </Empty>
)

// Store of the table api_request: the API requests of integrators.

import { bytea, type Columns, integer, namesOf, rowsAs, text, uuid } from '@lendloom/postgres/rows'
import { join, type Run, sql } from '@lendloom/postgres/sql'
import { firstIdAt } from '@lendloom/seal/id'

export interface RequestRow {
  tenantId: string
  requestId: string
  applicationId: string
  keyId: string | null
  journeyId: string | null
  correlationId: string
  method: string
  route: string
  path: string
  status: number
  tookMs: number
  error: string | null
  borrowerDigest: Buffer | null
  bodiesSealed: Buffer | null
}

const requestColumns: Columns<RequestRow> = {
  tenantId: uuid((row) => row.tenantId),
  requestId: uuid((row) => row.requestId),
  applicationId: uuid((row) => row.applicationId),
  keyId: text((row) => row.keyId),
  journeyId: uuid((row) => row.journeyId),
  correlationId: text((row) => row.correlationId),
  method: text((row) => row.method),
  route: text((row) => row.route),
  path: text((row) => row.path),
  status: integer((row) => row.status),
  tookMs: integer((row) => row.tookMs),
  error: text((row) => row.error),
  borrowerDigest: bytea((row) => row.borrowerDigest),
  bodiesSealed: bytea((row) => row.bodiesSealed),
}

/** Inserts all rows in one statement. Ignores a row that already exists. */
export async function insertRequests(db: Run, rows: RequestRow[]): Promise<void> {
  await db`
    insert into api_request (${namesOf(requestColumns)})
    select ${namesOf(requestColumns)} from ${rowsAs(sql`input`, rows, requestColumns)}
    on conflict do nothing`
}

export interface RequestFilter {
  applicationId: string | null
  keyId: string | null
  journeyId: string | null
  correlationId: string | null
  method: string | null
  route: string | null
  /** Whether to return only requests with an error status. */
  isFailed: boolean
  /** Leaves out requests that only read. */
  omitsReads: boolean
  from: Date | null
  until: Date | null
}

export type ListedRequest = Omit<RequestRow, 'tenantId' | 'bodiesSealed'>

const listedColumns = sql`request_id, application_id, key_id, journey_id, correlation_id, method, route, path, status,
  took_ms, error`

/** Lists requests, newest first. `after` is the last request id of the previous page. */
export function listRequests(
  db: Run,
  tenantId: string,
  filter: RequestFilter,
  { after, limit }: { after: string | null; limit: number },
): Promise<ListedRequest[]> {
  const { applicationId, keyId, journeyId, correlationId, method, route, isFailed, omitsReads, from, until } = filter
  const conditions = [
    sql`tenant_id = ${tenantId}`,
    ...(applicationId === null ? [] : [sql`application_id = ${applicationId}`]),
    ...(keyId === null ? [] : [sql`key_id = ${keyId}`]),
    ...(journeyId === null ? [] : [sql`journey_id = ${journeyId}`]),
    ...(correlationId === null ? [] : [sql`correlation_id = ${correlationId}`]),
    ...(method === null ? [] : [sql`method = ${method}`]),
    ...(route === null ? [] : [sql`route = ${route}`]),
    ...(isFailed ? [sql`status >= 400`] : []),
    ...(omitsReads ? [sql`method <> 'GET'`] : []),
    ...(from === null ? [] : [sql`request_id >= ${firstIdAt(from)}::uuid`]),
    ...(until === null ? [] : [sql`request_id < ${firstIdAt(until)}::uuid`]),
    ...(after === null ? [] : [sql`request_id < ${after}::uuid`]),
  ]
  return db<ListedRequest>`
    select ${listedColumns} from api_request where ${join(conditions, ' and ')} order by request_id desc limit ${limit}`
}

export async function findRequest(
  db: Run,
  { tenantId, requestId }: Pick<RequestRow, 'tenantId' | 'requestId'>,
): Promise<(ListedRequest & Pick<RequestRow, 'bodiesSealed'>) | undefined> {
  const [row] = await db<ListedRequest & Pick<RequestRow, 'bodiesSealed'>>`
    select ${listedColumns}, bodies_sealed from api_request where tenant_id = ${tenantId} and request_id = ${requestId}`
  return row
}

/** Deletes up to `max` requests of each tenant that are older than `at`. Returns the number of deleted requests. */
export async function deleteRequestsBefore(db: Run, at: Date, max: number): Promise<number> {
  const tenants = await db<{ tenantId: string }>`select tenant_id from tenant order by tenant_id`
  let count = 0
  for (const { tenantId } of tenants) {
    const deleted = await db`
      delete from api_request where tenant_id = ${tenantId} and request_id in (
        select request_id from api_request where tenant_id = ${tenantId} and request_id < ${firstIdAt(at)}::uuid
        order by request_id limit ${max}) returning 1`
    count += deleted.length
  }
  return count
}

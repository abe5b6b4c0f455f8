// Tables webhook_replay and webhook_replay_journey: replays and their remaining journeys.

import { type Fragment, join, oneRow, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { bucketOf, firstIdAt } from '@lendloom/seal/id'
import type { DeliveryState } from '@lendloom/wire/webhook/delivery-state'
import { insertFirstTry } from '#platform/integrators/webhook/store.ts'
import type { BulkReplay, ReplayCount, ReplayFilter, ReplayKey } from './replay.ts'

/** Conditions on `webhook_delivery d`, written out so that the partial indexes match. */
export const inState: Record<DeliveryState, Fragment> = {
  PENDING: sql`(d.state = 'PENDING' and d.due_at is not null)`,
  DELIVERED: sql`d.state = 'DELIVERED'`,
  EXHAUSTED: sql`d.state = 'EXHAUSTED'`,
  STOPPED: sql`d.state = 'STOPPED'`,
}

interface Scope {
  tenantId: string
  /** All applications of the tenant. */
  applicationIds: string[]
  filter: ReplayFilter
}

/** The conditions of a filter on `webhook_delivery d`. Archived updates cannot be sent again. */
const matchesFilter = ({ tenantId, applicationIds, filter }: Scope): Fragment =>
  join(
    [
      sql`d.tenant_id = ${tenantId} and d.application_id = any(${applicationIds}::uuid[]) and d.body_sealed is not null`,
      sql`(${join(
        filter.states.map((state) => inState[state]),
        ' or ',
      )})`,
      ...(filter.endpointId === null ? [] : [sql`d.destination_id = ${filter.endpointId}`]),
      ...(filter.journeyId === null
        ? []
        : [sql`d.bucket = ${bucketOf(filter.journeyId)} and d.journey_id = ${filter.journeyId}`]),
      ...(filter.statuses === null ? [] : [sql`d.status = any(${filter.statuses}::text[])`]),
      ...(filter.from === null ? [] : [sql`d.delivery_id >= ${firstIdAt(filter.from)}::uuid`]),
      ...(filter.until === null ? [] : [sql`d.delivery_id < ${firstIdAt(filter.until)}::uuid`]),
    ],
    ' and ',
  )

/** Whether the destination is neither removed nor disabled. A callback has no endpoint and is always reachable. */
const isReachable = sql`
  (d.callback_url_sealed is not null or (select 1 from webhook_endpoint e where e.tenant_id = d.tenant_id
    and e.endpoint_id = d.destination_id and e.disabled_at is null) is not null)`

/** The first matching update of each journey and destination, from which the replay sends all later ones too. */
const firstMatches = (scope: Scope, limit: number): Fragment => sql`
  select d.bucket, d.journey_id, d.destination_id, d.application_id, min(d.sequence) as from_sequence, count(*) as chosen
  from webhook_delivery d where ${matchesFilter(scope)} and ${isReachable}
  group by d.bucket, d.journey_id, d.destination_id, d.application_id limit ${limit}`

/** Counts what a replay would send if it started now; stops counting after `maxReplayJourneys` + 1 journeys. */
export async function countMatches(db: Run, scope: Scope, maxReplayJourneys: number): Promise<ReplayCount> {
  const rows = await db<ReplayCount>`
    with first as materialized (${firstMatches(scope, maxReplayJourneys + 1)})
    select (select count(*) from first)::integer as journeys, (select coalesce(sum(chosen), 0) from first)::integer as chosen,
      count(d.delivery_id)::integer as updates,
      (count(*) filter (where d.state in ('EXHAUSTED', 'STOPPED')))::integer as missed,
      (count(*) filter (where d.state = 'PENDING'))::integer as waiting
    from first join webhook_delivery d on d.bucket = first.bucket and d.tenant_id = ${scope.tenantId}
      and d.journey_id = first.journey_id and d.destination_id = first.destination_id
      and d.sequence >= first.from_sequence and d.body_sealed is not null`
  return oneRow(rows)
}

export async function insertReplay(tx: Tx, replay: BulkReplay, scope: Scope): Promise<void> {
  const { filter, ...row } = replay
  await tx`insert into webhook_replay ${tx({ ...row, filter: JSON.stringify(filter) })}`
  await tx`
    insert into webhook_replay_journey (bucket, tenant_id, replay_id, journey_id, destination_id, application_id, from_sequence, turn_at)
    select first.bucket, ${replay.tenantId}::uuid, ${replay.replayId}::uuid, first.journey_id, first.destination_id,
      first.application_id, first.from_sequence, ${replay.startedAt}::timestamptz
    from (${firstMatches(scope, replay.journeys + 1)}) as first`
}

const replayColumns = sql`tenant_id, replay_id, filter, state, per_second, journeys, updates, journeys_done, updates_done,
  journeys_skipped, person_id, started_at, ended_at`

type ReplayRow = Omit<BulkReplay, 'filter'> & {
  filter: Omit<ReplayFilter, 'from' | 'until'> & { from: string | null; until: string | null }
}

const replayOf = ({ filter, ...row }: ReplayRow): BulkReplay => ({
  ...row,
  filter: {
    ...filter,
    from: filter.from === null ? null : new Date(filter.from),
    until: filter.until === null ? null : new Date(filter.until),
  },
})

export async function listReplays(
  db: Run,
  tenantId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<BulkReplay[]> {
  const rows = await db<ReplayRow>`
    select ${replayColumns} from webhook_replay
    where tenant_id = ${tenantId} and (${after}::uuid is null or replay_id < ${after}::uuid)
    order by replay_id desc limit ${limit}`
  return rows.map(replayOf)
}

export async function findReplay(db: Run, { tenantId, replayId }: ReplayKey): Promise<BulkReplay | undefined> {
  const [row] = await db<ReplayRow>`
    select ${replayColumns} from webhook_replay where tenant_id = ${tenantId} and replay_id = ${replayId}`
  return row && replayOf(row)
}

/** Locks a replay to stop it, resume it or take a turn. */
export async function lockReplay(tx: Tx, { tenantId, replayId }: ReplayKey): Promise<BulkReplay | undefined> {
  const [row] = await tx<ReplayRow>`
    select ${replayColumns} from webhook_replay where tenant_id = ${tenantId} and replay_id = ${replayId} for no key update`
  return row && replayOf(row)
}

export async function setReplayState(
  tx: Tx,
  { tenantId, replayId }: ReplayKey,
  state: BulkReplay['state'],
  endedAt: Date | null,
): Promise<void> {
  await tx`
    update webhook_replay set state = ${state}, ended_at = ${endedAt}::timestamptz
    where tenant_id = ${tenantId} and replay_id = ${replayId}`
}

/** The next (journey, destination) pair to replay. */
export interface ReplayTurn extends ReplayKey {
  journeyId: string
  destinationId: string
  applicationId: string
  fromSequence: number
}

/** Returns the journey that has waited longest; undefined when none is due yet. */
export async function nextTurn(tx: Tx, { tenantId, replayId }: ReplayKey, at: Date): Promise<ReplayTurn | undefined> {
  const [row] = await tx<ReplayTurn>`
    select tenant_id, replay_id, journey_id, destination_id, application_id, from_sequence from webhook_replay_journey
    where tenant_id = ${tenantId} and replay_id = ${replayId} and turn_at <= ${at}
    order by turn_at limit 1`
  return row
}

/** Returns when the next turn is due; null when no journey remains. */
export async function nextTurnAt(tx: Tx, { tenantId, replayId }: ReplayKey): Promise<Date | null> {
  const rows = await tx<{ at: Date | null }>`
    select min(turn_at) as at from webhook_replay_journey where tenant_id = ${tenantId} and replay_id = ${replayId}`
  return oneRow(rows).at
}

/** A delivery of a turn, in its current state. */
export interface TurnDelivery {
  sequence: number
  state: DeliveryState
  dueAt: Date | null
  isReachable: boolean
}

/**
 * Locks the deliveries of the turn, oldest first. A worker that claims one of them waits for this transaction and re-reads
 * the row. The caller holds the journey, so that no update is added.
 */
export function lockTurn(tx: Tx, turn: ReplayTurn): Promise<TurnDelivery[]> {
  const { tenantId, journeyId, destinationId, fromSequence } = turn
  return tx<TurnDelivery>`
    select d.sequence, d.state, d.due_at, ${isReachable} as is_reachable from webhook_delivery d
    where d.bucket = ${bucketOf(journeyId)} and d.tenant_id = ${tenantId} and d.journey_id = ${journeyId} and d.destination_id = ${destinationId}
      and d.sequence >= ${fromSequence} and d.body_sealed is not null
    order by d.sequence for no key update`
}

/**
 * Makes all deliveries of a turn due in one statement: the first is sent, the others wait for it. Pending deliveries get
 * a new due time too, so that a worker that has already read one must check its predecessors again. A delivery that is
 * due between `at` and `leaseUntil` may be in flight and stays unchanged.
 */
export async function makeDue(tx: Tx, turn: ReplayTurn, at: Date, leaseUntil: Date): Promise<void> {
  const { tenantId, journeyId, destinationId, fromSequence } = turn
  const isInTurn = sql`d.bucket = ${bucketOf(journeyId)} and d.tenant_id = ${tenantId} and d.journey_id = ${journeyId} and d.destination_id = ${destinationId}
    and d.sequence >= ${fromSequence} and d.body_sealed is not null`
  await tx`
    with ${insertFirstTry(isInTurn)}
    update webhook_delivery d set state = 'PENDING',
      attempt = case when d.state = 'PENDING' then d.attempt else 0 end,
      due_at = case when d.due_at = ${at}::timestamptz then ${new Date(at.getTime() + 1)}::timestamptz else ${at}::timestamptz end
    where ${isInTurn}
      and (d.state <> 'PENDING' or d.due_at <= ${at}::timestamptz or d.due_at > ${leaseUntil}::timestamptz)`
}

/** Removes the journey from the replay and counts its updates; a journey without updates counts as skipped. */
export async function endTurn(tx: Tx, turn: ReplayTurn, updates: number): Promise<void> {
  const { tenantId, replayId, journeyId, destinationId } = turn
  await tx`
    with ended as (
      delete from webhook_replay_journey where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and replay_id = ${replayId}
        and journey_id = ${journeyId} and destination_id = ${destinationId} returning 1)
    update webhook_replay set journeys_done = journeys_done + 1, updates_done = updates_done + ${updates}::integer,
      journeys_skipped = journeys_skipped + case when ${updates}::integer = 0 then 1 else 0 end
    where tenant_id = ${tenantId} and replay_id = ${replayId} and exists (select from ended)`
}

export async function postponeTurn(tx: Tx, turn: ReplayTurn, turnAt: Date): Promise<void> {
  const { tenantId, replayId, journeyId, destinationId } = turn
  await tx`
    update webhook_replay_journey set turn_at = ${turnAt} where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and replay_id = ${replayId}
      and journey_id = ${journeyId} and destination_id = ${destinationId}`
}

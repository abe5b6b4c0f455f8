// Starts, stops and resumes bulk replays.

import { invalid, Refusal } from '@lendloom/foundation/refusal'
import type { Run, Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { enqueue } from '@lendloom/queue/queue'
import { uuidv7 } from '@lendloom/seal/id'
import {
  type BulkReplay,
  maxReplayJourneys,
  type ReplayCount,
  type ReplayFilter,
  type ReplayKey,
  replayQueue,
} from './replay.ts'
import { countMatches, insertReplay, lockReplay, setReplayState } from './store.ts'

/** The deliveries of a tenant that a filter matches. */
interface Scope {
  tenantId: string
  /** All applications of the tenant. */
  applicationIds: string[]
  filter: ReplayFilter
}

/** Counts what a replay would send now. Throws `invalid` at `filter` when it is too large. */
export async function countReplay(db: Run, scope: Scope): Promise<ReplayCount> {
  const counts = await countMatches(db, scope, maxReplayJourneys)
  if (counts.journeys > maxReplayJourneys)
    throw invalid({
      path: 'filter',
      message: `matches more than ${maxReplayJourneys} journeys; choose a shorter period`,
    })
  return counts
}

/**
 * Starts a replay: for every journey with a matching delivery, it resends the first match and all later updates in
 * order, so that the newest update arrives last. Throws `wrong-state` when nothing matches.
 */
export async function startReplay(
  { tx, at }: Write,
  scope: Scope,
  { perSecond, personId }: { perSecond: number; personId: string | null },
): Promise<BulkReplay> {
  const { journeys, updates } = await countReplay(tx, scope)
  if (journeys === 0) throw new Refusal('wrong-state', 'the filter matches nothing that can be delivered')
  const replay: BulkReplay = {
    tenantId: scope.tenantId,
    replayId: uuidv7(at.getTime()),
    filter: scope.filter,
    state: 'RUNNING',
    perSecond,
    journeys,
    updates,
    journeysDone: 0,
    updatesDone: 0,
    journeysSkipped: 0,
    personId,
    startedAt: at,
    endedAt: null,
  }
  await insertReplay(tx, replay, scope)
  await enqueueReplay(tx, replay, at)
  return replay
}

/** Stops a replay; deliveries that are already due are still sent. Throws `wrong-state` when it is not running. */
export async function stopReplay({ tx, at }: Write, key: ReplayKey): Promise<BulkReplay> {
  const replay = await requireLockedReplay(tx, key)
  if (replay.state !== 'RUNNING') throw new Refusal('wrong-state', 'the replay is not running')
  await setReplayState(tx, key, 'STOPPED', at)
  return { ...replay, state: 'STOPPED', endedAt: at }
}

/** Resumes a stopped replay with its remaining journeys. Throws `wrong-state` when it is not stopped. */
export async function resumeReplay({ tx, at }: Write, key: ReplayKey): Promise<BulkReplay> {
  const replay = await requireLockedReplay(tx, key)
  if (replay.state !== 'STOPPED') throw new Refusal('wrong-state', 'the replay was not stopped')
  await setReplayState(tx, key, 'RUNNING', null)
  await enqueueReplay(tx, key, at)
  return { ...replay, state: 'RUNNING', endedAt: null }
}

async function requireLockedReplay(tx: Tx, key: ReplayKey): Promise<BulkReplay> {
  const replay = await lockReplay(tx, key)
  if (!replay) throw new Refusal('absent', 'there is no such replay')
  return replay
}

const enqueueReplay = (tx: Tx, { tenantId, replayId }: ReplayKey, at: Date): Promise<void> =>
  enqueue(tx, { tenantId, kind: replayQueue, key: replayId, payload: { replayId }, dueAt: at })

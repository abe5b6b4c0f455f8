// Starts, stops and resumes bulk replays.
import { uuidv7 } from '#kit/crypto/id.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import type { Write } from '#kit/db/write.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { enqueue } from '#kit/messaging/queue.ts'
import {
  type BulkReplay,
  mostJourneys,
  type ReplayCount,
  type ReplayFilter,
  type ReplayKey,
  replays,
} from './replay.ts'
import { countChosen, insertReplay, lockReplay, setReplayState } from './store.ts'

/** The scope of a filter. */
interface Scope {
  tenantId: string
  /** All applications of the tenant. */
  applicationIds: string[]
  filter: ReplayFilter
}

/** Counts what a replay would send now. Throws `invalid` at `filter` when it is too large. */
export async function count(db: Run, scope: Scope): Promise<ReplayCount> {
  const counted = await countChosen(db, scope, mostJourneys)
  if (counted.journeys > mostJourneys)
    throw invalid({ path: 'filter', message: `matches more than ${mostJourneys} journeys: choose a shorter time` })
  return counted
}

/**
 * For every journey with a matching delivery, resends the first match and everything after it, in order, so that the
 * journey ends with its newest update and new updates wait behind. Throws `wrong-state` when nothing matches.
 */
export async function begin(
  { tx, at }: Write,
  scope: Scope,
  { perSecond, personId }: { perSecond: number; personId: string | null },
): Promise<BulkReplay> {
  const { journeys, updates } = await count(tx, scope)
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

/** Due deliveries are still sent; the other journeys stay unchanged. Throws `wrong-state` when it is not running. */
export async function stop({ tx, at }: Write, key: ReplayKey): Promise<BulkReplay> {
  const replay = await locked(tx, key)
  if (replay.state !== 'RUNNING') throw new Refusal('wrong-state', 'the replay is not running')
  await setReplayState(tx, key, 'STOPPED', at)
  return { ...replay, state: 'STOPPED', endedAt: at }
}

/** Continues a stopped replay with its remaining journeys. Throws `wrong-state` when it was not stopped. */
export async function resume({ tx, at }: Write, key: ReplayKey): Promise<BulkReplay> {
  const replay = await locked(tx, key)
  if (replay.state !== 'STOPPED') throw new Refusal('wrong-state', 'the replay was not stopped')
  await setReplayState(tx, key, 'RUNNING', null)
  await enqueueReplay(tx, key, at)
  return { ...replay, state: 'RUNNING', endedAt: null }
}

async function locked(tx: Tx, key: ReplayKey): Promise<BulkReplay> {
  const replay = await lockReplay(tx, key)
  if (!replay) throw new Refusal('absent', 'there is no such replay')
  return replay
}

const enqueueReplay = (tx: Tx, { tenantId, replayId }: ReplayKey, at: Date): Promise<void> =>
  enqueue(tx, { tenantId, kind: replays, key: replayId, payload: { replayId }, dueAt: at })

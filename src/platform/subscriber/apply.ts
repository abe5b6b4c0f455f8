// Applies what happened, journey by journey and in order: each happening and its effect in one transaction, exactly once.
import { secondsAfter } from '#kit/clock.ts'
import { type Job, Later, type Worker, work } from '#kit/queue.ts'
import { Refusal } from '#kit/refusal.ts'
import { isPassing, type Tx } from '#kit/sql.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lockJourney } from '#platform/journey/store.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import type { Happening, HappeningType } from '#platform/network/happening/happening.ts'
import { hear } from '#platform/network/happening/hear.ts'
import { type HappeningJob, happeningKind } from '#platform/network/happening/note.ts'
import {
  countFailure,
  firstWaiting,
  type HappeningRow,
  postponeHappening,
  settle,
} from '#platform/network/happening/store.ts'
import type { Stage } from '#platform/network/stage.ts'
import { readConversation } from '#platform/network/store.ts'
import type { World } from '#platform/world.ts'
import { onAskedAgain, onSearch } from './apply/catalogue.ts'
import { onFormAccepted, onFormRefused } from './apply/form.ts'
import { onLoan } from './apply/loan.ts'
import { onSelect } from './apply/offered.ts'
import { onFormDue } from './apply/second-offer.ts'
import { onNacked, onSearchClosed, onUnanswered } from './apply/silence.ts'
import { scheduleChase } from './chase.ts'

/** What a happening does to its journey. Its conversation has already moved; null when it concerns no single lender. */
export type Applier<T extends HappeningType> = (
  tx: Tx,
  world: World,
  journey: Journey,
  conversation: Conversation | null,
  happening: Happening<T>,
  at: Date,
) => Promise<void>

export type Appliers = { readonly [T in HappeningType]: Applier<T> }

const appliers: Appliers = {
  on_search: onSearch,
  on_select: onSelect,
  on_init: onLoan,
  on_confirm: onLoan,
  on_status: onLoan,
  on_update: onLoan,
  form_accepted: onFormAccepted,
  form_refused: onFormRefused,
  nacked: onNacked,
  unanswered: onUnanswered,
  search_closed: onSearchClosed,
  asked_again: onAskedAgain,
  form_due: onFormDue,
}

/** Works on the happenings of all journeys. Every one of them has a job, and a job applies all that wait in its journey. */
export const applying = (world: World, by: Appliers = appliers): Worker =>
  work<HappeningJob>({
    kind: happeningKind,
    db: world.db,
    clock: world.clock,
    log: world.log,
    // Each holds a connection while it waits for its journey; the doors need some too.
    concurrency: 8,
    handle: (job) => applyWaiting(world, job, by),
  })

export async function applyWaiting(
  world: World,
  job: Pick<Job<HappeningJob>, 'tenantId' | 'payload'>,
  by: Appliers,
): Promise<void> {
  for (;;) {
    let row: HappeningRow | undefined
    try {
      const applied = await world.db.tx(async (tx) => {
        const at = world.clock()
        const journey = await lockJourney(tx, job.tenantId, job.payload.journeyId)
        row = journey && (await firstWaiting(tx, job.tenantId, job.payload.journeyId))
        // One that failed before is tried again by the job that saw it fail; the others wait behind it.
        if (!journey || !row || (row.retryAt !== null && row.retryAt > at)) return false
        await applyOne(tx, world, journey, row, by, at)
        return true
      })
      if (!applied) return
    } catch (error) {
      if (!row || isPassing(error)) throw error
      await failed(world, row, error as Error)
    }
  }
}

async function applyOne(
  tx: Tx,
  world: World,
  journey: Journey,
  row: HappeningRow,
  by: Appliers,
  at: Date,
): Promise<void> {
  const heard = await hear(tx, world, row, at)
  if ('ignored' in heard) {
    world.log.info({ journeyId: row.journeyId, type: row.type, number: row.number, why: heard.ignored }, 'not applied')
    if (journey.active && row.conversationId) await askIfUnanswered(tx, journey, row.conversationId, at)
    return settle(tx, row, 'IGNORED', heard.ignored, at)
  }
  if (!journey.active) return settle(tx, row, 'IGNORED', 'the journey has ended', at)
  const { happening, conversation } = heard
  const apply = by[happening.type] as Applier<HappeningType>
  await apply(tx, world, journey, conversation, happening, at)
  await settle(tx, row, 'APPLIED', null, at)
}

/**
 * An answer that means nothing answers nothing, and no timer waits for another one: the lender is asked again after a while, as
 * one that says nothing is. A page that is the borrower's to answer is not asked after (FIS12 §4.1).
 */
async function askIfUnanswered(tx: Tx, journey: Journey, conversationId: string, at: Date): Promise<void> {
  const conversation = await readConversation(tx, journey.tenantId, journey.journeyId, conversationId)
  if (conversation?.awaitedMessageId === null && answering.includes(conversation.stage))
    await scheduleChase(tx, conversation, at)
}

/** Where the next word is the lender's. */
const answering: Stage[] = [
  'SELECTED',
  'CONSENT_GIVEN',
  'RESELECTED',
  'INITIATED',
  'CONFIRM_SENT',
  'CONFIRMED',
  'MONITORING_GIVEN',
]

const mostTries = 5

/** A refusal stays one however often it is tried; anything else is tried a few times. Then the journey goes on without it. */
async function failed(world: World, row: HappeningRow, error: Error): Promise<void> {
  const about = { err: error, journeyId: row.journeyId, type: row.type, number: row.number }
  const seconds = await world.db.tx(async (tx) => {
    const at = world.clock()
    await lockJourney(tx, row.tenantId, row.journeyId)
    const attempt = await countFailure(tx, row, error.message.slice(0, 300))
    if (attempt === undefined) return null
    if (attempt >= mostTries || error instanceof Refusal) {
      await settle(tx, row, 'SET_ASIDE', error.message.slice(0, 300), at)
      world.log.error(about, 'a happening could not be applied and was set aside')
      return null
    }
    await postponeHappening(tx, row, secondsAfter(at, 2 ** (attempt - 1)))
    return 2 ** (attempt - 1)
  })
  if (seconds === null) return
  world.log.warn({ ...about, seconds }, 'a happening could not be applied and will be tried again')
  throw new Later(seconds, error.message)
}

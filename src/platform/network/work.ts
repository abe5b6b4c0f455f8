// The background work of the network room: sending, filling forms, minding the time.
import type { Worker } from '#kit/queue.ts'
import type { World } from '#platform/world.ts'
import { oldestHappening } from './figures.ts'
import { handingIn } from './hand-in-form.ts'
import { oldestWaiting } from './happening/store.ts'
import { sending } from './send.ts'
import { timing } from './timer.ts'

export const networkWork = (world: World): Worker[] => [
  sending(world),
  handingIn(world),
  timing(world),
  measuring(world),
]

/** How long the oldest news has been waiting, looked at now and then. */
function measuring({ db, clock, log }: World): Worker {
  async function measure(): Promise<void> {
    const oldest = await oldestWaiting(db)
    oldestHappening.set(oldest === null ? 0 : (clock().getTime() - oldest.getTime()) / 1000)
  }
  const timer = setInterval(() => measure().catch((error) => log.debug({ err: error }, 'could not measure')), 10_000)
  return { stop: async () => clearInterval(timer) }
}

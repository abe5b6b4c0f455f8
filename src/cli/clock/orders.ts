// Executes clock requests of a program: only the launcher knows all programs that share the clock.

import { type ClockOrder, type ClockProgress, readOrder, readProgress, writeProgress } from '#kit/runtime/clock.ts'
import { messageOf } from '#kit/runtime/record.ts'
import { advanceClock, simulatedTime } from './advance.ts'

interface ClockDeps {
  file: string
  env: NodeJS.ProcessEnv
  programs: ('platform' | 'partner' | 'sandbox')[]
  more?: string[]
}

const lookEveryMs = 250
const longestStepMs = 6 * 3_600_000

/** Polls for requests until `stop`; executes each once, one at a time. */
export function takeClockOrders(means: ClockDeps): { stop(): void } {
  const { file } = means
  let taken = readProgress(file)?.orderId ?? readOrder(file)?.orderId
  let isBusy = false
  const timer = setInterval(() => {
    const order = readOrder(file)
    if (isBusy || !order || order.orderId === taken) return
    taken = order.orderId
    isBusy = true
    carryOut(means, order).finally(() => {
      isBusy = false
    })
  }, lookEveryMs).unref()
  return { stop: () => clearInterval(timer) }
}

async function carryOut(means: ClockDeps, { orderId, spanMs }: ClockOrder): Promise<void> {
  const { file } = means
  const began = simulatedTime(file)
  const tell = (isAt: number, more: Partial<ClockProgress> = {}) =>
    writeProgress(file, {
      orderId,
      beganAt: new Date(began).toISOString(),
      endsAt: new Date(began + spanMs).toISOString(),
      isAt: new Date(isAt).toISOString(),
      isDone: false,
      problem: null,
      ...more,
    })
  tell(began)
  try {
    await advanceClock({
      ...means,
      spanMs,
      stepMs: longestStepMs,
      progress: { isAt: (at) => tell(at), waitsFor: (at) => tell(at) },
    })
    tell(simulatedTime(file), { isDone: true })
  } catch (error) {
    tell(simulatedTime(file), { isDone: true, problem: messageOf(error) })
  }
}

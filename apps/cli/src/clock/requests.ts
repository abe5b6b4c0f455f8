// The launcher executes clock requests of programs, because only it knows all programs that share the clock.

import {
  type ClockProgress,
  type ClockRequest,
  readClockRequest,
  readProgress,
  writeProgress,
} from '@lendloom/foundation/clock'
import { messageOf } from '@lendloom/foundation/thrown'
import { advanceClock, simulatedTime } from './advance.ts'

interface ClockDeps {
  file: string
  env: NodeJS.ProcessEnv
  programs: ('platform' | 'partner' | 'sandbox')[]
  otherDatabaseUrls?: string[]
}

const pollEveryMs = 250
const longestStepMs = 6 * 3_600_000

/** Polls for requests until `stop`, and executes each once, one after the other. */
export function watchClockRequests(deps: ClockDeps): { stop(): void } {
  const { file } = deps
  let lastRequestId = readProgress(file)?.orderId ?? readClockRequest(file)?.orderId
  let isBusy = false
  const timer = setInterval(() => {
    const request = readClockRequest(file)
    if (isBusy || !request || request.orderId === lastRequestId) return
    lastRequestId = request.orderId
    isBusy = true
    executeRequest(deps, request).finally(() => {
      isBusy = false
    })
  }, pollEveryMs).unref()
  return { stop: () => clearInterval(timer) }
}

async function executeRequest(deps: ClockDeps, { orderId, spanMs }: ClockRequest): Promise<void> {
  const { file } = deps
  const began = simulatedTime(file)
  const report = (isAt: number, changes: Partial<ClockProgress> = {}) =>
    writeProgress(file, {
      orderId,
      beganAt: new Date(began).toISOString(),
      endsAt: new Date(began + spanMs).toISOString(),
      isAt: new Date(isAt).toISOString(),
      isDone: false,
      problem: null,
      ...changes,
    })
  report(began)
  try {
    await advanceClock({
      ...deps,
      spanMs,
      stepMs: longestStepMs,
      progress: { moveTo: (at) => report(at), showPending: (at) => report(at) },
    })
    report(simulatedTime(file), { isDone: true })
  } catch (error) {
    report(simulatedTime(file), { isDone: true, problem: messageOf(error) })
  }
}

// Runs test files one after another in this process, each in its own suite when the runner names it. Resources of a file are
// released with the file; shared browsers and programs remain until the process ends.
import { once } from 'node:events'
import { resolve } from 'node:path'
import { after, beforeEach, describe } from 'node:test'
import '@lendloom/foundation/quick-imports.mjs'
import './connections.ts'
import { countAssertions, measureFile, noteTest } from './costs.ts'
import { configureLaws } from './law-rounds.ts'
import { outsideOfTests } from './process-end.ts'

countAssertions()
configureLaws()

/** Ends this process and the programs of its tests when the runner was killed, because nothing else ends them then. */
const endWithRunner = (): void => void process.kill(-process.pid, 'SIGKILL')
process.once('disconnect', endWithRunner)

/** Waits for the name of the next file; the runner sends an empty name if there is none. */
async function next(): Promise<void> {
  // Only now: a test that waits for nothing must end the process instead of hanging.
  process.channel?.ref()
  const [file] = await once(process, 'message')
  process.channel?.unref()
  if (file) outsideOfTests(() => begin(String(file)))
  else {
    process.off('disconnect', endWithRunner)
    process.disconnect()
    setTimeout(endByForce, 60_000).unref()
    endWhenOnlyTimersAreLeft()
  }
}

/** What keeps this process alive besides its own output: `Timeout`, `TCPServerWrap`, … */
const leftResources = (): string[] => process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap')

const isTimer = (name: string): boolean => name === 'Timeout'

/** Ends the process once only timers have kept it alive for ten seconds, because nothing waits for them. */
function endWhenOnlyTimersAreLeft(): void {
  let checks = 0
  setInterval(() => {
    checks = leftResources().every(isTimer) ? checks + 1 : 0
    if (checks === 20) endByForce()
  }, 500).unref()
}

/** Files after which more resources were open than before, to find the one that left them. */
const suspects: string[] = []

/**
 * Ends the process. Otherwise, a worker or server left running by a failed test would block this process and its report
 * forever. A timer alone is no failure: it holds nothing that another test could miss.
 */
function endByForce(): void {
  const left = leftResources()
  console.error(`stopped resources that a test left running: ${left.join(', ')}`)
  if (!left.every(isTimer)) {
    console.error('Files that may have left them:')
    for (const suspect of suspects) console.error(`  ${suspect}`)
    process.exitCode = 1
  }
  // The test runner waits for this event before it reports.
  process.emit('beforeExit', Number(process.exitCode ?? 0))
  setTimeout(() => process.exit(), 2000)
}

function begin(file: string): void {
  const cost = measureFile(file)
  const env = { ...process.env }
  const before = leftResources().length
  const exitCodeBefore = process.exitCode
  describe(file, async () => {
    // Registered before the file's own hooks, so that it runs even if one of them fails.
    after(async () => {
      if (process.exitCode !== exitCodeBefore) console.error(`${file} set the exit code to ${process.exitCode}`)
      const left = leftResources()
      if (left.length > before) suspects.push(`${file}: ${left.join(', ')}`)
      process.send?.(cost())
      restore(env)
      await next()
    })
    beforeEach(noteTest)
    await import(resolve(file))
  })
}

/** Restores the environment. For example, Vite sets NODE_ENV permanently, and npm then installs no development dependencies. */
function restore(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
}

await next()

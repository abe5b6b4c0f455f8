// Runs test files one after the other in this process, each as the runner names it, in a suite of its own: what a file
// starts ends with the file, while a browser or programs that files share stay until the process ends.
import { once } from 'node:events'
import { resolve } from 'node:path'
import { after, describe } from 'node:test'
import { quickenImports } from '#kit/runtime/quick-imports.ts'
import './connections.ts'
import { countAssertions, measureFile } from './costs.ts'
import { outsideOfTests } from './process-end.ts'

quickenImports()
countAssertions()

/** Waits for the name of the next file; the runner sends an empty one when there is none. */
async function next(): Promise<void> {
  const [file] = await once(process, 'message')
  if (file) outsideOfTests(() => begin(String(file)))
  else {
    process.disconnect()
    setTimeout(endByForce, 60_000).unref()
  }
}

/** A worker or a server that a failed test left running would keep this process, and its report, for ever. */
function endByForce(): void {
  console.error(`a test left something running, which was ended: ${process.getActiveResourcesInfo().join(', ')}`)
  process.exitCode = 1
  // What the test runner waits for before it reports.
  process.emit('beforeExit', 1)
  setTimeout(() => process.exit(), 2000)
}

function begin(file: string): void {
  const cost = measureFile(file)
  const env = { ...process.env }
  describe(file, async () => {
    // Before the hooks of the file, so that it runs even if one of them fails.
    after(async () => {
      process.send?.(cost())
      restore(env)
      await next()
    })
    await import(resolve(file))
  })
}

/** Vite, for one, sets NODE_ENV for good, and npm installs no development dependencies under it. */
function restore(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
}

await next()

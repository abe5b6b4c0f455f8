// Starts the sandbox as its own program. Its modules are imported after `quick-imports`, so that they load faster.
import '#kit/runtime/quick-imports.mjs'
import { recordSpans } from '#kit/telemetry/start.ts'

await recordSpans(process.env, 'sandbox')
const { runSandbox } = await import('./program.ts')
await runSandbox()

// Starts the sandbox as its own program. Its modules are imported after `quick-imports`, so that they load faster.
import '@lendloom/foundation/quick-imports.mjs'
import { recordSpans } from '@lendloom/foundation/telemetry/start'

await recordSpans(process.env, 'sandbox')
const { runSandbox } = await import('./program.ts')
await runSandbox()

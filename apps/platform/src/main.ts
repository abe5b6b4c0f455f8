// Starts the platform. Its modules are imported after `quick-imports`, so that they load faster.
import '@lendloom/foundation/quick-imports.mjs'
import { recordSpans } from '@lendloom/foundation/telemetry/start'

await recordSpans(process.env, 'platform')
const { runPlatform } = await import('./program.ts')
await runPlatform()

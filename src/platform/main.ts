// Starts the platform. Its modules are imported after `quick-imports`, so that they load faster.
import '#kit/runtime/quick-imports.mjs'
import { recordSpans } from '#kit/telemetry/start.ts'

await recordSpans(process.env, 'platform')
const { runPlatform } = await import('./program.ts')
await runPlatform()

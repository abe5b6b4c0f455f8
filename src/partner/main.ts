// Starts the partner program. Its modules are imported after `quick-imports`, so that they load faster.
import '#kit/runtime/quick-imports.mjs'
import { recordSpans } from '#kit/telemetry/start.ts'

await recordSpans(process.env, 'partner')
const { runPartner } = await import('./program.ts')
await runPartner()

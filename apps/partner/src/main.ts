// Starts the partner program. Its modules are imported after `quick-imports`, so that they load faster.
import '@lendloom/foundation/quick-imports.mjs'
import { recordSpans } from '@lendloom/foundation/telemetry/start'

await recordSpans(process.env, 'partner')
const { runPartner } = await import('./program.ts')
await runPartner()

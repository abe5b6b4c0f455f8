// Starts the partner program. Imports its modules only after `quickenImports` has made imports faster.
import { quickenImports } from '#kit/runtime/quick-imports.ts'
import { recordSpans } from '#kit/telemetry/start.ts'

quickenImports()
await recordSpans(process.env, 'partner')
const { runPartner } = await import('./program.ts')
await runPartner()

// Starts the sandbox as its own program. `quickenImports` must run before the modules are imported.
import { quickenImports } from '#kit/runtime/quick-imports.ts'
import { recordSpans } from '#kit/telemetry/start.ts'

quickenImports()
await recordSpans(process.env, 'sandbox')
const { runSandbox } = await import('./program.ts')
await runSandbox()

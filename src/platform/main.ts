// Starts the platform. The program's modules are imported after `quickenImports`, so that they load faster.
import { quickenImports } from '#kit/runtime/quick-imports.ts'
import { recordSpans } from '#kit/telemetry/start.ts'

quickenImports()
await recordSpans(process.env, 'platform')
const { runPlatform } = await import('./program.ts')
await runPlatform()

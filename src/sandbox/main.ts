// Starts the sandbox as its own program. `quickenImports` must run before the modules are imported.
import { quickenImports } from '#kit/runtime/quick-imports.ts'

quickenImports()
const { runSandbox } = await import('./program.ts')
await runSandbox()

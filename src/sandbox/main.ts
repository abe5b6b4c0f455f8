// Starts the sandbox as a program of its own. Its modules are imported after imports have been made quick.
import { quickenImports } from '#kit/runtime/quick-imports.ts'

quickenImports()
const { runSandbox } = await import('./program.ts')
await runSandbox()

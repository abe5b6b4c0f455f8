// Starts the platform as a program of its own. Its modules are imported after imports have been made quick.
import { quickenImports } from '#kit/runtime/quick-imports.ts'

quickenImports()
const { runPlatform } = await import('./program.ts')
await runPlatform()

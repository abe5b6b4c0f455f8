// Starts the platform as a program. Its modules are imported after imports were made fast.
import { quickenImports } from '#kit/runtime/quick-imports.ts'

quickenImports()
const { runPlatform } = await import('./program.ts')
await runPlatform()

// Starts the partner as a program. Its modules are imported after imports were made fast.
import { quickenImports } from '#kit/runtime/quick-imports.ts'

quickenImports()
const { runPartner } = await import('./program.ts')
await runPartner()

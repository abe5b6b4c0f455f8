// Starts the partner. Its modules are imported only after `quickenImports` has sped up imports.
import { quickenImports } from '#kit/runtime/quick-imports.ts'

quickenImports()
const { runPartner } = await import('./program.ts')
await runPartner()

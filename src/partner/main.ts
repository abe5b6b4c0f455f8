// Starts the partner program. Imports its modules only after `quickenImports` has made imports faster.
import { quickenImports } from '#kit/runtime/quick-imports.ts'

quickenImports()
const { runPartner } = await import('./program.ts')
await runPartner()

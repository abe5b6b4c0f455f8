// Part of `npm ci`: compiles the programs once for all, so that the first start is as quick as the next ones.
import '../packages/foundation/src/quick-imports.mjs'

const modules = [
  'platform/src/program',
  'sandbox/src/program',
  'partner/src/program',
  'cli/src/start',
  'cli/src/start/run-files',
]
for (const path of modules) await import(`../apps/${path}.ts`)
process.exit(0)

// Part of `npm ci`: compiles the programs once for all, so that the first start is as quick as the next ones.
import '../src/kit/runtime/quick-imports.mjs'

for (const path of ['platform/program', 'sandbox/program', 'partner/program', 'cli/start', 'cli/start/run-files'])
  await import(`../src/${path}.ts`)
process.exit(0)

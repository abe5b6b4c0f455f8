// `npm ci` and `npm install` run this, and so does the first `npx lendloom`, which must not build again. Vite is a development
// dependency: where it is not installed (`--omit=dev`), the pages in dist/web are used as they are.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const isBuilt = existsSync(join(root, 'dist', 'web', 'embed.json'))
if (isBuilt && process.env.npm_command === 'exec') process.exit()

if (existsSync(join(root, 'node_modules', 'vite'))) {
  // `node` in an npm script is the one that this package pins.
  const { status } = spawnSync('node', [join(root, 'tools', 'web', 'build.ts')], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} else if (!isBuilt) {
  process.stderr.write(
    'lendloom: dist/web is missing. Run `npm ci && npm run build`, or copy dist/web from a build, before you start the platform.\n',
  )
}

// Where this fails, the first start compiles what it needs.
spawnSync('node', [join(root, 'bin', 'compile.mjs')], { stdio: 'ignore' })

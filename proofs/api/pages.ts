// The browser files that the platform serves, built once.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** Without them, the pages of the platform answer 500. */
export function buildPages(): void {
  if (existsSync(join(root, 'dist', 'web'))) return
  execFileSync(process.execPath, ['tools/web/build.ts'], { cwd: root, stdio: 'ignore' })
}

// Ensures that the pages in dist/web are built from the current sources.
import { execFileSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
/** The sources of the pages; a build writes `embed.json` last. */
const sources = ['package-lock.json', '{apps/{console,demo,page},packages,tools/web}/**/*.{ts,tsx,css,svg,json}']
const lastWritten = 'dist/web/embed.json'

export const pagesDirectory = join(root, 'dist', 'web')

/** Builds the pages unless they are newer than their sources, as after `npm ci`. */
export function rebuildPagesIfStale(): void {
  const changedAt = (file: string): number => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const builtAt = changedAt(lastWritten)
  if (globSync(sources, { cwd: root }).every((file) => changedAt(file) <= builtAt)) return
  execFileSync(process.execPath, [join(root, 'tools', 'web', 'build.ts')], { stdio: ['ignore', 'ignore', 'inherit'] })
}

// Replaces a folder whose files others may be reading.
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const unfinishedBuild = '.new-'

/** Puts each file at its place as a whole, in the order of the map, then removes all others. Keys are paths in the folder. */
export function replaceFiles(folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  mkdirSync(folder, { recursive: true })
  const written = mkdtempSync(join(folder, unfinishedBuild))
  try {
    for (const [path, content] of files) {
      const file = join(written, path)
      mkdirSync(dirname(file), { recursive: true })
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(file, content)
    }
    for (const path of files.keys()) renameSync(join(written, path), join(folder, path))
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name)
      const path = relative(folder, file)
      if (!entry.isDirectory() && !files.has(path) && !path.startsWith(unfinishedBuild)) rmSync(file, { force: true })
    }
  } finally {
    rmSync(written, { recursive: true, force: true })
  }
}

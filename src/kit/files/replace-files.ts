// Replaces a folder whose files others may be reading.
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Puts each file at its place as a whole, in the order of the map, then removes all others. Keys are paths in the folder. */
export function replaceFiles(folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  mkdirSync(dirname(folder), { recursive: true })
  const written = mkdtempSync(`${folder}.new-`)
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
      if (!entry.isDirectory() && !files.has(relative(folder, file))) rmSync(file)
    }
  } finally {
    rmSync(written, { recursive: true, force: true })
  }
}

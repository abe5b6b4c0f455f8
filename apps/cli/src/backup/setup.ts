// Where an installation is backed up to, and the copying of its new files while it runs.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@lendloom/foundation/thrown'
import { readJson, writeSecret } from '#cli/installation.ts'
import { archiveSeconds } from './archive.ts'
import { copyNewFiles } from './files.ts'

interface BackupSetup {
  directory: string
}

const setupFile = (data: string): string => join(data, 'backup.json')

/** The backup directory of the installation; null before the first `lendloom backup`. */
export const backupDirectoryOf = (data: string): string | null =>
  readJson<BackupSetup>(setupFile(data))?.directory ?? null

export function setBackupDirectory(data: string, directory: string | null): void {
  if (directory === null) rmSync(setupFile(data), { force: true })
  else writeSecret(setupFile(data), { directory } satisfies BackupSetup)
}

interface CopyingOptions {
  data: string
  env: NodeJS.ProcessEnv
  say(line: string): void
}

/** Copies new files as often as segments are archived. Returns a function that copies once more and stops. */
export function copyFilesRegularly({ data, env, say }: CopyingOptions): () => Promise<void> {
  let current = Promise.resolve()
  const copy = (): Promise<void> => {
    const directory = backupDirectoryOf(data)
    if (directory === null) return Promise.resolve()
    current = current
      .then(() => copyNewFiles(data, env, directory))
      .then(
        () => {},
        (error) => say(`files were not copied to the backup: ${messageOf(error)}`),
      )
    return current
  }
  const timer = setInterval(copy, archiveSeconds * 1000).unref()
  return () => {
    clearInterval(timer)
    return copy()
  }
}

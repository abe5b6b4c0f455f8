// `lendloom restore`: restores a backup of `npm start` into an empty data directory.
import { resolve } from 'node:path'
import { type RestoredInstallation, restoreBackup } from './backup/restore.ts'
import { type CommandCall, command, requireArgument, UsageError } from './command.ts'
import { dataDirectory } from './installation.ts'
import { progressOn } from './progress.ts'

const options = {
  to: {
    type: 'string',
    value: 'instant',
    about: 'the real time to restore to, such as 2026-11-25T10:30:00+05:30 (default: all of the archive)',
  },
} as const

const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/

export const restore = command({
  name: 'restore',
  summary:
    'restore a backup into the data directory (LENDLOOM_DATA_DIR), which must be empty but for keys.json; verifies the backup first',
  usage: '<dir> [--to <instant>]',
  options,
  async run({ args, options: { to }, json, env }: CommandCall<typeof options>) {
    const directory = resolve(requireArgument(args, 'the backup directory'))
    if (to !== undefined && (!instantPattern.test(to) || Number.isNaN(Date.parse(to))))
      throw new UsageError('--to must be an instant with its zone, such as 2026-11-25T10:30:00+05:30')
    const data = dataDirectory(env)
    const startedAt = performance.now()
    const restored = await restoreBackup({
      data,
      env,
      directory,
      to: to ?? null,
      ...(!json && { onProgress: progressPrinter() }),
    })
    const seconds = (performance.now() - startedAt) / 1000
    return {
      text: textOf(restored, { data, to, seconds }),
      data: { data, backup: restored.backup.folder, to: to ?? null, seconds, ...countsOf(restored) },
    }
  },
})

function progressPrinter(): (step: string, bytes: number, ofBytes: number) => void {
  let current: { step: string; bar: ReturnType<typeof progressOn> } | null = null
  return (step, bytes, ofBytes) => {
    if (current?.step !== step) {
      current?.bar.end()
      current = { step, bar: progressOn(process.stderr, 0, Math.max(ofBytes, 1), () => step) }
    }
    current.bar.moveTo(bytes)
  }
}

const countsOf = ({ files, databases }: RestoredInstallation) => ({ files, databases })

interface RestoreResult {
  data: string
  to: string | undefined
  seconds: number
}

function textOf({ backup, files, databases }: RestoredInstallation, { data, to, seconds }: RestoreResult): string {
  const opened = Object.entries(databases).map(([name, count]) => `${name} (${count} sealed values opened)`)
  return [
    `${data} is restored to ${to ?? 'the end of the archive'} from the backup of ${backup.endedAt}, in ${seconds.toFixed(1)} s`,
    `databases: ${opened.join(', ')}; files of partners: ${files}`,
    'Next: npm start, then lendloom doctor, then lendloom backup with a new directory: a restored database is not archived yet.',
    'What was sent after the instant is sent again under the same identifiers: see docs/how-to/back-up-and-restore.md.',
  ].join('\n')
}

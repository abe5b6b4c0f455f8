// `lendloom backup`: backs up an installation of `npm start` while it runs.
import { join, resolve } from 'node:path'
import { endBackups, type TakenBackup, takeBackup } from './backup/take.ts'
import { type CommandCall, command, requireArgument, UsageError } from './command.ts'
import { dataDirectory } from './installation.ts'
import { progressOn } from './progress.ts'

const defaultKeep = 7

const options = {
  keep: {
    type: 'string',
    value: 'count',
    about: `how many base backups to keep, with their part of the archive (default: ${defaultKeep})`,
  },
  end: { type: 'boolean', about: 'end the archive; the backups stay, but get no further changes' },
} as const

export const backup = command({
  name: 'backup',
  summary:
    'back up the embedded PostgreSQL and the partners’ files while npm start runs; from then on every change is archived within a minute',
  usage: '<dir> [--keep <count>] | --end',
  options,
  async run({ args, options: { keep = String(defaultKeep), end = false }, json, env }: CommandCall<typeof options>) {
    const data = dataDirectory(env)
    if (end) return ended(data, args)
    if (process.platform === 'win32') throw new UsageError('a backup needs a POSIX shell, gzip and sync')
    if (!/^[1-9]\d{0,3}$/.test(keep)) throw new UsageError('--keep must be a whole number from 1 to 9999')
    const directory = resolve(requireArgument(args, 'the backup directory'))
    const progress = json ? null : progressOn(process.stderr, 0, 1, (share) => `copied ${Math.floor(share * 100)} %`)
    const taken = await takeBackup({
      data,
      env,
      directory,
      keep: Number(keep),
      onCopied: (bytes, ofBytes) => progress?.moveTo(bytes / Math.max(bytes, ofBytes, 1)),
    }).finally(() => progress?.end())
    return { text: textOf(taken, data), data: dataOf(taken) }
  },
})

function ended(data: string, args: string[]) {
  if (args.length > 0) throw new UsageError('--end takes no directory')
  const directory = endBackups(data)
  const text = directory === null ? 'there was no archive' : `changes are no longer archived in ${directory}`
  return { text, data: { directory } }
}

const bytesOf = ({ backup: { files } }: TakenBackup): number => files.reduce((sum, { bytes }) => sum + bytes, 0)

const dataOf = (taken: TakenBackup) => ({
  backup: taken.backup.folder,
  endedAt: taken.backup.endedAt,
  bytes: bytesOf(taken),
  newFiles: taken.newFiles,
  deleted: taken.deleted,
})

function textOf(taken: TakenBackup, data: string): string {
  const { backup: stored, newFiles, deleted } = taken
  const lines = [
    `${stored.folder} is complete: ${stored.files.length} files, ${(bytesOf(taken) / 1e6).toFixed(0)} MB, and ${newFiles} new files of partners`,
    `it can be restored to ${stored.endedAt} and to every later instant in the archive: lendloom restore`,
    ...(deleted.backups > 0
      ? [`deleted: ${deleted.backups} older base backups and ${deleted.segments} segments of the archive`]
      : []),
    `The backup contains no keys. Keep a copy of ${join(data, 'keys.json')} elsewhere: without it the backup cannot be read.`,
  ]
  return lines.join('\n')
}

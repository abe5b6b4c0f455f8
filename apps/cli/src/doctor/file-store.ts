// Writes, reads and deletes a probe where the partner keeps files, or the platform its archive.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ObjectBackend } from '@lendloom/files/object-store'
import type { Config } from '@lendloom/foundation/config'
import { messageOf } from '@lendloom/foundation/thrown'
import { bucketFrom, type documentSettings } from '@lendloom/partner/operations/documents'
import { archiveBucket, type archiveSettings } from '@lendloom/platform/operations/archive'
import { type Finding, failed, ok } from '#cli/check.ts'

/** Where files are: in the bucket if there is one, else in the directory. Each has the name of its setting. */
interface FilePlace {
  bucket: ObjectBackend | undefined
  bucketSetting: string
  directory: string
  directorySetting: string
}

export const partnerPlace = (config: Config<typeof documentSettings>): FilePlace => ({
  bucket: bucketFrom(config),
  bucketSetting: 'PARTNER_S3_URL',
  directory: config.PARTNER_FILES_DIR,
  directorySetting: 'PARTNER_FILES_DIR',
})

/** Null if the platform has no archive. */
export function archivePlace(config: Config<typeof archiveSettings>): FilePlace | null {
  const bucket = archiveBucket(config)
  const { ARCHIVE_DIR: directory } = config
  if (!bucket && directory === 'off') return null
  return { bucket, bucketSetting: 'ARCHIVE_S3_URL', directory, directorySetting: 'ARCHIVE_DIR' }
}

/** Never throws: a store that cannot be used is a failed check, with what to do. */
export async function checkFileStore({ bucket, directory, ...settings }: FilePlace): Promise<Finding> {
  const place = bucket ? `the bucket of ${settings.bucketSetting}` : settings.directorySetting
  if (!bucket && !existsSync(directory)) return ok(`${place} is created at the first start`)
  try {
    const isIntact = await (bucket ? probeBucket(bucket) : probeDirectory(directory))
    if (isIntact) return ok(`a probe was written, read and deleted in ${place}`)
    return failed(`a probe in ${place} was read with other bytes`, 'check the storage')
  } catch (error) {
    const action = bucket
      ? `check ${settings.bucketSetting}, its credentials, and the permissions to put, get and delete objects`
      : 'let the user of the program read and write the directory; run this command as that user'
    return failed(`a probe in ${place} failed: ${messageOf(error)}`, action)
  }
}

async function probeBucket(bucket: ObjectBackend): Promise<boolean> {
  const directory = await mkdtemp(join(tmpdir(), 'lendloom-probe-'))
  const name = randomBytes(32).toString('hex')
  const bytes = randomBytes(1024)
  try {
    await writeFile(join(directory, name), bytes)
    await bucket.put(name, join(directory, name))
    const object = await bucket.open(name)
    return (await object.read(bytes.length).finally(() => object.close())).equals(bytes)
  } finally {
    await Promise.all([bucket.remove(name), rm(directory, { recursive: true })])
  }
}

async function probeDirectory(directory: string): Promise<boolean> {
  const path = join(directory, `probe-${randomBytes(8).toString('hex')}`)
  const bytes = randomBytes(1024)
  try {
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
    return (await readFile(path)).equals(bytes)
  } finally {
    await rm(path, { force: true })
  }
}

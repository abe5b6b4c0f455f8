// The choice of the file store by the settings, and the validation of the settings.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { ObjectStore } from '@lendloom/files/object-store'
import { ConfigError, configFrom } from '@lendloom/foundation/config'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import { fakeS3 } from '@lendloom/tests/setup/s3'
import { openFiles } from './open-files.ts'
import { documentSettings } from './settings.ts'

const directory = mkdtempSync(join(tmpdir(), 'lendloom-files-'))
after(() => rmSync(directory, { recursive: true }))
const seal = sealWith(newSealKey('k1'))
const openStoreOf = async (env: Record<string, string>): Promise<ObjectStore> =>
  openFiles(configFrom(documentSettings, { PARTNER_FILES_DIR: directory, ...env }), seal)

async function storeOne(store: ObjectStore): Promise<string> {
  const draft = store.draft()
  await draft.append([Buffer.from('a file')])
  const { sha256 } = await draft.finish()
  await draft.keep(sha256)
  return sha256
}

test('files are stored in the directory, or in the bucket if a bucket is configured', async () => {
  const name = await storeOne(await openStoreOf({}))
  assert.deepEqual(readdirSync(join(directory, 'object', name.slice(0, 2))), [name])

  const s3 = await fakeS3()
  const { url, region, keys: bucketKeys } = s3.bucket
  const bucket = { PARTNER_S3_URL: `${url}/`, PARTNER_S3_REGION: region }
  const keys = {
    PARTNER_S3_ACCESS_KEY_ID: bucketKeys.accessKeyId,
    PARTNER_S3_SECRET_ACCESS_KEY: bucketKeys.secretAccessKey,
  }
  await storeOne(await openStoreOf({ ...bucket, ...keys }))
  assert.deepEqual([...s3.objects.keys()], [`/files/object/${name}`])

  // Without configured keys, the AWS SDK reads them from the environment.
  s3.objects.clear()
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: bucketKeys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: bucketKeys.secretAccessKey,
  })
  try {
    await storeOne(await openStoreOf(bucket))
  } finally {
    delete process.env.AWS_ACCESS_KEY_ID
    delete process.env.AWS_SECRET_ACCESS_KEY
  }
  assert.deepEqual([...s3.objects.keys()], [`/files/object/${name}`])
})

test('settings with half of a key pair, an invalid bucket URL or a scanner without a port are rejected', async () => {
  await assert.rejects(
    openStoreOf({ PARTNER_S3_URL: 'https://s3.example/files', PARTNER_S3_ACCESS_KEY_ID: 'AKIDTEST' }),
    ConfigError,
  )
  for (const PARTNER_S3_URL of ['https://s3.example', 'ftp://s3.example/x', 'https://a:b@s3.example/x', 'files'])
    await assert.rejects(openStoreOf({ PARTNER_S3_URL }), /PARTNER_S3_URL must be https/)
  for (const PARTNER_CLAMD of ['clamd', 'clamd:0', 'clamd:99999', '::1:3310'])
    await assert.rejects(openStoreOf({ PARTNER_CLAMD }), /PARTNER_CLAMD must be host:port/)
  const read = (text: string) => documentSettings.PARTNER_CLAMD.read(text)
  assert.deepEqual(read('[::1]:3310'), { host: '::1', port: 3310 })
  assert.deepEqual(read('clamd.internal:3310'), { host: 'clamd.internal', port: 3310 })
  assert.equal(read('off'), null)
})

// Attachments of mails are checked by their content.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noScanner } from '#kit/files/malware.ts'
import { bombPdf, ownerPasswordPdf, passwordPdf, samplePdf } from '#test/setup/files.ts'
import { examineFile } from './file.ts'

const examine = (bytes: Buffer) => examineFile(noScanner, { name: 'bill.pdf', type: 'application/pdf', bytes })

test('accepts an attached PDF, and rejects one that unpacks to a thousand times its size', async () => {
  assert.equal((await examine(await samplePdf('A bill'))).type, 'application/pdf')
  const { type, why } = await examine(bombPdf())
  assert.equal(type, null)
  assert.match(why ?? '', /has streams that unpack to more than 32 MiB/)
})

test('accepts an attached PDF with an owner password, and says why it rejects one that needs a password', async () => {
  assert.equal((await examine(ownerPasswordPdf())).type, 'application/pdf')
  assert.deepEqual(await examine(passwordPdf()), {
    type: null,
    why: 'needs a password to open; send a copy that opens without a password',
  })
})

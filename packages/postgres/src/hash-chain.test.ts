// Signed chain heads: read back from mails and compared with the chain.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawMessage } from '@lendloom/mail/mail'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import { compareWithHeads, readHeads, signHead } from './chain-head.ts'
import type { VerifiedLinks } from './hash-chain.ts'

const key = newSealKey('k1')
const seal = sealWith(key)
const at = new Date('2026-11-21T10:00:00Z')
const digest = Buffer.alloc(32, 7)

test('reads a signed head from a mail, also after a key rotation, and rejects a changed one', async () => {
  const head = signHead(seal, 'desk', { sequence: 5, digest }, at)
  const mail = await rawMessage({ to: 'a@b.example', subject: 'Heads', text: `Keep this.\n\n${head}\n` })
  const expected = { log: 'desk', sequence: 5, digest: digest.toString('hex'), at: at.toISOString() }
  const rotated = sealWith(`${newSealKey('k2')},${key}`, key)
  for (const each of [seal, rotated]) assert.deepEqual(readHeads(each, mail.toString()), [expected])
  const [word, content, signature] = head.split('.')
  const changedContent = Buffer.from(JSON.stringify({ ...expected, sequence: 4 })).toString('base64url')
  assert.deepEqual(readHeads(seal, [word, changedContent, signature].join('.')), [null])
  assert.deepEqual(
    readHeads(sealWith(newSealKey('k1')), [word, content, signature].join('.')),
    [null],
    'by another key',
  )
  assert.deepEqual(readHeads(seal, 'no head'), [])
})

test('reports a chain that was truncated or rebuilt after its head was sent out', async () => {
  const verified: VerifiedLinks = { entries: 4, digest: '', fault: null }
  const head = { log: 'desk', sequence: 5, digest: digest.toString('hex'), at: at.toISOString() }
  const faultOf = async (entries: number, stored: Buffer) =>
    (await compareWithHeads({ ...verified, entries }, [head], async () => stored)).fault?.why
  assert.match((await faultOf(4, digest))!, /is missing, and was the head that was sent out on 2026-11-21/)
  assert.equal(await faultOf(5, digest), undefined)
  assert.equal(await faultOf(9, digest), undefined)
  assert.match((await faultOf(9, Buffer.alloc(32)))!, /is not the entry that was sent out/)
})

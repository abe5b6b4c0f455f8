// Kills the partner during uploads. Files with a response are stored; the other files can be sent again.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '@lendloom/files/object-store'
import { configFrom } from '@lendloom/foundation/config'
import { connect } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import { type ChildProgram, inheritedEnv, startChild } from '@lendloom/tests/setup/child-program'
import { testDatabase } from '@lendloom/tests/setup/database'
import { patientDatabase } from '@lendloom/tests/setup/deadline'
import { clients, registerCase } from '@lendloom/tests/setup/documents-api'
import { plainPdf } from '@lendloom/tests/setup/files'
import { freePort } from '@lendloom/tests/setup/platform'
import { settings } from '#partner/settings.ts'
import { storedDocuments } from './manifest.ts'
import { readDocument } from './open-files.ts'

const directory = mkdtempSync(join(tmpdir(), 'lendloom-crash-'))
const port = await freePort()
const env = {
  PARTNER_DATABASE_URL: await testDatabase('partner'),
  PARTNER_PORT: String(port),
  PARTNER_MODE: 'api',
  PARTNER_AUTOPILOT: 'off',
  PARTNER_FILES_DIR: directory,
  PARTNER_CLIENTS: JSON.stringify(clients),
  LENDLOOM_KEYS: newSealKey('c1'),
  LOG_LEVEL: 'error',
  ...patientDatabase,
}
const db = connect(env.PARTNER_DATABASE_URL, { connections: 2 })
let running: ChildProgram | undefined
after(async () => {
  await running?.end('SIGKILL')
  await db.close()
  rmSync(directory, { recursive: true, force: true })
})

async function start(): Promise<void> {
  running = await startChild({ program: 'partner', env: { ...inheritedEnv(), ...env } })
}
const kill = async (): Promise<void> => running?.end('SIGKILL')

const loanCase = await registerCase({ db, config: configFrom(settings, env), clock: () => new Date() })
const uploads = Array.from({ length: 12 }, (_, i) => ({
  requestId: uuidv4(),
  reference: `ref-${i}`,
  file: plainPdf([
    '<</Type/Catalog>>',
    `<<>>stream\n${randomBytes(300_000 * (1 + (i % 4))).toString('hex')}\nendstream`,
  ]),
  /** The first response, which later responses must equal. */
  answer: undefined as string | undefined,
}))

let lostResponses = 0

/** Uploads a file and compares the response with the first response. Counts a response that was lost by the kill. */
async function send(upload: (typeof uploads)[number]): Promise<void> {
  const form = new FormData()
  const fields = {
    request_id: upload.requestId,
    document_reference_id: upload.reference,
    document_type: 'BANK_STATEMENT',
  }
  const ids = {
    external_reference_id: loanCase.caseRef,
    celestium_lead_id: loanCase.leadId,
    celestium_loan_id: loanCase.loanId,
  }
  for (const [name, value] of Object.entries({ ...fields, ...ids })) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(upload.file)], { type: 'application/pdf' }), 'statement.pdf')
  const headers = { authorization: `Bearer ${clients[0]!.bearer}`, 'idempotency-key': upload.requestId }
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/documents`, { method: 'POST', headers, body: form })
    const text = await answer.text()
    assert.ok(answer.ok, text)
    if (upload.answer !== undefined) assert.equal(text, upload.answer)
    upload.answer = text
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    lostResponses++
  }
}

test('D3 §4.3: after kill -9 during uploads and a retry, every file is stored once', async () => {
  for (const pauseMs of [5, 40, 80]) {
    await start()
    const sending = Promise.all(uploads.map(send))
    await sleep(pauseMs)
    await kill()
    await sending
  }
  assert.ok(lostResponses > 0, 'the partner was killed before the last response')
  await start()
  await Promise.all(uploads.map(send))
  await kill()
  const store = await openStore(directory, sealWith(env.LENDLOOM_KEYS))
  const stored = await storedDocuments(db, loanCase.caseRef)
  assert.deepEqual(
    stored.map(({ documentReferenceId }) => documentReferenceId).sort(),
    uploads.map(({ reference }) => reference).sort(),
  )
  for (const { answer, file, reference } of uploads) {
    const { document_id } = JSON.parse(answer!) as { document_id: string }
    const found = await readDocument({ db, store, seal: sealWith(env.LENDLOOM_KEYS) }, loanCase.caseRef, document_id)
    assert.equal(found!.document.documentReferenceId, reference)
    assert.ok((await buffer(found!.bytes)).equals(file), reference)
  }
})

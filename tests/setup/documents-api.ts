// The partner's upload API by itself, with a real server, database and disk.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { inboxOf } from '@lendloom/event-log/inbox'
import { clamd, noScanner } from '@lendloom/files/malware'
import { directoryBackend, openStore } from '@lendloom/files/object-store'
import { configFrom } from '@lendloom/foundation/config'
import type { Log } from '@lendloom/foundation/log'
import { serve } from '@lendloom/http/server'
import { settings } from '@lendloom/partner/settings'
import { uploadDocument } from '@lendloom/partner/src/api/upload-document.ts'
import type { Context } from '@lendloom/partner/src/context.ts'
import { deskSignIn } from '@lendloom/partner/src/desk/staff/desk-sign-in.ts'
import { type Case, reservedId } from '@lendloom/partner/src/origination/case/lifecycle.ts'
import { moveCase } from '@lendloom/partner/src/origination/case/move-case.ts'
import { insertCase, lockCase } from '@lendloom/partner/src/origination/case/store.ts'
import type { ExpectedDocument } from '@lendloom/partner/src/origination/document/document.ts'
import { expectDocuments } from '@lendloom/partner/src/origination/document/manifest.ts'
import { connect } from '@lendloom/postgres/sql'
import { randomOctets, uuidv4 } from '@lendloom/seal/id'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import { refusedExchange } from '@lendloom/wire/exchange/error'
import { testDatabase } from './database.ts'
import { databaseMs } from './deadline.ts'

const clientOf = (sender: string) => ({
  sender,
  bearer: `bearer-of-${sender.toLowerCase()}-for-tests`,
  keys: [{ keyId: 'k1', secret: 'a-signing-secret-for-tests' }],
  webhook: { bearer: 'bearer-of-the-webhook', keyId: 'k2', secret: 'another-secret-for-tests' },
})
export const clients = [clientOf('LENDLOOM'), clientOf('STRANGER')]

export interface DocumentsApi {
  url: string
  ctx: Context
  directory: string
  lines: string[]
  /** Creates a registered case of the first client that waits for these files. */
  register(expected?: ExpectedDocument[]): Promise<Case>
}

/** Starts the API; it stops with the test file. */
export async function startDocumentsApi(env: Record<string, string> = {}): Promise<DocumentsApi> {
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-documents-'))
  after(() => rmSync(directory, { recursive: true }))
  const database = await testDatabase('partner')
  const keys = newSealKey('t1')
  const lines: string[] = []
  const note = (facts: object, message: string) => void lines.push(`${message} ${JSON.stringify(facts)}`)
  const log = { info: note, warn: note, error: note, debug: note } as unknown as Log
  const config = configFrom(settings, {
    PARTNER_DATABASE_URL: database,
    LENDLOOM_KEYS: keys,
    PARTNER_CLIENTS: JSON.stringify(clients),
    PARTNER_AUTOPILOT: 'off',
    ...env,
  })
  const db = connect(database, { connections: 8 })
  after(() => db.close())
  const seal = sealWith(keys)
  const clock = () => new Date()
  const store = await openStore(directory, seal)
  const scanner = config.PARTNER_CLAMD ? clamd(config.PARTNER_CLAMD) : noScanner
  const ctx: Context = {
    db,
    seal,
    clock,
    config,
    log,
    store,
    archive: directoryBackend(directory),
    scanner,
    alert: () => {},
    ...deskSignIn({ config }),
    inbox: inboxOf({ db, seal, config }),
  }
  const api = { prefix: '/', routes: [uploadDocument], refuse: refusedExchange }
  const server = await serve({ apis: [api], ctx, clock, log, host: '127.0.0.1', port: 0, databaseMs })
  after(() => server.stop())

  return { url: server.url, ctx, directory, lines, register: (expected) => registerCase(ctx, expected) }
}

/** Creates a case as after LEAD_REGISTERED. */
export const registerCase = (
  ctx: Pick<Context, 'db' | 'config' | 'clock'>,
  expected: ExpectedDocument[] = [],
): Promise<Case> =>
  ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const ids = {
      caseRef: `case-${uuidv4()}`,
      leadId: reservedId(randomOctets(8)),
      loanId: reservedId(randomOctets(8)),
    }
    const digests = { panDigest: randomOctets(32), personDigest: randomOctets(32) }
    const rest = {
      sender: 'LENDLOOM',
      product: 'BUSINESS_LOAN',
      mandateRequired: true,
      leadSealed: Buffer.from('x'),
      requestedPaise: 1n,
    }
    await insertCase(tx, { ...ids, ...digests, ...rest, sourceEventId: uuidv4() }, at)
    await expectDocuments(tx, ids.caseRef, expected)
    const loanCase = await lockCase(tx, ids.caseRef)
    return moveCase(tx, loanCase, expected.length > 0 ? 'awaitDocuments' : 'documentsStored', at)
  })

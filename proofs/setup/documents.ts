// The partner as a process for document uploads, with a database, a case, and a desk user who reads documents.
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configFrom } from '@lendloom/foundation/config'
import { settings } from '@lendloom/partner/settings'
import { addStaff } from '@lendloom/partner/src/desk/staff/staff.ts'
import type { Db } from '@lendloom/postgres/sql'
import { newSealKey } from '@lendloom/seal/seal'
import { type ChildProgram, startChild } from '@lendloom/tests/setup/child-program'
import { clients, registerCase } from '@lendloom/tests/setup/documents-api'
import { freePort } from '@lendloom/tests/setup/platform'
import { atEnd } from '../../bench/setup/at-end.ts'
import { benchDatabase } from '../../bench/setup/database.ts'
import { type UploadAnswer, type UploadTarget, upload } from '../../bench/setup/upload.ts'

export interface Documents {
  db: Db
  port: number
  /** Uploads directly or through a proxy. */
  upload(file: Buffer[], requestId?: string, entrance?: UploadTarget): Promise<UploadAnswer>
  stored(): Promise<number>
  /** Reads a document at the desk; returns its digest, or null if the transfer was aborted. */
  read(documentId: string): Promise<string | null>
  /** Returns why the partner is not ready, in its own words; null if it is. */
  notReadyReason(): Promise<string | null>
  kill(): Promise<void>
  /** Starts the partner again, with other settings if given. */
  start(env?: Record<string, string>): Promise<void>
  /** Returns the number of unfinished files. */
  drafts(): number
  stop(): Promise<void>
}

const password = 'correct horse battery'
const email = 'reader@lender.example'

export async function startDocuments(overrides: Record<string, string>): Promise<Documents> {
  const database = await benchDatabase(4, 'partner')
  const files = mkdtempSync(join(tmpdir(), 'lendloom-prove-files-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    PARTNER_DATABASE_URL: database.url,
    PARTNER_PORT: String(port),
    PARTNER_PUBLIC_URL: url,
    PARTNER_MODE: 'api',
    PARTNER_AUTOPILOT: 'off',
    PARTNER_FILES_DIR: files,
    PARTNER_CLIENTS: JSON.stringify(clients),
    LENDLOOM_KEYS: newSealKey('p1'),
    LOG_LEVEL: 'silent',
    ...overrides,
  }
  let running: ChildProgram | undefined
  const remove = atEnd(() => {
    running?.child.kill('SIGKILL')
    rmSync(files, { recursive: true, force: true })
  })
  const start = async (more: Record<string, string> = {}) => {
    running = await startChild({ program: 'partner', env: { ...process.env, ...env, ...more } })
  }
  const kill = async () => running?.end('SIGKILL')
  const stop = async () => {
    await kill()
    remove()
    await database.stop()
  }
  try {
    await start()
    const loanCase = await registerCase({ db: database.db, config: configFrom(settings, env), clock: () => new Date() })
    await database.db.tx((tx) => addStaff(tx, { email, name: 'Reader', password, roles: ['operations'] }, new Date()))
    const form = new URLSearchParams({ email, password })
    const signedIn = await fetch(`${url}/desk/sign-in`, { method: 'POST', body: form, redirect: 'manual' })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    return {
      db: database.db,
      port,
      upload: (file, requestId, entrance = { port }) => upload(entrance, loanCase, file, requestId),
      async stored() {
        const [row] = await database.db<{ count: number }>`select count(*)::int as count from stored_document`
        return row?.count ?? 0
      },
      async read(documentId) {
        const path = `/desk/cases/${loanCase.caseRef}/documents/${documentId}`
        const answer = await fetch(`${url}${path}`, { headers: { cookie }, redirect: 'manual' })
        if (answer.status !== 200 || !answer.body) return null
        const hash = createHash('sha256')
        try {
          for await (const piece of answer.body) hash.update(piece)
        } catch {
          return null
        }
        return hash.digest('hex')
      },
      async notReadyReason() {
        const answer = await fetch(`${url}/readyz`)
        const { status } = (await answer.json()) as { status: string }
        return answer.status === 200 ? null : status
      },
      kill,
      start,
      drafts: () => readdirSync(join(files, 'draft')).length,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

export function digestOf(file: Buffer[]): string {
  const hash = createHash('sha256')
  for (const piece of file) hash.update(piece)
  return hash.digest('hex')
}

// The recorded databases of release 0.1.0, upgraded to this version, which goes on with the journeys in them.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { advanceClock, simulatedTime } from '@lendloom/cli/src/clock/advance.ts'
import { sealedColumns } from '@lendloom/cli/src/keys/sealed-columns.ts'
import { migrationsOf } from '@lendloom/cli/src/migrations.ts'
import { secondsAfter } from '@lendloom/foundation/clock'
import type { RunningProgram } from '@lendloom/foundation/program'
import { isBalanced, sumsOfAccounts } from '@lendloom/partner/src/books/ledger/trial-balance.ts'
import { migrate, migrationFiles } from '@lendloom/postgres/migrate'
import { reseal } from '@lendloom/postgres/reseal-values'
import { connect, type Db } from '@lendloom/postgres/sql'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import type { OfferCard } from '@lendloom/wire/headless/offer'
import { isSignedBy, requireRecent } from '@lendloom/wire/webhook/signature'
import { proceedUntil, showsScreen } from '#test/setup/borrower.ts'
import type { Program } from '#test/setup/database.ts'
import { cardsOf, completeSteps, mustCall, offerPath, stateOf } from '#test/setup/headless.ts'
import { assertAllApplied } from '#test/setup/lending-life.ts'
import { programStarts } from '#test/setup/program-starts.ts'
import { until } from '#test/setup/programs.ts'
import {
  ledgerOf,
  type RecordedJourney,
  type Recording,
  readRecording,
  recordedDatabase,
  setClock,
  shownOf,
} from '#test/setup/recording.ts'
import { simulatedClock } from '#test/setup/simulated-clock.ts'

const recording = readRecording(join(import.meta.dirname, 'recorded', '0.1.0.json.br'))
const platformUrl = recording.env.platform.PUBLIC_URL!
const programs = ['platform', 'partner', 'sandbox'] as const
const urlNames = { platform: 'DATABASE_URL', partner: 'PARTNER_DATABASE_URL', sandbox: 'SANDBOX_DATABASE_URL' }

async function upgraded(program: Program) {
  const url = await recordedDatabase(program, recording.rows[program])
  const db = connect(url, { connections: 3 })
  after(() => db.close())
  return { url, db, applied: await migrate(db, migrationsOf[program]) }
}

const installed = {
  platform: await upgraded('platform'),
  partner: await upgraded('partner'),
  sandbox: await upgraded('sandbox'),
}
const partnerDb = installed.partner.db
const databaseEnv = Object.fromEntries(programs.map((program) => [urlNames[program], installed[program].url]))

/** The programs continue at the recorded time. */
const clock = simulatedClock()
const now = () => new Date(simulatedTime(clock.file))
setClock(clock.file, new Date(recording.at))

const files = mkdtempSync(join(tmpdir(), 'lendloom-recorded-'))
after(() => rmSync(files, { recursive: true }))
for (const [path, content] of Object.entries(recording.files)) {
  mkdirSync(dirname(join(files, path)), { recursive: true })
  writeFileSync(join(files, path), content, 'base64')
}

const running: RunningProgram[] = []
const stopAll = () => Promise.all(running.splice(0).map((program) => program.stop()))
after(stopAll)
async function start(program: Program, more: Record<string, string> = {}): Promise<void> {
  const own = { ...databaseEnv, CLOCK_FILE: clock.file, PARTNER_FILES_DIR: files, LOG_LEVEL: 'error' }
  running.push(await (await programStarts())[program]({ ...recording.env[program], ...own, ...more }))
}

/** The integrator's endpoint, which was down: the number of valid deliveries by their id. */
const delivered = new Map<string, number>()
const endpoint = createServer(async (request, response) => {
  const body = await buffer(request)
  const signed = requireRecent(request.headers, now())
  const isValid = isSignedBy(recording.webhook.secret, signed, body)
  if (isValid) delivered.set(signed.id, (delivered.get(signed.id) ?? 0) + 1)
  response.writeHead(isValid ? 204 : 400).end()
})
after(() => endpoint.close())

/** Continues to the payout as the borrower would. */
async function payOut(journey: RecordedJourney): Promise<void> {
  if ('hosted' in journey) {
    const visits = new Set<string>()
    await proceedUntil({ ...journey.hosted, answeredVisits: visits }, journey.name, showsScreen('DISBURSED'))
    return
  }
  const borrower = journey.headless
  const offerId =
    journey.offerId ??
    (
      await until('an offer', async () =>
        (await cardsOf(borrower)).find((card: OfferCard) => card.status === 'OFFER_RECEIVED'),
      )
    ).offerID
  const { status } = await stateOf(borrower)
  if (status === 'OFFERS_AVAILABLE') await mustCall(borrower, 'POST', `${offerPath(borrower, offerId)}/proceed`)
  assert.equal(await completeSteps(borrower, offerId), 'DISBURSED', journey.name)
}

const casesOf = async (db: Db): Promise<string[]> =>
  (await db<{ caseRef: string }>`select distinct case_ref from outbox`).map(({ caseRef }) => caseRef)

describe('docs/how-to/upgrade.md: the databases of 0.1.0 in this version, one story', () => {
  test('every migration applies to them, except those that 0.1.0 applied in its one file', () => {
    for (const program of programs) {
      const [foundation] = migrationsOf[program].replaced!
      const names = migrationFiles(migrationsOf[program]).map(({ name }) => name)
      const later = names.filter((name) => !foundation!.by.includes(name))
      assert.deepEqual(installed[program].applied, later)
    }
  })

  for (const program of programs)
    test(`every sealed value of the ${program} opens with the key of 0.1.0`, async () => {
      const { db } = await upgraded(program)
      const seal = sealWith(`${newSealKey('new')},${recording.env[program].LENDLOOM_KEYS}:open`)
      let moved = 0
      for (const column of sealedColumns[program]) {
        const result = await reseal(db, seal, column)
        assert.equal(result.unreadable, 0, `${column.table}.${column.column}`)
        moved += result.moved
      }
      assert.ok(moved > 0)
    })

  test('every account of the partner has its debits and credits', async () => {
    const { rows } = await sumsOfAccounts(partnerDb, { from: '2026-12-01', to: '2026-12-31' })
    const sums = rows.filter(({ debit, credit }) => debit + credit > 0n)
    assert.deepEqual(
      sums.map(({ account, debit, credit }) => ({ account, debit: `${debit}`, credit: `${credit}` })).sort(byAccount),
      recording.ledger.toSorted(byAccount),
    )
  })

  test('the API shows every journey as before', async () => {
    await start('platform', { MODE: 'api' })
    for (const journey of recording.journeys)
      assert.partialDeepStrictEqual(await shownOf(platformUrl, journey), journey.shown, journey.name)
  })

  test('every journey under way goes on to its payout, and each loan is paid out once', async () => {
    await stopAll()
    endpoint.listen(Number(new URL(recording.webhook.url).port), '127.0.0.1')
    for (const program of ['sandbox', 'partner', 'platform'] as const) await start(program)
    await Promise.all(recording.journeys.map(payOut))
    const partnerLoans = recording.journeys.filter(({ name }) => name.startsWith('a loan of the partner'))
    const transfers = await installed.sandbox.db<{ count: number }>`
      select count(*)::integer as count from bank_transfer where status = 'SUCCESS'`
    assert.deepEqual(transfers, [{ count: partnerLoans.length }])
  })

  test('every event and every update that 0.1.0 left is delivered once', async () => {
    const { db } = installed.platform
    for (const caseRef of await casesOf(db)) await assertAllApplied(db, partnerDb, caseRef)
    for (const caseRef of await casesOf(partnerDb)) await assertAllApplied(partnerDb, db, caseRef)
    const recorded = recording.rows.platform.webhook_delivery!.map((row) => row.split(',')[2]!)
    await until('every delivery', async () => {
      const waiting =
        await db`select from webhook_delivery where delivery_id = any(${recorded}) and state <> 'DELIVERED'`
      return waiting.length === 0
    })
    assert.deepEqual(new Set(delivered.values()), new Set([1]))
  })

  test('eight days later the partner’s loans have accrued, instalments are paid, and no job of 0.1.0 waits', async () => {
    // A job that nobody claims would hold the command that moves the clock, which comes after.
    await clock.advance(86_400)
    await assertNoJobWaits()
    const spanMs = 7 * 86_400_000
    await advanceClock({ file: clock.file, env: databaseEnv, programs: [...programs], spanMs, stepMs: 86_400_000 })
    const credits = (rows: Recording['ledger'], account: string) =>
      BigInt(rows.find((row) => row.account === account)?.credit ?? 0)
    const ledger = await ledgerOf(partnerDb)
    for (const account of ['INTEREST_INCOME', 'PRINCIPAL'])
      assert.ok(credits(ledger, account) > credits(recording.ledger, account), account)
    assert.ok(isBalanced(await sumsOfAccounts(partnerDb, { from: '2026-12-01', to: '2026-12-31' })))
  })
})

/** Asserts that no job of 0.1.0 waits for a worker: one that nobody claims has a kind that this version does not know. */
async function assertNoJobWaits(): Promise<void> {
  for (const program of programs) {
    const ids = (recording.rows[program].job ?? []).map((row) => row.split(',')[1])
    const waiting = async () => {
      const rows = await installed[program].db<{ kind: string }>`
        select kind from job where job_id = any(${ids}) and due_at < ${secondsAfter(now(), -60)}`
      return rows.map(({ kind }) => kind)
    }
    await until('a claim', async () => (await waiting()).length === 0, 30_000).catch(() => {})
    assert.deepEqual(await waiting(), [], program)
  }
}

function byAccount(one: { account: string }, other: { account: string }): number {
  return one.account < other.account ? -1 : 1
}

// Records an installation of another version, with journeys in every state, for tests/full/installation/upgrade-recording.test.ts:
//   node -C inside proofs/setup/record.ts <commit> <file.json.br>
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { advanceClock, simulatedTime } from '@lendloom/cli/src/clock/advance.ts'
import {
  type Borrower,
  call,
  enter,
  newApplicant,
  openSession,
  type Plan,
  proceedUntil,
  readView,
} from '@lendloom/tests/setup/borrower'
import { fundsCases, mfc } from '@lendloom/tests/setup/funds'
import { complaint } from '@lendloom/tests/setup/grievance'
import { cardsOf, type HeadlessBorrower, startHeadlessJourney, submitProfile } from '@lendloom/tests/setup/headless'
import { enableOnlyLenders } from '@lendloom/tests/setup/lenders'
import { loanFromPartner, proceedWithPartner, signInAgain } from '@lendloom/tests/setup/partner-loan'
import { ask, freePort } from '@lendloom/tests/setup/platform'
import { type Programs, until } from '@lendloom/tests/setup/programs'
import {
  ledgerOf,
  type RecordedJourney,
  type Recording,
  rowsOf,
  setClock,
  shownOf,
} from '@lendloom/tests/setup/recording'
import type { OfferCard } from '@lendloom/wire/headless/offer'
import { oldKey, unpack } from '../upgrade.ts'
import { type Installation, startInstallation } from './installation.ts'

const dayMs = 86_400_000

const [commit, target] = process.argv.slice(2)
if (!commit || !target) throw new Error('name a commit and a file')
const home = unpack(commit)
const clockFile = join(home, 'clock.json')

async function record(installation: Installation): Promise<Recording> {
  const { platformUrl, tenant, env } = installation
  // One lender of the network keeps the recording small.
  await installation.db.tx((tx) => enableOnlyLenders(tx, tenant.tenantId, ['meridian']))
  const journeys = [...(await openJourneys(installation)), await openLoanOnFunds(installation)]
  const webhook = await stopAnswering(installation, journeys)
  for (const journey of journeys) journey.shown = await shownOf(platformUrl, journey)
  const at = new Date(simulatedTime(clockFile)).toISOString()
  await Promise.all(installation.processes.map(({ kill }) => kill()))
  await installation.sandbox.kill()
  const ledger = await ledgerOf(installation.partnerDb)
  const rows = await rowsOfAll(installation)
  return { commit: commit ?? '', at, env, tenant, webhook, journeys, ledger, rows, files: filesOf(installation) }
}

/** Opens journeys on the page and through the headless API, from the first screen to a paid instalment. */
async function openJourneys(installation: Installation): Promise<RecordedJourney[]> {
  const { platformUrl, tenant } = installation
  const programs = installation as unknown as Programs
  const journeys: RecordedJourney[] = []
  const note = (name: string, headless: HeadlessBorrower, offerId: string) =>
    void journeys.push({ name, headless, offerId, shown: {} })
  async function onPage(name: string, digits: string, screen: string, more: object = {}): Promise<Borrower> {
    const opened = await openSession(platformUrl, tenant, { ...newApplicant(), ...more })
    const borrower = await enter(platformUrl, opened.body.embedUrl, `ABCPE${digits}F`)
    await proceedUntil(borrower, screen, (view) => view.screen === screen, fromMeridian)
    journeys.push({ name, hosted: borrower, shown: {} })
    return borrower
  }

  const repaying = await loanFromPartner(programs, { pan: 'ABCPE1200F', accountNumber: '50100123451200' })
  await passDays(installation, 9)
  note('a loan of the partner with a paid instalment', await signInAgain(programs, repaying), repaying.offerId)

  const complaining = await onPage('a network loan with a complaint', '9062', 'DISBURSED')
  await call(complaining, 'POST', '/grievances', complaint)
  await until('a question of the lender', async () =>
    (await readView(complaining)).grievances?.items.some(({ status }) => status === 'NEEDS_INFO'),
  )
  await onPage('a gold loan before the visit', '1201', 'VISIT', { journeyType: 'GOLD_LOAN' })
  await onPage('an application on the page', '1202', 'PROFILE')
  await onPage('a network loan before its mandate', '1203', 'E_MANDATE')

  const beforeKyc = { pan: 'ABCPE1205F', accountNumber: '50100123451205' }
  const { borrower, offerId } = await loanFromPartner(programs, beforeKyc, 'KYC_PENDING')
  note('a loan of the partner before KYC', borrower, offerId)

  const choosing = await startHeadlessJourney(platformUrl, tenant)
  await submitProfile(choosing, 'ABCPE1206F')
  const card = await until('an offer of the network', async () =>
    (await cardsOf(choosing)).find(
      (each: OfferCard) => each.lenderName === meridian && each.status === 'OFFER_RECEIVED',
    ),
  )
  note('a network loan with its offers', choosing, card.offerID)
  return journeys
}

const meridian = 'Meridian Finance'

const fromMeridian: Plan = {
  choose(offers) {
    const offer = offers.find(({ lenderName }) => lenderName === meridian)
    return offer ? { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths } : null
  },
}

async function openLoanOnFunds(installation: Installation): Promise<RecordedJourney> {
  const { startJourney } = fundsCases(installation as unknown as Programs)
  const { callHybrid, lenders } = await startJourney('1204', { mfc, loanPreferences: { productType: 'TERM_LOAN' } })
  const lender = await until('an offer on funds', async () =>
    (await lenders()).find(({ lender_name, offers }) => lender_name === meridian && offers.length > 0),
  )
  const handover = await callHybrid('POST', `/offers/${lender.offers[0]?.offer_id}/hosted`, {})
  const hosted = await enter(installation.platformUrl, handover.body.data.hosted_url)
  return { name: 'a loan on funds with its offer', hosted, shown: {} }
}

/** Registers an endpoint that nobody answers and kills the workers, so that updates, events and jobs stay in their queues. */
async function stopAnswering(installation: Installation, journeys: RecordedJourney[]): Promise<Recording['webhook']> {
  const { platformUrl, tenant, partnerDb, processes } = installation
  const killWorker = (program: string) =>
    processes.find((each) => each.program === program && each.mode === 'worker')?.kill()
  const url = `http://127.0.0.1:${await freePort()}/webhook`
  const endpoint = await ask(`${platformUrl}/api/lab/webhook-endpoints`, {
    method: 'POST',
    key: tenant.apiKey,
    body: { url },
  })
  await killWorker('partner')
  const applicant = { pan: 'ABCPE1208F', accountNumber: '50100123451208' }
  const waiting = await proceedWithPartner(installation as unknown as Programs, applicant)
  journeys.push({
    name: 'a loan of the partner whose events wait',
    headless: waiting.borrower,
    offerId: waiting.offerId,
    shown: {},
  })
  await until('an event that waits', async () => (await partnerDb`select from inbox_waiting`).length > 0)
  await killWorker('platform')
  const headless = await startHeadlessJourney(platformUrl, tenant)
  await submitProfile(headless, 'ABCPE1209F')
  journeys.push({ name: 'an application whose search is queued', headless, offerId: null, shown: {} })
  return { url, secret: endpoint.body.secret }
}

/** All rows except those that no program reads again: logs, and applied catalogues, which are half of all bytes. */
async function rowsOfAll({ db, partnerDb, sandboxDb }: Installation): Promise<Recording['rows']> {
  await db`
    delete from network_message m where action = 'on_search' and not exists (
      select from inbound_message i where i.journey_id = m.journey_id and i.message_key = m.message_key and i.state <> 'APPLIED')`
  await db`truncate api_request`
  await sandboxDb`truncate message, verification_file`
  return { platform: await rowsOf(db), partner: await rowsOf(partnerDb), sandbox: await rowsOf(sandboxDb) }
}

function filesOf({ files }: Installation): Recording['files'] {
  const entries = readdirSync(files, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(paths.map((path) => [relative(files, path), readFileSync(path, 'base64')]))
}

/** Lets the partner work through days. The work of the platform is not awaited, because an older schema lacks columns of ours. */
async function passDays({ databaseUrls }: Installation, days: number): Promise<void> {
  const env = { PARTNER_DATABASE_URL: databaseUrls.partner, SANDBOX_DATABASE_URL: databaseUrls.sandbox }
  await advanceClock({ file: clockFile, env, programs: ['partner', 'sandbox'], spanMs: days * dayMs, stepMs: dayMs })
}

setClock(clockFile, new Date('2026-12-01T05:00:00Z'))
const installation = await startInstallation({
  each: 1,
  version: home,
  env: {
    LENDLOOM_KEYS: oldKey,
    CLOCK_FILE: clockFile,
    SANDBOX_GRIEVANCE_SECONDS: '1',
  },
})
try {
  writeFileSync(target, brotliCompressSync(JSON.stringify(await record(installation))))
  console.log(`${target}: ${statSync(target).size} bytes`)
} finally {
  await installation.stop()
  rmSync(home, { recursive: true, force: true })
}

// Erasure of borrowers of every product at both programs: each personal value is unique, so that it is found wherever it remains.
import assert from 'node:assert/strict'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { readArchive } from '@lendloom/archive/archive'
import { pdfOf } from '@lendloom/documents/pdf'
import { openStore } from '@lendloom/files/object-store'
import { daysAfter } from '@lendloom/foundation/clock'
import { configFrom } from '@lendloom/foundation/config'
import { quietLog } from '@lendloom/foundation/log'
import { uuidPattern } from '@lendloom/foundation/uuid'
import type { Route } from '@lendloom/http/route'
import { businessDate } from '@lendloom/lending/calendar'
import { deleteEndedCases } from '@lendloom/partner/src/records/retention/sweep.ts'
import { partnerColumns } from '@lendloom/partner/src/sealed-columns.ts'
import { settings } from '@lendloom/platform/settings'
import { headlessApi } from '@lendloom/platform/src/api/headless/routes.ts'
import { hybridApi } from '@lendloom/platform/src/api/hosted/hybrid/routes.ts'
import { hostedApi } from '@lendloom/platform/src/api/hosted/routes.ts'
import { embedApi } from '@lendloom/platform/src/api/page/routes.ts'
import type { Context } from '@lendloom/platform/src/context.ts'
import { lenderChannels } from '@lendloom/platform/src/lenders/channels.ts'
import { findMainCase } from '@lendloom/platform/src/lenders/partner/store.ts'
import type { JourneyKey } from '@lendloom/platform/src/lending/journey/journey.ts'
import { processPartsOf } from '@lendloom/platform/src/process-parts.ts'
import { archiveEnded } from '@lendloom/platform/src/records/archive/nightly-archive.ts'
import { ownerOf } from '@lendloom/platform/src/records/archive/store.ts'
import { eraseOldAnswers, sweepPersonalData } from '@lendloom/platform/src/records/privacy/daily-erasure.ts'
import { platformColumns } from '@lendloom/platform/src/sealed-columns.ts'
import { connect } from '@lendloom/postgres/sql'
import { sealWith } from '@lendloom/seal/seal'
import type { OfferCard } from '@lendloom/wire/headless/offer'
import { isGstin } from '@lendloom/wire/identifier'
import { readForm } from '@lendloom/wire/network/html-form'
import { createTransport } from 'nodemailer'
import {
  type Borrower,
  call,
  consents,
  enter,
  gold,
  openSession,
  proceedUntil,
  readView,
  showsScreen,
} from '#test/setup/borrower.ts'
import { type ConsoleUser, consoleUser } from '#test/setup/console.ts'
import { type DeskPerson, deskPerson } from '#test/setup/desk.ts'
import { mfc } from '#test/setup/funds.ts'
import {
  callHeadless,
  cardsOf,
  completeSteps,
  mustCall,
  offerPath,
  startHeadlessJourney,
} from '#test/setup/headless.ts'
import type { TestPartner } from '#test/setup/partner.ts'
import { requestPartPayment, submitClaim } from '#test/setup/partner-loan.ts'
import { ask, freePort } from '#test/setup/platform.ts'
import { patientSettings, startPrograms, until } from '#test/setup/programs.ts'
import { type StoredValue, storedValues } from '#test/setup/stored-values.ts'

const directoryOf = (name: string): string => {
  const directory = mkdtempSync(join(tmpdir(), `lendloom-${name}-`))
  after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
const archiveDirectory = directoryOf('archive')
const filesDirectory = directoryOf('files')
const mailPort = await freePort()
const programs = await startPrograms({
  partner: true,
  env: {
    ARCHIVE_DIR: archiveDirectory,
    PARTNER_FILES_DIR: filesDirectory,
    MAIL_IN_PORT: String(mailPort),
    ...patientSettings,
    REQUEST_LOG_DAYS: '30',
    PARTNER_BANK_STATEMENT: 'OPTIONAL',
  },
})
const { platformUrl, tenant, db, seal } = programs
const lenderName = 'Celestium Finance Limited'
const partnerSeal = sealWith(programs.keys.partner, '', partnerColumns)
const partnerDb = connect(programs.partnerDatabaseUrl, { connections: 2 })
after(() => partnerDb.close())
const config = configFrom(settings, programs.operatorEnv)

/** The platform's context; its clock is `days` ahead. */
function contextAfter(days: number): Context {
  const clock = () => daysAfter(new Date(), days)
  return {
    db,
    seal,
    config,
    clock,
    realClock: clock,
    log: quietLog,
    channels: lenderChannels,
    ...processPartsOf({ db, seal, config }),
  }
}

/** The field that each canary was planted in, by the canary. */
const fieldOf = new Map<string, string>()

function plant(field: string, canary: string): string {
  fieldOf.set(canary, field)
  return canary
}

/** A word of nine letters that nothing else contains. */
function wordOf(field: string): string {
  const letters = fieldOf.size
    .toString()
    .padStart(4, '0')
    .replace(/\d/g, (digit) => 'bcdfghjkmn'[Number(digit)]!)
  return plant(field, `Zqxpv${letters}`)
}
const emailOf = (field: string): string => plant(field, `${wordOf(`${field}, name`).toLowerCase()}@mail.example`)
const numberOf = (field: string, prefix: string, digits: number): string =>
  plant(field, prefix + String(fieldOf.size).padStart(digits - prefix.length, '0'))

/** A GSTIN with the right check character. */
const gstinOf = (pan: string): string =>
  [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((check) => `27${pan}1Z${check}`).find(isGstin)!

let bornCount = 0

/** All personal fields of a borrower. `digits` are those of the PAN, which may select a scenario of the sandbox. */
function detailsOf(who: string, digits: string) {
  const field = (name: string) => `${who}: ${name}`
  const initials = `Z${String.fromCharCode(65 + (fieldOf.size % 26))}Q`
  const name = `${wordOf(field('panName'))} Kulkarni`
  const pan = plant(field('pan'), `${initials}PX${digits}F`)
  return {
    externalId: plant(field('borrowerProviderID'), `app-${wordOf(field('borrowerProviderID, word'))}`),
    mobile: numberOf(field('contactNumber'), '975318', 10),
    profile: {
      panName: name,
      pan,
      gender: 'female',
      dob: plant(field('dob'), `1988-02-${10 + bornCount++}`),
      personalemail: emailOf(field('personalemail')),
    },
    workProfile: {
      employmentType: 'selfEmployed',
      income: 85_000,
      companyName: `${wordOf(field('companyName'))} Foundry`,
      officialemail: emailOf(field('officialemail')),
      udyamNumber: plant(field('udyamNumber'), `UDYAM-MH-18-${String(7_531_000 + fieldOf.size)}`),
      gstin: plant(field('gstin'), gstinOf(pan)),
      businessAddressL1: `7 ${wordOf(field('businessAddressL1'))} Lane`,
      businessAddressL2: wordOf(field('businessAddressL2')),
      businessCity: wordOf(field('businessCity')),
      businessState: wordOf(field('businessState')),
    },
    address: {
      addressL1: `7 ${wordOf(field('addressL1'))} Road`,
      addressL2: wordOf(field('addressL2')),
      city: wordOf(field('city')),
      state: wordOf(field('state')),
      pincode: '400001',
    },
  }
}
type Details = ReturnType<typeof detailsOf>

/** Headers of an integrator whose ids of requests name the borrower. */
const headersOf = (who: string) => ({
  'x-correlation-id': `app-${wordOf(`${who}: x-correlation-id`)}`,
  'idempotency-key': `app-${wordOf(`${who}: idempotency-key`)}`,
})

/** The lender pays only into an account of the borrower's name. */
const accountOf = (who: string, { profile }: Details, field = 'accountNumber') => ({
  accountHolderName: profile.panName,
  accountNumber: numberOf(`${who}: ${field}`, '608642', 14),
  ifsc: 'HDFC0000001',
  accountType: 'SAVINGS',
})

async function succeed(borrower: Borrower, method: string, path: string, body: object): Promise<void> {
  const reply = await call(borrower, method, path, body)
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
}

/** A personal loan over the network, on the hosted page. */
async function takeHostedLoan(details: Details): Promise<Borrower> {
  const { externalId, mobile, profile, workProfile, address } = details
  const account = accountOf('hosted', details)
  const request = {
    borrowerProviderID: externalId,
    profile: { contactNumber: mobile },
    callbackUrl: `http://127.0.0.1:9/${wordOf('hosted: callbackUrl')}`,
    returnUrl: `https://app.example/${wordOf('hosted: returnUrl')}`,
  }
  const { body } = await openSession(platformUrl, tenant, request, headersOf('hosted'))
  const borrower = await enter(platformUrl, body.embedUrl)
  await succeed(borrower, 'PUT', '/profile', { profile, workProfile, address, endUse: 'education' })
  await succeed(borrower, 'POST', '/profile/submit', consents('bureau', 'data_sharing'))
  await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'), {
    account: { ...account, accountType: 'saving' },
    choose(offers) {
      const offer = offers.find((each) => each.lenderName !== lenderName)
      return offer ? { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths } : null
    },
  })
  await succeed(borrower, 'POST', '/servicing/pre-part-payment', { amount: '5000' })
  const grievance = `A charge of 500 rupees at ${wordOf('hosted: grievances_text')} is wrong.`
  await succeed(borrower, 'POST', '/grievances', { topic: 'CHARGES', text: grievance })
  const text = `Wrong at ${wordOf('hosted: complaints_text')} in the app.`
  await succeed(borrower, 'POST', '/complaints', { category: 'OTHER', language: 'en', text })
  const { complaints } = (await call(borrower, 'GET', '/complaints')).body
  const { id } = complaints.items.find(({ category }: { category: string }) => category === 'OTHER')
  await succeed(borrower, 'POST', `/complaints/${id}/words`, { text: `Also at ${wordOf('hosted: words_text')} today.` })
  const question = await until('the question of the lender', async () =>
    (await readView(borrower)).grievances?.items.find(({ status }) => status === 'NEEDS_INFO'),
  )
  const reply = `Paid at ${wordOf('hosted: reply_text')} on 18 November.`
  await succeed(borrower, 'POST', `/grievances/${question.id}/reply`, { text: reply })
  return borrower
}

/** A loan of the lending partner by the hybrid API, declined on the hosted page. */
async function declineHybridLoan(details: Details): Promise<Borrower> {
  const { externalId, mobile, profile, workProfile, address } = details
  const { accountHolderName, accountNumber, ifsc, accountType } = accountOf('hybrid', details, 'banking_information')
  const path = `${platformUrl}/api/v1/hybrid/personal-loan/borrowers/${externalId}/journey`
  const reply = await ask(path, {
    method: 'POST',
    key: tenant.apiKey,
    headers: headersOf('hybrid'),
    body: {
      personal: { contactNumber: mobile, ...profile },
      work: workProfile,
      address,
      journey: { bureauConsent: true, endUse: 'education' },
      banking_information: {
        account_holder_name: accountHolderName,
        account_number: accountNumber,
        ifsc,
        account_type: accountType,
      },
    },
  })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  const borrower = await enter(platformUrl, reply.body.data.embed_url)
  const view = await proceedUntil(borrower, 'the final offer', showsScreen('FINAL_OFFER'), {
    choose(offers) {
      const offer = offers.find((each) => each.lenderName === lenderName)
      return offer ? { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths } : null
    },
  })
  const reason = `Too dear at ${wordOf('hybrid: decline_reason')}`
  await succeed(borrower, 'POST', `/offers/${view.selected!.offerId}/decline`, { reason })
  return borrower
}

/** A gold loan up to its offers, on the hosted page. */
async function applyForGold({ externalId, mobile, profile, workProfile, address }: Details): Promise<Borrower> {
  const goldLoan = { ...gold, userType: 'non-individual', constitution: wordOf('gold: constitution') }
  const { body } = await openSession(platformUrl, tenant, {
    borrowerProviderID: externalId,
    journeyType: 'GOLD_LOAN',
    profile: { contactNumber: mobile, ...profile },
    workProfile,
    address,
    goldLoan: { ...goldLoan, aaID: `${wordOf('gold: aaID').toLowerCase()}@aa` },
  })
  const borrower = await enter(platformUrl, body.embedUrl)
  await succeed(borrower, 'PUT', '/profile', { profile, address, endUse: 'education', goldLoan: gold })
  await succeed(borrower, 'POST', '/profile/submit', consents('bureau', 'data_sharing'))
  await proceedUntil(borrower, 'an offer', ({ offers }) => offers.length > 0, { choose: () => null })
  return borrower
}

/** A loan against mutual funds up to the lenders' answers, by the hybrid API. */
async function applyAgainstFunds(details: Details): Promise<string> {
  const { externalId, mobile, profile, workProfile, address } = details
  const path = `${platformUrl}/api/v1/hybrid/lamf/borrowers/${externalId}/journey`
  const folio = numberOf('funds: mfc, folio', '44108', 10)
  const scheme = wordOf('funds: mfc, scheme')
  const held = structuredClone(mfc) as { data: { dtSummary: Record<string, unknown>[] }[] }
  Object.assign(held.data[0]!.dtSummary[0]!, { folio, schemeName: scheme })
  const journey = { bureauConsent: true, endUse: 'education' }
  const reply = await ask(path, {
    method: 'POST',
    key: tenant.apiKey,
    headers: headersOf('funds'),
    body: {
      personal: { contactNumber: mobile, ...profile },
      work: workProfile,
      address,
      journey,
      mfc: held,
      bankingInformation: accountOf('funds', details),
      returnUrl: `https://app.example/${wordOf('funds: returnUrl')}`,
      bureau: { score: 741, remark: wordOf('funds: bureau') },
    },
  })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  await until('an offer', async () => {
    const { body } = await ask(`${path}/offers`, { key: tenant.apiKey })
    return body.data.lenders.some(({ offers }: { offers: unknown[] }) => offers.length > 0)
  })
  return reply.body.data.journey_id
}

/** An application at the lending partner, by the headless API, up to the statement that the borrower uploads. */
async function applyAtPartner(who: string, details: Details) {
  const { externalId, mobile, profile, workProfile, address } = details
  const request = { borrowerProviderID: externalId, profile: { contactNumber: mobile } }
  const borrower = await startHeadlessJourney(platformUrl, tenant, request)
  const journey = `/journeys/${borrower.journeyId}`
  const correlationId = `app-${wordOf(`${who}: x-correlation-id of a list`)}`
  await callHeadless(borrower, 'GET', '/journeys', undefined, { 'x-correlation-id': correlationId })
  const metadata = { device: { model: wordOf(`${who}: metadata`) } }
  await mustCall(borrower, 'PUT', `${journey}/profile`, {
    profile,
    workProfile,
    address,
    bankingInformation: accountOf(who, details),
    metadata,
  })
  await mustCall(borrower, 'PATCH', `${journey}/resume`, {
    resume: { lastCompletedStep: wordOf(`${who}: lastCompletedStep`) },
  })
  await mustCall(borrower, 'POST', `${journey}/profile/submit`, { bureauConsent: true })
  const card: OfferCard = await until('an offer of the partner', async () =>
    (await cardsOf(borrower)).find(
      (each: OfferCard) => each.lenderName === lenderName && each.status === 'OFFER_RECEIVED',
    ),
  )
  const other: OfferCard = await until('an offer of another lender', async () =>
    (await cardsOf(borrower)).find(
      (each: OfferCard) => each.lenderName !== lenderName && each.status === 'OFFER_RECEIVED',
    ),
  )
  await mustCall(borrower, 'POST', `${offerPath(borrower, other.offerID)}/reject`, {
    rejectedStage: `Compared at ${wordOf(`${who}: rejectedStage`)}`,
    rejectionReason: `Too dear at ${wordOf(`${who}: rejectionReason`)}`,
  })
  const path = offerPath(borrower, card.offerID)
  await mustCall(borrower, 'POST', `${path}/proceed`)
  const link: string = await until('the link to the page for statements', async () => {
    return (await mustCall(borrower, 'GET', `${path}/steps`)).bankMandate.resource?.redirectURL ?? false
  })
  await uploadStatement(who, (await fetch(link)).url)
  const { caseRef } = (await findMainCase(db, { tenantId: tenant.tenantId, journeyId: borrower.journeyId }))!
  await until('the case', async () => (await partnerDb`select 1 from case_file where case_ref = ${caseRef}`).length > 0)
  return { borrower, offerId: card.offerID, caseRef }
}

async function uploadStatement(who: string, url: string): Promise<void> {
  const pdf = await pdfOf({
    title: wordOf(`${who}: title of the statement`),
    author: 'A bank',
    createdAt: new Date(),
    blocks: [{ kind: 'text', text: 'Six months.' }],
  })
  const text = await (await fetch(url)).text()
  const upload = text.split('<form').find((part) => part.includes('value="upload"'))
  const form = readForm(`<form${upload!.slice(0, upload!.indexOf('</form>'))}</form>`, url)
  const body = new FormData()
  for (const { name, value } of form.fields) if (value !== null && name !== 'statement') body.append(name, value)
  const file = new Blob([new Uint8Array(pdf)], { type: 'application/pdf' })
  body.append('statement', file, 'statement.pdf')
  await until('the stored statement', async () => {
    return (await fetch(form.action, { method: 'POST', body, redirect: 'manual' })).status === 303
  })
}

/** Staff of the platform write about a borrower wherever the console takes text. */
async function fillConsole(admin: ConsoleUser, officer: ConsoleUser, who: string, journeyId: string): Promise<void> {
  const text = (field: string) => `About ${wordOf(`${who}: ${field}`)} of the complaint`
  const post = async (user: ConsoleUser, path: string, body: object) => {
    const reply = await user.ask('POST', path, body)
    assert.ok(reply.status < 300, `${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const privacy = `/journeys/${journeyId}/privacy`
  await post(admin, `/journeys/${journeyId}/notes`, { text: text('note') })
  await post(admin, `/journeys/${journeyId}/reveal`, { fields: ['mobile'], reason: text('reason of a reveal') })
  await post(officer, `${privacy}/hold`, { reason: text('reason of a hold') })
  await post(officer, `${privacy}/release`, { reason: text('reason of a release') })
  await post(officer, `${privacy}/export`, { reason: text('reason of an export') })
  const contact = numberOf(`${who}: contact of the nominee`, '975319', 10)
  await post(officer, `${privacy}/nominee`, {
    name: `${wordOf(`${who}: nominee`)} Kulkarni`,
    relation: 'mother',
    contact,
  })
  const { complaintId } = await post(officer, '/complaints', {
    tenantId: tenant.tenantId,
    journeyId,
    category: 'OTHER',
    language: 'en',
    text: text('complaint by phone'),
    name: `${wordOf(`${who}: name of the complainant`)} Kulkarni`,
    email: emailOf(`${who}: email of the complainant`),
    mobile: numberOf(`${who}: mobile of the complainant`, '975317', 10),
  })
  const complaint = `/complaints/${complaintId}`
  await post(officer, `${complaint}/note`, { text: text('note of a complaint') })
  await post(admin, `${complaint}/reveal`, { reason: text('reason of a reveal of a complaint') })
  const { body } = await officer.ask('GET', complaint)
  await post(officer, `${complaint}/answer`, {
    version: body.version,
    kind: 'WORDS',
    text: text('answer to a complaint'),
  })
  const { erasures } = await post(officer, `${privacy}/erasure`, { reason: text('reason of an erasure') })
  await post(admin, `/privacy/erasures/${erasures[0].erasureId}/decision`, { approve: true })
}

/** A complaint by mail, whose sender has no journey. */
async function mailComplaint(officer: ConsoleUser): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port: mailPort, ignoreTLS: true })
  const from = { name: `${wordOf('mail: name')} Kulkarni`, address: emailOf('mail: address') }
  await transport.sendMail({
    from,
    to: 'grievance@lendloom.example',
    subject: `Charges ${wordOf('mail: subject')}`,
    text: `A wrong charge at ${wordOf('mail: text')}.`,
    attachments: [
      {
        filename: `${wordOf('mail: name of a file')}.txt`,
        content: `Paid at ${wordOf('mail: file')}`,
        contentType: 'text/plain',
      },
    ],
  })
  const { mailId } = await until('the handled mail', async () => {
    const [row] = await db<{ mailId: string }>`select mail_id from mail_in where settled_at is not null`
    return row
  })
  const reason = `About ${wordOf('mail: reason of a reveal')} of the mail`
  const reply = await officer.ask('POST', `/mail/set-aside/${mailId}/read`, { reason })
  assert.ok(reply.status < 300, JSON.stringify(reply.body))
}

/** Staff of the lender write about a case wherever the desk takes text, and leave no open task. */
async function fillDesk(clerk: DeskPerson, who: string, caseRef: string): Promise<void> {
  const page = `/desk/cases/${caseRef}`
  const send = async (act: string, form: Record<string, string>) => {
    const { status, text } = await clerk.send(`${page}/${act}`, form)
    assert.equal(status, 303, `${act}: ${text}`)
  }
  await send('note', { text: wordOf(`${who}: note of the desk`) })
  const dueOn = businessDate(new Date())
  await send('task', { text: wordOf(`${who}: task of the desk`), assignee: clerk.staffId, dueOn })
  const [task] = await partnerDb<{ taskId: string }>`select task_id from case_task where case_ref = ${caseRef}`
  await send('task-done', { task: task!.taskId })
  if (caseRef === endedCaseRef)
    return send('stop', { why: 'BORROWER:OTHER_LENDER', reasonMessage: wordOf(`${who}: reason of the stop`) })
  const holder = `${wordOf(`${who}: new holder`)} Kulkarni`
  const number = numberOf(`${who}: new account`, '608643', 14)
  await send('account', { holder, number, ifsc: 'ICIC0000007', reason: wordOf(`${who}: reason of the new account`) })
}

const everyEventApplied = () =>
  until('every event is delivered and applied', async () => {
    const waiting = [
      await db`select from outbox where state = 'PENDING'`,
      await partnerDb`select from outbox where state = 'PENDING'`,
      await db`select from inbox_waiting`,
      await partnerDb`select from inbox_waiting`,
    ]
    return waiting.every((rows) => rows.length === 0)
  })

/** The places of sealed values that did not open, and so were not searched. */
const unopenedPlaces = new Set<string>()

/** Everything that both programs store: rows, sealed values, archives and files. */
async function everything(): Promise<StoredValue[]> {
  const ofPlatform = await storedValues(db, seal, platformColumns)
  const ofPartner = await storedValues(partnerDb, partnerSeal, partnerColumns)
  for (const place of ofPlatform.unopened) unopenedPlaces.add(`platform ${place}`)
  for (const place of ofPartner.unopened) unopenedPlaces.add(`partner ${place}`)
  const { archive } = contextAfter(0)
  const archived: StoredValue[] = []
  for (const key of await db<JourneyKey>`select tenant_id, journey_id from archive_key`)
    for await (const row of readArchive({ db, seal, objects: archive! }, ownerOf(key)))
      archived.push({ place: `archive: ${row.table}`, text: JSON.stringify(row) })
  const store = await openStore(filesDirectory, partnerSeal)
  const files: StoredValue[] = []
  for (const path of globSync('object/*/*', { cwd: filesDirectory })) {
    files.push({ place: 'file', text: await readText(await store.read(basename(path))) })
  }
  const placed = (program: string, values: StoredValue[]) =>
    values.map(({ place, text }) => ({ place: `${program} ${place}`, text }))
  return [
    ...placed('platform', [...ofPlatform.values, ...archived]),
    ...placed('partner', [...ofPartner.values, ...files]),
  ]
}

/** The text, followed by what its runs of letters and digits are as base64, which may begin after an escape such as `\n`. */
function withBase64(text: string): string {
  const runs = text.match(/[\w+/-]{12,}/g) ?? []
  const decoded = runs.flatMap((run) =>
    [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), 'base64').toString('latin1')),
  )
  return [text, ...decoded].join('\n')
}

/** The places that contain each canary, as text, in hexadecimal or in base64. */
async function placesOfCanaries(): Promise<Map<string, string[]>> {
  const values = (await everything()).map(({ place, text }) => ({ place, text: withBase64(text).toLowerCase() }))
  return new Map(
    [...fieldOf].map(([canary, field]) => {
      const forms = [canary.toLowerCase(), Buffer.from(canary).toString('hex')]
      const found = values.flatMap(({ place, text }) => (forms.some((form) => text.includes(form)) ? place : []))
      return [field, [...new Set(found)].toSorted()]
    }),
  )
}

/** The journey of each borrower. */
const journeys = new Map<string, string>()
let loanCaseRef = ''
let endedCaseRef = ''

/** Where the lending partner keeps the data of a borrower with a loan, and why (docs/how-to/answer-for-personal-data.md). */
const keptOfLoan: Record<string, string> = {
  'partner case_lead.lead_sealed': 'identification records',
  'partner file': 'identification records and vouchers',
  'partner inbox.body_sealed': 'events about the loan (D3 §8)',
  'partner disbursement.payee_sealed': 'books of account',
  'partner payment': 'books of account: the reference of a payment',
  'partner case_note.text_sealed': 'dealings about the loan',
  'partner case_task.text_sealed': 'dealings about the loan',
  'partner approval_request': 'dealings about the loan: the reason of a request',
  'partner approval_request.payload_sealed': 'dealings about the loan',
}
const isKept = ({ field, place }: RemainingValue): boolean => field.startsWith('partner loan: ') && place in keptOfLoan

/** Texts of requests that no canary is planted in, by reason. */
const unplantedTexts: Record<string, string> = {
  'planted under the name of another API: borrowerProviderID, panName': 'borrowerExternalID accountHolderName',
  'codes, which a pattern limits': 'accountType employmentType gender ifsc',
  'amounts, and a place of a hundred thousand people':
    'amount annualTurnover businessPincode income jewelleryWeightGrams pincode requestedAmount requestedTenureMonths units',
  'must equal a value that we or the lender have sent':
    'branchID exitPrice installmentID quoteId schemeCode scheme_code termsDigest textVersion token',
  'positions in a list': 'after cursor limit',
  'the answer of an account aggregator, which is checked and not stored': 'ecres fi resdate',
  'where an account aggregator leads back to, which is not stored': 'returnURL',
  'settings of an integrator': 'id webhook-endpoints_url value tokenUrl clientId clientSecret scope linkTtl',
}

/** Names of properties that mean something else on each route: they follow the last word of its path. */
const commonNames = ['text', 'reason', 'url']

/** The names of the properties of a request that take a text or an open object. Codes and UUIDs are no texts. */
// biome-ignore lint/suspicious/noExplicitAny: routes of every schema
function textsOf({ path, params, query, body }: Route<any, any, any, any, any>): string[] {
  const [word = ''] = path
    .split('/')
    .filter((part) => !part.startsWith('{'))
    .slice(-1)
  const names = [params, query, body].flatMap((schema) => (schema ? textsIn('', schema) : []))
  return names.map((name) => (commonNames.includes(name) ? `${word}_${name}` : name))
}

interface AnySchema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
  anyOf?: AnySchema[]
  items?: AnySchema
  properties?: Record<string, AnySchema>
  additionalProperties?: unknown
}

function textsIn(name: string, schema: AnySchema): string[] {
  const { type, anyOf = [], items, properties = {}, additionalProperties } = schema
  const isText = [type].flat().includes('string') && !schema.enum && !schema.const && schema.pattern !== uuidPattern
  return [
    ...(isText || additionalProperties === true ? [name] : []),
    ...[...anyOf, ...(items ? [items] : [])].flatMap((each) => textsIn(name, each)),
    ...Object.entries(properties).flatMap(([key, each]) => textsIn(key, each)),
  ]
}

/** A value that remains somewhere. */
interface RemainingValue {
  field: string
  place: string
}

const remainingValues = async (): Promise<RemainingValue[]> =>
  [...(await placesOfCanaries())].flatMap(([field, places]) => places.map((place) => ({ field, place })))

describe('every personal value of borrowers of every product, one story', { concurrency: 1 }, () => {
  let planted: Map<string, string[]>

  before(async () => {
    const site = { url: platformUrl, ctx: contextAfter(0) }
    const officer = await consoleUser(site, { role: 'grievance-officer' })
    const admin = await consoleUser(site, { role: 'admin' })
    const clerk = await deskPerson(
      { url: programs.partnerUrl, db: partnerDb } as TestPartner,
      'Meera',
      'credit',
      'operations',
    )
    const [hosted, hybrid, goldLoan, funds, loan, application] = await Promise.all([
      // The lender asks a question about a complaint.
      takeHostedLoan(detailsOf('hosted', '9062')),
      declineHybridLoan(detailsOf('hybrid', '1234')),
      applyForGold(detailsOf('gold', '2345')),
      applyAgainstFunds(detailsOf('funds', '4321')),
      takePartnerLoan(detailsOf('partner loan', '3456')),
      applyAtPartner('partner application', detailsOf('partner application', '5432')),
    ])
    journeys.set('hosted', hosted.journeyId)
    journeys.set('hybrid', hybrid.journeyId)
    journeys.set('gold', goldLoan.journeyId)
    journeys.set('funds', funds)
    journeys.set('partner loan', loan.borrower.journeyId)
    journeys.set('partner application', application.borrower.journeyId)
    loanCaseRef = loan.caseRef
    endedCaseRef = application.caseRef
    for (const [who, journeyId] of journeys) await fillConsole(admin, officer, who, journeyId)
    await mailComplaint(officer)
    // An event that arrived between reading a case and deciding would rightly refuse the decision.
    await everyEventApplied()
    await fillDesk(clerk, 'partner loan', loanCaseRef)
    await fillDesk(clerk, 'partner application', endedCaseRef)
    await until('the last request in the request log', async () => {
      const rows = await db`select from api_request where route like '%/hybrid/%/offers'`
      return rows.length > 0
    })
    await everyEventApplied()
    await Promise.all([programs.kill('platform'), programs.kill('partner'), programs.kill('sandbox')])
    await archiveEnded({ ...contextAfter(0), archive: contextAfter(0).archive! }, daysAfter(new Date(), 100))
    planted = await placesOfCanaries()
    await endEverything()
  })

  test('control: each value is stored before the erasure', () => {
    if (process.env.CANARIES_TELL) for (const [field, places] of planted) console.log(`${field}: ${places.join(', ')}`)
    assert.ok(planted.size > 100, `${planted.size} values`)
    assert.deepEqual(
      [...planted].flatMap(([field, places]) => (places.length === 0 ? field : [])),
      [],
    )
  })

  test('DPDP §12: the approved erasure of an application leaves only its complaints, which have a period of their own', async () => {
    await sweepPersonalData(contextAfter(1))
    await eraseOldAnswers(contextAfter(2))
    const ofComplaints = /complain|^mail|\.mail|mail_(?:in|out|file)/
    const left = (await remainingValues()).filter(
      ({ field, place }) => /^(hybrid|gold|funds|partner application): /.test(field) && place.startsWith('platform '),
    )
    assert.deepEqual(
      left.filter(({ field, place }) => !ofComplaints.test(place) && !ofComplaints.test(field)),
      [],
    )
  })

  test('DPDP §8(7): when all periods are over, none of them remains, except of a loan at the lender', async () => {
    const ctx = contextAfter(37 * 31)
    await sweepPersonalData(ctx)
    const store = await openStore(filesDirectory, partnerSeal)
    assert.equal(await deleteEndedCases({ db: partnerDb, store, clock: ctx.clock, log: quietLog }), 2)
    const left = await remainingValues()
    assert.deepEqual(
      left.filter((each) => !isKept(each)),
      [],
    )
    const found = new Set(left.map(({ place }) => place))
    assert.deepEqual(
      Object.keys(keptOfLoan).filter((place) => !found.has(place)),
      [],
      'named as kept, but not found',
    )
  })

  test('control: every sealed value opened in each search', () => {
    assert.deepEqual([...unopenedPlaces], [])
  })

  test('control: every text of a request is planted, or named here with the reason why not', () => {
    const names = new Set([hostedApi, hybridApi, headlessApi, embedApi].flatMap((api) => api.routes.flatMap(textsOf)))
    const plantedNames = new Set([...fieldOf.values()].map((field) => field.slice(field.indexOf(': ') + 2)))
    const isPlanted = (name: string) => [...plantedNames].some((each) => each === name || each.startsWith(`${name}, `))
    assert.deepEqual(
      [...names].filter((name) => !isPlanted(name)).toSorted(),
      Object.values(unplantedTexts)
        .flatMap((each) => each.split(' '))
        .toSorted(),
    )
  })
})

/** A loan of the lending partner, whose borrower reports a payment. */
async function takePartnerLoan(details: Details) {
  const taken = await applyAtPartner('partner loan', details)
  const { borrower, offerId } = taken
  assert.equal(await completeSteps(borrower, offerId, ['DISBURSED', 'REJECTED']), 'DISBURSED')
  const { link } = await requestPartPayment(borrower)
  const reference = plant('partner loan: reference of a payment', `UTRZQXP${fieldOf.size}`)
  assert.ok((await submitClaim(link, reference)).ok)
  return taken
}

/** Settles what is open, and ends each journey today: a loan as repaid. */
async function endEverything(): Promise<void> {
  const at = new Date()
  await db`update webhook_delivery set state = 'DELIVERED', due_at = null`
  await db`update grievance set status = 'CLOSED'`
  await db`update complaint set status = 'CLOSED', closed_at = ${at} where closed_at is null`
  await db`update partner_case set stage = 'ENDED' where journey_id <> ${journeys.get('partner loan')!}`
  await db`update partner_case set stage = 'CLOSED' where journey_id = ${journeys.get('partner loan')!}`
  await db`
    update journey set active = false, closed_at = case when status = 'DISBURSED' then ${at}::timestamptz end,
      status = case when status = 'DISBURSED' then status else 'NOT_OFFERED' end`
  await partnerDb`update case_file set status = 'REJECTED' where case_ref = ${endedCaseRef}`
}

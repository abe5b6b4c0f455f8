// The partner's collections with a real bank: cases ready for disbursement, and loans with due instalments.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { inboxOf } from '@lendloom/event-log/inbox'
import { sentEvents } from '@lendloom/event-log/outbox'
import { noScanner } from '@lendloom/files/malware'
import { directoryBackend, openStore } from '@lendloom/files/object-store'
import { configFrom } from '@lendloom/foundation/config'
import { quietLog } from '@lendloom/foundation/log'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import { settings } from '@lendloom/partner/settings'
import type { Context } from '@lendloom/partner/src/context.ts'
import { deskSignIn } from '@lendloom/partner/src/desk/staff/desk-sign-in.ts'
import type { MandateFacts } from '@lendloom/partner/src/origination/case/checks.ts'
import { leadContext } from '@lendloom/partner/src/origination/case/lifecycle.ts'
import { insertCase, lockCase, setStatus } from '@lendloom/partner/src/origination/case/store.ts'
import { storeCheck } from '@lendloom/partner/src/origination/case/stored-checks.ts'
import { insertStored } from '@lendloom/partner/src/origination/document/store.ts'
import { reviewBank } from '@lendloom/partner/src/origination/review/bank/store.ts'
import { productTerms } from '@lendloom/partner/src/origination/review/offer.ts'
import { insertOffer, recordDecision } from '@lendloom/partner/src/origination/review/store.ts'
import { finalTerms } from '@lendloom/partner/src/origination/terms/terms.ts'
import { openLoan } from '@lendloom/partner/src/servicing/loan/open-loan.ts'
import { connect } from '@lendloom/postgres/sql'
import { noTenantId, type Worker } from '@lendloom/queue/queue'
import { uuidv4, uuidv7 } from '@lendloom/seal/id'
import { sealWith } from '@lendloom/seal/seal'
import type { DataOf, Envelope, EventType } from '@lendloom/wire/exchange/envelope'
import { exampleLead } from '@lendloom/wire/exchange/example/event'
import { accountEnding, startBank, type TestBank } from './bank.ts'
import { testDatabase } from './database.ts'

export interface Collections {
  ctx: Context
  bank: TestBank
  /** The environment for another process of the same partner. */
  env: Record<string, string>
  /** Subjects of the alerts to operators. */
  alerts: string[]
  /** Advances the clocks of partner and bank. */
  advanceClock(span: { days?: number; seconds?: number }): void
  /** Creates a case that is ready for disbursement; `digits` end its account number. */
  readyCase(
    digits?: string,
    options?: { lead?: Lead; accountHolder?: string; mandate?: Partial<MandateFacts> },
  ): Promise<string>
  /** Creates a loan that was disbursed some days ago. */
  disbursedLoan(digits?: string, options?: { daysAgo?: number; mandate?: Partial<MandateFacts> }): Promise<string>
  /** Runs workers of the partner until the test file ends or the returned function is called. */
  runWorkers(...start: ((ctx: Context) => Worker)[]): () => Promise<void>
  /** Data of the events of this type that the partner wrote about a case, in order. */
  eventData<T extends EventType>(caseRef: string, type: T): Promise<DataOf<T>[]>
}

type Lead = ReturnType<typeof exampleLead>

export async function openCollections(env: Record<string, string> = {}): Promise<Collections> {
  let offsetMs = 0
  const clock = () => new Date(Date.now() + offsetMs)
  const bank = await startBank({ silentSeconds: 5 }, clock)
  const directory = mkdtempSync(join(tmpdir(), 'collections-'))
  const runningWorkers: Worker[] = []
  after(async () => {
    await Promise.all(runningWorkers.map((worker) => worker.stop()))
    await db.close()
    rmSync(directory, { recursive: true })
  })
  const client = { sender: 'LENDLOOM', bearer: 'b'.repeat(32), keys: [{ keyId: 'k1', secret: 's'.repeat(32) }] }
  const webhook = { bearer: 'w'.repeat(32), keyId: 'k2', secret: 't'.repeat(32) }
  const fullEnv: Record<string, string> = {
    PARTNER_DATABASE_URL: await testDatabase('partner'),
    PARTNER_CLIENTS: JSON.stringify([{ ...client, webhook }]),
    LENDLOOM_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    BANK_URL: bank.url,
    BANK_BEARER: bank.bearer,
    // Shorter than the bank's simulated silence, and longer than a busy machine needs to answer.
    BANK_TIMEOUT_MS: '3000',
    BANK_POLL_SECONDS: '1',
    PARTNER_AUTOPILOT: 'off',
    ...env,
  }
  // The smallest interval that the setting allows (1 s) is too slow for tests.
  const config = { ...configFrom(settings, fullEnv), BANK_POLL_SECONDS: 0.25 }
  const alerts: string[] = []
  const alert = (what: string) => void alerts.push(what)
  const db = connect(config.PARTNER_DATABASE_URL, { connections: 10 })
  const seal = sealWith(config.LENDLOOM_KEYS)
  const ctx: Context = {
    db,
    seal,
    clock,
    config,
    log: quietLog,
    store: await openStore(directory, seal),
    archive: directoryBackend(directory),
    scanner: noScanner,
    alert,
    ...deskSignIn({ config }),
    inbox: inboxOf({ db, seal, config }),
  }

  const readyCase: Collections['readyCase'] = async (digits = '1234', options = {}) => {
    const caseRef = `CASE-${uuidv4()}`
    const lead = options.lead ?? exampleLead()
    const { holder_name, account_number, ifsc } = accountEnding(digits, options.accountHolder ?? 'ASHA KUMAR')
    if (lead.banking.account) Object.assign(lead.banking.account, { holder_name, account_number, ifsc })
    const at = clock()
    await db.tx(async (tx) => {
      const newReservedId = () => `7${randomBytes(6).readUIntBE(0, 6).toString().padStart(15, '0')}`
      await insertCase(
        tx,
        {
          caseRef,
          sender: 'LENDLOOM',
          leadId: newReservedId(),
          loanId: newReservedId(),
          product: 'BUSINESS_LOAN',
          mandateRequired: true,
          panDigest: randomBytes(32),
          personDigest: randomBytes(32),
          sourceEventId: uuidv4(),
          requestedPaise: 10_000_000n,
          leadSealed: seal.json(lead, leadContext(caseRef)),
        },
        at,
      )
      await reviewBank({ tx, seal, config, at }, caseRef, lead)
      const loanCase = await lockCase(tx, caseRef)
      const terms = finalTerms(productTerms(config, 10_000_000n, 22))
      const offerId = uuidv7()
      const offer = {
        caseRef,
        offerId,
        version: 1,
        terms,
        validUntil: new Date(at.getTime() + 86_400_000),
        decision: 'PENDING' as const,
        sourceEventId: null,
        decidedAt: null,
        recordedAt: null,
        createdAt: at,
      }
      await insertOffer(tx, offer, randomBytes(32))
      const decision = 'ACCEPT' as const
      await recordDecision(tx, offer, { decision, sourceEventId: uuidv4(), decidedAt: at, recordedAt: at })
      const provider = { provider: 'SANDBOX', documentIds: [], reasonCode: null }
      const kyc = { ...provider, providerReferenceId: 'KYC-1', mode: 'STANDARD' as const }
      await storeCheck(tx, seal, loanCase, {
        name: 'kyc',
        report: { status: 'APPROVED', verified: true, facts: kyc, happenedAt: at },
        at,
      })
      const review = { status: 'NOT_REQUIRED', verified: false, facts: {}, happenedAt: at }
      await storeCheck(tx, seal, loanCase, { name: 'lender_kyc_review', report: review, at })
      const mandate: MandateFacts = {
        ...provider,
        providerReferenceId: `M-${caseRef.slice(-6)}`,
        umrn: `SBXB7${newReservedId().slice(-15)}`,
        maximumAmount: rupees(2n * terms.installmentPaise),
        frequency: 'ADHO',
        validFrom: plusDays(businessDate(at), -60),
        validUntil: plusDays(businessDate(at), 400),
        ...options.mandate,
      }
      await storeCheck(tx, seal, loanCase, {
        name: 'mandate',
        report: { status: 'ACTIVE', verified: true, facts: mandate, happenedAt: at },
        at,
      })
      const esign = { ...provider, providerReferenceId: 'E-1' }
      await storeCheck(tx, seal, loanCase, {
        name: 'esign',
        report: { status: 'COMPLETED', verified: true, facts: esign, happenedAt: at },
        at,
      })
      for (const documentType of ['KYC_REPORT', 'SIGNED_LOAN_AGREEMENT'] as const)
        await insertStored(tx, {
          caseRef,
          documentReferenceId: documentType,
          documentId: uuidv4(),
          documentType,
          requestId: uuidv4(),
          uploader: 'LENDLOOM',
          providerReferenceId: null,
          fileNameSealed: randomBytes(8),
          contentType: 'application/pdf',
          sizeBytes: 1,
          sha256: 'ab',
          objectName: 'ab',
          storedAt: at,
        })
      await setStatus(tx, loanCase, { move: 'ready', status: 'READY_TO_DISBURSE', at })
    })
    return caseRef
  }

  return {
    ctx,
    bank,
    env: fullEnv,
    alerts,
    advanceClock: ({ days = 0, seconds = 0 }) => {
      offsetMs += (days * 86_400 + seconds) * 1000
      for (const each of [db, bank.db]) each.wakeAll()
    },
    readyCase,
    async disbursedLoan(digits, { daysAgo = 7, mandate = {} } = {}) {
      const caseRef = await readyCase(digits, { mandate })
      await db.tx(async (tx) => {
        const loanCase = await lockCase(tx, caseRef)
        const terms = finalTerms(productTerms(config, 10_000_000n, 22))
        const at = clock()
        const transfer = { disbursedPaise: terms.netPaise, bankReference: 'SBXB26324000000000001' }
        const disbursedOn = plusDays(businessDate(at), -daysAgo)
        await openLoan(
          tx,
          { caseRef, loanId: loanCase.loanId, loanAccountId: `LA${loanCase.loanId}`, terms, disbursedOn, ...transfer },
          new Date(at.getTime() - daysAgo * 86_400_000),
        )
        await setStatus(tx, loanCase, { move: 'disbursed', status: 'DISBURSED', at })
      })
      return caseRef
    },
    runWorkers(...start) {
      const workers = start.map((each) => each(ctx))
      runningWorkers.push(...workers)
      return async () => {
        await Promise.all(workers.map((worker) => worker.stop()))
      }
    },
    async eventData(caseRef, type) {
      const events = await sentEvents(db, seal, { tenantId: noTenantId, partitionKey: caseRef })
      const envelopes = events.map(({ raw }) => JSON.parse(raw.toString()) as Envelope)
      return envelopes.filter((event) => event.event_type === type).map(({ data }) => data as DataOf<typeof type>)
    },
  }
}

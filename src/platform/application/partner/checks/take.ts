// A provider's news, by callback or by look-up: kept, told to the partner, its files sent, and the borrower's step moved (D3 §6 rule 1).
import type { Tx } from '#kit/db/sql.ts'
import type { Concerned } from '#platform/application/partner/case-job.ts'
import { expectFile, type Source, scheduleUploads } from '#platform/application/partner/uploading.ts'
import type { TxContext } from '#platform/context.ts'
import { type CheckKind, checkContext, type PartnerCheck } from '#platform/exchange/check.ts'
import { sendEvent } from '#platform/exchange/deliver.ts'
import { documentContext } from '#platform/exchange/document.ts'
import { keepCheck, keepReport, listDocuments } from '#platform/exchange/store.ts'
import { settleCheck } from './settle.ts'
import { type CheckEvent, type CheckStatusReport, checkEventOf, replaces } from './status-report.ts'

/** What a provider tells, and by which of its events; null where it was asked. */
export interface ProviderNews {
  report: CheckStatusReport
  providerEventId: string | null
}

/** Takes what is new; what is older, or was told before, changes nothing. */
export async function takeStatusReport(
  ctx: TxContext,
  concerned: Concerned,
  check: PartnerCheck,
  { report, providerEventId }: ProviderNews,
): Promise<void> {
  const { tx, at } = ctx
  const { status, providerUpdatedAt } = check
  const taken = replaces(providerUpdatedAt && { status, providerUpdatedAt }, report)
  if (taken || providerEventId !== null)
    await keepReport(tx, { ...check, status: report.status, providerEventId, taken, at })
  if (!taken) return
  const { application } = concerned
  await expectFiles(ctx, concerned, { ...report, adapter: check.adapter })
  const dated = { ...report, providerUpdatedAt: report.providerUpdatedAt ?? at }
  const telling = checkEventOf(dated, providerEventId, await storedIds(tx, concerned, report.reference))
  const known: PartnerCheck = {
    ...check,
    status: report.status,
    verified: report.verified,
    resultSealed: ctx.seal.json(telling, checkContext('result', check)),
    providerUpdatedAt: dated.providerUpdatedAt,
    updatedAt: at,
  }
  await keepCheck(tx, known)
  await sendCheckEvent(ctx, concerned, telling)
  await scheduleUploads(tx, application, at)
  await settleCheck(ctx, concerned, known)
}

/** Tells the partner, as long as there is a case to tell it of. */
async function sendCheckEvent(ctx: TxContext, { application }: Concerned, telling: CheckEvent): Promise<void> {
  if (application.leadId === null || application.stage === 'ENDED') return
  await sendEvent(ctx, application, telling)
}

/** The ids of the files of one provider's session that the partner has stored. */
async function storedIds(tx: Tx, { application }: Concerned, reference: string): Promise<string[]> {
  const own = (await listDocuments(tx, application)).filter(({ providerReference }) => providerReference === reference)
  return own.flatMap(({ documentId }) => documentId ?? [])
}

async function expectFiles(
  ctx: TxContext,
  { application }: Concerned,
  { kind, adapter, reference, documents }: CheckStatusReport & Pick<PartnerCheck, 'adapter'>,
): Promise<void> {
  const { tx } = ctx
  const known = (await listDocuments(tx, application)).flatMap((document) =>
    document.sourceSealed
      ? [ctx.seal.openJson<Source>(document.sourceSealed, documentContext('source', document)).fileId]
      : [],
  )
  const from: CheckKind = kind
  for (const { fileId, type, contentType, sizeBytes, sha256 } of documents)
    if (!known.includes(fileId))
      await expectFile(ctx, application, { from, adapter, reference, fileId, type, contentType, sizeBytes, sha256 })
}

// A provider's news, by callback or by look-up: kept, told to the partner, its files sent, and the borrower's step moved (D3 §6 rule 1).
import type { Tx } from '#kit/sql.ts'
import { type CheckKind, checkContext, type PartnerCheck } from '#platform/exchange/check.ts'
import { documentContext } from '#platform/exchange/document.ts'
import { sendEvent } from '#platform/exchange/send.ts'
import { keepCheck, listDocuments } from '#platform/exchange/store.ts'
import type { Concerned } from '#platform/receiver/case-job.ts'
import { expectFile, type Source, scheduleUploads } from '#platform/receiver/uploading.ts'
import type { World } from '#platform/world.ts'
import { settleCheck } from './settle.ts'
import { type CheckStanding, type CheckTelling, replaces, tellingOf } from './standing.ts'

/** Takes what is new; what is older, or was told before, changes nothing. */
export async function takeStanding(
  tx: Tx,
  world: World,
  concerned: Concerned,
  check: PartnerCheck,
  standing: CheckStanding,
  providerEventId: string | null,
  at: Date,
): Promise<void> {
  const { status, providerUpdatedAt } = check
  if (!replaces(providerUpdatedAt && { status, providerUpdatedAt }, standing)) return
  const { kase } = concerned
  await expectFiles(tx, world, concerned, standing, at)
  const telling = tellingOf(standing, providerEventId, await storedIds(tx, concerned, standing.reference))
  const taken: PartnerCheck = {
    ...check,
    status: standing.status,
    verified: standing.verified,
    resultSealed: world.seal.json(telling, checkContext('result', check)),
    providerUpdatedAt: standing.providerUpdatedAt,
    updatedAt: at,
  }
  await keepCheck(tx, taken)
  await tell(tx, world, concerned, telling, at)
  await scheduleUploads(tx, kase, at)
  await settleCheck(tx, world, concerned, taken, at)
}

/** Tells the partner, as long as there is a case to tell it of. */
export async function tell(tx: Tx, world: World, { kase }: Concerned, telling: CheckTelling, at: Date): Promise<void> {
  if (kase.leadId === null || kase.stage === 'ENDED') return
  await sendEvent(tx, world, kase, telling, at)
}

/** The ids of the files of one provider's session that the partner has stored. */
export async function storedIds(tx: Tx, { kase }: Concerned, reference: string): Promise<string[]> {
  const own = (await listDocuments(tx, kase)).filter(({ providerReference }) => providerReference === reference)
  return own.flatMap(({ documentId }) => documentId ?? [])
}

async function expectFiles(
  tx: Tx,
  world: World,
  { kase }: Concerned,
  { kind, reference, documents }: CheckStanding,
  at: Date,
): Promise<void> {
  const known = (await listDocuments(tx, kase)).flatMap((document) =>
    document.sourceSealed
      ? [world.seal.openJson<Source>(document.sourceSealed, documentContext('source', document)).fileId]
      : [],
  )
  const from: CheckKind = kind
  for (const { fileId, type, contentType, sizeBytes, sha256 } of documents)
    if (!known.includes(fileId))
      await expectFile(tx, world, kase, { from, reference, fileId, type, contentType, sizeBytes, sha256 }, at)
}

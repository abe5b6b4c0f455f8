// The partner stored a file of a provider: with the last file of a session it is told which files belong to it (D3 §6
// rule 1).

import type { TxContext } from '#platform/context.ts'
import { checkContext, type PartnerCase, type PartnerDocument } from '#platform/exchange/case.ts'
import { sendEvent } from '#platform/exchange/deliver.ts'
import { keepCheck, listChecks, listDocuments } from '#platform/exchange/store.ts'
import type { CheckEvent } from './status-report.ts'

export async function filesStored(
  ctx: TxContext,
  application: PartnerCase,
  { providerReference }: PartnerDocument,
): Promise<void> {
  const { tx, at } = ctx
  const check = (await listChecks(tx, application)).findLast((each) => each.providerReference === providerReference)
  if (!check?.resultSealed || application.leadId === null || application.stage === 'ENDED') return
  const own = (await listDocuments(tx, application)).filter((each) => each.providerReference === providerReference)
  if (own.some(({ state }) => state === 'WAITING')) return
  const event = ctx.seal.openJson<CheckEvent>(check.resultSealed, checkContext('result', check))
  const document_ids = own.flatMap(({ documentId }) => documentId ?? [])
  const telling = { type: event.type, data: { ...event.data, document_ids } }
  await keepCheck(tx, {
    ...check,
    resultSealed: ctx.seal.json(telling, checkContext('result', check)),
    updatedAt: at,
  })
  await sendEvent(ctx, application, telling)
}

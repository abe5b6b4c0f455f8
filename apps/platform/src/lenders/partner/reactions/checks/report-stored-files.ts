// Sends the partner the result of a check again, with the document ids, once the partner has stored or refused all files
// of the check (D3 §6 rule 1).

import type { TxContext } from '#platform/context.ts'
import { sendEvent } from '#platform/lenders/partner/deliver-events.ts'
import type { PartnerCase } from '#platform/lenders/partner/loan-case.ts'
import { checkContext } from '#platform/lenders/partner/partner-check.ts'
import type { PartnerDocument } from '#platform/lenders/partner/partner-document.ts'
import { listChecks, listDocuments, storeCheck } from '#platform/lenders/partner/store.ts'
import type { CheckEvent } from './check-report.ts'

export async function reportStoredFiles(
  ctx: TxContext,
  loanCase: PartnerCase,
  { providerReference }: PartnerDocument,
): Promise<void> {
  const { tx, at } = ctx
  const [checks, documents] = await Promise.all([listChecks(tx, loanCase), listDocuments(tx, loanCase)])
  const check = checks.findLast((each) => each.providerReference === providerReference)
  if (!check?.resultSealed || loanCase.leadId === null || loanCase.stage === 'ENDED') return
  const sessionFiles = documents.filter((each) => each.providerReference === providerReference)
  if (sessionFiles.some(({ state }) => state === 'WAITING')) return
  const previous = ctx.seal.openJson<CheckEvent>(check.resultSealed, checkContext('result', check))
  const document_ids = sessionFiles.flatMap(({ documentId }) => documentId ?? [])
  const event = { type: previous.type, data: { ...previous.data, document_ids } }
  await storeCheck(tx, {
    ...check,
    resultSealed: ctx.seal.json(event, checkContext('result', check)),
    updatedAt: at,
  })
  await sendEvent(ctx, loanCase, event)
}

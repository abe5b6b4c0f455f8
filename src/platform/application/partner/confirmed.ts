// The partner has recorded that its offer is accepted: from now on KYC may begin (D3 §1.1 rule 4, §6 rule 3).
import type { Tx } from '#kit/db/sql.ts'
import { type PartnerCase, stageAfter } from '#platform/exchange/case.ts'
import { changeCase } from '#platform/exchange/store.ts'

export const confirmed = (tx: Tx, application: PartnerCase, at: Date): Promise<PartnerCase> =>
  changeCase(tx, application, { stage: stageAfter(application, 'confirmed'), confirmedAt: at }, at)

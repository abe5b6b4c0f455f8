// Suggests journeys for an unmatched complaint, by the mobile numbers in its text.

import type { Run } from '@lendloom/postgres/sql'
import type { ComplaintDetail } from '@lendloom/wire/console/complaints'
import { tenDigits } from '@lendloom/wire/identifier'
import { findJourneys } from '#platform/api/console/journeys/search-store.ts'
import { maskedName } from '#platform/api/console/mask-borrower.ts'
import { listTenantNames } from '#platform/api/console/tenant-store.ts'
import type { EntryBody } from '#platform/complaints/complaint/complaint.ts'
import type { Context } from '#platform/context.ts'
import { type BorrowerDetails, detailsContext } from '#platform/lending/borrower/borrower.ts'
import { mobileDigest } from '#platform/lending/borrower/digests.ts'

/** A text may contain many numbers, and each one costs a search in every tenant. */
const maxNumbers = 3
const maxSuggestions = 5
const mobileInText = /(?<!\d)(?:\+?91[ -]?|0)?[6-9](?:[ -]?\d){9}(?!\d)/g

/** The first mobile numbers in texts, as ten digits and each once. */
export const mobilesIn = (texts: string[]): string[] =>
  [...new Set(texts.flatMap((text) => text.match(mobileInText) ?? []).map(tenDigits))].slice(0, maxNumbers)

/** The journeys, in any tenant, of borrowers with a number that the texts name; at most five. */
export async function suggestJourneys(
  db: Run,
  ctx: Pick<Context, 'seal'>,
  bodies: EntryBody[],
): Promise<ComplaintDetail['suggestions']> {
  const mobiles = mobilesIn(bodies.flatMap(({ subject = '', text }) => [subject, text]))
  if (mobiles.length === 0) return []
  const keys = mobiles.map((mobile) => ({ kind: 'mobile', digest: mobileDigest(ctx, mobile) }) as const)
  const found = await findJourneys(db, keys, { tenantId: null, senders: [] })
  const names = new Map((await listTenantNames(db, null)).map(({ tenantId, name }) => [tenantId, name]))
  return found.slice(0, maxSuggestions).map(({ tenantId, journeyId, product, status, createdAt, profileSealed }) => ({
    journeyId,
    tenant: names.get(tenantId) ?? null,
    product,
    status,
    createdAt: createdAt.toISOString(),
    name: maskedName(
      ctx.seal.openJson<BorrowerDetails>(profileSealed, detailsContext(tenantId, journeyId)).personal.panName,
    ),
  }))
}

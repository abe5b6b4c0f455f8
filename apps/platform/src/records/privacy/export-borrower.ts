// A borrower's access to the own data: the details, consents and recipients of each application (DPDP Act 2023 §11).

import type { Run } from '@lendloom/postgres/sql'
import type { BorrowerExport, Nominee } from '@lendloom/wire/console/privacy'
import type { Context } from '#platform/context.ts'
import { type BorrowerDetails, prefillContext, profileFieldsOf } from '#platform/lending/borrower/borrower.ts'
import { listConsents } from '#platform/lending/borrower/store.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'
import { bankContext, findStep } from '#platform/lending/step/store.ts'
import { type BorrowerJourney, listJourneysOf } from './borrower-journeys.ts'
import type { BorrowerKey } from './erase/store.ts'
import { nomineeContext } from './officer-acts.ts'
import { findBorrower, findNominee, listComplaintsOf, listRecipients } from './store.ts'

type ExportContext = { db: Run } & Pick<Context, 'seal'>

/** Collects the export; `ctx.db` should be one snapshot. Throws if the borrower does not exist. */
export async function exportBorrower(ctx: ExportContext, key: BorrowerKey, at: Date): Promise<BorrowerExport> {
  const { db, seal } = ctx
  const [borrower, journeys, nominee] = await Promise.all([
    findBorrower(db, key),
    listJourneysOf(db, key),
    findNominee(db, key),
  ])
  if (!borrower) throw new Error(`borrower ${key.borrowerId} does not exist`)
  const journeyIds = journeys.map(({ journeyId }) => journeyId)
  const complaints = await listComplaintsOf(db, key.tenantId, journeyIds)
  return {
    exportedAt: at.toISOString(),
    borrower: {
      borrowerId: key.borrowerId,
      externalId: borrower.externalId,
      createdAt: borrower.createdAt.toISOString(),
      nominee: nominee ? seal.openJson<Nominee>(nominee.nomineeSealed, nomineeContext(key)) : null,
      prefill: borrower.prefillSealed
        ? profileFieldsOf(
            seal.openJson<BorrowerDetails>(borrower.prefillSealed, prefillContext(key.tenantId, key.borrowerId)),
          )
        : null,
    },
    journeys: await Promise.all(journeys.map((journey) => exportJourney(ctx, journey))),
    complaints: complaints.map(({ receivedAt, ...complaint }) => ({
      ...complaint,
      receivedAt: receivedAt.toISOString(),
    })),
  }
}

async function exportJourney(
  ctx: ExportContext,
  journey: BorrowerJourney,
): Promise<BorrowerExport['journeys'][number]> {
  const { db, seal } = ctx
  const { journeyId, tenantId, type: product, status, createdAt, updatedAt, erasedAt } = journey
  const { person } = await readProfile(db, ctx, journey)
  const { bankSealed } = await findStep(db, journey, 'bankMandate')
  const [consents, recipients] = await Promise.all([listConsents(db, journey), listRecipients(db, journey)])
  return {
    journeyId,
    product,
    status,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    erasedAt: erasedAt?.toISOString() ?? null,
    details: erasedAt ? null : profileFieldsOf(person),
    account: bankSealed ? seal.openJson<unknown>(bankSealed, bankContext(tenantId, journeyId)) : (person.bank ?? null),
    consents: consents.map(({ purpose, textVersion, quoteId, termsDigest, givenAt, withdrawnAt }) => ({
      purpose,
      textVersion,
      quoteId,
      termsDigest: termsDigest?.toString('hex') ?? null,
      givenAt: givenAt.toISOString(),
      withdrawnAt: withdrawnAt?.toISOString() ?? null,
    })),
    recipients: recipients.map(({ name, since }) => ({ name, since: since.toISOString() })),
  }
}

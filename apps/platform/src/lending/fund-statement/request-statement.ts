// Requests a fund statement from the registrar, stores the attempt and schedules the polls (FIS12 §10.1).

import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { uuidv4 } from '@lendloom/seal/id'
import { tenDigits } from '@lendloom/wire/identifier'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey, JourneyKey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'
import { registrarNamed } from '#platform/providers/registrar/adapters.ts'
import type { RegistrarPort, StartedFundStatement } from '#platform/providers/registrar/port.ts'
import { adapterFor } from '#platform/providers/settings.ts'
import { isFetchable, maxAttempts } from './fund-statement.ts'
import { scheduleRegistrarPoll } from './poll-statement.ts'
import { findFundStatement, insertFundStatement } from './store.ts'

/** The registrar that an application uses. It is the same for all lenders: the borrower has not chosen one yet. */
export function registrarFor(
  { config }: Pick<Context, 'config'>,
  { applicationId: application }: Pick<Journey, 'applicationId'>,
): RegistrarPort & { adapter: string } {
  const adapter = adapterFor(config, 'registrar', { application, lender: '' })
  return { adapter, ...registrarNamed(adapter) }
}

/** An attempt that the registrar has accepted and that is not stored yet. */
export interface AcceptedAttempt extends StartedFundStatement {
  adapter: string
}

/**
 * Requests a statement. Call it outside of transactions, because the registrar may answer slowly. Throws `wrong-state`
 * if no statement may be fetched or all attempts are used, `invalid` if the PAN is missing or the registrar does not
 * know the PAN with this mobile number, `upstream` if the registrar is unavailable.
 */
export async function requestStatement(
  ctx: Context,
  journey: Journey,
  { mobile, returnUrl }: { mobile: string | undefined; returnUrl: string },
): Promise<AcceptedAttempt> {
  const { adapter, name, begin } = await requireFetchable(ctx, journey)
  const { person } = await readProfile(ctx.db, ctx, journey)
  const { pan, mobile: profileMobile } = person.personal
  if (!pan) throw invalid({ path: 'pan', message: 'is required before a statement can be fetched' })
  const request = await begin(ctx, {
    clientReference: uuidv4(),
    pan,
    mobile: tenDigits(mobile ?? profileMobile),
    returnUrl,
  })
  if (request) return { ...request, adapter }
  throw invalid({ path: 'contactNumber', message: `is not the number that ${name} has for this PAN` })
}

async function requireFetchable(ctx: Context, journey: Journey): Promise<RegistrarPort & { adapter: string }> {
  const registrar = registrarFor(ctx, journey)
  if (!isFetchable(journey) || !registrar.isConfigured(ctx))
    throw new Refusal('wrong-state', 'a fund statement cannot be fetched now', { status: journey.status })
  const { attempt = 0 } = (await findFundStatement(ctx.db, journey)) ?? {}
  if (attempt >= maxAttempts) throw new Refusal('wrong-state', 'no attempt to fetch a fund statement is left')
  return registrar
}

/** Stores the attempt as the newest one and schedules its polls. The caller holds the journey's lock. */
export async function storeAttempt(
  { tx, at }: Pick<TxContext, 'tx' | 'at'>,
  journey: Journey,
  { adapter, reference: providerReference, expiresAt: pageEndsAt }: AcceptedAttempt,
): Promise<void> {
  const { tenantId, journeyId }: JourneyKey = journey
  const { attempt = 0 } = (await findFundStatement(tx, journey)) ?? {}
  const times = { pageEndsAt, createdAt: at, updatedAt: at }
  const attemptKey = { tenantId, journeyId, attempt: attempt + 1 }
  await insertFundStatement(tx, {
    ...attemptKey,
    adapter,
    providerReference,
    status: 'PENDING',
    reason: null,
    ...times,
  })
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  await scheduleRegistrarPoll(tx, attemptKey, { series: true }, at)
}

// Starts fetching a fund statement: asks the registrars first, then stores the attempt and polls it (FIS12 §10.1).
import { tenDigits } from '#contract/identifier.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey, JourneyKey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { readProfile } from '#platform/profile/edit.ts'
import { adapterFor, adapterNamed } from '#platform/provider/adapters.ts'
import type { FundStatementBegun, RegistrarPort } from '#platform/provider/registrar/port.ts'
import { isFetchable, mostTries } from './fund-statement.ts'
import { scheduleLook } from './look.ts'
import { findFundStatement, insertFundStatement } from './store.ts'

/** The registrar that borrowers of an application are sent to: no lender is chosen yet. */
export function registrarFor(
  { config }: Pick<Context, 'config'>,
  { applicationId: application }: Pick<Journey, 'applicationId'>,
): RegistrarPort & { adapter: string } {
  const adapter = adapterFor(config, 'registrar', { application, lender: '' })
  return { adapter, ...adapterNamed('registrar', adapter) }
}

/** A try that the registrar has taken, which is not kept yet. */
export interface TakenTry extends FundStatementBegun {
  adapter: string
}

/**
 * Asks the registrar outside of a transaction, so that none waits. Each call is a new request whose address works once.
 * Refused: `wrong-state` no statement is needed, or too many tries · `invalid` the PAN is missing, or the registrar has
 * no investor with it and this number · `upstream` it is unavailable.
 */
export async function askRegistrar(
  ctx: Context,
  journey: Journey,
  { mobile, returnUrl }: { mobile: string | undefined; returnUrl: string },
): Promise<TakenTry> {
  const { adapter, name, begin } = await requireFetchable(ctx, journey)
  const { person } = await readProfile(ctx.db, ctx, journey)
  const { pan, mobile: own } = person.personal
  if (!pan) throw invalid({ path: 'pan', message: 'is required before a statement can be fetched' })
  const begun = await begin(ctx, { clientReference: uuidv4(), pan, mobile: tenDigits(mobile ?? own), returnUrl })
  if (begun) return { ...begun, adapter }
  throw invalid({ path: 'contactNumber', message: `is not the number that ${name} knows for this PAN` })
}

async function requireFetchable(ctx: Context, journey: Journey): Promise<RegistrarPort & { adapter: string }> {
  const registrar = registrarFor(ctx, journey)
  if (!isFetchable(journey) || !registrar.isAgreed(ctx))
    throw new Refusal('wrong-state', 'no statement of mutual funds is fetched now', { status: journey.status })
  const { attempt = 0 } = (await findFundStatement(ctx.db, journey)) ?? {}
  if (attempt >= mostTries) throw new Refusal('wrong-state', 'a statement was tried as often as it may be')
  return registrar
}

/** Keeps the try, which takes the place of every earlier one. The caller holds the journey's lock. */
export async function storeAttempt(
  { tx, at }: Pick<TxContext, 'tx' | 'at'>,
  journey: Journey,
  { adapter, reference: providerReference, expiresAt: pageEndsAt }: TakenTry,
): Promise<void> {
  const { tenantId, journeyId }: JourneyKey = journey
  const { attempt = 0 } = (await findFundStatement(tx, journey)) ?? {}
  const times = { pageEndsAt, createdAt: at, updatedAt: at }
  const place = { tenantId, journeyId, attempt: attempt + 1 }
  await insertFundStatement(tx, { ...place, adapter, providerReference, status: 'PENDING', reason: null, ...times })
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  await scheduleLook(tx, place, { series: true }, at)
}

// The transcript of every journey of a test file is judged by the rules of the network when the file is done (FIS12 §12).
import { dialectIn } from '#contract/network/context.ts'
import { faultText } from '#contract/network/fault.ts'
import type { PublicKeyOf } from '#contract/network/transcript.ts'
import { invariantsOf as invariants203 } from '#contract/network/v203/invariants.ts'
import { invariantsOf as invariants230 } from '#contract/network/v230/invariants.ts'
import type { Seal } from '#kit/seal.ts'
import type { Db } from '#kit/sql.ts'
import { transcriptOf } from '#platform/network/transcript.ts'

/** What the rules and invariants say of one journey, as `lendloom network transcript --check` judges it. */
export async function faultsOfJourney(
  on: { db: Db; seal: Seal },
  { tenantId, journeyId }: { tenantId: string; journeyId: string },
  keyOf: PublicKeyOf,
): Promise<string[]> {
  const transcript = await transcriptOf(on, tenantId, journeyId)
  if (transcript.length === 0) return []
  const judge = dialectIn(JSON.parse(transcript[0]!.body)) === '2.3.0' ? invariants230 : invariants203
  return judge(transcript, keyOf).map(faultText)
}

/** The same of every journey in a database. */
export async function faultsOfAll(on: { db: Db; seal: Seal }, keyOf: PublicKeyOf): Promise<string[]> {
  const journeys = await on.db<{ tenantId: string; journeyId: string }>`
    select tenant_id, journey_id from journey order by created_at`
  const found: string[] = []
  for (const journey of journeys)
    for (const fault of await faultsOfJourney(on, journey, keyOf)) found.push(`${journey.journeyId}: ${fault}`)
  return found
}

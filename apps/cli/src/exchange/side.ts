// The option that selects the side of the exchange, platform or partner, whose events a command reads.

import { ownersOf } from '@lendloom/partner/operations/cases'
import { partnerSendersOf } from '@lendloom/platform/operations/exchange'
import type { Run } from '@lendloom/postgres/sql'
import type { CommandCall } from '#cli/command.ts'
import { programOf } from '#cli/program-names.ts'

export const side = {
  program: { type: 'string', value: 'platform|partner', about: 'side to read (default: platform)' },
} as const
export type ExchangeSide = CommandCall<typeof side>

export const sideOf = (program = 'platform') => programOf(program, ['platform', 'partner'])

/** The sender name of the counterparty, by case reference. */
export async function otherSides(
  of: 'platform' | 'partner',
  db: Run,
  caseRefs: string[],
): Promise<Map<string, string>> {
  const senders = of === 'platform' ? await partnerSendersOf(db, caseRefs) : await ownersOf(db, caseRefs)
  return new Map(senders.map(({ caseRef, sender }) => [caseRef, sender]))
}

// Four eyes: who may decide what another account proposed. An account also counts as those who may know its password.

import { Refusal } from '#kit/http/refusal.ts'
import type { DeskIdentity } from '#partner/desk-person.ts'

/** Marks an operator at the command line as a possible holder of a password: they could be any of the staff. */
export const commandLineKey = '00000000-0000-0000-0000-000000000000'

/** Why an account may not decide another one's proposal. */
export const onePerson =
  'this account and the one that proposed it count as one person, because someone handed over a password link. A reset by email ends this'

/** Why a session does not decide. */
export const unproven =
  'to decide, you need a second factor: set it up on your page (click your name), or sign in again with it. A new second factor can decide after a day'

/** A proposal of one account for another to decide. */
export interface ProposalLine {
  reason: string
  state: string
  madeBy: string
  /** Who else knew the maker's password at that time. */
  makerKnownTo: string[]
  madeAt: Date
  expiresAt: Date
  decidedBy: string | null
  decidedAt: Date | null
  decisionReason: string | null
}

/** Whether it is still to be decided. */
export const isWaiting = ({ state, expiresAt }: Pick<ProposalLine, 'state' | 'expiresAt'>, now: Date): boolean =>
  state === 'WAITING' && expiresAt > now

/** Whether one person may act as this account and as the one that proposed something, as it was then. */
export const isMaker = (
  who: DeskIdentity,
  { madeBy, makerKnownTo }: Pick<ProposalLine, 'madeBy' | 'makerKnownTo'>,
): boolean => isOnePerson(who, { staffId: madeBy, knownTo: makerKnownTo })

/**
 * Refused as `forbidden` for a session with a password only: it cannot approve another account's proposal or change
 * people.
 */
export function requireProof({ isProven }: { isProven: boolean }): void {
  if (!isProven) throw new Refusal('forbidden', unproven)
}

/** Everybody who may act as the account. */
export const peopleBehind = ({ staffId, knownTo }: DeskIdentity): string[] => [...new Set([staffId, ...knownTo])]

/** Whether one person may act as both accounts. */
export function isOnePerson(one: DeskIdentity, other: DeskIdentity): boolean {
  const [ours, theirs] = [peopleBehind(one), peopleBehind(other)]
  return [...ours, ...theirs].includes(commandLineKey) || ours.some((each) => theirs.includes(each))
}

// The four-eyes principle: two accounts count as one person if one person may know the passwords of both.

import { Refusal } from '@lendloom/foundation/refusal'
import type { DeskIdentity } from '#partner/people/person.ts'

/** Stands in `knownTo` for an operator at the command line, who may be any member of staff and so matches everyone. */
export const commandLineKey = '00000000-0000-0000-0000-000000000000'

export const onePersonMessage =
  'this account and the account that made the proposal count as one person, because one person may know both passwords. After a password reset by email they count as two persons again'

/** Message for a session without a second factor. */
export const unprovenMessage =
  'to decide, you need a second factor: set it up on your page (click your name), or sign in again with it. You can decide with a new second factor after a day'

/** Refused as `forbidden` after a sign-in with only a password, which does not suffice to approve a proposal or to change staff. */
export function requireProof({ isProven }: { isProven: boolean }): void {
  if (!isProven) throw new Refusal('forbidden', unprovenMessage)
}

/** All accounts whose users may act as this one. */
export const possibleUsers = ({ staffId, knownTo }: DeskIdentity): string[] => [...new Set([staffId, ...knownTo])]

/** Whether one person may act as both accounts. */
export function isOnePerson(account: DeskIdentity, otherAccount: DeskIdentity): boolean {
  const people = possibleUsers(account)
  const otherPeople = possibleUsers(otherAccount)
  return [...people, ...otherPeople].includes(commandLineKey) || people.some((each) => otherPeople.includes(each))
}

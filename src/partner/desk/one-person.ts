// Which accounts count as one person where two must decide: an account also counts as those who may know its password.

/** Stands among those who may know a password for an operator at the command line, who may be any of the staff. */
export const commandLineKey = '00000000-0000-0000-0000-000000000000'

export interface Account {
  staffId: string
  /** Who else may know its password; empty where its owner alone chose it by a link that was sent by mail. */
  knownTo: readonly string[]
}

/** Why an account does not decide on what another one proposed. */
export const onePerson =
  'this account and the one that proposed it count as one person, as somebody handed over the link for a password: a reset by mail ends that'

/** Everybody who may act as the account. */
export const peopleBehind = ({ staffId, knownTo }: Account): string[] => [...new Set([staffId, ...knownTo])]

/** Whether one person may act as both accounts. */
export function isOnePerson(one: Account, other: Account): boolean {
  const [ours, theirs] = [peopleBehind(one), peopleBehind(other)]
  return [...ours, ...theirs].includes(commandLineKey) || ours.some((each) => theirs.includes(each))
}

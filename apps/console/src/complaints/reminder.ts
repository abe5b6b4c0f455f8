// A mail to a lender is a reminder if it repeats all that the borrower has written, after an earlier mail to the lender.
import type { ThreadEntry } from '@lendloom/wire/console/complaints'

type Entry = Pick<ThreadEntry, 'author' | 'kind' | 'text'>

export function isReminder({ author, kind, text }: Entry, earlier: Entry[]): boolean {
  if (author !== 'SYSTEM' || kind !== 'FORWARD' || !earlier.some((each) => each.kind === 'FORWARD')) return false
  const messages = earlier.filter((each) => each.author === 'BORROWER')
  return text === messages.map((each) => each.text).join('\n\n')
}

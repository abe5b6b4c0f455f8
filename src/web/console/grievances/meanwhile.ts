// Colleagues' acts on a complaint since the reply was begun, in one sentence.
import type { ThreadEntry } from '#contract/console/complaints.ts'

type EventText = (event: Pick<ThreadEntry, 'code' | 'values'>) => string
type ThreadChange = Pick<ThreadEntry, 'author' | 'kind' | 'code' | 'person' | 'values'>

const deeds: Record<Exclude<ThreadEntry['kind'], 'EVENT'>, string> = {
  WORDS: 'answered',
  QUESTION: 'asked the borrower something',
  RESOLUTION: 'resolved the complaint',
  FORWARD: 'passed it on to the lender',
  NOTE: 'added a note',
  UNVERIFIED: 'wrote from another address',
}

function deedOf({ author, kind, person, ...change }: ThreadChange, eventText: EventText): string {
  if (kind === 'EVENT') return `${eventText(change)}${person === null ? '' : ` (${person})`}`
  const who = person ?? (author === 'BORROWER' ? 'The borrower' : author === 'LENDER' ? 'The lender' : 'Lendloom')
  return `${who} ${kind === 'WORDS' && author !== 'OFFICER' ? 'wrote' : deeds[kind]}`
}

/** The most important new entry: an answer or act before a note; null without one. */
export function changeSince<Entry extends ThreadChange & { entryId: string }>(
  thread: readonly Entry[],
  seen: ReadonlySet<string>,
  own: string,
  eventText: EventText,
): { text: string; entry: Entry } | null {
  const others = thread.filter(({ entryId, person }) => !seen.has(entryId) && person !== own)
  const entry = others.findLast(({ kind }) => kind !== 'NOTE' && kind !== 'EVENT') ?? others.at(-1)
  return entry ? { text: deedOf(entry, eventText), entry } : null
}

// The most important action of a colleague since an officer began a reply.
import type { ThreadEntry } from '@lendloom/wire/console/complaints'

type EventText = (event: Pick<ThreadEntry, 'code' | 'values'>) => string
type ThreadChange = Pick<ThreadEntry, 'author' | 'kind' | 'code' | 'person' | 'values'>

/** The author of a change that no named person made. */
const partyNames: Record<ThreadEntry['author'], string> = {
  BORROWER: 'The borrower',
  LENDER: 'The lender',
  OFFICER: 'Lendloom',
  TENANT: 'Lendloom',
  SYSTEM: 'Lendloom',
}

const verbs: Record<Exclude<ThreadEntry['kind'], 'EVENT'>, string> = {
  WORDS: 'answered',
  QUESTION: 'asked the borrower a question',
  RESOLUTION: 'resolved the complaint',
  FORWARD: 'forwarded the complaint to the lender',
  NOTE: 'added a note',
  UNVERIFIED: 'wrote from another address',
}

function sentenceFor({ author, kind, person, ...change }: ThreadChange, eventText: EventText): string {
  if (kind === 'EVENT') return `${eventText(change)}${person === null ? '' : ` (${person})`}`
  const who = person ?? partyNames[author]
  return `${who} ${kind === 'WORDS' && author !== 'OFFICER' ? 'wrote' : verbs[kind]}`
}

/** Returns the newest unseen message of another person, or else the newest note or event; null if all are seen. */
export function changeSince<Entry extends ThreadChange & { entryId: string }>(
  thread: readonly Entry[],
  seen: ReadonlySet<string>,
  userName: string,
  eventText: EventText,
): { text: string; entry: Entry } | null {
  const unseen = thread.filter(({ entryId, person }) => !seen.has(entryId) && person !== userName)
  const entry = unseen.findLast(({ kind }) => kind !== 'NOTE' && kind !== 'EVENT') ?? unseen.at(-1)
  return entry ? { text: sentenceFor(entry, eventText), entry } : null
}

// A complaint's thread: messages with their mails, internal notes, and events.

import type { ComplaintDetail, EntryMail, ThreadEntry } from '@lendloom/wire/console/complaints'
import { ofTenant } from '../session.ts'
import { Badge, Time, type Tone } from '../ui/components.tsx'
import { countText, sizeText } from '../ui/format-figures.ts'
import { authorNames, eventText } from './complaint-texts.ts'
import { isReminder } from './reminder.ts'

interface ThreadProps {
  complaint: ComplaintDetail
  /** Revealed texts by entry id. */
  words: Record<string, string>
  onDecide(entryId: string, accept: boolean): void
  onSendAgain(mailId: string): void
}

export const Thread = ({ complaint, words, onDecide, onSendAgain }: ThreadProps) => (
  <section class="thread" aria-labelledby="thread">
    <h2 id="thread" class="unseen">
      Thread
    </h2>
    <ol>
      {complaint.thread.map((entry, i, all) =>
        isInHeadOrMail(entry, all[i - 1]) ? null : entry.kind === 'EVENT' ? (
          <Event key={entry.entryId} entry={entry} onSendAgain={onSendAgain} />
        ) : (
          <Message
            key={entry.entryId}
            complaint={complaint}
            entry={entry}
            isRepeated={isReminder(entry, all.slice(0, i))}
            words={words}
            onDecide={onDecide}
            onSendAgain={onSendAgain}
          />
        ),
      )}
    </ol>
  </section>
)

const isInHeadOrMail = ({ code }: ThreadEntry, before: ThreadEntry | undefined): boolean =>
  code === 'OPENED' || (code === 'SENT_TO_LENDER' && before?.kind === 'FORWARD' && before.mail !== null)

const Event = ({ entry, onSendAgain }: { entry: ThreadEntry; onSendAgain(mailId: string): void }) => (
  <li class="happened">
    <span>
      {eventText(entry)}
      {entry.person && <span class="quiet"> by {entry.person}</span>}
    </span>
    {entry.mail && entry.mail.state !== 'SENT' && <Mail mail={entry.mail} onSendAgain={onSendAgain} />}
    <span class="quiet small">
      <Time at={entry.at} />
    </span>
  </li>
)

const kindNames: Partial<Record<ThreadEntry['kind'], string>> = {
  QUESTION: 'question',
  RESOLUTION: 'resolution',
  FORWARD: 'forwarded to the lender',
  NOTE: 'note for colleagues',
  UNVERIFIED: 'from another address than the complaint’s',
}

/** The style of an entry: borrower, platform, lender or note. */
const styleOf = ({ author, kind }: ThreadEntry): string =>
  kind === 'NOTE' || kind === 'UNVERIFIED'
    ? 'note'
    : author === 'BORROWER'
      ? 'borrower'
      : author === 'LENDER'
        ? 'lender'
        : 'ours'

function authorOf({ author, person, from }: ThreadEntry, { lender }: ComplaintDetail): string {
  if (author === 'BORROWER' && person) return `Borrower, recorded by ${person}`
  if (author === 'LENDER') return lender ?? 'Lender'
  return person ?? (author === 'BORROWER' && from ? `Borrower, ${from}` : authorNames[author])
}

interface MessageProps extends ThreadProps {
  entry: ThreadEntry
  isRepeated: boolean
}

const Message = ({ complaint, entry, isRepeated, words, onDecide, onSendAgain }: MessageProps) => (
  <li class={`said ${styleOf(entry)}`}>
    <header>
      <strong>{authorOf(entry, complaint)}</strong>
      {kindNames[entry.kind] && (
        <span class="quiet">{isRepeated ? 'reminder to the lender' : kindNames[entry.kind]}</span>
      )}
      <span class="quiet small when">
        <Time at={entry.at} />
      </span>
    </header>
    {entry.subject && <p class="quiet small">{entry.subject}</p>}
    {isRepeated ? (
      <details>
        <summary class="quiet small">Show the text</summary>
        <Words words={words} entry={entry} />
      </details>
    ) : (
      <Words words={words} entry={entry} />
    )}
    <Files complaintId={complaint.complaintId} entry={entry} />
    {entry.mail && <Mail mail={entry.mail} onSendAgain={onSendAgain} />}
    {entry.kind === 'UNVERIFIED' && complaint.acts.includes('note') && complaint.acts.includes('assign') && (
      <div class="acts settle">
        <button type="button" class="primary" onClick={() => onDecide(entry.entryId, true)}>
          From the borrower
        </button>
        <button type="button" class="secondary" onClick={() => onDecide(entry.entryId, false)}>
          Not the borrower
        </button>
      </div>
    )}
  </li>
)

const Words = ({ words, entry: { entryId, text } }: Pick<MessageProps, 'words' | 'entry'>) => (
  <p class="words">{words[entryId] ?? text}</p>
)

const Files = ({ complaintId, entry: { entryId, files } }: { complaintId: string; entry: ThreadEntry }) =>
  files.length === 0 ? null : (
    <ul class="files">
      {files.map(({ name, size, kept, why }, i) => (
        <li key={name + i}>
          {kept ? (
            <a href={`/api/console${ofTenant(`/complaints/${complaintId}/entries/${entryId}/files/${i}`)}`} download>
              {name}
            </a>
          ) : (
            <span class="quiet">{name}</span>
          )}{' '}
          <span class="quiet small">{kept ? sizeText(size) : `not accepted: it ${why}`}</span>
        </li>
      ))}
    </ul>
  )

const mailStates: Record<EntryMail['state'], readonly [Tone, string]> = {
  QUEUED: ['warn', 'Email waiting'],
  SENT: ['good', 'Email sent'],
  FAILED: ['bad', 'Email not accepted'],
}

/** The delivery state of a mail, with a retry if it failed. */
const Mail = ({ mail, onSendAgain }: { mail: EntryMail; onSendAgain(mailId: string): void }) => (
  <p class="mail">
    <Badge tone={mailStates[mail.state][0]}>{mailStates[mail.state][1]}</Badge>
    {mail.state === 'QUEUED' && mail.tries > 0 && mail.nextTryAt && (
      <span class="quiet small">
        {countText(mail.tries, 'try', 'tries')}, again <Time at={mail.nextTryAt} />
      </span>
    )}
    {mail.state !== 'SENT' && mail.answer && <span class="quiet small">{mail.answer}</span>}
    {mail.state === 'FAILED' && (
      <button type="button" class="secondary small" onClick={() => onSendAgain(mail.mailId)}>
        Send again
      </button>
    )}
  </p>
)

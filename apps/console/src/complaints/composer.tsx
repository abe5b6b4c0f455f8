// Form for a reply to the borrower or an internal note. A draft stays if it cannot be sent.

import { keysOf } from '@lendloom/foundation/record'
import { languageFacts } from '@lendloom/lending/language'
import {
  attachmentField,
  type ComplaintTemplate,
  complaintOutcomes,
  complaintTemplates,
} from '@lendloom/wire/console/complaint-lists'
import type { ComplaintDetail, TemplateReply } from '@lendloom/wire/console/complaints'
import { useSignal } from '@preact/signals'
import { ApiError, get, post, postWithFiles } from '../api.ts'
import { me, tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { Time } from '../ui/components.tsx'
import { Choice, Form, TextArea, useForm } from '../ui/form.tsx'
import { useResource } from '../ui/list.tsx'
import { api } from './access.ts'
import { AttachedFiles } from './attached-files.tsx'
import { changeSince } from './colleague-action.ts'
import { eventText, outcomeNames, templateNames } from './complaint-texts.ts'

const replyKinds = ['WORDS', 'QUESTION', 'RESOLUTION', 'NOTE'] as const
type ReplyKind = (typeof replyKinds)[number]
const replyKindNames: Record<ReplyKind, string> = {
  WORDS: 'Answer',
  QUESTION: 'Ask',
  RESOLUTION: 'Resolve',
  NOTE: 'Note',
}

interface ComposerProps {
  complaint: ComplaintDetail
  onDone(): void
}

interface Draft {
  text: string
  outcome: string
  files: File[]
  /** Ids of the thread's entries when the officer began the draft; null while it is empty. */
  seen: ReadonlySet<string> | null
  /** Whether the platform rejected the draft because a colleague acted first. */
  isRejected: boolean
}
const emptyDraft: Draft = { text: '', outcome: '', files: [], seen: null, isRejected: false }

/** Sends an answer, in a form if it has files. */
const sendAnswer = (
  { complaintId, version }: ComplaintDetail,
  kind: Exclude<ReplyKind, 'NOTE'>,
  { text, outcome, files }: Draft,
): Promise<unknown> => {
  const path = api(`/${complaintId}/answer`)
  const body = { version, kind, text, ...(kind === 'RESOLUTION' && outcome && { outcome }) }
  return files.length > 0 ? postWithFiles(path, body, attachmentField, files) : post(path, body)
}

function requireOutcome({ text, outcome }: Draft): void {
  if (outcome) return
  const fields = [{ path: 'outcome', message: 'Choose an outcome' }]
  if (text.trim() === '') fields.push({ path: 'text', message: 'must not be empty' })
  throw new ApiError('Choose an outcome', { status: 0, code: 'INVALID', fields })
}

/** Keeps reply and note as separate drafts, so that a note is never sent to the borrower. */
export function Composer({ complaint, onDone }: ComposerProps) {
  const mayAnswer = complaint.acts.includes('answer')
  const chosenKind = useSignal<ReplyKind>('WORDS')
  const draft = useSignal(emptyDraft)
  const note = useSignal('')
  const act = useForm(['text', 'outcome'])
  const kind = mayAnswer ? chosenKind.value : 'NOTE'
  const currentIds = () => new Set(complaint.thread.map(({ entryId }) => entryId))
  const set = (change: Partial<Draft>) => {
    const next = { ...draft.value, ...change }
    for (const field of keysOf(change)) act.clear(field)
    assign(draft, { ...next, seen: next.text === '' ? null : (next.seen ?? currentIds()) })
  }
  const setNote = (text: string) => {
    assign(note, text)
    act.clear('text')
  }
  async function submit(): Promise<void> {
    if (kind === 'NOTE') {
      await post(api(`/${complaint.complaintId}/note`), { text: note.value })
      note.value = ''
      return onDone()
    }
    if (kind === 'RESOLUTION') requireOutcome(draft.value)
    try {
      await sendAnswer(complaint, kind, draft.value)
      draft.value = emptyDraft
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 409)) throw error
      // A colleague acted first: the reloaded thread shows the action, and the draft stays.
      set({ isRejected: true })
    } finally {
      onDone()
    }
  }
  return (
    <section class={`composer ${kind === 'NOTE' ? 'note' : ''}`} aria-label="Write">
      <ChangeNotice
        complaint={complaint}
        draft={draft.value}
        mayAnswer={mayAnswer}
        onSeen={() => set({ seen: currentIds(), isRejected: false })}
        onDrop={() => assign(draft, emptyDraft)}
      />
      {mayAnswer && <Kinds chosen={kind} onChoose={(each) => assign(chosenKind, each)} />}
      <Form act={act} onSubmit={submit} button={buttonOf(kind, complaint, draft.value.outcome)}>
        {kind === 'NOTE' ? (
          <NoteField text={note.value} fault={act.faults.text} onText={setNote} />
        ) : (
          <ReplyFields complaint={complaint} kind={kind} draft={draft.value} faults={act.faults} onChange={set} />
        )}
      </Form>
    </section>
  )
}

/** The error of a text as a sentence. */
const textFault = (fault: string, text: string, { empty, subject }: typeof answerTexts): string =>
  text.trim() === ''
    ? empty
    : fault.startsWith(incompletePrefix)
      ? `Complete${fault.slice(incompletePrefix.length)}`
      : `${subject} ${fault}`
/** How errors begin that name what the text must complete. */
const incompletePrefix = 'must complete'
const answerTexts = { empty: 'Write an answer to the borrower', subject: 'The answer' }
const noteTexts = { empty: 'Write a note', subject: 'The note' }

const NoteField = ({
  text,
  fault,
  onText,
}: {
  text: string
  fault: string | undefined
  onText(text: string): void
}) => (
  <TextArea
    label="Note for colleagues. The borrower does not see it."
    rows={3}
    value={text}
    fault={fault && textFault(fault, text, noteTexts)}
    onValue={onText}
  />
)

interface ReplyFieldsProps {
  complaint: ComplaintDetail
  kind: Exclude<ReplyKind, 'NOTE'>
  draft: Draft
  faults: Record<string, string>
  onChange(change: Partial<Draft>): void
}

/** Shows the reply between the mail's greeting and closing, so that the officer does not repeat them. */
function ReplyFields({ complaint, kind, draft: { text, outcome, files }, faults, onChange }: ReplyFieldsProps) {
  const { value: frame } = useResource<TemplateReply>(`/complaints/${complaint.complaintId}/template`, {
    template: 'BLANK',
    tenantId: tenantId.value,
  })
  const isMailed = complaint.email !== null && frame !== null
  return (
    <>
      <Templates complaint={complaint} onTemplate={onChange} />
      {isMailed && <p class="frame">{frame.greeting}</p>}
      <TextArea
        label="To the borrower"
        rows={7}
        value={text}
        fault={faults.text && textFault(faults.text, text, answerTexts)}
        onValue={(value) => onChange({ text: value })}
      />
      {isMailed && <MailEnd text={kind === 'RESOLUTION' ? `${frame.objection}\n\n${frame.closing}` : frame.closing} />}
      {kind === 'RESOLUTION' && (
        <Choice
          label="Outcome"
          value={outcome}
          options={[['', 'Choose an outcome'], ...outcomeOptions]}
          fault={faults.outcome}
          onValue={(value) => onChange({ outcome: value })}
        />
      )}
      <AttachedFiles files={files} onFiles={(attached) => onChange({ files: attached })} />
    </>
  )
}

const MailEnd = ({ text }: { text: string }) =>
  matchMedia('(max-width: 599px)').matches ? (
    <details class="frame">
      <summary>Show the end of the mail</summary>
      {text}
    </details>
  ) : (
    <p class="frame">{text}</p>
  )

interface ChangeNoticeProps {
  complaint: ComplaintDetail
  draft: Draft
  mayAnswer: boolean
  onSeen(): void
  onDrop(): void
}

/** Notice of colleagues' actions since the draft was begun; contains the draft if it can no longer be sent. */
function ChangeNotice({ complaint, draft, mayAnswer, onSeen, onDrop }: ChangeNoticeProps) {
  if (draft.seen === null) return null
  const change = changeSince(complaint.thread, draft.seen, me.value?.person.name ?? '', eventText)
  if (change === null && mayAnswer && !draft.isRejected) return null
  const what = change?.text ?? 'The complaint has changed'
  return (
    <div class="notice warn draft" role="status">
      <p>
        {draft.isRejected || !mayAnswer ? 'Your answer was not sent: ' : 'While you were writing: '}
        <strong>{what}</strong>
        {change && (
          <>
            , <Time at={change.entry.at} />
          </>
        )}
        .
      </p>
      {!mayAnswer && <blockquote>{draft.text}</blockquote>}
      <p class="acts">
        {mayAnswer ? (
          <button type="button" class="secondary small" onClick={onSeen}>
            I have read it
          </button>
        ) : (
          <>
            <button
              type="button"
              class="secondary small"
              onClick={() => void navigator.clipboard.writeText(draft.text)}
            >
              Copy your draft
            </button>
            <button type="button" class="secondary small" onClick={onDrop}>
              Discard
            </button>
          </>
        )}
      </p>
    </div>
  )
}

const outcomeOptions = complaintOutcomes
  .filter((each) => each !== 'WITHDRAWN')
  .map((each) => [each, outcomeNames[each]] as const)

function buttonOf(kind: ReplyKind, { email, journeyId }: ComplaintDetail, chosen: string): string {
  if (kind === 'NOTE') return 'Add note'
  const where = email ? `by email${journeyId ? ' and on the page' : ''}` : 'on the borrower’s page'
  const outcome = outcomeOptions.find(([each]) => each === chosen)?.[1].split(':')[0]
  const resolve = outcome ? `Resolve: ${outcome.toLowerCase()}` : 'Resolve'
  return { WORDS: `Answer ${where}`, QUESTION: `Ask ${where}`, RESOLUTION: `${resolve}, ${where}` }[kind]
}

const Kinds = ({ chosen, onChoose }: { chosen: ReplyKind; onChoose(kind: ReplyKind): void }) => (
  <fieldset class="kinds">
    <legend class="unseen">Kind of entry</legend>
    {replyKinds.map((kind) => (
      <button key={kind} type="button" aria-pressed={kind === chosen} onClick={() => onChoose(kind)}>
        {replyKindNames[kind]}
      </button>
    ))}
  </fieldset>
)

function Templates({
  complaint: { complaintId, language },
  onTemplate,
}: {
  complaint: ComplaintDetail
  onTemplate(change: Partial<Draft>): void
}) {
  const chosen = useSignal('')
  const choose = async (template: string) => {
    chosen.value = template
    if (template === '') return
    const { text } = await get<TemplateReply>(`/complaints/${complaintId}/template`, {
      template,
      tenantId: tenantId.value,
    })
    onTemplate({ text, outcome: outcomeOptions.find(([outcome]) => outcome === template)?.[0] ?? '' })
  }
  const options = complaintTemplates.map((each: ComplaintTemplate) => [each, templateNames[each]] as const)
  return (
    <Choice
      label={`Template, in ${languageFacts[language].english}`}
      value={chosen.value}
      options={[['', 'None'], ...options]}
      onValue={(value) => void choose(value)}
    />
  )
}

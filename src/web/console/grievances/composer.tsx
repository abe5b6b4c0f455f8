// What is written to the borrower, or noted for colleagues: begun from a template, changed before it is sent; it stays when it cannot be.
import { useSignal } from '@preact/signals'
import {
  attachmentTypes,
  type ComplaintTemplate,
  complaintOutcomes,
  complaintTemplates,
  mostAttachments,
} from '#contract/console/complaint-lists.ts'
import type { ComplaintDetail } from '#contract/console/complaints.ts'
import { get, post } from '../api.ts'
import { tenantId } from '../session.ts'
import { assign } from '../ui/assign.ts'
import { Choice, Form, useForm, Words } from '../ui/form.tsx'
import { api, outcomeNames, type ReadFile, readFile, templateNames } from './words.ts'

const kinds = ['WORDS', 'QUESTION', 'RESOLUTION', 'NOTE'] as const
type Kind = (typeof kinds)[number]
const kindNames: Record<Kind, string> = {
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
  files: ReadFile[]
}
const empty: Draft = { text: '', outcome: 'UPHELD', files: [] }

const send = (
  { complaintId, version }: ComplaintDetail,
  kind: Kind,
  { text, outcome, files }: Draft,
): Promise<unknown> =>
  kind === 'NOTE'
    ? post(api(`/${complaintId}/note`), { text })
    : post(api(`/${complaintId}/answer`), {
        ...{ version, kind, text },
        ...(kind === 'RESOLUTION' && { outcome }),
        ...(files.length > 0 && { files }),
      })

export function Composer({ complaint, onDone }: ComposerProps) {
  const mayAnswer = complaint.acts.includes('answer')
  const chosen = useSignal<Kind>('WORDS')
  const draft = useSignal(empty)
  const act = useForm(['text', 'outcome'])
  const kind = mayAnswer ? chosen.value : 'NOTE'
  const set = (change: Partial<Draft>) => assign(draft, { ...draft.value, ...change })
  async function submit(): Promise<void> {
    try {
      await send(complaint, kind, draft.value)
      draft.value = empty
    } finally {
      // Where somebody else was faster the thread shows what they did, and what was typed stays.
      onDone()
    }
  }
  const { text, outcome, files } = draft.value
  return (
    <section class={`composer ${kind === 'NOTE' ? 'note' : ''}`} aria-label="Write">
      {mayAnswer && <Kinds chosen={kind} onChoose={(each) => assign(chosen, each)} />}
      <Form act={act} onSubmit={submit} button={buttonOf(kind, complaint)}>
        {kind !== 'NOTE' && <Templates complaint={complaint} onText={(words) => set({ text: words })} />}
        <Words
          label={kind === 'NOTE' ? 'A note for colleagues; the borrower never sees it' : 'To the borrower'}
          rows={kind === 'NOTE' ? 3 : 7}
          value={text}
          fault={act.faults.text}
          onValue={(value) => set({ text: value })}
        />
        {kind === 'RESOLUTION' && (
          <Choice
            label="Outcome"
            value={outcome}
            options={outcomes}
            fault={act.faults.outcome}
            onValue={(value) => set({ outcome: value })}
          />
        )}
        {kind !== 'NOTE' && <Attached files={files} onFiles={(given) => set({ files: given })} />}
      </Form>
    </section>
  )
}

const outcomes = complaintOutcomes
  .filter((each) => each !== 'WITHDRAWN')
  .map((each) => [each, outcomeNames[each]] as const)

function buttonOf(kind: Kind, { email }: ComplaintDetail): string {
  if (kind === 'NOTE') return 'Add the note'
  const where = email ? `by e-mail to ${email}` : 'on the borrower’s page'
  return { WORDS: `Answer ${where}`, QUESTION: `Ask ${where}`, RESOLUTION: `Resolve, ${where}` }[kind]
}

const Kinds = ({ chosen, onChoose }: { chosen: Kind; onChoose(kind: Kind): void }) => (
  <fieldset class="kinds">
    <legend class="unseen">What to write</legend>
    {kinds.map((kind) => (
      <button key={kind} type="button" aria-pressed={kind === chosen} onClick={() => onChoose(kind)}>
        {kindNames[kind]}
      </button>
    ))}
  </fieldset>
)

function Templates({
  complaint: { complaintId, language },
  onText,
}: {
  complaint: ComplaintDetail
  onText(text: string): void
}) {
  const chosen = useSignal('')
  const choose = async (template: string) => {
    chosen.value = template
    if (template === '') return
    const { text } = await get<{ text: string }>(`/complaints/${complaintId}/template`, {
      template,
      tenantId: tenantId.value,
    })
    onText(text)
  }
  const options = complaintTemplates.map((each: ComplaintTemplate) => [each, templateNames[each]] as const)
  return (
    <Choice
      label={`Begin with, in ${language === 'hi' ? 'Hindi' : 'English'}`}
      value={chosen.value}
      options={[['', 'Your own words'], ...options]}
      onValue={(value) => void choose(value)}
    />
  )
}

function Attached({ files, onFiles }: { files: ReadFile[]; onFiles(files: ReadFile[]): void }) {
  const refused = useSignal<string | null>(null)
  async function take(list: FileList | null): Promise<void> {
    const read = await Promise.all([...(list ?? [])].map(readFile))
    refused.value = read.find((each) => typeof each === 'string') ?? null
    onFiles([...files, ...read.filter((each) => typeof each !== 'string')].slice(0, mostAttachments))
  }
  return (
    <div class="attached">
      {files.map((file) => (
        <span key={file.name} class="file">
          {file.name}{' '}
          <button
            type="button"
            class="quiet-button"
            aria-label={`Leave out ${file.name}`}
            onClick={() => onFiles(files.filter((each) => each !== file))}
          >
            ✕
          </button>
        </span>
      ))}
      <label class="secondary small">
        Attach a file
        <input
          type="file"
          class="unseen"
          multiple
          accept={attachmentTypes.join(',')}
          onChange={(event) => {
            void take(event.currentTarget.files)
            event.currentTarget.value = ''
          }}
        />
      </label>
      {refused.value && <span class="fault">{refused.value}</span>}
    </div>
  )
}

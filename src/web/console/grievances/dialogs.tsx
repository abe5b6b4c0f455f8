// The dialogs before acts on a complaint.
import { useSignal } from '@preact/signals'
import { complaintCategories, complaintOutcomes } from '#contract/console/complaint-lists.ts'
import type { ComplaintDetail, ComplaintSetup, RevealedComplaint } from '#contract/console/complaints.ts'
import { post, postForFile } from '../api.ts'
import { tenantId } from '../session.ts'
import { assign } from '../ui/assign.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Field, Form, Reason, useForm, useTyped, Words } from '../ui/form.tsx'
import { useOne } from '../ui/list.tsx'
import { api, categoryNames, outcomeNames } from './words.ts'

export type ComplaintDialog =
  | 'assign'
  | 'category'
  | 'forward'
  | 'escalate'
  | 'merge'
  | 'close'
  | 'match'
  | 'reveal'
  | 'export'

interface DialogsProps {
  asking: ComplaintDialog | null
  complaint: ComplaintDetail
  onRevealed(data: RevealedComplaint): void
  onClose(): void
  onDone(): void
}

export function Dialogs({ asking, onRevealed, ...of }: DialogsProps) {
  if (asking === 'assign') return <Assign {...of} />
  if (asking === 'reveal') return <Reveal {...of} onRevealed={onRevealed} />
  if (asking === 'export') return <Export {...of} />
  return asking === null ? null : <One key={asking} asking={asking} {...of} />
}

type DialogProps = Pick<DialogsProps, 'complaint' | 'onClose' | 'onDone'>

interface Question {
  title: string
  button: string
  about: string
  part: string
  /** The required field. */
  name: 'category' | 'text' | 'into' | 'outcome' | 'journeyId' | null
  label: string
  first(complaint: ComplaintDetail): string
}

const questions: Record<Exclude<ComplaintDialog, 'assign' | 'reveal' | 'export'>, Question> = {
  category: {
    ...{ title: 'What is it about?', button: 'Change it', part: 'category', name: 'category', label: 'About' },
    about: 'Reports use this category, and it decides who may answer.',
    first: ({ category }) => category,
  },
  forward: {
    ...{
      title: 'Forward to lender',
      button: 'Send it',
      part: 'forward',
      name: 'text',
      label: 'Message to the lender',
    },
    about:
      'Sent over the network if the lender accepts complaints there, otherwise by email to its grievance officer. The borrower sees that it was sent.',
    first: ({ thread }) => thread.find(({ author, kind }) => author === 'BORROWER' && kind === 'WORDS')?.text ?? '',
  },
  escalate: {
    ...{ title: 'Escalate to the nodal officer', button: 'Escalate', part: 'escalate', name: null, label: '' },
    about:
      'We notify the nodal officer and the borrower at once, and the lender if the complaint is with it. You can escalate a complaint only once.',
    first: () => '',
  },
  merge: {
    ...{ title: 'Merge into another complaint', button: 'Merge', part: 'merge', name: 'into', label: 'Into' },
    about:
      'We add the borrower’s messages to the other complaint, which continues alone. Later replies to this complaint go there too. You cannot undo this.',
    first: ({ others }) => others[0]?.number ?? '',
  },
  close: {
    ...{ title: 'Close the complaint', button: 'Close it', part: 'close', name: 'outcome', label: 'Outcome' },
    about: 'We inform the borrower, who can reopen it by replying.',
    first: ({ outcome }) => outcome ?? 'UPHELD',
  },
  match: {
    ...{ title: 'Match to a journey', button: 'Match', part: 'match', name: 'journeyId', label: 'Journey' },
    about: 'Press / to find the borrower’s journey, and paste its id. The complaint then belongs to that tenant.',
    first: () => '',
  },
}

function One({ asking, complaint, onClose, onDone }: DialogProps & { asking: keyof typeof questions }) {
  const { title, button, about, part, name, label, first } = questions[asking]
  const value = useSignal(first(complaint))
  const act = useForm(name ? [name] : [])
  async function submit(): Promise<void> {
    const body = { version: complaint.version, ...(name && { [name]: value.value.trim() }) }
    await post(api(`/${complaint.complaintId}/${part}`), body)
    onDone()
  }
  const common = {
    label,
    value: value.value,
    fault: name ? act.faults[name] : undefined,
    onValue: (next: string) => assign(value, next),
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form act={act} onSubmit={submit} button={button}>
        <p class="quiet">{about}</p>
        {name === 'text' && <Words {...common} />}
        {name === 'journeyId' && <Field {...common} autoFocus />}
        {name === 'category' && (
          <Choice {...common} options={complaintCategories.map((each) => [each, categoryNames[each]] as const)} />
        )}
        {name === 'outcome' && (
          <Choice {...common} options={complaintOutcomes.map((each) => [each, outcomeNames[each]] as const)} />
        )}
        {name === 'into' && (
          <Choice
            {...common}
            options={complaint.others.map(
              ({ number, category }) => [number, `${number}, ${categoryNames[category]}`] as const,
            )}
          />
        )}
      </Form>
    </Dialog>
  )
}

function Assign({ complaint: { complaintId, version, assignee }, onClose, onDone }: DialogProps) {
  const { value } = useOne<ComplaintSetup>('/complaints/setup', { tenantId: tenantId.value })
  const { act, of, typed } = useTyped({ assigneeId: assignee?.personId ?? '' })
  async function submit(): Promise<void> {
    await post(api(`/${complaintId}/assign`), { version, assigneeId: typed.assigneeId || null })
    onDone()
  }
  return (
    <Dialog title="Who works on it?" onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Assign">
        <Choice
          label="Assigned to"
          options={[
            ['', 'Unassigned'],
            ...(value?.assignees ?? []).map(({ personId, name }) => [personId, name] as const),
          ]}
          {...of('assigneeId')}
        />
      </Form>
    </Dialog>
  )
}

function Reveal({ complaint: { complaintId }, onRevealed, onClose }: DialogProps & Pick<DialogsProps, 'onRevealed'>) {
  const { act, of, typed } = useTyped({ reason: '' })
  async function submit(): Promise<void> {
    onRevealed(await post<RevealedComplaint>(api(`/${complaintId}/reveal`), typed))
    onClose()
  }
  return (
    <Dialog title="Reveal masked data" onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Reveal">
        <p class="quiet">Name, email address and mobile number of the borrower, and their messages in full.</p>
        <Reason {...of('reason')} />
      </Form>
    </Dialog>
  )
}

const formats = [
  ['json', 'JSON'],
  ['csv', 'CSV, one line per entry'],
] as const

function Export({ complaint: { complaintId, number }, onClose }: DialogProps) {
  const { act, of, typed } = useTyped({ reason: '', format: 'json' })
  async function submit(): Promise<void> {
    saveFile(await postForFile(api(`/${complaintId}/export`), typed), `${number}.${typed.format}`)
    onClose()
  }
  return (
    <Dialog title="Export the complaint" onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Export">
        <p class="quiet">The whole thread, with names, addresses and messages in full.</p>
        <Choice label="Format" options={formats} {...of('format')} />
        <Reason {...of('reason')} />
      </Form>
    </Dialog>
  )
}

function saveFile(file: Blob, name: string): void {
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(file), download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

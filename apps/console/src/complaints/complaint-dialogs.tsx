// Dialogs for actions on a complaint: a question with one field for most of them, and three with forms of their own.

import { complaintCategories, complaintOutcomes } from '@lendloom/wire/console/complaint-lists'
import type { ComplaintDetail, ComplaintSetup, RevealedComplaint } from '@lendloom/wire/console/complaints'
import { useSignal } from '@preact/signals'
import { post, postForFile } from '../api.ts'
import { tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Field, Form, Reason, TextArea, useForm, useTyped } from '../ui/form.tsx'
import { useResource } from '../ui/list.tsx'
import { saveFile } from '../ui/save-file.ts'
import { api } from './access.ts'
import { categoryNames, outcomeNames } from './complaint-texts.ts'

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
  openDialog: ComplaintDialog | null
  complaint: ComplaintDetail
  onRevealed(data: RevealedComplaint): void
  onClose(): void
  onDone(): void
}

/** The dialog that is open, if any. */
export function ComplaintDialogs({ openDialog, onRevealed, ...props }: DialogsProps) {
  if (openDialog === 'assign') return <Assign {...props} />
  if (openDialog === 'reveal') return <Reveal {...props} onRevealed={onRevealed} />
  if (openDialog === 'export') return <Export {...props} />
  return openDialog === null ? null : <QuestionDialog key={openDialog} openDialog={openDialog} {...props} />
}

type DialogProps = Pick<DialogsProps, 'complaint' | 'onClose' | 'onDone'>

interface Question {
  title: string
  button: string
  about: string
  action: string
  /** The required field. */
  name: 'category' | 'text' | 'into' | 'outcome' | 'journeyId' | null
  label: string
  initialValue(complaint: ComplaintDetail): string
}

const questionsByDialog: Record<Exclude<ComplaintDialog, 'assign' | 'reveal' | 'export'>, Question> = {
  category: {
    title: 'What is it about?',
    button: 'Change',
    action: 'category',
    name: 'category',
    label: 'About',
    about: 'Reports use this category, and it decides who may answer.',
    initialValue: ({ category }) => category,
  },
  forward: {
    title: 'Forward to lender',
    button: 'Forward',
    action: 'forward',
    name: 'text',
    label: 'Message to the lender',
    about:
      'We send it over the network if the lender accepts complaints there, otherwise by email to its grievance officer. The borrower sees that we sent it.',
    initialValue: ({ thread }) =>
      thread.find(({ author, kind }) => author === 'BORROWER' && kind === 'WORDS')?.text ?? '',
  },
  escalate: {
    title: 'Escalate to the nodal officer',
    button: 'Escalate',
    action: 'escalate',
    name: null,
    label: '',
    about:
      'We notify the nodal officer and the borrower at once, and the lender if the complaint is with it. You can escalate a complaint only once.',
    initialValue: () => '',
  },
  merge: {
    title: 'Merge into another complaint',
    button: 'Merge',
    action: 'merge',
    name: 'into',
    label: 'Into',
    about:
      'We add the borrower’s messages to the other complaint, which continues alone. Later replies to this complaint go there too. You cannot undo this.',
    initialValue: ({ others }) => others[0]?.number ?? '',
  },
  close: {
    title: 'Close the complaint',
    button: 'Close',
    action: 'close',
    name: 'outcome',
    label: 'Outcome',
    about: 'We inform the borrower, who can reopen it by replying.',
    initialValue: ({ outcome }) => outcome ?? 'UPHELD',
  },
  match: {
    title: 'Match to a journey',
    button: 'Match',
    action: 'match',
    name: 'journeyId',
    label: 'Journey',
    about: 'Press / to find the borrower’s journey, and paste its ID. The complaint then belongs to that tenant.',
    initialValue: () => '',
  },
}

function QuestionDialog({
  openDialog,
  complaint,
  onClose,
  onDone,
}: DialogProps & { openDialog: keyof typeof questionsByDialog }) {
  const { title, button, about, action, name, label, initialValue } = questionsByDialog[openDialog]
  const value = useSignal(initialValue(complaint))
  const act = useForm(name ? [name] : [])
  async function submit(): Promise<void> {
    const body = { version: complaint.version, ...(name && { [name]: value.value.trim() }) }
    await post(api(`/${complaint.complaintId}/${action}`), body)
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
        {name === 'text' && <TextArea {...common} />}
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
  const { value } = useResource<ComplaintSetup>('/complaints/setup', { tenantId: tenantId.value })
  const { act, bind, typed } = useTyped({ assigneeId: assignee?.personId ?? '' })
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
          {...bind('assigneeId')}
        />
      </Form>
    </Dialog>
  )
}

function Reveal({ complaint: { complaintId }, onRevealed, onClose }: DialogProps & Pick<DialogsProps, 'onRevealed'>) {
  const { act, bind, typed } = useTyped({ reason: '' })
  async function submit(): Promise<void> {
    onRevealed(await post<RevealedComplaint>(api(`/${complaintId}/reveal`), typed))
    onClose()
  }
  return (
    <Dialog title="Reveal masked data" onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Reveal">
        <p class="quiet">Name, email address and mobile number of the borrower, and their messages in full.</p>
        <Reason {...bind('reason')} />
      </Form>
    </Dialog>
  )
}

const exportFormats = [
  ['json', 'JSON'],
  ['csv', 'CSV, one line per entry'],
] as const

function Export({ complaint: { complaintId, number }, onClose }: DialogProps) {
  const { act, bind, typed } = useTyped({ reason: '', format: 'json' })
  async function submit(): Promise<void> {
    saveFile(await postForFile(api(`/${complaintId}/export`), typed), `${number}.${typed.format}`)
    onClose()
  }
  return (
    <Dialog title="Export the complaint" onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Export">
        <p class="quiet">The whole thread, with names, addresses and messages in full.</p>
        <Choice label="Format" options={exportFormats} {...bind('format')} />
        <Reason {...bind('reason')} />
      </Form>
    </Dialog>
  )
}
